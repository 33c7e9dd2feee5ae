/** The Chat Completions adapter against the strict fake and the quirks of compatible servers. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneCallEach, createOpenAiChat } from '../../electron/models/openai-chat.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { FakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { ChatQuirks } from '../fakes/providers/openai-chat-wire.ts';
import { collect, requestOf, sentList, storedStep, testClock, user } from './support.ts';

let fake: FakeOpenAi;
beforeEach(async () => {
  fake = await startFakeOpenAi();
});
afterEach(() => fake.close());

function adapter(model = 'gpt-4o-mini') {
  return createOpenAiChat({
    model,
    apiKey: OPENAI_TEST_KEY,
    baseUrl: fake.baseUrl,
    clock: testClock(),
    timeouts: { idleMs: 15_000, totalMs: 20_000 },
  });
}

const TWO_CALLS = [
  { name: 'get_order', arguments: { order_id: 1 } },
  { name: 'get_order', arguments: { order_id: 2 } },
];
const QUIRKS: [string, ChatQuirks][] = [
  ['none', {}],
  ['no index on call deltas', { noIndex: true }],
  ['no index and whole calls', { noIndex: true, wholeCalls: true }],
  ['no index and no ids', { noIndex: true, noIds: true }],
  ['empty ids', { noIds: true }],
  ['whole calls in one chunk', { wholeCalls: true }],
  ['a first chunk without choices', { emptyFirstChunk: true }],
  ['no usage', { noUsage: true }],
  ['usage in the last choice', { inlineUsage: true }],
  ['no [DONE]', { noDone: true }],
];

describe('OpenAI Chat Completions', () => {
  it.each(QUIRKS)('P16 P22 parallel calls and the follow-up work with server quirk: %s', async (_name, quirks) => {
    fake.script(fake.chat({ text: 'Looking.', calls: TWO_CALLS }, quirks), fake.chat({ text: 'Both sent.' }, quirks));
    const first = await collect(adapter(), requestOf([user('x')]));
    expect(first.end).toMatchObject({ outcome: 'tool-calls', text: 'Looking.' });
    expect(first.streamed).toBe('Looking.');
    expect(first.end.calls.map((call) => call.arguments)).toEqual([{ order_id: 1 }, { order_id: 2 }]);
    const ids = first.end.calls.map((call) => call.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id !== '')).toBe(true);
    if (quirks.noUsage === true) expect(first.end.usage).toBeNull();
    else expect(first.end.usage?.inputTokens).toBe(100);
    const second = await collect(adapter(), requestOf([user('x'), ...storedStep(first.end)]));
    expect(second.end).toMatchObject({ outcome: 'answered', text: 'Both sent.', error: null });
  });

  it('P16 calls that all claim index 0 but have ids of their own stay apart', async () => {
    const chunk = (call: object) => ({
      data: { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }] },
    });
    fake.script({
      events: [
        chunk({ id: 'a', function: { name: 'get_order', arguments: '{"order_id":1}' } }),
        chunk({ id: 'b', function: { name: 'get_order', arguments: '{"order_id":2}' } }),
        { data: { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] } },
        { data: '[DONE]' },
      ],
    });
    const got = await collect(adapter(), requestOf([user('x')]));
    expect(got.end.calls.map((call) => [call.id, call.arguments])).toEqual([
      ['a', { order_id: 1 }],
      ['b', { order_id: 2 }],
    ]);
  });

  it('P23 ids longer than 40 get short ones for the request, the same in every request', async () => {
    fake.script(fake.chat({ text: 'ok' }), fake.chat({ text: 'ok' }));
    const long = 'x'.repeat(64);
    const history: ContextMessage[] = [
      user('x'),
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: long, name: 'list_orders', arguments: {} },
          { id: 'call_1', name: 'list_orders', arguments: {} },
        ],
      },
      { role: 'tool', content: 'a', toolCallId: long },
      { role: 'tool', content: 'b', toolCallId: 'call_1' },
    ];
    expect((await collect(adapter(), requestOf(history))).end.outcome).toBe('answered');
    const later: ContextMessage[] = [
      ...history,
      { role: 'assistant', content: '', toolCalls: [{ id: 'y'.repeat(50), name: 'list_orders', arguments: {} }] },
      { role: 'tool', content: 'c', toolCallId: 'y'.repeat(50) },
    ];
    expect((await collect(adapter(), requestOf(later))).end.outcome).toBe('answered');
    const sent = fake.requests.map((request) => JSON.stringify((request.body['messages'] as unknown[]).slice(0, 5)));
    expect(sent[0]).toBe(sent[1]);
    expect(sent[0]).toContain('"short_1"');
  });

  it('P18 a compatible Gemini endpoint gets its signature back on the call it came with', async () => {
    fake.script(fake.chat({ calls: TWO_CALLS }, { signature: 'c2ln' }), fake.chat({ text: 'ok' }));
    const first = await collect(adapter(), requestOf([user('x')]));
    await collect(adapter(), requestOf([user('x'), ...storedStep(first.end)]));
    const sent = sentList<{ tool_calls?: object[] }>(fake, 1, 'messages')[2]?.tool_calls;
    expect(sent?.[0]).toMatchObject({ extra_content: { google: { thought_signature: 'c2ln' } } });
    expect(sent?.[1]).not.toHaveProperty('extra_content');
  });

  it('a server that answers a streaming request with one JSON body is understood', async () => {
    fake.script({
      body: {
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello 😀' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      },
    });
    expect((await collect(adapter(), requestOf([user('x')]))).end).toMatchObject({
      outcome: 'answered',
      text: 'Hello 😀',
      usage: { inputTokens: 3 },
    });
  });

  it('P22 tokens a total holds beyond prompt and completion are hidden thinking, billed as output', async () => {
    fake.script({
      body: {
        choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 },
      },
    });
    expect((await collect(adapter(), requestOf([user('x')]))).end.usage).toMatchObject({
      inputTokens: 35,
      outputTokens: 74,
      reasoningTokens: 62,
    });
  });

  it('learns to leave out stream_options and parallel calls from a refusal, once', async () => {
    const refuse = (message: string) => ({ status: 400, body: { error: { message, type: 'invalid_request_error', code: null } } });
    fake.script(refuse('Unrecognized request argument supplied: stream_options'), fake.chat({ text: 'ok' }));
    const model = adapter();
    const first = await collect(model, requestOf([user('x')]));
    expect(first.end.outcome).toBe('answered');
    expect(first.retries).toHaveLength(1);
    expect(fake.requests.map((request) => 'stream_options' in request.body)).toEqual([true, false]);
    fake.script(refuse('This model only supports single tool-calls at once!'), fake.chat({ text: 'ok' }));
    const parallel: ContextMessage[] = [
      user('x'),
      { role: 'assistant', content: 'Both.', toolCalls: TWO_CALLS.map((call, index) => ({ id: `c${index}`, ...call })) },
      { role: 'tool', content: 'one', toolCallId: 'c0' },
      { role: 'tool', content: 'two', toolCallId: 'c1' },
    ];
    expect((await collect(model, requestOf(parallel))).end.outcome).toBe('answered');
    const roles = sentList<{ role: string }>(fake, -1, 'messages').map((message) => message.role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool']);
    expect(oneCallEach(parallel).map((message) => message.content)).toEqual(['x', 'Both.', 'one', '', 'two']);
  });

  it('a local server without keys is sent none, and an address may carry a query', async () => {
    const local = await startFakeOpenAi({ key: null });
    try {
      local.script(local.chat({ text: 'ok' }));
      const model = createOpenAiChat({ model: 'local-model', baseUrl: `${local.baseUrl}/?api-version=2025-04-01`, clock: testClock() });
      expect((await collect(model, requestOf([user('x')]))).end.outcome).toBe('answered');
      expect(local.requests[0]?.headers['authorization']).toBeUndefined();
      expect(local.requests[0]?.url).toBe('/v1/chat/completions?api-version=2025-04-01');
    } finally {
      await local.close();
    }
  });
});
