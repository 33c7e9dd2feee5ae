/** Pure data: faults of the two OpenAI APIs. */
import { ANSWERED, cut, event, failedInside, good, openAiError, rateLimited, repeat } from './fault-parts.ts';
import type { Fault } from './fault-parts.ts';

/** Faults of both OpenAI APIs. */
export function ofOpenAi(api: 'responses' | 'chat'): Fault[] {
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

export const RESPONSES: Fault[] = [
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
export const CHAT: Fault[] = [
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
