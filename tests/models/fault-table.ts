/** Pure data: every fault of docs/providers.md (P1–P27) that a single model call can meet, as scenarios for the fake providers. */
import type { Timeouts } from '../../electron/models/model-stream.ts';
import type { FakeGemini } from '../fakes/providers/fake-gemini.ts';
import type { FakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { Reply } from '../fakes/providers/fake-server.ts';

export type Api = 'responses' | 'chat' | 'gemini';
export interface Fakes {
  openai: FakeOpenAi;
  gemini: FakeGemini;
}

export interface Fault {
  rule: string;
  api: Api;
  name: string;
  replies(fakes: Fakes): Reply[];
  expect: {
    outcome: string;
    code?: string;
    /** Requests the fake must have seen; default 1. */
    requests?: number;
    /** Waits before tries, as least milliseconds. */
    waits?: number[];
    text?: string;
    /** Arguments of the calls; default none. */
    calls?: (Record<string, unknown> | null)[];
  };
  timeouts?: Partial<Timeouts>;
  /** The key sent; default the right one. */
  apiKey?: string;
  model?: string;
}

const ANSWER = { text: 'All is well.' };
const CALL = { calls: [{ name: 'get_order', arguments: { order_id: 1 } }] };
const ANSWERED = { outcome: 'answered', text: ANSWER.text };

/** A good answer in the format of an API. */
export function good(
  { openai, gemini }: Fakes,
  api: Api,
  step: Parameters<FakeOpenAi['chat']>[0] = ANSWER,
  extra: Partial<Reply> = {},
): Reply {
  if (api === 'gemini') return gemini.gemini(step, {}, extra);
  return api === 'chat' ? openai.chat(step, {}, extra) : openai.responses(step, extra);
}

/** The same reply with only its first events. */
export function cut(reply: Reply, events: number, finish: 'end' | 'reset' | 'stall' = 'end'): Reply {
  return { ...reply, events: (reply.events ?? []).slice(0, events), finish };
}

const event = (type: string, rest: object) => ({ event: type, data: { type, ...rest } });
const openAiError = (
  status: number,
  code: string | null,
  message: string,
  headers: Record<string, string> = {},
  type = 'invalid_request_error',
): Reply => ({
  status,
  headers,
  body: { error: { message, type, param: null, code } },
});
const googleError = (code: number, status: string, message: string, details: object[] = []): Reply => ({
  status: code,
  body: { error: { code, message, status, details } },
});
const RETRY_INFO = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' };
const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId, quotaValue: '50' }],
});
const candidate = (finishReason: string, parts?: object[]): Reply => ({
  events: [
    {
      data: {
        candidates: [{ content: parts === undefined ? { role: 'model' } : { role: 'model', parts }, finishReason, index: 0 }],
        usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
      },
    },
  ],
});
const failedInside = (code: string): Reply => ({
  events: [
    event('response.created', { response: { id: 'r', status: 'in_progress', output: [] } }),
    event('error', { error: { type: code, code, message: 'inside a 200' } }),
    event('response.failed', { response: { id: 'r', status: 'failed', error: { code, message: 'inside a 200' } } }),
  ],
});
const HTML = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const EMPTY: Reply = { body: '', headers: { 'content-type': 'text/event-stream' } };
const rateLimited = (headers: Record<string, string>) =>
  openAiError(429, 'rate_limit_exceeded', 'Rate limit reached for gpt-5', headers, 'requests');
const repeat = (reply: Reply, times: number) => Array.from({ length: times }, () => reply);

/** So many events show some text and are not the end. */
export const SHOWN: Readonly<Record<Api, number>> = { responses: 6, chat: 2, gemini: 1 };
const APIS: readonly Api[] = ['responses', 'chat', 'gemini'];

/** Faults every API has. */
function common(api: Api): Fault[] {
  return [
    {
      rule: 'P1',
      api,
      name: 'stream cut by a clean end after text: kept, not tried again',
      replies: (fakes) => [cut(good(fakes, api), SHOWN[api])],
      expect: { outcome: 'interrupted', code: 'model-interrupted' },
    },
    {
      rule: 'P1',
      api,
      name: 'stream cut before anything was shown: tried again',
      replies: (fakes) => [cut(good(fakes, api), api === 'gemini' ? 0 : 1), good(fakes, api)],
      expect: { ...ANSWERED, requests: 2 },
    },
    {
      rule: 'P2',
      api,
      name: 'socket reset after text',
      replies: (fakes) => [cut(good(fakes, api), SHOWN[api], 'reset')],
      expect: { outcome: 'interrupted' },
    },
    {
      rule: 'P2',
      api,
      name: 'socket reset three times before anything was shown',
      replies: (fakes) => repeat(cut(good(fakes, api), 0, 'reset'), 3),
      expect: { outcome: 'interrupted', requests: 3 },
    },
    {
      rule: 'P7',
      api,
      name: '502 with an HTML page, then well',
      replies: (fakes) => [{ status: 502, body: HTML }, good(fakes, api)],
      expect: { ...ANSWERED, requests: 2 },
    },
    {
      rule: 'P7',
      api,
      name: '503 three times',
      replies: () => repeat({ status: 503, body: { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } } }, 3),
      expect: { outcome: 'overloaded', code: 'model-overloaded', requests: 3 },
    },
    {
      rule: 'P7',
      api,
      name: '200 with an empty body, then well',
      replies: (fakes) => [EMPTY, good(fakes, api)],
      expect: { ...ANSWERED, requests: 2 },
    },
    {
      rule: 'P7',
      api,
      name: '200 with an HTML page three times',
      replies: () => repeat({ body: HTML }, 3),
      expect: { outcome: api === 'gemini' ? 'interrupted' : 'overloaded', requests: 3 },
    },
    {
      rule: 'P8',
      api,
      name: 'wrong key',
      apiKey: 'sk-wrong-canary-0123456789',
      replies: () => [],
      expect: { outcome: 'auth', code: 'model-auth' },
    },
    { rule: 'P8', api, name: 'unknown model', model: 'gemini-0-none', replies: () => [], expect: { outcome: 'auth', code: 'model-auth' } },
    {
      rule: 'P13',
      api,
      name: 'normal stop without text or call: once more, then unknown',
      replies: (fakes) => repeat(good(fakes, api, { text: '' }), 2),
      expect: { outcome: 'unknown', code: 'model-unknown', requests: 2 },
    },
    {
      rule: 'P14',
      api,
      name: 'a normal stop with a call is a call',
      replies: (fakes) => [good(fakes, api, CALL)],
      expect: { outcome: 'tool-calls', calls: [{ order_id: 1 }] },
    },
    {
      rule: 'P12',
      api,
      name: 'a call of an unknown tool is handed on for an error result',
      replies: (fakes) => [good(fakes, api, { calls: [{ name: 'wire_money', arguments: {} }] })],
      expect: { outcome: 'tool-calls', calls: [{}] },
    },
    { rule: 'P22', api, name: 'no usage reported', replies: (fakes) => [good(fakes, api, { ...ANSWER, usage: null })], expect: ANSWERED },
    {
      rule: 'P26',
      api,
      name: 'silent stream after text',
      timeouts: { idleMs: 300 },
      replies: (fakes) => [cut(good(fakes, api), SHOWN[api], 'stall')],
      expect: { outcome: 'interrupted' },
    },
    {
      rule: 'P26',
      api,
      name: 'longer than the whole time allowed',
      timeouts: { totalMs: 500 },
      replies: (fakes) => [cut(good(fakes, api), 0, 'stall')],
      expect: { outcome: 'interrupted' },
    },
  ];
}

/** Faults of both OpenAI APIs. */
function ofOpenAi(api: 'responses' | 'chat'): Fault[] {
  return [
    {
      rule: 'P4',
      api,
      name: 'rate limit with Retry-After-Ms, then well',
      replies: (fakes) => [rateLimited({ 'retry-after-ms': '1500' }), good(fakes, api)],
      expect: { ...ANSWERED, requests: 2, waits: [1500] },
    },
    {
      rule: 'P4',
      api,
      name: 'rate limit three times, backoff grows',
      replies: () => repeat(rateLimited({ 'retry-after': '1' }), 3),
      expect: { outcome: 'rate-limited', code: 'model-rate-limited', requests: 3, waits: [1000, 2000] },
    },
    {
      rule: 'P4',
      api,
      name: 'a longer wait than a minute is not waited for',
      replies: () => [rateLimited({ 'retry-after': '3600' })],
      expect: { outcome: 'rate-limited', waits: [] },
    },
    {
      rule: 'P5',
      api,
      name: 'quota used up',
      replies: () => [
        openAiError(
          429,
          'insufficient_quota',
          'You exceeded your current quota, please check your plan and billing details.',
          { 'retry-after': '1' },
          'insufficient_quota',
        ),
      ],
      expect: { outcome: 'quota', code: 'model-quota' },
    },
    {
      rule: 'P5',
      api,
      name: 'spending limit reached',
      replies: () => [openAiError(429, 'billing_hard_limit_reached', 'Billing hard limit has been reached')],
      expect: { outcome: 'quota' },
    },
    {
      rule: 'P8',
      api,
      name: '403',
      replies: () => [openAiError(403, 'unsupported_country_region_territory', 'Country not supported', {}, 'request_forbidden')],
      expect: { outcome: 'auth' },
    },
    {
      rule: 'P9',
      api,
      name: 'context too long',
      replies: () => [openAiError(400, 'context_length_exceeded', 'Your input exceeds the context window of this model.')],
      expect: { outcome: 'invalid-request', code: 'model-context-too-long' },
    },
    {
      rule: 'P15',
      api,
      name: 'arguments that are no JSON never run',
      replies: (fakes) => [good(fakes, api, { calls: [{ name: 'get_order', arguments: '{"order_id": 1' }] })],
      expect: { outcome: 'tool-calls', calls: [null] },
    },
    {
      rule: 'P15',
      api,
      name: 'empty arguments are none',
      replies: (fakes) => [good(fakes, api, { calls: [{ name: 'list_orders', arguments: '' }] })],
      expect: { outcome: 'tool-calls', calls: [{}] },
    },
    {
      rule: 'P15',
      api,
      name: 'arguments that are a list never run',
      replies: (fakes) => [good(fakes, api, { calls: [{ name: 'get_order', arguments: '[1]' }] })],
      expect: { outcome: 'tool-calls', calls: [null] },
    },
    {
      rule: 'P15',
      api,
      name: 'arguments above 64 KB never run',
      replies: (fakes) => [
        good(
          fakes,
          api,
          { calls: [{ name: 'get_order', arguments: JSON.stringify({ order_id: 1, note: 'x'.repeat(70_000) }) }] },
          { framing: { pieces: 'all' } },
        ),
      ],
      expect: { outcome: 'tool-calls', calls: [null] },
    },
    {
      rule: 'P16',
      api,
      name: 'two calls at once, in call order',
      replies: (fakes) => [
        good(fakes, api, {
          calls: [
            { name: 'get_order', arguments: { order_id: 1 } },
            { name: 'get_order', arguments: { order_id: 2 } },
          ],
        }),
      ],
      expect: { outcome: 'tool-calls', calls: [{ order_id: 1 }, { order_id: 2 }] },
    },
    {
      rule: 'P21',
      api,
      name: 'refusal: text shown',
      replies: (fakes) => [good(fakes, api, { refusal: "I can't help with that." })],
      expect: { outcome: 'refused', text: "I can't help with that." },
    },
    {
      rule: 'P25',
      api,
      name: 'null for an optional parameter of the strict dialect is left out',
      replies: (fakes) => [good(fakes, api, { calls: [{ name: 'get_order', arguments: '{"order_id":1,"note":null}' }] })],
      expect: { outcome: 'tool-calls', calls: [{ order_id: 1 }] },
    },
  ];
}

const RESPONSES: Fault[] = [
  {
    rule: 'P3',
    api: 'responses',
    name: 'quota inside a 200 stream',
    replies: () => [failedInside('insufficient_quota')],
    expect: { outcome: 'quota', code: 'model-quota' },
  },
  {
    rule: 'P3',
    api: 'responses',
    name: 'rate limit inside a 200 stream, then well',
    replies: (fakes) => [failedInside('rate_limit_exceeded'), good(fakes, 'responses')],
    expect: { ...ANSWERED, requests: 2 },
  },
  {
    rule: 'P3',
    api: 'responses',
    name: 'response.failed alone, server_error, three times',
    replies: () => repeat({ events: [event('response.failed', { response: { error: { code: 'server_error', message: 'oops' } } })] }, 3),
    expect: { outcome: 'overloaded', requests: 3 },
  },
  {
    rule: 'P11',
    api: 'responses',
    name: 'incomplete at the output limit, with a call: not run',
    replies: () => [
      {
        events: [
          event('response.output_item.done', {
            output_index: 0,
            item: { type: 'function_call', call_id: 'a', name: 'get_order', arguments: '{"order_id":1}' },
          }),
          event('response.incomplete', { response: { incomplete_details: { reason: 'max_output_tokens' }, output: [] } }),
        ],
      },
    ],
    expect: { outcome: 'truncated' },
  },
  {
    rule: 'P11',
    api: 'responses',
    name: 'incomplete by the content filter',
    replies: () => [{ events: [event('response.incomplete', { response: { incomplete_details: { reason: 'content_filter' } } })] }],
    expect: { outcome: 'blocked', code: 'model-blocked' },
  },
  {
    rule: 'P11',
    api: 'responses',
    name: 'incomplete for an unknown reason is never success',
    replies: () => [{ events: [event('response.incomplete', { response: { incomplete_details: { reason: 'moonphase' } } })] }],
    expect: { outcome: 'unknown' },
  },
];

const chunk = (delta: object, finish: string | null) => ({ data: { choices: [{ index: 0, delta, finish_reason: finish }] } });
const CHAT: Fault[] = [
  {
    rule: 'P2',
    api: 'chat',
    name: 'socket reset behind the finish reason: the answer is complete',
    replies: (fakes) => [cut(good(fakes, 'chat'), 4, 'reset')],
    expect: ANSWERED,
  },
  {
    rule: 'P3',
    api: 'chat',
    name: 'error inside a 200 stream (OpenRouter), then well',
    replies: (fakes) => [
      { events: [{ data: { error: { code: 502, message: 'Provider returned error' }, choices: [chunk({}, 'error').data.choices[0]] } }] },
      good(fakes, 'chat'),
    ],
    expect: { ...ANSWERED, requests: 2 },
  },
  {
    rule: 'P5',
    api: 'chat',
    name: '402 of a prepaid server',
    replies: () => [openAiError(402, '402', 'Insufficient credits')],
    expect: { outcome: 'quota' },
  },
  {
    rule: 'P10',
    api: 'chat',
    name: 'content filter stops the answer',
    replies: () => [{ events: [chunk({ content: 'Well' }, null), chunk({}, 'content_filter')] }],
    expect: { outcome: 'blocked', text: 'Well' },
  },
  {
    rule: 'P11',
    api: 'chat',
    name: 'length, with a call: not run',
    replies: () => [
      { events: [chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_order', arguments: '{"order_id":1}' } }] }, 'length')] },
    ],
    expect: { outcome: 'truncated' },
  },
  {
    rule: 'P11',
    api: 'chat',
    name: 'an unknown finish reason is never success',
    replies: () => [{ events: [chunk({ content: 'Hm' }, 'moonphase')] }],
    expect: { outcome: 'unknown', text: 'Hm' },
  },
];

const GEMINI: Fault[] = [
  {
    rule: 'P2',
    api: 'gemini',
    name: 'socket reset behind the finish reason: the answer is complete',
    replies: (fakes) => [cut(good(fakes, 'gemini'), 2, 'reset')],
    expect: ANSWERED,
  },
  {
    rule: 'P6',
    api: 'gemini',
    name: 'RetryInfo in the body, then well',
    replies: (fakes) => [
      googleError(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.', [
        quota('TokensPerMinute'),
        RETRY_INFO,
      ]),
      good(fakes, 'gemini'),
    ],
    expect: { ...ANSWERED, requests: 2, waits: [2000] },
  },
  {
    rule: 'P6',
    api: 'gemini',
    name: 'a quota per day is not tried again',
    replies: () => [
      googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', [quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), RETRY_INFO]),
    ],
    expect: { outcome: 'quota', code: 'model-quota' },
  },
  {
    rule: 'P7',
    api: 'gemini',
    name: 'an error chunk inside a 200 stream, then well',
    replies: (fakes) => [
      { events: [{ data: { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } } }] },
      good(fakes, 'gemini'),
    ],
    expect: { ...ANSWERED, requests: 2 },
  },
  {
    rule: 'P8',
    api: 'gemini',
    name: '403',
    replies: () => [googleError(403, 'PERMISSION_DENIED', 'no permission')],
    expect: { outcome: 'auth' },
  },
  {
    rule: 'P9',
    api: 'gemini',
    name: 'context too long',
    replies: () => [
      googleError(400, 'INVALID_ARGUMENT', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
    ],
    expect: { outcome: 'invalid-request', code: 'model-context-too-long' },
  },
  ...['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'SPII', 'BLOCKLIST'].map(
    (reason): Fault => ({
      rule: 'P10',
      api: 'gemini',
      name: `finish reason ${reason}`,
      replies: () => [candidate(reason)],
      expect: { outcome: 'blocked', code: 'model-blocked' },
    }),
  ),
  {
    rule: 'P10',
    api: 'gemini',
    name: 'prompt blocked, no candidates',
    replies: () => [
      { events: [{ data: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { trafficType: 'ON_DEMAND' } } }] },
    ],
    expect: { outcome: 'blocked' },
  },
  {
    rule: 'P11',
    api: 'gemini',
    name: 'MAX_TOKENS without parts',
    replies: () => [candidate('MAX_TOKENS')],
    expect: { outcome: 'truncated' },
  },
  {
    rule: 'P11',
    api: 'gemini',
    name: 'MAX_TOKENS with a call: not run',
    replies: () => [candidate('MAX_TOKENS', [{ functionCall: { name: 'get_order', args: { order_id: 1 } } }])],
    expect: { outcome: 'truncated' },
  },
  {
    rule: 'P11',
    api: 'gemini',
    name: 'an unknown finish reason is never success',
    replies: () => [candidate('MOONPHASE', [{ text: 'Hm' }])],
    expect: { outcome: 'unknown', text: 'Hm' },
  },
  {
    rule: 'P12',
    api: 'gemini',
    name: 'MALFORMED_FUNCTION_CALL: once more with a hint, then well',
    replies: (fakes) => [candidate('MALFORMED_FUNCTION_CALL'), good(fakes, 'gemini')],
    expect: { ...ANSWERED, requests: 2 },
  },
  {
    rule: 'P12',
    api: 'gemini',
    name: 'UNEXPECTED_TOOL_CALL with a call, twice: never run',
    replies: () => repeat(candidate('UNEXPECTED_TOOL_CALL', [{ functionCall: { name: 'get_order', args: { order_id: 1 } } }]), 2),
    expect: { outcome: 'malformed-tool', requests: 2 },
  },
  {
    rule: 'P15',
    api: 'gemini',
    name: 'arguments that are a list never run',
    replies: () => [candidate('STOP', [{ functionCall: { name: 'get_order', args: [1] } }])],
    expect: { outcome: 'tool-calls', calls: [null] },
  },
  {
    rule: 'P15',
    api: 'gemini',
    name: 'no arguments at all',
    replies: () => [candidate('STOP', [{ functionCall: { name: 'list_orders' } }])],
    expect: { outcome: 'tool-calls', calls: [{}] },
  },
  {
    rule: 'P16',
    api: 'gemini',
    name: 'two calls with one name in two chunks, in part order',
    replies: () => [
      {
        events: [
          { data: { candidates: [{ content: { parts: [{ functionCall: { name: 'get_order', args: { order_id: 1 } } }] } }] } },
          {
            data: {
              candidates: [{ content: { parts: [{ functionCall: { name: 'get_order', args: { order_id: 2 } } }] }, finishReason: 'STOP' }],
            },
          },
        ],
      },
    ],
    expect: { outcome: 'tool-calls', calls: [{ order_id: 1 }, { order_id: 2 }] },
  },
];

export const FAULTS: readonly Fault[] = [
  ...APIS.flatMap(common),
  ...ofOpenAi('responses'),
  ...ofOpenAi('chat'),
  ...RESPONSES,
  ...CHAT,
  ...GEMINI,
].sort((a, b) => Number(a.rule.slice(1)) - Number(b.rule.slice(1)));
