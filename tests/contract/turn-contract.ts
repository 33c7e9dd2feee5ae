/** Does I/O through the store under test: turns as persisted state machines, messages, the queue. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Store } from '../../electron/engine/ports.ts';
import type { NewMessage, TurnOutcome, TurnState } from '../../shared/conversation.ts';
import { phpMessageLength } from '../../shared/php-json.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { answer, conversation, conversationWith, incoming, nextId, question, START, toolResult } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

const START_RUN = { runId: 'run-x', promptVersion: 'p1' };

function ended(state: TurnState, outcome: TurnOutcome, messages: NewMessage[], at = START + 5) {
  return { state, outcome, error: null, at, messages };
}

async function running(store: Store, content = 'Where is my order?'): Promise<{ id: string; runId: string; turn: number }> {
  const { id } = await store.conversations.create(conversation());
  const runId = nextId('run');
  const accepted = await store.conversations.accept(incoming(id, question(content), runId));
  if (accepted.kind !== 'started') throw new Error('not started');
  return { id, runId, turn: accepted.record.turn };
}

export function turnContract(getStore: GetStore): void {
  test('accept starts a turn with its message', async () => {
    const { conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const message = question('Where is my order?', { at: START + 7 });
    const accepted = await conversations.accept(incoming(id, message, 'run-1'));
    const record = {
      conversationId: id,
      turn: 1,
      state: 'running',
      outcome: null,
      runId: 'run-1',
      promptVersion: 'p1',
      startedAt: START + 7,
      endedAt: null,
      error: null,
      pinned: false,
    };
    const stored = { ...message, conversationId: id, turn: 1, seq: 1, phpChars: phpMessageLength(message) };
    expect(accepted).toEqual({ kind: 'started', record, message: stored });
    expect(await conversations.readTurn(id, 1)).toEqual({ ...record, messages: [stored] });
    expect(await conversations.listOpenTurns()).toContainEqual(record);
  });

  test('[SYN-2] the same message id again is known, whether stored, queued or long answered', async () => {
    const { conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const [first, second] = [question('one'), question('two')];
    await conversations.accept(incoming(id, first, 'run-1'));
    expect(await conversations.accept(incoming(id, first, 'run-2'))).toEqual({ kind: 'known', turn: 1 });
    expect((await conversations.accept(incoming(id, second, 'run-2'))).kind).toBe('queued');
    expect(await conversations.accept(incoming(id, second, 'run-3'))).toEqual({ kind: 'known', turn: null });
    await conversations.endTurn(id, 1, 'run-1', ended('answered', 'answered', [answer('ok')]));
    expect(await conversations.accept(incoming(id, { ...first, content: 'changed' }, 'run-4'))).toEqual({ kind: 'known', turn: 1 });
    expect(await conversations.listQueued(id)).toEqual([{ id: second.id, conversationId: id, text: 'two', at: second.at }]);
    expect((await conversations.readTurns(id, { limit: 9 })).flatMap((turn) => turn.messages.map((message) => message.content))).toEqual([
      'one',
      'ok',
    ]);
  });

  test('queued messages become turns in the order they came, one at a time', async () => {
    const { conversations } = getStore();
    const { id } = await conversations.create(conversation());
    await conversations.accept(incoming(id, question('one'), 'run-1'));
    const waiting = [question('two', { at: START + 9 }), question('three', { at: START + 8 })];
    for (const message of waiting) await conversations.accept(incoming(id, message));
    expect(await conversations.listQueuedConversations()).toContain(id);
    expect(await conversations.startQueued(id, START_RUN)).toBeNull();
    await conversations.endTurn(id, 1, 'run-1', ended('answered', 'answered', [answer('1')]));
    const next = await conversations.startQueued(id, START_RUN);
    expect(next).toMatchObject({
      record: { turn: 2, state: 'running', runId: 'run-x', startedAt: START + 9 },
      message: { ...waiting[0], turn: 2, seq: 3 },
    });
    expect(await conversations.startQueued(id, START_RUN)).toBeNull();
    expect((await conversations.listQueued(id)).map((queued) => queued.text)).toEqual(['three']);
    await conversations.endTurn(id, 2, 'run-x', ended('stopped', 'stopped', []));
    expect((await conversations.startQueued(id, START_RUN))?.message.content).toBe('three');
    await conversations.endTurn(id, 3, 'run-x', ended('answered', 'answered', []));
    expect(await conversations.startQueued(id, START_RUN)).toBeNull();
    expect(await conversations.listQueuedConversations()).not.toContain(id);
  });

  test('[SYN-1] fifty messages at once: one turn runs, the others wait, none is lost or doubled', async () => {
    const { conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const messages = Array.from({ length: 50 }, (_, index) => question(`message ${index}`));
    const results = await Promise.all([...messages, ...messages].map((message) => conversations.accept(incoming(id, message))));
    const count = (kind: string): number => results.filter((result) => result.kind === kind).length;
    expect([count('started'), count('queued'), count('known')]).toEqual([1, 49, 50]);
    const queued = await conversations.listQueued(id);
    const [turn] = await conversations.readTurns(id, { limit: 9 });
    const texts = [...queued.map((each) => each.text), turn?.messages[0]?.content ?? ''];
    expect(texts.sort()).toEqual(messages.map((message) => message.content).sort());
  });

  test('append keeps calls, results and the provider’s own message exactly, with the length PHP would write', async () => {
    const store = getStore();
    const { id, runId, turn } = await running(store);
    const raw = { provider: 'openai', model: 'gpt', body: '{"b":1,"a":2,"n":9007199254740993,"e":1e2,"s":"/é"}' };
    const calls = [
      { id: 'call-1', name: 'get_order', arguments: { order_id: 1043, z: { deep: [1, 2.5, null, 'é/'] } } },
      { id: 'call-2', name: 'get_ticket', arguments: {} },
    ];
    const messages = [
      answer('', { toolCalls: calls, providerRaw: raw, at: START + 3 }),
      toolResult('call-1', '{"status":"shipped"}', { at: START + 4 }),
      toolResult('call-2', '{"error":"no ticket"}', { toolName: 'get_ticket', state: 'synthetic' }),
    ];
    const stored = await store.conversations.append(id, turn, runId, messages);
    expect(stored).toEqual(
      messages.map((message, index) => ({
        ...message,
        conversationId: id,
        turn,
        seq: index + 2,
        phpChars: phpMessageLength(message),
      })),
    );
    expect((await store.conversations.readTurn(id, turn))?.messages.slice(1)).toEqual(stored);
    expect(await store.conversations.get(id)).toMatchObject({ messageCount: 4, updatedAt: START + 4 });
  });

  test('[SYN-2] append leaves a message that is there as it is', async () => {
    const store = getStore();
    const { id, runId, turn } = await running(store);
    const message = answer('first');
    const [stored] = await store.conversations.append(id, turn, runId, [message]);
    const again = await store.conversations.append(id, turn, runId, [{ ...message, content: 'second' }, answer('next')]);
    expect(again[0]).toEqual(stored);
    expect(again[1]).toMatchObject({ content: 'next', seq: 3 });
    expect((await store.conversations.readTurn(id, turn))?.messages.length).toBe(3);
  });

  test('[SYN-3] only the run at work writes: another run, an ended or unknown turn is a conflict that writes nothing', async () => {
    const store = getStore();
    const { id, runId, turn } = await running(store);
    const conflict = { name: 'ConsoleError', code: 'conflict' };
    const before = await store.conversations.readTurn(id, turn);
    await expect(store.conversations.append(id, turn, 'other', [answer('x')])).rejects.toMatchObject(conflict);
    await expect(store.conversations.append(id, 2, runId, [answer('x')])).rejects.toMatchObject(conflict);
    await expect(store.conversations.endTurn(id, turn, 'other', ended('stopped', 'stopped', [answer('x')]))).rejects.toMatchObject(
      conflict,
    );
    await expect(store.conversations.saveStreamedText(id, turn, 'other', 'x')).rejects.toMatchObject(conflict);
    expect(await store.conversations.readTurn(id, turn)).toEqual(before);
    await store.conversations.endTurn(id, turn, runId, ended('answered', 'answered', [answer('done')]));
    await expect(store.conversations.append(id, turn, runId, [answer('late')])).rejects.toMatchObject(conflict);
    await expect(store.conversations.endTurn(id, turn, runId, ended('stopped', 'stopped', []))).rejects.toMatchObject(conflict);
    await expect(store.conversations.saveStreamedText(id, turn, runId, 'x')).rejects.toMatchObject(conflict);
    expect((await store.conversations.readTurn(id, turn))?.state).toBe('answered');
  });

  test('a turn cannot end as running', async () => {
    const store = getStore();
    const { id, runId, turn } = await running(store);
    await expect(store.conversations.endTurn(id, turn, runId, ended('running', 'answered', []))).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  test('endTurn stores the last messages and the end together', async () => {
    const store = getStore();
    const { id, runId, turn } = await running(store);
    const error = { code: 'model-overloaded', message: 'The model is busy; try again.', retryable: true } as const;
    const end = {
      state: 'failed',
      outcome: 'api-error',
      error,
      at: START + 70,
      messages: [answer('Sorry.', { state: 'failed' })],
    } as const;
    const result = await store.conversations.endTurn(id, turn, runId, { ...end, messages: [...end.messages] });
    expect(result.record).toMatchObject({ state: 'failed', outcome: 'api-error', error, endedAt: START + 70, runId });
    expect(result.messages).toMatchObject([{ content: 'Sorry.', state: 'failed', seq: 2 }]);
    const { messages: _, ...record } = (await store.conversations.readTurn(id, turn)) ?? { messages: [] };
    expect(record).toEqual(result.record);
    expect(await store.conversations.listOpenTurns()).not.toContainEqual(expect.objectContaining({ conversationId: id }));
    expect((await store.conversations.get(id))?.updatedAt).toBe(START + 70);
  });

  test('[MEM-30] the older turns that a turn was given are kept with its end; a turn that was given none has none', async () => {
    const store = getStore();
    const { id, runId, turn } = await running(store);
    const end = { ...ended('waiting-approval', 'answered', [answer('May I?')]), recalledTurns: [3, 7] };
    expect((await store.conversations.endTurn(id, turn, runId, end)).record.recalledTurns).toEqual([3, 7]);
    expect((await store.conversations.readTurn(id, turn))?.recalledTurns).toEqual([3, 7]);
    const last = { ...ended('answered', 'answered', [answer('Done.')]), recalledTurns: [7, 12, 100_000] };
    await store.conversations.endTurn(id, turn, runId, last);
    expect((await store.conversations.readTurns(id, { limit: 1 }))[0]?.recalledTurns).toEqual([7, 12, 100_000]);
    const other = await running(store);
    await store.conversations.endTurn(other.id, other.turn, other.runId, ended('answered', 'answered', []));
    expect(await store.conversations.readTurn(other.id, other.turn)).not.toHaveProperty('recalledTurns');
  });

  test('a turn that waits for approval is at work: listed as open, messages queue behind it, its run goes on', async () => {
    const store = getStore();
    const { id, runId, turn } = await running(store);
    await store.conversations.endTurn(id, turn, runId, ended('waiting-approval', 'answered', []));
    expect(await store.conversations.listOpenTurns()).toContainEqual(
      expect.objectContaining({ conversationId: id, state: 'waiting-approval' }),
    );
    expect((await store.conversations.accept(incoming(id, question('and?')))).kind).toBe('queued');
    await store.conversations.append(id, turn, runId, [answer('approved')]);
    await store.conversations.endTurn(id, turn, runId, ended('answered', 'answered', []));
    expect((await store.conversations.startQueued(id, START_RUN))?.record.turn).toBe(2);
  });

  test('streamed text is replaced by each call and dropped by append, endTurn and a new run', async () => {
    const store = getStore();
    const { conversations } = store;
    const { id, runId, turn } = await running(store);
    await conversations.saveStreamedText(id, turn, runId, 'Let me');
    await conversations.saveStreamedText(id, turn, runId, 'Let me look');
    expect(await conversations.readStreamedText(id, turn)).toBe('Let me look');
    expect(await conversations.readStreamedText(id, turn + 1)).toBe('');
    await conversations.append(id, turn, runId, [answer('Let me look.')]);
    expect(await conversations.readStreamedText(id, turn)).toBe('');
    await conversations.saveStreamedText(id, turn, runId, 'Your order');
    await conversations.endTurn(id, turn, runId, ended('interrupted', 'interrupted', []));
    expect(await conversations.readStreamedText(id, turn)).toBe('');
  });

  test('reopenTurn runs the newest turn again: the question stays, the old answer is superseded', async () => {
    const store = getStore();
    const { conversations } = store;
    const id = await conversationWith(store, [
      ['one', 'first answer'],
      ['two', 'failing answer'],
    ]);
    await conversations.setPinned(id, 2, true);
    const record = await conversations.reopenTurn(id, 2, { runId: 'again', promptVersion: 'p2', at: START + 500 });
    expect(record).toEqual({
      conversationId: id,
      turn: 2,
      state: 'running',
      outcome: null,
      runId: 'again',
      promptVersion: 'p2',
      startedAt: START + 500,
      endedAt: null,
      error: null,
      pinned: true,
    });
    expect((await conversations.readTurn(id, 2))?.messages.map((message) => message.content)).toEqual(['two']);
    expect(await conversations.summary(id)).toMatchObject({ messageCount: 3, turnCount: 2, lastText: 'two', turnState: 'running' });
    expect((await conversations.list({ limit: 9, search: 'failing' })).items.map((item) => item.id)).not.toContain(id);
    const end = await conversations.endTurn(id, 2, 'again', ended('answered', 'answered', [answer('better answer')], START + 600));
    expect(end.messages[0]).toMatchObject({ seq: 4, turn: 2 });
    expect((await conversations.readTurns(id, { limit: 9 })).flatMap((turn) => turn.messages.map((message) => message.content))).toEqual([
      'two',
      'better answer',
      'one',
      'first answer',
    ]);
  });

  test('reopenTurn keeps the turn through a named message; a name that is not of this turn keeps the question only', async () => {
    const store = getStore();
    const { conversations } = store;
    const id = await conversationWith(store, [['one', 'first answer']]);
    const accepted = await conversations.accept(incoming(id, question('two')));
    if (accepted.kind !== 'started') throw new Error('the turn did not start');
    const runId = accepted.record.runId ?? '';
    const [partial] = await conversations.append(id, 2, runId, [answer('half an ans')]);
    await conversations.endTurn(id, 2, runId, ended('failed', 'api-error', [answer('sorry')], START + 400));
    const start = { runId: 'on', promptVersion: 'p2', at: START + 500, keepThrough: partial?.id ?? '' };
    await conversations.reopenTurn(id, 2, start);
    expect((await conversations.readTurn(id, 2))?.messages.map((message) => message.content)).toEqual(['two', 'half an ans']);
    expect(await conversations.summary(id)).toMatchObject({ messageCount: 4, lastText: 'half an ans', turnState: 'running' });
    const end = await conversations.endTurn(id, 2, 'on', ended('failed', 'api-error', [answer('wer')], START + 600));
    expect(end.messages[0]).toMatchObject({ seq: 5, turn: 2 });
    const foreign = (await conversations.readTurn(id, 1))?.messages.at(-1)?.id ?? '';
    await conversations.reopenTurn(id, 2, { ...start, runId: 'anew', keepThrough: foreign });
    expect((await conversations.readTurn(id, 2))?.messages.map((message) => message.content)).toEqual(['two']);
  });

  test('reopenTurn refuses older turns, turns at work and turns that do not exist, and changes nothing', async () => {
    const store = getStore();
    const { conversations } = store;
    const id = await conversationWith(store, [
      ['one', '1'],
      ['two', '2'],
    ]);
    const before = await conversations.readTurns(id, { limit: 9 });
    const start = { runId: 'again', promptVersion: 'p2', at: START };
    await expect(conversations.reopenTurn(id, 1, start)).rejects.toMatchObject({ code: 'conflict' });
    await expect(conversations.reopenTurn(id, 3, start)).rejects.toMatchObject({ code: 'not-found' });
    expect(await conversations.readTurns(id, { limit: 9 })).toEqual(before);
    await conversations.accept(incoming(id, question('three')));
    await expect(conversations.reopenTurn(id, 3, start)).rejects.toMatchObject({ code: 'conflict' });
    await expect(conversations.reopenTurn(id, 2, start)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('[MEM-6] readTurns pages backwards by whole turns, newest first', async () => {
    const store = getStore();
    const pairs = Array.from({ length: 7 }, (_, index): [string, string] => [`question ${index + 1}`, `answer ${index + 1}`]);
    const id = await conversationWith(store, pairs);
    const pages: number[][] = [];
    let beforeTurn: number | undefined;
    for (;;) {
      const turns = await store.conversations.readTurns(id, beforeTurn === undefined ? { limit: 3 } : { beforeTurn, limit: 3 });
      if (turns.length === 0) break;
      pages.push(turns.map((turn) => turn.turn));
      for (const turn of turns) {
        expect(turn.messages.map((message) => message.content)).toEqual([`question ${turn.turn}`, `answer ${turn.turn}`]);
      }
      beforeTurn = turns.at(-1)?.turn;
    }
    expect(pages).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
  });

  test('[MEM-5] a pin is kept with its turn', async () => {
    const store = getStore();
    const id = await conversationWith(store, [['one', '1']]);
    await store.conversations.setPinned(id, 1, true);
    expect((await store.conversations.readTurn(id, 1))?.pinned).toBe(true);
    await store.conversations.setPinned(id, 1, false);
    expect((await store.conversations.readTurns(id, { limit: 1 }))[0]?.pinned).toBe(false);
    await expect(store.conversations.setPinned(id, 2, true)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('[SYN-3] any sequence of operations leaves the same as in the reference store', async () => {
    const operation = fc.oneof(
      fc.record({ kind: fc.constant('accept' as const), key: fc.integer({ min: 1, max: 6 }), text: fc.string({ unit: 'binary' }) }),
      fc.record({ kind: fc.constant('append' as const), key: fc.integer({ min: 1, max: 6 }), text: fc.string({ unit: 'binary' }) }),
      fc.record({ kind: fc.constantFrom('end' as const, 'reopen' as const, 'queued' as const, 'stream' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
        const source = conversation();
        const outcomes: unknown[] = [];
        for (const store of [getStore(), createInMemoryStore()]) {
          await store.conversations.create(source);
          const results: unknown[] = [];
          for (const [index, each] of operations.entries()) results.push(await applied(store, source.id, each, index));
          results.push(await store.conversations.readTurns(source.id, { limit: 99 }), await store.conversations.listQueued(source.id));
          results.push(await store.conversations.summary(source.id));
          outcomes.push(results);
        }
        expect(outcomes[0]).toEqual(outcomes[1]);
      }),
      { numRuns: 25 },
    );
  });
}

type Operation =
  | { kind: 'accept' | 'append'; key: number; text: string }
  | { kind: 'end' }
  | { kind: 'reopen' }
  | { kind: 'queued' }
  | { kind: 'stream' };

/** What the operation answered, or the code it failed with. Run ids follow from the turn, so both stores see the same. */
async function applied(
  store: Store,
  id: string,
  operation: { kind: string; key?: number; text?: string },
  index: number,
): Promise<unknown> {
  const { conversations } = store;
  const turn = (await conversations.get(id))?.turnCount ?? 0;
  const runId = (await conversations.readTurn(id, turn))?.runId ?? 'none';
  const at = START + index;
  const text = operation.text ?? '';
  try {
    switch (operation.kind as Operation['kind']) {
      case 'accept':
        return await conversations.accept(incoming(id, question(text, { id: `q-${operation.key}`, at }), `run-${index}`));
      case 'append':
        return await conversations.append(id, turn, runId, [answer(text, { id: `a-${operation.key}`, at })]);
      case 'end':
        return await conversations.endTurn(id, turn, runId, ended('answered', 'answered', [answer('end', { id: `e-${index}`, at })], at));
      case 'reopen':
        return await conversations.reopenTurn(id, turn, { runId: `run-${index}`, promptVersion: 'p', at });
      case 'queued':
        return await conversations.startQueued(id, { runId: `run-${index}`, promptVersion: 'p' });
      case 'stream':
        await conversations.saveStreamedText(id, turn, runId, `text ${index}`);
        return await conversations.readStreamedText(id, turn);
    }
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}
