/** Tapes: recording, the file, and playing. */
import { describe, expect, it } from 'vitest';
import { createModel } from '../../electron/models/model-factory.ts';
import { createTapeModel, formatTape, parseTape, redactText, tapeOf, tapeResults } from '../../electron/models/tape.ts';
import type { Tape } from '../../electron/models/tape.ts';
import { recordTape } from '../../electron/models/tape-recorder.ts';
import { shippedTape, SHIPPED_TAPES } from '../../electron/models/tapes.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import type { StoredTurn } from '../../shared/conversation.ts';
import { collect, requestOf, storedStep, testClock, user } from './support.ts';

const clock = testClock();

/** Plays every turn of a tape as an engine would. Returns text and calls of each step. */
async function play(tape: Tape): Promise<string[]> {
  const model = createTapeModel({ tape, name: 'test', clock });
  const messages: ContextMessage[] = [];
  const heard: string[] = [];
  for (const turn of tape.turns) {
    messages.push(user(turn.question));
    for (const _step of turn.steps) {
      const { end, streamed } = await collect(model, requestOf(messages));
      heard.push(`${end.outcome}:${streamed}:${end.calls.map((call) => call.name).join(',')}`);
      messages.push(...storedStep(end));
    }
  }
  return heard;
}

describe('shipped tapes', () => {
  it.each(SHIPPED_TAPES)('%s plays to its end, the same every time', async (name) => {
    const tape = shippedTape(name);
    const first = await play(tape);
    expect(await play(tape)).toEqual(first);
    expect(first.filter((line) => line.startsWith('answered'))).toHaveLength(tape.turns.length);
    expect(parseTape(formatTape(tape))).toEqual(tape);
  });
});

describe('recordTape', () => {
  it('records deltas, calls, results and usage, redacted, and plays them back', async () => {
    const secret = 'sk-live-0123456789abcdef';
    const recorder = recordTape(createModel({ provider: 'tape', model: 'refund-refused', clock }), [secret]);
    const messages: ContextMessage[] = [];
    for (const question of ['I want a refund for order 1043', `What about my other order? (key ${secret}, mail jo@example.org)`]) {
      messages.push(user(question));
      for (let step = 0; step < 4; step += 1) {
        const { end } = await collect(recorder.model, requestOf(messages));
        messages.push(...storedStep(end));
        if (end.calls.length === 0) break;
      }
    }
    const tape = recorder.tape('c'.repeat(32), 'a test');
    if (tape === null) throw new Error('nothing recorded');
    const text = formatTape(tape);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('jo@example.org');
    expect(tape.turns.map((turn) => turn.steps.length)).toEqual([2, 3]);
    expect(tapeResults(tape).size).toBe(3);
    expect((await play(parseTape(text))).at(-1)).toMatch(/^answered:.*1042/);
  });
});

describe('createTapeModel', () => {
  it('says that the tape is at its end instead of answering nothing', async () => {
    const tape = shippedTape('delivery-question');
    const model = createTapeModel({ tape, name: 'x', clock });
    for (let turn = 0; turn < tape.turns.length; turn += 1) await collect(model, requestOf([user(`something else ${turn}`)]));
    const { end } = await collect(model, requestOf([user('more')]));
    expect(end).toMatchObject({ outcome: 'unknown', error: { code: 'model-unknown' } });
  });

  it('gives a repeated call a new id within one conversation', async () => {
    const tape = shippedTape('delivery-question');
    const model = createTapeModel({ tape, name: 'x', clock });
    const question = tape.turns[0]?.question ?? '';
    const messages: ContextMessage[] = [user(question)];
    messages.push(...storedStep((await collect(model, requestOf(messages))).end));
    messages.push(...storedStep((await collect(model, requestOf(messages))).end), user(question));
    const again = await collect(model, requestOf(messages));
    expect(again.end.calls[0]?.id).toMatch(/-2$/);
  });

  it('plays with a pause and stops when told to', async () => {
    const slow = testClock();
    const model = createTapeModel({ tape: shippedTape('delivery-question'), name: 'x', clock: slow, delayMs: 5 });
    const messages: ContextMessage[] = [user(shippedTape('delivery-question').turns[0]?.question ?? '')];
    messages.push(...storedStep((await collect(model, requestOf(messages))).end));
    await collect(model, requestOf(messages));
    expect(slow.slept.length).toBeGreaterThan(5);
    const controller = new AbortController();
    controller.abort();
    await expect(collect(model, requestOf(messages), controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('parseTape', () => {
  it.each([
    ['not json', /it is not JSON/],
    ['{"format":"other"}', /is no tape: format/],
    ['{"format":"nimbus-tape","version":2}', /format 2; this version of the console reads up to 1/],
    [
      '{"format":"nimbus-tape","version":1,"about":"","source":"","turns":[{"question":"q","steps":[{"deltas":[1]}]}]}',
      /turns\.0\.steps\.0\.deltas\.0/,
    ],
  ])('refuses %s', (text, reason) => {
    expect(() => parseTape(text)).toThrow(reason);
  });
});

describe('tapeOf', () => {
  const base = { conversationId: 'c', at: 0, phpChars: 0, seq: 0, trust: 'trusted', origin: 'model' } as const;
  const turn = (messages: StoredTurn['messages']): StoredTurn => ({
    conversationId: 'c',
    turn: 1,
    state: 'answered',
    outcome: 'answered',
    runId: null,
    promptVersion: null,
    startedAt: 0,
    endedAt: 0,
    error: null,
    pinned: false,
    messages,
  });

  it('makes a tape of stored turns, without canned answers and raw forms, numbers of orders kept', async () => {
    const tape = tapeOf({
      about: 'x',
      source: 'gemini/gemini-3-pro-preview',
      turns: [
        turn([
          { ...base, id: '1', turn: 1, role: 'user', content: 'Order 1043, call me: +49 30 901820 or jo@example.org' },
          {
            ...base,
            id: '2',
            turn: 1,
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'a', name: 'get_order', arguments: { order_id: 1043, mail: 'jo@example.org' } }],
            providerRaw: { provider: 'gemini', model: 'g', body: '[]' },
          },
          { ...base, id: '3', turn: 1, role: 'tool', content: '{"order_id":1043}', toolCallId: 'a', toolName: 'get_order' },
          { ...base, id: '4', turn: 1, role: 'assistant', content: 'It is  on its way.' },
        ]),
        turn([
          { ...base, id: '5', turn: 2, role: 'user', content: 'and now?' },
          { ...base, id: '6', turn: 2, role: 'assistant', content: 'Sorry.', state: 'failed' },
        ]),
      ],
    });
    if (tape === null) throw new Error('no tape');
    expect(tape.turns).toHaveLength(1);
    expect(tape.turns[0]?.question).toBe('Order 1043, call me: [phone] or [mail]');
    expect(tape.turns[0]?.steps[0]?.calls[0]?.arguments).toEqual({ order_id: 1043, mail: '[mail]' });
    expect((await play(tape)).at(-1)).toBe('answered:It is  on its way.:');
    expect(tapeOf({ about: '', source: '', turns: [] })).toBeNull();
  });

  it('redacts keys, mail, telephone and card numbers, and leaves order numbers', () => {
    expect(redactText('sk-abcdefghijkl, AIzaSyA0123456789, 4111 1111 1111 1111, order 1043, ticket #5001')).toBe(
      '[key], [key], [number], order 1043, ticket #5001',
    );
  });
});
