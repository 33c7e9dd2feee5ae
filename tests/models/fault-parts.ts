/** Pure: the form of a fault and the replies faults are made of. */
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

export const ANSWER = { text: 'All is well.' };
export const CALL = { calls: [{ name: 'get_order', arguments: { order_id: 1 } }] };
export const ANSWERED = { outcome: 'answered', text: ANSWER.text };

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

export const event = (type: string, rest: object) => ({ event: type, data: { type, ...rest } });
export const openAiError = (
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
export const googleError = (code: number, status: string, message: string, details: object[] = []): Reply => ({
  status: code,
  body: { error: { code, message, status, details } },
});
export const RETRY_INFO = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' };
export const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId, quotaValue: '50' }],
});
export const candidate = (finishReason: string, parts?: object[]): Reply => ({
  events: [
    {
      data: {
        candidates: [{ content: parts === undefined ? { role: 'model' } : { role: 'model', parts }, finishReason, index: 0 }],
        usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
      },
    },
  ],
});
export const failedInside = (code: string): Reply => ({
  events: [
    event('response.created', { response: { id: 'r', status: 'in_progress', output: [] } }),
    event('error', { error: { type: code, code, message: 'inside a 200' } }),
    event('response.failed', { response: { id: 'r', status: 'failed', error: { code, message: 'inside a 200' } } }),
  ],
});
export const HTML = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
export const EMPTY: Reply = { body: '', headers: { 'content-type': 'text/event-stream' } };
export const rateLimited = (headers: Record<string, string>) =>
  openAiError(429, 'rate_limit_exceeded', 'Rate limit reached for gpt-5', headers, 'requests');
export const repeat = (reply: Reply, times: number) => Array.from({ length: times }, () => reply);

/** So many events show some text and are not the end. */
export const SHOWN: Readonly<Record<Api, number>> = { responses: 6, chat: 2, gemini: 1 };
export const APIS: readonly Api[] = ['responses', 'chat', 'gemini'];
