/** Pure data: faults of the Gemini API. */
import { ANSWERED, candidate, cut, good, googleError, quota, repeat, RETRY_INFO } from './fault-parts.ts';
import type { Fault } from './fault-parts.ts';

export const GEMINI: Fault[] = [
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
