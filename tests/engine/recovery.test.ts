/** What is left after a crash, and that it can be gone on with. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERRUPTED_TEXT } from '../../electron/engine/agent/turn-messages.ts';
import { STREAM_SAVE_MS } from '../../electron/engine/agent/streamed-text.ts';
import { checkHistory } from '../../electron/models/history-rules.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { createDyingStore, createFaultyStore, PASS } from '../fakes/faulty-store.ts';
import { createManualTools } from '../fakes/manual-tools.ts';
import { answer, call, calls, delta, end, forever } from '../fakes/scripted-model.ts';
import type { ScriptEntry } from '../fakes/scripted-model.ts';
import { createVirtualClock, settle } from '../fakes/virtual-clock.ts';
import { brief, createEngine, newMessageId, send } from './engine-fixture.ts';

describe('recovery at start', () => {
  it('[SYN-1] a kill in the middle of a streamed answer keeps the question and the text, marked interrupted; the next question works', async () => {
    const store = createInMemoryStore();
    const first = await createEngine({ store, script: [[delta('You can '), delta('return it'), forever()]] });
    await first.ask('Refund?');
    await first.clock.advance(STREAM_SAVE_MS);
    const second = await createEngine({ store, conversationId: first.conversationId, script: [answer('Yes.')] });
    expect(brief(await second.messages())).toEqual(['user: Refund?', 'assistant[interrupted]: You can return it']);
    expect(second.ofType('turn-end')).toMatchObject([{ state: 'interrupted', outcome: 'interrupted' }]);
    await second.ask('Really?');
    expect(brief(await second.messages()).slice(2)).toEqual(['user: Really?', 'assistant: Yes.']);
    const { trace } = await second.service.call('getTrace', { conversationId: first.conversationId, turn: 1 });
    expect(trace?.run).toMatchObject({ state: 'interrupted', outcome: 'interrupted' });
    expect(trace?.run.endedAt).not.toBeNull();
    expect(trace?.spans.every((span) => span.endedAt !== null)).toBe(true);
  });

  it('without any text stores the words that stand for none', async () => {
    const store = createInMemoryStore();
    const first = await createEngine({ store, script: [[forever()]] });
    await first.ask('Hi');
    const second = await createEngine({ store, conversationId: first.conversationId });
    expect(brief(await second.messages())).toEqual(['user: Hi', `assistant[interrupted]: ${INTERRUPTED_TEXT}`]);
  });

  it('[SYN-4] between two parallel calls: the first result is real, the second unknown, order kept, no tool runs again', async () => {
    const store = createInMemoryStore();
    const tools = createManualTools({ one: 'read', two: 'internal' });
    const first = await createEngine({ store, tools, script: [calls(call('one'), call('two'))] });
    await first.ask('Go');
    tools.waiting[0]?.answer({ done: 1 });
    await settle();
    const second = await createEngine({ store, tools, conversationId: first.conversationId });
    const messages = await second.messages();
    expect(brief(messages)).toEqual([
      'user: Go',
      'assistant→one({})→two({}): ',
      'tool: {"done":1}',
      'tool[synthetic]: {"status":"unknown","reason":"interrupted"}',
      `assistant[interrupted]: ${INTERRUPTED_TEXT}`,
    ]);
    expect(checkHistory(messages)).toEqual([]);
    expect(tools.begun).toEqual(['one', 'two']);
  });

  it('starts messages that waited, also when no turn was open any more', async () => {
    const store = createInMemoryStore();
    const dead = createFaultyStore(store, (name) => (name === 'conversations.startQueued' && armed ? { kind: 'hang' } : PASS));
    let armed = false;
    const hold = Promise.withResolvers<void>();
    const first = await createEngine({ store: dead, script: [[hold.promise, ...answer('One.')]] });
    await first.ask('one');
    await send(first.service, first.conversationId, 'two');
    armed = true;
    hold.resolve();
    await settle();
    expect(await store.conversations.listOpenTurns()).toEqual([]);
    const second = await createEngine({ store, conversationId: first.conversationId, script: [answer('Two.')] });
    await settle();
    expect(brief(await second.messages())).toEqual(['user: one', 'assistant: One.', 'user: two', 'assistant: Two.']);
  });

  it('recovers before a request too, when the start could not', async () => {
    const store = createInMemoryStore();
    const first = await createEngine({ store, script: [[forever()]] });
    await first.ask('one');
    const second = await createEngine({ store, conversationId: first.conversationId, script: [answer('Two.')], start: false });
    await second.ask('two');
    expect(brief(await second.messages())).toEqual([
      'user: one',
      `assistant[interrupted]: ${INTERRUPTED_TEXT}`,
      'user: two',
      'assistant: Two.',
    ]);
  });

  it('leaves a turn that waits for an approval alone', async () => {
    const store = createInMemoryStore();
    const first = await createEngine({ store, script: [[forever()]] });
    await first.ask('one');
    const [open] = await store.conversations.listOpenTurns();
    await store.conversations.endTurn(first.conversationId, 1, open?.runId ?? '', {
      state: 'waiting-approval',
      outcome: 'interrupted',
      error: null,
      at: 0,
      messages: [],
    });
    const second = await createEngine({ store, conversationId: first.conversationId });
    expect(brief(await second.messages())).toEqual(['user: one']);
    expect(second.ofType('turn-end')).toEqual([]);
  });
});

/** What one question makes the model do: rounds of 0–5 calls, then an answer, an error, nothing, or a stream that never ends. */
const turnScript = fc.record({
  rounds: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 2 }),
  ending: fc.constantFrom('answer', 'error', 'empty', 'hang'),
});

function entriesOf(script: { rounds: number[]; ending: string }): ScriptEntry[] {
  const rounds = script.rounds.map((count): ScriptEntry => calls(...Array.from({ length: count }, (_, n) => call('list_orders', { n }))));
  switch (script.ending) {
    case 'answer':
      return [...rounds, answer('An answer with words.')];
    case 'empty':
      return [...rounds, [end('answered')]];
    case 'error':
      return [
        ...rounds,
        [delta('Half'), end('interrupted', { text: 'Half', error: { code: 'model-interrupted', message: 'cut', retryable: true } })],
      ];
    default:
      return [...rounds, [delta('Half an answer'), forever()]];
  }
}

describe('a crash at any store call', () => {
  it('[SYN-1] [SYN-2] [SYN-5] leaves a history that reads question → answer, with every accepted message once, and goes on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turnScript, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 90 }),
        fc.constantFrom('before' as const, 'after' as const),
        fc.boolean(),
        async (turns, dieAt, when, burst) => {
          const store = createInMemoryStore();
          const setup = await createEngine({ store });
          const { conversationId } = setup;
          const dying = createDyingStore(store, dieAt, when);
          const clock = createVirtualClock();
          const first = await createEngine({
            store: dying.store,
            clock,
            conversationId,
            start: false,
            script: turns.flatMap(entriesOf),
            settings: { 'agent.maxSteps': 4 },
          });
          const saved: string[] = [];
          const sent: string[] = [];
          for (const [index] of turns.entries()) {
            const id = newMessageId();
            sent.push(id);
            void send(first.service, conversationId, `question ${index}`, id).then(
              () => saved.push(id),
              () => undefined,
            );
            if (!burst) await clock.advance(400);
          }
          await clock.advance(400);

          const second = await createEngine({
            store,
            clock,
            conversationId,
            script: Array.from({ length: 5 }, () => answer('Recovered.')),
          });
          await clock.advance(1000);
          await second.ask('the next question');
          await clock.advance(1000);
          const messages = await second.messages();
          expect(checkHistory(messages)).toEqual([]);
          for (const request of second.model.requests) expect(checkHistory(request.messages)).toEqual([]);
          const ids = messages.map((message) => message.id);
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of saved) expect(ids).toContain(id);
          expect(await store.conversations.listOpenTurns()).toEqual([]);
          expect(await store.conversations.listQueued(conversationId)).toEqual([]);
          for (const turn of await store.conversations.readTurns(conversationId, { limit: 50 })) {
            expect(turn.messages[0]?.role).toBe('user');
            expect(turn.messages.at(-1)?.role).toBe('assistant');
            expect(turn.messages.at(-1)?.content.trim()).not.toBe('');
          }
          expect(brief(messages).at(-1)).toBe('assistant: Recovered.');
          expect(sent.length).toBeGreaterThanOrEqual(saved.length);
        },
      ),
      { numRuns: 120 },
    );
  });
});
