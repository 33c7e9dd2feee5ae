/** Does I/O through the store under test: conversations, imports, drafts, memory states, deletion. */
import { expect, test } from 'vitest';
import { answer, conversation, conversationWith, incoming, nextConversationId, question, run, span, START } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

export function conversationContract(getStore: GetStore): void {
  test('create gives back what was asked for, and get and summary agree', async () => {
    const store = getStore();
    const source = conversation({
      actor: { type: 'customer', id: 'c-7' },
      subject: { type: 'order', id: '1042' },
      customerId: 'c-7',
      title: 'Refund',
      strategy: 'summary',
    });
    const { at, ...fields } = source;
    const expected = { ...fields, handoffReason: null, createdAt: at, updatedAt: at, turnCount: 0, messageCount: 0 };
    expect(await store.conversations.create(source)).toEqual(expected);
    expect(await store.conversations.get(source.id)).toEqual(expected);
    expect(await store.conversations.summary(source.id)).toEqual({
      ...expected,
      customerName: null,
      lastText: '',
      lastRole: null,
      turnState: null,
    });
  });

  test('an id is taken once: conflict, and the first conversation stays', async () => {
    const store = getStore();
    const first = await store.conversations.create(conversation({ title: 'first' }));
    await expect(store.conversations.create(conversation({ id: first.id, title: 'second' }))).rejects.toMatchObject({
      name: 'ConsoleError',
      code: 'conflict',
    });
    expect((await store.conversations.get(first.id))?.title).toBe('first');
  });

  test('an unknown conversation reads as nothing and refuses writes with not-found', async () => {
    const { conversations, traces } = getStore();
    const id = nextConversationId();
    expect(await conversations.get(id)).toBeNull();
    expect(await conversations.summary(id)).toBeNull();
    expect(await conversations.readTurns(id, { limit: 5 })).toEqual([]);
    expect(await conversations.readTurn(id, 1)).toBeNull();
    expect(await conversations.listQueued(id)).toEqual([]);
    expect(await conversations.readDraft(id)).toBe('');
    expect(await conversations.readStreamedText(id, 1)).toBe('');
    expect(await conversations.readMemoryState(id, 'summary')).toBeNull();
    const end = { state: 'answered', outcome: 'answered', error: null, at: START, messages: [] } as const;
    const refused = [
      () => conversations.update(id, { title: 'x' }, START),
      () => conversations.delete(id),
      () => conversations.accept(incoming(id, question('hello'))),
      () => conversations.startQueued(id, { runId: 'r', promptVersion: 'p' }),
      () => conversations.reopenTurn(id, 1, { runId: 'r', promptVersion: 'p', at: START }),
      () => conversations.append(id, 1, 'r', [answer('x')]),
      () => conversations.saveStreamedText(id, 1, 'r', 'x'),
      () => conversations.endTurn(id, 1, 'r', { ...end, messages: [] }),
      () => conversations.setPinned(id, 1, true),
      () => conversations.writeMemoryState(id, { strategy: 'summary', json: '{}' }),
      () => conversations.saveDraft(id, 'x', START),
      () => traces.saveRun(run(id)),
    ];
    for (const call of refused) await expect(call()).rejects.toMatchObject({ name: 'ConsoleError', code: 'not-found' });
  });

  test('update changes what it names and nothing else; time never runs backwards', async () => {
    const { conversations } = getStore();
    const created = await conversations.create(conversation({ title: 'a', strategy: 'stable' }));
    const renamed = await conversations.update(created.id, { title: 'b' }, START + 50);
    expect(renamed).toEqual({ ...created, title: 'b', updatedAt: START + 50 });
    const asked = await conversations.update(created.id, { handoffReason: 'wants a person', title: undefined }, START + 20);
    expect(asked).toEqual({ ...created, title: 'b', handoffReason: 'wants a person', updatedAt: START + 50 });
    const reset = await conversations.update(created.id, { handoffReason: null, strategy: null }, START + 60);
    expect(reset).toEqual({ ...created, title: 'b', handoffReason: null, strategy: null, updatedAt: START + 60 });
    expect(await conversations.get(created.id)).toEqual(reset);
  });

  test('the first question with text names a conversation without a title', async () => {
    const store = getStore();
    const long = `Where is my\n parcel? ${'very '.repeat(60)}long`;
    const named = await conversationWith(store, [[long, 'On its way.']]);
    const title = (await store.conversations.get(named))?.title ?? '';
    expect(title.startsWith('Where is my parcel? very')).toBe(true);
    expect(title.endsWith('…')).toBe(true);
    expect(title.length).toBeLessThanOrEqual(80);
    const kept = await conversationWith(store, [['Hello', 'Hi']], { title: 'My own' });
    expect((await store.conversations.get(kept))?.title).toBe('My own');
  });

  test('a title is never cut inside a character that people see as one', async () => {
    const store = getStore();
    const family = '👩‍👩‍👧‍👦';
    const id = await conversationWith(store, [[family.repeat(30), 'ok']]);
    const title = (await store.conversations.get(id))?.title ?? '';
    expect(title.replaceAll(family, '')).toBe('…');
  });

  test('the summary shows the last text with its role, the customer and the state of the newest turn', async () => {
    const store = getStore();
    const id = await conversationWith(store, [['Where?', 'On\nits   way.']]);
    expect(await store.conversations.summary(id)).toMatchObject({ lastText: 'On its way.', lastRole: 'assistant', turnState: 'answered' });
    await store.conversations.accept(incoming(id, question('Thanks', { at: START + 99 })));
    expect(await store.conversations.summary(id)).toMatchObject({
      lastText: 'Thanks',
      lastRole: 'user',
      turnState: 'running',
      turnCount: 2,
      messageCount: 3,
      updatedAt: START + 99,
    });
  });

  test('insertWhole numbers turns and messages; what comes before the first question is turn 0', async () => {
    const { conversations } = getStore();
    const source = conversation();
    const created = await conversations.insertWhole(source, [
      { messages: [answer('Welcome!')], state: 'answered' },
      { messages: [question('One?'), answer('1')], state: 'answered' },
      { messages: [question('Two?'), answer('', { state: 'interrupted' })], state: 'interrupted' },
    ]);
    expect(created).toMatchObject({ id: source.id, title: 'One?', turnCount: 2, messageCount: 5, createdAt: START, updatedAt: START });
    const turns = await conversations.readTurns(source.id, { limit: 10 });
    expect(turns.map((turn) => [turn.turn, turn.state, turn.outcome, turn.runId])).toEqual([
      [2, 'interrupted', 'interrupted', null],
      [1, 'answered', 'answered', null],
      [0, 'answered', 'answered', null],
    ]);
    expect(turns.flatMap((turn) => turn.messages.map((message) => [message.turn, message.seq]))).toEqual([
      [2, 4],
      [2, 5],
      [1, 2],
      [1, 3],
      [0, 1],
    ]);
    const next = await conversations.accept(incoming(source.id, question('Three?')));
    expect(next).toMatchObject({ kind: 'started', record: { turn: 3 }, message: { seq: 6 } });
  });

  test('insertWhole stores nothing at all when one message id comes twice', async () => {
    const { conversations } = getStore();
    const source = conversation();
    const twice = question('One?');
    const bad = conversations.insertWhole(source, [
      { messages: [twice, answer('1')], state: 'answered' },
      { messages: [{ ...twice, content: 'again' }, answer('2')], state: 'answered' },
    ]);
    await expect(bad).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await conversations.get(source.id)).toBeNull();
  });

  test('drafts and memory states are kept per conversation and replaced by each write', async () => {
    const { conversations } = getStore();
    const one = await conversations.create(conversation());
    const two = await conversations.create(conversation());
    await conversations.saveDraft(one.id, 'half a sent', START);
    await conversations.saveDraft(one.id, 'half a sentence', START + 1);
    expect(await conversations.readDraft(one.id)).toBe('half a sentence');
    expect(await conversations.readDraft(two.id)).toBe('');
    await conversations.saveDraft(one.id, '', START + 2);
    expect(await conversations.readDraft(one.id)).toBe('');
    await conversations.writeMemoryState(one.id, { strategy: 'summary', json: '{"watermark":1}' });
    await conversations.writeMemoryState(one.id, { strategy: 'summary', json: '{"watermark":2}' });
    await conversations.writeMemoryState(one.id, { strategy: 'stable', json: '[]' });
    expect(await conversations.readMemoryState(one.id, 'summary')).toEqual({ strategy: 'summary', json: '{"watermark":2}' });
    expect(await conversations.readMemoryState(one.id, 'stable')).toEqual({ strategy: 'stable', json: '[]' });
    expect(await conversations.readMemoryState(one.id, 'recent-turns')).toBeNull();
    expect(await conversations.readMemoryState(two.id, 'summary')).toBeNull();
  });

  test('delete takes messages, turns, queue, draft, memory state and traces along, and nothing of others', async () => {
    const store = getStore();
    const { conversations, traces } = store;
    const id = await conversationWith(store, [['secret word', 'answer']]);
    const other = await conversationWith(store, [['other', 'answer']]);
    await conversations.accept(incoming(id, question('running')));
    await conversations.accept(incoming(id, question('queued')));
    await conversations.saveDraft(id, 'draft', START);
    await conversations.writeMemoryState(id, { strategy: 'summary', json: '{}' });
    const [mine, theirs] = [run(id), run(other)];
    const [mySpan, theirSpan] = [span(mine.id), span(theirs.id)];
    for (const each of [mine, theirs]) await traces.saveRun(each);
    const details = [mySpan, theirSpan].map((each) => ({ spanId: each.id, request: { a: 1 }, response: null }));
    await traces.save({ spans: [mySpan, theirSpan], events: [], details });
    await conversations.delete(id);
    expect(await conversations.get(id)).toBeNull();
    expect(await conversations.readTurns(id, { limit: 9 })).toEqual([]);
    expect(await conversations.listQueued(id)).toEqual([]);
    expect(await conversations.listQueuedConversations()).not.toContain(id);
    expect(await conversations.readDraft(id)).toBe('');
    expect(await conversations.readMemoryState(id, 'summary')).toBeNull();
    expect((await conversations.listOpenTurns()).filter((turn) => turn.conversationId === id)).toEqual([]);
    expect((await conversations.list({ limit: 9, search: 'secret' })).total).toBe(0);
    expect([await traces.readRun(mine.id), await traces.readDetail(mySpan.id)]).toEqual([null, null]);
    expect(await traces.readSpans(mine.id)).toEqual([]);
    expect((await conversations.readTurns(other, { limit: 9 })).length).toBe(1);
    expect((await traces.readDetail(theirSpan.id))?.request).toEqual({ a: 1 });
    await conversations.create(conversation({ id }));
    expect(await conversations.readTurns(id, { limit: 9 })).toEqual([]);
  });

  test('returned objects are copies', async () => {
    const store = getStore();
    const id = await conversationWith(store, [['One?', '1']], { subject: { type: 'order', id: '1' } });
    const first = await store.conversations.get(id);
    const [turn] = await store.conversations.readTurns(id, { limit: 1 });
    const kept = structuredClone({ first, turn });
    Object.assign(first?.subject ?? {}, { id: 'changed' });
    Object.assign(turn?.messages[0] ?? {}, { content: 'changed' });
    turn?.messages.pop();
    expect(await store.conversations.get(id)).toEqual(kept.first);
    expect((await store.conversations.readTurns(id, { limit: 1 }))[0]).toEqual(kept.turn);
  });

  test('what is handed in is copied too', async () => {
    const { conversations } = getStore();
    const source = conversation({ subject: { type: 'order', id: '1' } });
    await conversations.create(source);
    Object.assign(source.subject ?? {}, { id: 'changed' });
    expect((await conversations.get(source.id))?.subject).toEqual({ type: 'order', id: '1' });
  });
}
