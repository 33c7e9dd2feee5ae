/** Does I/O through the store under test: the conversation list, its pages and its search. */
import { expect, test } from 'vitest';
import type { Store } from '../../electron/engine/ports.ts';
import { answer, conversation, conversationWith, incoming, nextId, question, START, toolResult } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

async function allIds(store: Store, limit: number, search?: string): Promise<{ ids: string[]; totals: number[] }> {
  const ids: string[] = [];
  const totals: number[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 100; page += 1) {
    const result = await store.conversations.list({
      limit,
      ...(cursor === undefined ? {} : { cursor }),
      ...(search === undefined ? {} : { search }),
    });
    ids.push(...result.items.map((item) => item.id));
    totals.push(result.total);
    if (result.nextCursor === null) return { ids, totals };
    expect(result.items.length).toBe(limit);
    cursor = result.nextCursor;
  }
  throw new Error('the pages never end');
}

async function found(store: Store, search: string): Promise<string[]> {
  return (await store.conversations.list({ limit: 100, search })).items.map((item) => item.id).sort();
}

export function listContract(getStore: GetStore): void {
  test('an empty store lists nothing', async () => {
    expect(await getStore().conversations.list({ limit: 10 })).toEqual({ items: [], nextCursor: null, total: 0 });
  });

  test('newest first, then id: pages of any size show each conversation once, equal times included', async () => {
    const store = getStore();
    const times = [5, 5, 5, 5, 9, 1, 5, 9, 5, 7, 5];
    const created = await Promise.all(
      times.map((time) => store.conversations.create(conversation({ tenant: 'paging', at: START + time }))),
    );
    const expected = created
      .sort((left, right) => right.updatedAt - left.updatedAt || (left.id < right.id ? -1 : 1))
      .map((each) => each.id);
    for (const limit of [1, 2, 3, 4, 10, 11, 12]) {
      const { ids, totals } = await allIds(store, limit);
      expect(ids).toEqual(expected);
      expect(new Set(totals)).toEqual(new Set([expected.length]));
    }
  });

  test('activity moves a conversation to the top', async () => {
    const store = getStore();
    const old = await conversationWith(store, [['old', 'answer']]);
    await store.conversations.accept(incoming(old, question('again', { at: START + 1_000_000 })));
    expect((await store.conversations.list({ limit: 1 })).items[0]?.id).toBe(old);
    expect(await store.conversations.summary(old)).toEqual((await store.conversations.list({ limit: 1 })).items[0]);
  });

  test('a cursor that is none is refused in words', async () => {
    for (const cursor of ['', 'x', '1', '1.', 'NaN.abc', "1.a' OR 1=1"]) {
      const call = getStore().conversations.list({ limit: 5, cursor });
      if (cursor === "1.a' OR 1=1") expect((await call).total).toBeGreaterThanOrEqual(0);
      else await expect(call).rejects.toMatchObject({ code: 'invalid-input' });
    }
  });

  test('search finds words of questions, answers and titles, in any case, by their beginning', async () => {
    const store = getStore();
    const id = await conversationWith(store, [['Kan ik mijn Straße-Paket zurückgeben?', 'Natürlich, mit Retourenschein.']], {
      title: 'Quibble about zymurgy',
    });
    for (const search of ['retourenschein', 'RETOUREN', 'straße', 'STRASSE', 'zuruckgeben', 'zymurgy', 'quib zym', 'paket natürlich']) {
      expect(await found(store, search), search).toEqual([id]);
    }
    for (const search of ['schein', 'zymurgyx', 'paket nowhere']) expect(await found(store, search), search).toEqual([]);
  });

  test('two-letter words, CJK of one, two and three characters, and pictographs are found', async () => {
    const store = getStore();
    const chinese = await conversationWith(store, [['我想退款，谢谢', 'OK, qx 已退']]);
    const japanese = await conversationWith(store, [['返金について iPhoneケース 🦩', 'はい']]);
    const korean = await conversationWith(store, [['환불을 원합니다', '네']]);
    expect(await found(store, 'qx')).toEqual([chinese]);
    expect(await found(store, '退')).toEqual([chinese]);
    expect(await found(store, '款')).toEqual([chinese]);
    expect(await found(store, '退款')).toEqual([chinese]);
    expect(await found(store, '想退款')).toEqual([chinese]);
    expect(await found(store, '返金')).toEqual([japanese]);
    expect(await found(store, 'ケース')).toEqual([japanese]);
    expect(await found(store, 'ｉｐｈｏｎｅ')).toEqual([japanese]);
    expect(await found(store, '🦩')).toEqual([japanese]);
    expect(await found(store, '환불')).toEqual([korean]);
    expect(await found(store, '款退')).toEqual([]);
  });

  test('ids are found whole and by their beginning', async () => {
    const store = getStore();
    const id = await conversationWith(store, [['About ORD-77-A and wren.kestrel@mail.example', 'ok']]);
    for (const search of ['ORD-77-A', 'ord-77', '77', 'wren.kestrel@mail.example', 'kestrel']) {
      expect(await found(store, search), search).toEqual([id]);
    }
    expect(await found(store, 'ord-77-b')).toEqual([]);
    expect(await found(store, id)).toEqual([id]);
    expect(await found(store, id.slice(0, 31))).toContain(id);
  });

  test('the customer’s name is searched', async () => {
    const store = getStore();
    const person = { email: 'a@b.example', phone: '', city: 'Gent', country: 'BE', language: 'nl' };
    await store.shop.seed({
      customers: [{ id: 'c-search', name: 'Philippa Ørsted', ...person }],
      products: [],
      orders: [],
      articles: [],
      tickets: [],
    });
    const id = await conversationWith(store, [['hello', 'hi']], { customerId: 'c-search' });
    expect(await found(store, 'philippa')).toEqual([id]);
    expect((await store.conversations.list({ limit: 1, search: 'philip' })).items[0]?.customerName).toBe('Philippa Ørsted');
  });

  test('results of tools are not searched: people look for what was said', async () => {
    const store = getStore();
    const { id } = await store.conversations.create(conversation());
    const runId = nextId('run');
    await store.conversations.accept(incoming(id, question('status?'), runId));
    const call = answer('', { toolCalls: [{ id: 'c1', name: 'get_order', arguments: {} }] });
    await store.conversations.append(id, 1, runId, [call, toolResult('c1', '{"carrier":"xylophonic"}')]);
    expect(await found(store, 'xylophonic')).toEqual([]);
    expect(await store.conversations.summary(id)).toMatchObject({ lastText: 'status?', lastRole: 'user', messageCount: 3 });
  });

  test('operators and quotes are no syntax; a search without any word finds nothing, blanks find all', async () => {
    const store = getStore();
    const { total } = await store.conversations.list({ limit: 1 });
    for (const search of ['"', '*', "' OR 1=1 --", 'NEAR(', '%', '_', '^', '\u0000']) {
      expect((await store.conversations.list({ limit: 5, search })).items.length, search).toBeLessThanOrEqual(5);
    }
    expect((await store.conversations.list({ limit: 1, search: '"' })).total).toBe(0);
    expect((await store.conversations.list({ limit: 1, search: '  ' })).total).toBe(total);
  });

  test('search pages too, with the total of what was found', async () => {
    const store = getStore();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await conversationWith(store, [['marmalade', 'yes']]));
    const pages = await allIds(store, 2, 'marmalade');
    expect(pages.ids.sort()).toEqual(ids.sort());
    expect(pages.totals).toEqual([5, 5, 5]);
  });

  test('a new title replaces the old one in the search', async () => {
    const store = getStore();
    const { id } = await store.conversations.create(conversation({ title: 'ocelot' }));
    await store.conversations.update(id, { title: 'pangolin' }, START);
    expect(await found(store, 'ocelot')).toEqual([]);
    expect(await found(store, 'pangolin')).toEqual([id]);
  });
}
