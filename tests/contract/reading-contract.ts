/** Does I/O through the store under test: read marks, the filters of the list, pages by number, and the turns in short. */
import { expect, test } from 'vitest';
import type { ListFilter } from '../../shared/conversation-list.ts';
import type { NewConversation, Reader, Store } from '../../electron/engine/ports.ts';
import { answer, conversation, conversationWith, incoming, nextConversationId, nextId, question, START } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

const newReader = (since = START - 1): Reader => ({ id: nextId('reader'), since });

async function unread(store: Store, id: string, reader: Reader): Promise<number | undefined> {
  const summary = await store.conversations.summary(id, reader);
  const { items } = await store.conversations.list({ limit: 500, reader });
  const row = items.find((item) => item.id === id);
  expect(row?.unreadTurns).toBe(summary?.unreadTurns);
  const { items: filtered } = await store.conversations.list({ limit: 500, reader, filter: { unread: true } });
  expect(filtered.some((item) => item.id === id)).toBe((summary?.unreadTurns ?? 0) > 0);
  return summary?.unreadTurns;
}

async function goOn(store: Store, id: string, at: number): Promise<{ turn: number; runId: string }> {
  const runId = nextId('run');
  const accepted = await store.conversations.accept(incoming(id, question('and then?', { at }), runId));
  if (accepted.kind !== 'started') throw new Error(`expected a started turn, got ${accepted.kind}`);
  return { turn: accepted.record.turn, runId };
}

async function idsOf(store: Store, tenant: string, filter: ListFilter): Promise<string[]> {
  const { items, total } = await store.conversations.list({ limit: 100, filter: { tenant, ...filter } });
  expect(total).toBe(items.length);
  return items.map((item) => item.id);
}

async function ended(store: Store, state: 'failed' | 'interrupted' | 'handed-off', fields: Partial<NewConversation>): Promise<string> {
  const { id } = await store.conversations.create(conversation(fields));
  const { turn, runId } = await goOn(store, id, START + 5);
  const outcome = state === 'failed' ? 'api-error' : state;
  await store.conversations.endTurn(id, turn, runId, { state, outcome, error: null, at: START + 6, messages: [answer('…')] });
  return id;
}

export function readingContract(getStore: GetStore): void {
  test('without a reader a row says nothing about reading', async () => {
    const id = await conversationWith(getStore(), [['q', 'a']]);
    expect(await getStore().conversations.summary(id)).not.toHaveProperty('unreadTurns');
  });

  test('turns are unread until they are marked, one person at a time; a new turn is unread again', async () => {
    const store = getStore();
    const [me, you] = [newReader(), newReader()];
    const id = await conversationWith(store, [
      ['one', 'a'],
      ['two', 'b'],
    ]);
    expect(await unread(store, id, me)).toBe(2);
    await store.conversations.markRead(id, me.id, true);
    expect(await unread(store, id, me)).toBe(0);
    expect(await unread(store, id, you)).toBe(2);
    const { turn, runId } = await goOn(store, id, START + 100);
    expect(await unread(store, id, me)).toBe(1);
    await store.conversations.markRead(id, me.id, true);
    expect(await unread(store, id, me)).toBe(0);
    // The answer to a question that was read is news.
    const end = {
      state: 'answered',
      outcome: 'answered',
      error: null,
      at: START + 102,
      messages: [answer('c', { at: START + 101 })],
    } as const;
    await store.conversations.endTurn(id, turn, runId, { ...end, messages: [...end.messages] });
    expect(await unread(store, id, me)).toBe(1);
  });

  test('a change of title, strategy or draft is no news', async () => {
    const store = getStore();
    const me = newReader();
    const id = await conversationWith(store, [['q', 'a']]);
    await store.conversations.markRead(id, me.id, true);
    await store.conversations.update(id, { title: 'renamed', strategy: 'summary' }, START + 500);
    await store.conversations.saveDraft(id, 'half a thought', START + 501);
    expect(await unread(store, id, me)).toBe(0);
  });

  test('marked unread by hand it stays so until it is read, also where nothing ran', async () => {
    const store = getStore();
    const me = newReader();
    const imported = conversation();
    await store.conversations.insertWhole(imported, [{ state: 'answered', messages: [question('q'), answer('a')] }]);
    expect(await unread(store, imported.id, me)).toBe(0);
    await store.conversations.markRead(imported.id, me.id, false);
    expect(await unread(store, imported.id, me)).toBe(1);
    await store.conversations.markRead(imported.id, me.id, false);
    await store.conversations.markRead(imported.id, me.id, true);
    expect(await unread(store, imported.id, me)).toBe(0);
  });

  test('what happened before a person came is no news; what happens to it later is', async () => {
    const store = getStore();
    const late = newReader(START + 50);
    const id = await conversationWith(store, [
      ['one', 'a'],
      ['two', 'b'],
    ]);
    expect(await unread(store, id, late)).toBe(0);
    await goOn(store, id, START + 100);
    expect(await unread(store, id, late)).toBe(1);
  });

  test('an empty conversation is never unread; a mark on nothing changes nothing', async () => {
    const store = getStore();
    const me = newReader();
    const { id } = await store.conversations.create(conversation());
    expect(await unread(store, id, me)).toBe(0);
    await store.conversations.markRead(nextConversationId(), me.id, true);
    await store.conversations.markRead(id, me.id, true);
    await store.conversations.delete(id);
    expect(await store.conversations.summary(id, me)).toBeNull();
  });

  test('filters: who must act, tickets, time, tenant, strategy; together they narrow further', async () => {
    const store = getStore();
    const tenant = nextId('tenant');
    const answered = await conversationWith(store, [['q', 'a']], { tenant, strategy: 'summary', at: START + 1_000 });
    const failed = await ended(store, 'failed', { tenant });
    const broken = await ended(store, 'interrupted', { tenant, strategy: 'stable' });
    const handed = await ended(store, 'handed-off', { tenant });
    const asked = await conversationWith(store, [['q', 'a']], { tenant, at: START + 2_000 });
    await store.conversations.update(asked, { handoffReason: 'wants a person' }, START + 2_500);
    const running = (await store.conversations.create(conversation({ tenant, at: START + 3_000 }))).id;
    await goOn(store, running, START + 3_001);
    const sorted = (ids: string[]) => ids.toSorted();
    expect(sorted(await idsOf(store, tenant, { state: 'failed' }))).toEqual(sorted([failed, broken]));
    expect(sorted(await idsOf(store, tenant, { state: 'needs-human' }))).toEqual(sorted([handed, asked]));
    expect(await idsOf(store, tenant, { state: 'running' })).toEqual([running]);
    expect(await idsOf(store, tenant, { since: START + 2_500 })).toEqual([running, asked]);
    expect(await idsOf(store, tenant, { since: START + 1_000, until: START + 2_500 })).toEqual([answered]);
    expect(await idsOf(store, tenant, { strategy: 'stable' })).toEqual([broken]);
    expect(sorted(await idsOf(store, tenant, { strategy: null }))).toEqual(sorted([failed, handed, asked, running]));
    expect(await idsOf(store, tenant, { strategy: null, state: 'failed' })).toEqual([failed]);
    const ticket = {
      customerId: null,
      conversationId: answered,
      orderId: null,
      category: 'refund',
      summary: 's',
      status: 'open',
      at: START,
    } as const;
    await store.tickets.create(ticket);
    expect(await idsOf(store, tenant, { ticket: true })).toEqual([answered]);
    expect(await idsOf(store, tenant, { ticket: true, state: 'failed' })).toEqual([]);
  });

  test('filters go together with a search, and pages of both show each row once', async () => {
    const store = getStore();
    const tenant = nextId('tenant');
    const expected: string[] = [];
    for (let index = 0; index < 5; index += 1)
      expected.unshift(await conversationWith(store, [['xylophone', 'a']], { tenant, at: START + index * 100 }));
    await conversationWith(store, [['xylophone', 'a']], { tenant: nextId('tenant') });
    await conversationWith(store, [['drum', 'a']], { tenant });
    const query = { limit: 2, search: 'xylo', filter: { tenant } };
    const [first, last] = [await store.conversations.list(query), await store.conversations.list({ ...query, offset: 4 })];
    const middle = await store.conversations.list({ ...query, ...(first.nextCursor !== null && { cursor: first.nextCursor }) });
    expect([...first.items, ...middle.items, ...last.items].map((item) => item.id)).toEqual(expected);
    expect([first.total, middle.total, last.total]).toEqual([5, 5, 5]);
    expect(last.nextCursor).toBeNull();
  });

  test('a page by number holds what the pages before it leave; past the end there is none', async () => {
    const store = getStore();
    const all = (await store.conversations.list({ limit: 500 })).items.map((item) => item.id);
    expect((await store.conversations.list({ limit: 3, offset: 4 })).items.map((item) => item.id)).toEqual(all.slice(4, 7));
    const beyond = await store.conversations.list({ limit: 3, offset: all.length });
    expect([beyond.items, beyond.nextCursor, beyond.total]).toEqual([[], null, all.length]);
  });

  test('the turns in short: number, time, state, oldest first', async () => {
    const store = getStore();
    const id = await conversationWith(store, [
      ['one', 'a'],
      ['two', 'b'],
    ]);
    await goOn(store, id, START + 100);
    expect(await store.conversations.listTurnMarks(id)).toEqual([
      { turn: 1, at: START + 10, state: 'answered' },
      { turn: 2, at: START + 20, state: 'answered' },
      { turn: 3, at: START + 100, state: 'running' },
    ]);
    expect(await store.conversations.listTurnMarks(nextConversationId())).toEqual([]);
  });
}
