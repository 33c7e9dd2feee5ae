/** The Responses adapter against the strict fake. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpenAiResponses } from '../../electron/models/openai-responses.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { FakeOpenAi } from '../fakes/providers/fake-openai.ts';
import { collect, requestOf, sentList, storedStep, testClock, user } from './support.ts';

let fake: FakeOpenAi;
beforeEach(async () => {
  fake = await startFakeOpenAi();
});
afterEach(() => fake.close());

function adapter(model = 'gpt-5', timeouts = { idleMs: 15_000, totalMs: 20_000 }, clock = testClock()) {
  return createOpenAiResponses({ model, apiKey: OPENAI_TEST_KEY, baseUrl: fake.baseUrl, clock, timeouts });
}

describe('OpenAI Responses', () => {
  it('P20 sends stateless requests and returns all output items in order, reasoning with its partner', async () => {
    fake.script(
      fake.responses({
        reasoning: true,
        text: 'Let me look.',
        calls: [
          { name: 'get_order', arguments: { order_id: 1043 } },
          { name: 'list_orders', arguments: {} },
        ],
      }),
      fake.responses({ reasoning: true, text: 'It is on its way.' }),
      fake.responses({ text: 'You are welcome.' }),
    );
    const model = adapter();
    const history: ContextMessage[] = [user('Where is order 1043?')];
    const first = await collect(model, requestOf(history));
    expect(first.end).toMatchObject({ outcome: 'tool-calls', text: 'Let me look.', error: null });
    expect(first.end.calls.map((call) => [call.name, call.arguments])).toEqual([
      ['get_order', { order_id: 1043 }],
      ['list_orders', {}],
    ]);
    history.push(...storedStep(first.end));
    const second = await collect(model, requestOf(history));
    expect(second.end).toMatchObject({ outcome: 'answered', text: 'It is on its way.' });
    history.push(...storedStep(second.end), user('Thanks'));
    const third = await collect(model, requestOf(history));
    expect(third.end.outcome).toBe('answered');
    const bodies = fake.requests.map((request) => request.body);
    expect(bodies.map((body) => [body['store'], body['include'], body['prompt_cache_key']])).toEqual(
      Array.from({ length: 3 }, () => [false, ['reasoning.encrypted_content'], 'c'.repeat(32)]),
    );
    const types = sentList<{ type?: string; role?: string }>(fake, 2, 'input').map((item) => item.type ?? item.role);
    expect(types).toEqual([
      'user',
      'reasoning',
      'message',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
      'reasoning',
      'message',
      'user',
    ]);
    // A longer history keeps its beginning byte for byte, or the provider's cache is lost.
    const [before, after] = [JSON.stringify(bodies[1]?.['input']), JSON.stringify(bodies[2]?.['input'])];
    expect(after.startsWith(before.slice(0, -1))).toBe(true);
  });

  it('P20 a compacted turn drops reasoning and item ids together', async () => {
    fake.script(fake.responses({ reasoning: true, text: 'A long answer about shoes.' }), fake.responses({ text: 'Yes.' }));
    const model = adapter();
    const first = await collect(model, requestOf([user('Shoes?')]));
    const [stored] = storedStep(first.end);
    const compacted: ContextMessage = { ...(stored as ContextMessage), content: 'shoes' };
    const second = await collect(model, requestOf([user('Shoes?'), compacted, user('Sure?')]));
    expect(second.end.outcome).toBe('answered');
    expect(fake.requests[1]?.body['input']).toEqual([
      { role: 'user', content: 'Shoes?' },
      { role: 'assistant', content: 'shoes' },
      { role: 'user', content: 'Sure?' },
    ]);
    expect(second.notices.join()).toContain('1 encrypted reasoning item could not travel');
  });

  it('P22 usage keeps cached, written and reasoning tokens apart; none reported is null', async () => {
    fake.script(
      fake.responses({ text: 'a', usage: { input: 17_903, cached: 17_817, output: 429, reasoning: 409 } }),
      fake.responses({ text: 'b', usage: null }),
    );
    const first = await collect(adapter(), requestOf([user('x')]));
    expect(first.end.usage).toEqual({
      inputTokens: 17_903,
      cacheReadTokens: 17_817,
      cacheWriteTokens: 0,
      outputTokens: 429,
      reasoningTokens: 409,
    });
    expect((await collect(adapter(), requestOf([user('x')]))).end.usage).toBeNull();
  });

  it('models without reasoning are not asked for encrypted reasoning', async () => {
    fake.script(fake.responses({ text: 'hello' }));
    expect((await collect(adapter('gpt-4o'), requestOf([user('x')]))).end.outcome).toBe('answered');
    expect(fake.requests[0]?.body['include']).toBeUndefined();
  });

  it('P20 a model that turns out to have no reasoning is asked again without, once and for all', async () => {
    fake.script({
      status: 400,
      body: {
        error: {
          message: 'Encrypted content is not supported with this model.',
          type: 'invalid_request_error',
          param: 'include',
          code: null,
        },
      },
    });
    fake.script(fake.responses({ text: 'hello' }), fake.responses({ text: 'again' }));
    const model = adapter('gpt-5-mini');
    expect((await collect(model, requestOf([user('x')]))).end.text).toBe('hello');
    expect((await collect(model, requestOf([user('x')]))).end.text).toBe('again');
    expect(fake.requests.map((request) => 'include' in request.body)).toEqual([true, false, false]);
  });

  it('P24 repairs an orphan call before sending, says so, and the API accepts it', async () => {
    fake.script(fake.responses({ text: 'ok' }));
    const open: ContextMessage = {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call_x', name: 'get_order', arguments: { order_id: 1 } }],
    };
    const got = await collect(adapter(), requestOf([user('x'), open, user('y')]));
    expect(got.end.outcome).toBe('answered');
    expect(got.notices.join()).toMatch(/repaired before sending/);
  });

  it('the fake refuses what the real API refuses, with its status and shape', async () => {
    const post = async (input: unknown, rest: object = {}) => {
      const response = await fetch(`${fake.baseUrl}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OPENAI_TEST_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-5', store: false, stream: true, input, ...rest }),
      });
      return { status: response.status, error: ((await response.json()) as { error: { message: string } }).error.message };
    };
    const ask = { role: 'user', content: 'x' };
    const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'a', output: 'y' };
    const refused: [unknown, RegExp, object?][] = [
      [[ask, call], /No tool output found for function call a/],
      [[ask, output], /No tool call found/],
      [[ask, call, output, call, output], /Duplicate function call/],
      [[{ role: 'assistant', content: 'x' }], /first item must be a user/],
      [[ask, { role: 'assistant', content: '' }], /empty string/],
      [[ask, { type: 'reasoning', id: 'rs_9', encrypted_content: 'z' }], /without its required following item/],
      [[ask, { ...call, call_id: 'x'.repeat(65) }, { ...output, call_id: 'x'.repeat(65) }], /maximum length 64/],
      [[{ role: 'user', content: '\ud83d' }], /could not parse the JSON body/],
      [
        [ask],
        /additionalProperties/,
        { tools: [{ type: 'function', name: 'f', strict: true, parameters: { type: 'object', properties: {} } }] },
      ],
      [[ask], /does not exist/, { model: 'gpt-9' }],
      [[ask], /Unknown parameter/, { key: 'x' }],
    ];
    for (const [input, reason, rest] of refused) {
      const answer = await post(input, rest);
      expect(answer.status).toBe(400);
      expect(answer.error).toMatch(reason);
    }
  });
});
