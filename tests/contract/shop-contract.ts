/** Does I/O through the store under test: shop records, tickets, usage, preferences, closing. */
import { expect, test } from 'vitest';
import type { ShopData } from '../../electron/engine/ports.ts';
import type { Customer, Order } from '../../shared/shop.ts';
import type { UsageRecord } from '../../shared/usage.ts';
import { nextConversationId, nextId, START } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

function customer(id: string, name: string, fields: Partial<Customer> = {}): Customer {
  return { id, name, email: `${id}@mail.example`, phone: '+32 2 555 01 00', city: 'Gent', country: 'BE', language: 'nl', ...fields };
}

function order(id: number, customerId: string, paidDaysAgo: number): Order {
  const items = [{ productId: 'p-1', name: 'Lamp "Ö"', quantity: 2, priceMinor: 1999 }];
  return { id, customerId, status: 'delivered', items, totalMinor: 3998, currency: 'EUR', paidDaysAgo };
}

function shopData(): ShopData {
  const ticket = {
    customerId: 'c-1',
    conversationId: null,
    orderId: 1043,
    category: 'refund',
    summary: 'late',
    createdAt: START,
    updatedAt: START,
  };
  return {
    customers: [customer('c-2', 'Öner'), customer('c-1', 'Ada', { city: '東京都' }), customer('c-3', 'Ada')],
    products: [{ id: 'p-1', name: 'Lamp', priceMinor: 1999, currency: 'EUR', warrantyMonths: 24 }],
    orders: [order(1043, 'c-1', 20), order(1042, 'c-1', 3), order(1044, 'c-1', 3), order(1, 'c-2', 0)],
    articles: [
      { id: 'shipping', title: 'Shipping', body: '# Shipping', source: 'seed' },
      { id: 'refunds', title: 'Refunds', body: '# Refunds', source: 'seed' },
    ],
    tickets: [{ id: 17, status: 'open', ...ticket }],
  };
}

const TICKET = { customerId: 'c-1', conversationId: null, orderId: 1042, category: 'refund', summary: 'please', status: 'open' } as const;

export function shopContract(getStore: GetStore): void {
  test('the first new ticket is 5001, also before anything was seeded, and seeding keeps it', async () => {
    const { shop, tickets } = getStore();
    expect(await shop.isSeeded()).toBe(false);
    const created = await tickets.create({ ...TICKET, at: START + 3 });
    expect(created).toEqual({ ...TICKET, id: 5001, version: 1, createdAt: START + 3, updatedAt: START + 3 });
    await shop.seed(shopData());
    expect(await shop.isSeeded()).toBe(true);
    expect(await tickets.get(5001)).toEqual(created);
    expect(await tickets.get(17)).toEqual({ ...shopData().tickets[0], version: 1 });
    expect(await tickets.get(18)).toBeNull();
  });

  test('[SYN-6] twenty tickets at once get twenty numbers without gaps', async () => {
    const { tickets } = getStore();
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tickets.create({ ...TICKET, category: `c${index}`, at: START })),
    );
    expect(created.map((ticket) => ticket.id).sort((left, right) => left - right)).toEqual(
      Array.from({ length: 20 }, (_, index) => 5002 + index),
    );
  });

  test('[SYN-6] a ticket changes only for who saw its present version', async () => {
    const { tickets } = getStore();
    const created = await tickets.create({ ...TICKET, at: START });
    const results = await Promise.allSettled(
      ['pending', 'solved', 'closed'].map((status) => tickets.update(created.id, 1, { status: status as 'pending' }, START + 5)),
    );
    expect(results.filter((result) => result.status === 'fulfilled').length).toBe(1);
    const refused = results.filter((result) => result.status === 'rejected').map((result) => (result.reason as { code: string }).code);
    expect(refused).toEqual(['conflict', 'conflict']);
    const now = await tickets.get(created.id);
    expect(now).toMatchObject({ version: 2, updatedAt: START + 5, summary: 'please' });
    const next = await tickets.update(created.id, 2, { summary: 'changed', category: 'other' }, START + 6);
    expect(next).toEqual({ ...now, summary: 'changed', category: 'other', version: 3, updatedAt: START + 6 });
    await expect(tickets.update(999_999, 1, {}, START)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('[SYN-6] rule 11: a ticket goes only where its state allows; what is refused changes nothing', async () => {
    const { tickets } = getStore();
    const states = ['open', 'pending', 'solved', 'closed'] as const;
    const allowed: string[] = [];
    for (const from of states) {
      for (const to of states) {
        const { id } = await tickets.create({ ...TICKET, status: from, at: START });
        try {
          expect(await tickets.update(id, 1, { status: to }, START + 1)).toMatchObject({ status: to, version: 2 });
          allowed.push(`${from}→${to}`);
        } catch (error) {
          expect(error).toMatchObject({
            code: 'invalid-input',
            message: `Ticket ${id} is ${from} and cannot become ${to}; open it again first.`,
          });
          expect(await tickets.get(id)).toMatchObject({ status: from, version: 1, updatedAt: START });
        }
      }
    }
    expect(allowed).toEqual([
      'open→open',
      'open→pending',
      'open→solved',
      'open→closed',
      'pending→open',
      'pending→pending',
      'pending→solved',
      'pending→closed',
      'solved→open',
      'solved→solved',
      'solved→closed',
      'closed→open',
      'closed→closed',
    ]);
  });

  test('[SYN-6] rule 11: who saw an old version is told so before its step is judged', async () => {
    const { tickets } = getStore();
    const { id } = await tickets.create({ ...TICKET, at: START });
    await tickets.update(id, 1, { status: 'closed' }, START + 1);
    await expect(tickets.update(id, 1, { status: 'pending' }, START + 2)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('tickets are listed newest first by customer, conversation and status', async () => {
    const { tickets } = getStore();
    const conversationId = nextConversationId();
    const one = await tickets.create({ ...TICKET, customerId: 'c-list', conversationId, at: START });
    const two = await tickets.create({ ...TICKET, customerId: 'c-list', status: 'solved', at: START });
    expect(await tickets.list({ customerId: 'c-list', limit: 9 })).toEqual([two, one]);
    expect(await tickets.list({ customerId: 'c-list', limit: 1 })).toEqual([two]);
    expect(await tickets.list({ conversationId, limit: 9 })).toEqual([one]);
    expect(await tickets.list({ customerId: 'c-list', status: 'solved', limit: 9 })).toEqual([two]);
    expect(await tickets.list({ customerId: 'nobody', limit: 9 })).toEqual([]);
  });

  test('customers, orders and articles come back as seeded, each in its order', async () => {
    const { shop } = getStore();
    const data = shopData();
    await shop.seed(data);
    expect((await shop.listCustomers({ limit: 9 })).map((each) => each.id)).toEqual(['c-1', 'c-3', 'c-2']);
    expect((await shop.listCustomers({ limit: 2 })).map((each) => each.id)).toEqual(['c-1', 'c-3']);
    expect(await shop.customer('c-1')).toEqual(data.customers[1]);
    expect(await shop.customer('c-9')).toBeNull();
    expect((await shop.ordersOf('c-1')).map((each) => each.id)).toEqual([1044, 1042, 1043]);
    expect(await shop.ordersOf('c-9')).toEqual([]);
    expect(await shop.order(1043)).toEqual(data.orders[0]);
    expect(await shop.order(7)).toBeNull();
    expect((await shop.articles()).map((each) => each.id)).toEqual(['refunds', 'shipping']);
  });

  test('customers are found by name, id, address and city', async () => {
    const { shop } = getStore();
    await shop.seed(shopData());
    const ids = async (search: string) => (await shop.listCustomers({ limit: 9, search })).map((each) => each.id);
    expect(await ids('oner')).toEqual(['c-2']);
    expect(await ids('ada')).toEqual(['c-1', 'c-3']);
    expect(await ids('c-3')).toEqual(['c-3']);
    expect(await ids('東京')).toEqual(['c-1']);
    expect(await ids('ada gent')).toEqual(['c-3']);
    expect(await ids('???')).toEqual([]);
  });

  test('seeding replaces all shop data', async () => {
    const { shop, tickets } = getStore();
    await shop.seed(shopData());
    await shop.seed({ customers: [customer('c-8', 'Bo')], products: [], orders: [], articles: [], tickets: [] });
    expect((await shop.listCustomers({ limit: 9 })).map((each) => each.id)).toEqual(['c-8']);
    expect([await shop.order(1043), await tickets.get(17), await shop.articles()]).toEqual([null, null, []]);
  });

  test('every change of articles shows in their version', async () => {
    const { shop } = getStore();
    const versions = [await shop.articlesVersion()];
    const article = { id: 'new', title: 'New', body: 'text', source: 'docs/new.md' };
    await shop.changeArticles({ put: [article], remove: [] });
    versions.push(await shop.articlesVersion());
    await shop.changeArticles({ put: [{ ...article, body: 'changed' }], remove: [] });
    versions.push(await shop.articlesVersion());
    expect((await shop.articles()).find((each) => each.id === 'new')?.body).toBe('changed');
    await shop.changeArticles({ put: [], remove: ['new', 'never there'] });
    versions.push(await shop.articlesVersion());
    await shop.seed(shopData());
    versions.push(await shop.articlesVersion());
    expect(new Set(versions).size).toBe(5);
  });

  test('usage is summed over what is known; unknown is counted, never 0 tokens; a line counts once', async () => {
    const { usage } = getStore();
    const conversationId = nextConversationId();
    const line = (fields: Partial<UsageRecord>): UsageRecord => ({
      id: nextId('usage'),
      conversationId,
      turn: 1,
      runId: 'r',
      step: 1,
      purpose: 'answer',
      provider: 'openai',
      model: 'm',
      usage: { inputTokens: 1000, cacheReadTokens: 800, cacheWriteTokens: 10, outputTokens: 50, reasoningTokens: 20 },
      costMicroUsd: 123,
      at: START,
      ...fields,
    });
    const first = line({});
    await usage.record(first);
    await usage.record(first);
    await usage.record(line({ turn: 2, at: START + 10, usage: null, costMicroUsd: null }));
    await usage.record(line({ turn: 2, at: START + 20, costMicroUsd: null }));
    await usage.record(line({ conversationId: null, turn: null, runId: null, step: null, at: START + 1_000_000 }));
    expect(await usage.totals({ conversationId })).toEqual({
      calls: 3,
      unknownCalls: 1,
      inputTokens: 2000,
      cacheReadTokens: 1600,
      cacheWriteTokens: 20,
      outputTokens: 100,
      reasoningTokens: 40,
      costMicroUsd: 123,
      unpricedCalls: 2,
    });
    expect(await usage.totals({ conversationId, turn: 2 })).toMatchObject({ calls: 2, unknownCalls: 1 });
    expect(await usage.totals({ conversationId, since: START + 20 })).toMatchObject({ calls: 1 });
    expect(await usage.totals({ since: START + 1_000_000 })).toMatchObject({ calls: 1, costMicroUsd: 123 });
    expect(await usage.totals({ conversationId: nextConversationId() })).toMatchObject({ calls: 0, unknownCalls: 0, unpricedCalls: 0 });
  });

  test('preferences are replaced by each write', async () => {
    const { preferences } = getStore();
    expect(await preferences.read('theme')).toBeNull();
    await preferences.write('theme', '"dark"');
    await preferences.write('theme', '"light"');
    await preferences.write('__proto__', '1');
    expect(await preferences.read('theme')).toBe('"light"');
    const all = await preferences.all();
    expect([all['theme'], Object.hasOwn(all, '__proto__')]).toEqual(['"light"', true]);
  });

  test('after close every call is refused and closing again is fine', async () => {
    const store = getStore();
    await store.close();
    await expect(store.conversations.get('x')).rejects.toMatchObject({ name: 'ConsoleError', code: 'storage' });
    await expect(store.preferences.write('a', '1')).rejects.toMatchObject({ code: 'storage' });
    await store.close();
  });
}
