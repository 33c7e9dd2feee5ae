/** Pure data: every fault of docs/providers.md (P1–P27) that a single model call can meet, as scenarios for the fake providers. */
import { ANSWERED, APIS, CALL, cut, EMPTY, good, ANSWER, HTML, repeat, SHOWN } from './fault-parts.ts';
import type { Api, Fault } from './fault-parts.ts';
import { GEMINI } from './gemini-faults.ts';
import { CHAT, ofOpenAi, RESPONSES } from './openai-faults.ts';

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

export const FAULTS: readonly Fault[] = [
  ...APIS.flatMap(common),
  ...ofOpenAi('responses'),
  ...ofOpenAi('chat'),
  ...RESPONSES,
  ...CHAT,
  ...GEMINI,
].sort((a, b) => Number(a.rule.slice(1)) - Number(b.rule.slice(1)));
