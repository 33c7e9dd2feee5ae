/** The Gemini adapter against the strict fake. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGemini } from '../../electron/models/gemini.ts';
import { SIGNATURE_SENTINEL } from '../../electron/models/gemini-contents.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { GEMINI_TEST_KEY, startFakeGemini } from '../fakes/providers/fake-gemini.ts';
import type { FakeGemini } from '../fakes/providers/fake-gemini.ts';
import { collect, requestOf, says, storedStep, testClock, user } from './support.ts';

let fake: FakeGemini;
beforeEach(async () => {
  fake = await startFakeGemini();
});
afterEach(() => fake.close());

function adapter(model = 'gemini-3-pro-preview') {
  return createGemini({
    model,
    apiKey: GEMINI_TEST_KEY,
    baseUrl: fake.baseUrl,
    clock: testClock(),
    timeouts: { idleMs: 15_000, totalMs: 20_000 },
  });
}

type Content = { role: string; parts: Record<string, unknown>[] };
const contentsOf = (index: number) => fake.modelRequests()[index]?.body['contents'] as Content[];
const TWO_CALLS = [
  { name: 'get_order', arguments: { order_id: 1 } },
  { name: 'get_order', arguments: { order_id: 2 } },
];

describe('Gemini', () => {
  it('P18 returns signatures exactly where they were: first parallel call, sequential steps, last text', async () => {
    const model = adapter();
    fake.script(
      fake.gemini({ reasoning: true, text: 'Looking.', calls: TWO_CALLS }),
      fake.gemini({ reasoning: true, calls: [{ name: 'list_orders', arguments: {} }] }),
      fake.gemini({ reasoning: true, text: 'Two orders.' }),
      fake.gemini({ text: 'Bye.' }),
    );
    const history: ContextMessage[] = [user('Orders 1 and 2?')];
    for (const expected of ['tool-calls', 'tool-calls', 'answered']) {
      const step = await collect(model, requestOf(history));
      expect(step.end).toMatchObject({ outcome: expected, error: null });
      history.push(...storedStep(step.end));
    }
    const last = await collect(model, requestOf([...history, user('Thanks')]));
    expect(last.end.outcome).toBe('answered');
    expect(fake.modelRequests().map((request) => request.refusal)).toEqual([null, null, null, null]);
    const signed = contentsOf(3).map((content) => content.parts.map((part) => typeof part['thoughtSignature'] === 'string'));
    expect(signed).toEqual([[false], [false, false, true, false], [false, false], [true], [false], [false, true], [false]]);
    expect(contentsOf(2).slice(0, contentsOf(1).length)).toEqual(contentsOf(1));
  });

  it.each(['own-chunk', 'last-empty-part'] as const)('P18 keeps a signature that comes in a part of its own (%s)', async (signatureOn) => {
    fake.script(fake.gemini({ reasoning: true, text: 'Hello there.' }, { signatureOn }), fake.gemini({ text: 'Yes.' }));
    const first = await collect(adapter(), requestOf([user('Hi')]));
    expect(first.end.text).toBe('Hello there.');
    const second = await collect(adapter(), requestOf([user('Hi'), ...storedStep(first.end), user('Sure?')]));
    expect(second.end.outcome).toBe('answered');
    expect(contentsOf(1)[1]?.parts.at(-1)).toMatchObject({ text: '', thoughtSignature: expect.any(String) });
  });

  it('P17 gives every call an id of its own and returns only ids that Gemini gave', async () => {
    const model = adapter();
    fake.script(
      fake.gemini({ reasoning: true, calls: TWO_CALLS }),
      fake.gemini({ reasoning: true, calls: TWO_CALLS }, { withIds: true }),
      fake.gemini({ text: 'ok' }),
    );
    const history: ContextMessage[] = [user('x')];
    for (let step = 0; step < 2; step += 1) history.push(...storedStep((await collect(model, requestOf(history))).end));
    expect((await collect(model, requestOf(history))).end.outcome).toBe('answered');
    const ids = history.flatMap((message) => (message.toolCalls ?? []).map((call) => call.id));
    expect(new Set(ids).size).toBe(4);
    const responses = contentsOf(2).flatMap((content) =>
      content.parts.flatMap((part) => (part['functionResponse'] === undefined ? [] : [part['functionResponse'] as { id?: string }])),
    );
    expect(responses.map((response) => response.id)).toEqual([undefined, undefined, 'gemini-2-0', 'gemini-2-1']);
  });

  it('P19 a history from elsewhere gets the sentinel on the first call of each step of the active turn only', async () => {
    fake.script(fake.gemini({ text: 'ok' }));
    const foreign = (id: string): ContextMessage[] => [
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id, name: 'list_orders', arguments: {} },
          { id: `${id}b`, name: 'list_orders', arguments: {} },
        ],
      },
      { role: 'tool', content: '[1,2]', toolCallId: id, toolName: 'list_orders' },
      { role: 'tool', content: 'none', toolCallId: `${id}b`, toolName: 'list_orders' },
    ];
    const got = await collect(adapter(), requestOf([user('a'), ...foreign('1'), says('done'), user('b'), ...foreign('2')]));
    expect(got.end.outcome).toBe('answered');
    const marks = contentsOf(0).map((content) => content.parts.map((part) => part['thoughtSignature']));
    expect(marks.flat().filter((mark) => mark !== undefined)).toEqual([SIGNATURE_SENTINEL]);
    expect(marks[5]?.[0]).toBe(SIGNATURE_SENTINEL);
    expect(contentsOf(0)[6]?.parts.map((part) => (part['functionResponse'] as { response: unknown }).response)).toEqual([
      { result: [1, 2] },
      { result: 'none' },
    ]);
  });

  it('P19 models before Gemini 3 need no sentinel', async () => {
    fake.script(fake.gemini({ text: 'ok' }));
    const call: ContextMessage = { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'list_orders', arguments: {} }] };
    await collect(adapter('gemini-2.5-flash'), requestOf([user('a'), call, { role: 'tool', content: 'x', toolCallId: '1' }]));
    expect(JSON.stringify(contentsOf(0))).not.toContain(SIGNATURE_SENTINEL);
  });

  it('P14 decides by parts: STOP with calls is tool-calls; an unsigned empty last part is not sent back', async () => {
    fake.script(
      fake.gemini({ reasoning: true, calls: [{ name: 'list_orders', arguments: {} }] }, { emptyLastPart: true }),
      fake.gemini({ text: 'ok' }),
    );
    const first = await collect(adapter(), requestOf([user('x')]));
    expect(first.end).toMatchObject({ outcome: 'tool-calls', finishReason: 'STOP' });
    const second = await collect(adapter(), requestOf([user('x'), ...storedStep(first.end)]));
    expect(second.end.outcome).toBe('answered');
  });

  it('P22 output is candidates plus thoughts: 20 + 409', async () => {
    fake.script(fake.gemini({ text: 'ok', usage: { input: 50, cached: 40, output: 429, reasoning: 409 } }));
    expect((await collect(adapter(), requestOf([user('x')]))).end.usage).toEqual({
      inputTokens: 50,
      cacheReadTokens: 40,
      cacheWriteTokens: 0,
      outputTokens: 429,
      reasoningTokens: 409,
    });
  });

  it('P27 sends a user message again whose answer was empty', async () => {
    fake.script(fake.gemini({ text: 'ok' }));
    await collect(adapter(), requestOf([user('first'), says(''), user('second')]));
    expect(contentsOf(0).map((content) => content.parts[0]?.['text'])).toEqual(['first', 'second']);
  });

  it('whole numbers beyond 2^53 are not run, and results with such numbers keep their digits', async () => {
    fake.script(
      fake.gemini({ calls: [{ name: 'get_order', arguments: '{"order_id":7088992364139642880}' }] }),
      fake.gemini({ text: 'ok' }),
    );
    const first = await collect(adapter('gemini-2.5-flash'), requestOf([user('x')]));
    expect(first.end.calls[0]?.arguments).toBeNull();
    await collect(
      adapter('gemini-2.5-flash'),
      requestOf([user('x'), ...storedStep(first.end, { get_order: '{"id":7088992364139642880}' })]),
    );
    expect(fake.modelRequests()[1]?.bodyText).toContain('7088992364139642880');
  });

  it('the fake refuses what the real API refuses, with its status and shape', async () => {
    const post = async (body: object, key = GEMINI_TEST_KEY, model = 'gemini-3-pro-preview') => {
      const response = await fetch(`${fake.baseUrl}/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
        method: 'POST',
        headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, error: ((await response.json()) as { error: { message: string; status: string } }).error };
    };
    const ask = { role: 'user', parts: [{ text: 'x' }] };
    const call = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: SIGNATURE_SENTINEL }] };
    const response = { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] };
    const refused: [object[], RegExp][] = [
      [[], /contents is not specified/],
      [[ask, call], /end with a user role/],
      [[ask, call, ask], /number of function response parts/],
      [[ask, response], /function response turn comes immediately after/],
      [[ask, call, { role: 'user', parts: [...response.parts, ...response.parts] }], /number of function response parts/],
      [[ask, { role: 'model', parts: [{ text: 'a' }] }, call, response], /function call turn comes immediately after/],
      [[ask, { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }, response], /missing a thought_signature/],
      [[ask, { role: 'model', parts: [{ ...call.parts[0], thoughtSignature: 'Zm9v' }] }, response], /Corrupted thought signature/],
      [[{ role: 'user', parts: [{ text: '' }] }], /must have a text parameter/],
      [[{ role: 'user', parts: [] }], /must not be empty/],
      [[ask, call, { role: 'user', parts: [{ functionResponse: { name: 'f', id: 'made-up', response: {} } }] }], /was never given/],
      [[{ role: 'user', parts: [{ text: '\ud83d' }] }], /Invalid JSON payload/],
    ];
    for (const [contents, reason] of refused) {
      const answer = await post({ contents });
      expect(answer).toMatchObject({ status: 400, error: { status: 'INVALID_ARGUMENT' } });
      expect(answer.error.message).toMatch(reason);
    }
    const tools = [
      {
        functionDeclarations: [
          { name: 'f', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } }, additionalProperties: false } },
        ],
      },
    ];
    expect((await post({ contents: [ask], tools })).error.message).toMatch(/Unknown name "additionalProperties"/);
    expect(await post({ contents: [ask] }, 'AIzaWrongKey000000')).toMatchObject({ status: 400 });
    expect(await post({ contents: [ask] }, GEMINI_TEST_KEY, 'gemini-9')).toMatchObject({ status: 404, error: { status: 'NOT_FOUND' } });
  });
});
