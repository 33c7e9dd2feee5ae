/** The shop's tools over the reference store: what they return, what they refuse, and whose records they see. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock, IdSource, Store } from '../../../electron/engine/ports.ts';
import { DEMO_CUSTOMER_ID, shopData } from '../../../electron/engine/shop/shop-data.ts';
import { createToolRegistry, type ToolRegistry, type ToolRun } from '../../../electron/engine/tools/registry.ts';
import { createInMemoryStore } from '../../../electron/storage/in-memory-store.ts';
import { ConsoleError } from '../../../shared/errors.ts';

const NOW = Date.UTC(2026, 4, 17, 23, 59, 59);
const clock: Clock = { now: () => NOW, sleep: async () => undefined, after: () => () => undefined };
const ids: IdSource = { uuid: () => '0', conversationId: () => '0'.repeat(32) };
const CONVERSATION = 'c'.repeat(32);
const data = shopData(NOW);

let store: Store;
let tools: ToolRegistry;

beforeEach(async () => {
  store = createInMemoryStore();
  await store.shop.seed(data);
  tools = createToolRegistry({ store, clock, ids });
});

const run = (name: string, input: Record<string, unknown> = {}, customerId: string | null = DEMO_CUSTOMER_ID): Promise<ToolRun> =>
  tools.run(
    { id: 'call-1', name, arguments: input },
    { conversationId: CONVERSATION, customerId, turn: 1, signal: new AbortController().signal },
  );

const someoneElsesOrder = (): number => data.orders.find(({ customerId }) => customerId !== DEMO_CUSTOMER_ID)?.id ?? 0;
const someoneElsesTicket = (): number => data.tickets[0]?.id ?? 0;

describe('specs', () => {
  test('name every tool with its effect', () => {
    expect(tools.specs().map(({ name, effect }) => [name, effect])).toEqual([
      ['list_orders', 'read'],
      ['get_order', 'read'],
      ['check_refund_eligibility', 'read'],
      ['search_help_center', 'read'],
      ['create_support_ticket', 'internal'],
      ['get_ticket', 'read'],
      ['handoff_to_human', 'internal'],
    ]);
  });

  test('are closed objects with a description on every field, and none that carries identity', () => {
    for (const { parameters, description } of tools.specs()) {
      expect(description.length).toBeGreaterThan(20);
      expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
      const properties = Object.entries(parameters.properties as Record<string, { description?: string; type?: string }>);
      for (const [name, field] of properties) {
        expect(field.description, name).toBeTruthy();
        expect(field.type, name).toBeTruthy();
        expect(name).not.toMatch(/customer|user|email|tenant/);
      }
    }
    expect(tools.specs().find(({ name }) => name === 'create_support_ticket')?.parameters.required).toEqual(['category', 'summary']);
  });
});

describe('check_refund_eligibility', () => {
  test('has exactly the agreed shape', async () => {
    expect(await run('check_refund_eligibility', { order_id: 1042 })).toEqual({
      result: { order_id: 1042, days_since_purchase: 3, eligible: true, reason: 'Paid and within the refund window (11 days left).' },
      failed: false,
      events: [],
    });
    expect((await run('check_refund_eligibility', { order_id: 1043 })).result).toEqual({
      order_id: 1043,
      days_since_purchase: 20,
      eligible: false,
      reason: 'Purchased 20 days ago; refunds are only possible within 14 days.',
    });
  });

  test.each([
    ['delivered', 0, true, '14 days left'],
    ['delivered', 13, true, '1 day left'],
    ['delivered', 14, true, 'last day'],
    ['delivered', 15, false, '15 days ago'],
    ['processing', 1, true, '13 days left'],
    ['cancelled', 1, false, 'cancelled'],
    ['refunded', 1, false, 'already been refunded'],
  ] as const)('%s, %i days: %s', async (status, paidDaysAgo, eligible, words) => {
    const [order] = data.orders;
    if (order === undefined) throw new Error('the seed has no orders');
    await store.shop.seed({ ...data, orders: [{ ...order, id: 7, customerId: DEMO_CUSTOMER_ID, status, paidDaysAgo }] });
    const { result } = await run('check_refund_eligibility', { order_id: 7 });
    expect(result).toMatchObject({ days_since_purchase: paidDaysAgo, eligible });
    expect((result as { reason: string }).reason).toContain(words);
  });
});

describe('arguments', () => {
  test.each([1042, '1042', '#1042', ' # 1042 ', '１０４２'])('an order number written as %j is accepted', async (written) => {
    expect((await run('get_order', { order_id: written })).result).toMatchObject({ order_id: 1042 });
  });

  test.each([
    [{}, 'order_id: expected the order number'],
    [{ order_id: 'the blue one' }, 'order_id: expected the order number'],
    [{ order_id: 10.5 }, 'order_id'],
    [{ order_id: -1 }, 'order_id'],
    [{ order_id: 0 }, 'order_id'],
    [{ order_id: 1e15 }, 'order_id'],
    [{ order_id: [1042] }, 'order_id'],
    [{ order_id: null }, 'order_id'],
    [{ order_id: true }, 'order_id'],
    [{ order_id: "1042' OR 1=1" }, 'order_id'],
    [{ order_id: 1042, customer_id: 'C-1002' }, 'unknown argument "customer_id"'],
  ])('%j is refused with a sentence that says why', async (input, words) => {
    const { result, failed } = await run('check_refund_eligibility', input);
    expect(failed).toBe(true);
    expect(result).toMatchObject({ error: 'invalid_arguments', message: expect.stringContaining(words) as string });
    expect((result as { message: string }).message).toContain('The arguments are: order_id');
  });

  test('an unknown tool is data that names the tools there are', async () => {
    const { result, failed } = await run('issue_refund', { order_id: 1042 });
    expect(failed).toBe(true);
    expect(result).toMatchObject({ error: 'unknown_tool', message: expect.stringContaining('check_refund_eligibility') as string });
    expect((await run('constructor')).result).toMatchObject({ error: 'unknown_tool' });
  });

  test('whatever a model sends, the answer is data that says what failed', async () => {
    const name = fc.constantFrom(...tools.specs().map((spec) => spec.name));
    const input = fc.dictionary(
      fc.constantFrom('order_id', 'ticket_id', 'query', 'category', 'summary', 'reason', '__proto__'),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(name, input, async (tool, sent) => {
        const { result, failed } = await run(tool, sent as Record<string, unknown>);
        expect(failed).toBe('error' in (result as object));
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
      { numRuns: 100 },
    );
  });
});

describe('whose records', () => {
  test("somebody else's order is not found, with the words for one that does not exist", async () => {
    for (const tool of ['get_order', 'check_refund_eligibility']) {
      const foreign = await run(tool, { order_id: someoneElsesOrder() });
      const missing = await run(tool, { order_id: 999_999 });
      expect(foreign.result).toMatchObject({ error: 'not_found' });
      expect(JSON.stringify(foreign.result).replace(String(someoneElsesOrder()), 'N')).toBe(
        JSON.stringify(missing.result).replace('999999', 'N'),
      );
    }
  });

  test('no order of another customer is ever readable', async () => {
    for (const { id, customerId } of data.orders) {
      const { result } = await run('get_order', { order_id: id });
      expect('error' in (result as object)).toBe(customerId !== DEMO_CUSTOMER_ID);
    }
  });

  test("somebody else's ticket is not found", async () => {
    const ticket = (await run('get_ticket', { ticket_id: someoneElsesTicket() })).result;
    expect(ticket).toMatchObject({
      error: 'not_found',
      message: expect.stringMatching(/no ticket \d+\. Ask for the number of the ticket again\.$/),
    });
  });

  test("a ticket about somebody else's order is not opened", async () => {
    const { result, events } = await run('create_support_ticket', { category: 'refund', summary: 'x', order_id: someoneElsesOrder() });
    expect(result).toMatchObject({ error: 'not_found' });
    expect(events).toEqual([]);
    expect(await store.tickets.list({ conversationId: CONVERSATION, limit: 10 })).toEqual([]);
  });

  test('without a customer, records are refused and the rest works', async () => {
    const needsCustomer: [string, Record<string, unknown>][] = [
      ['list_orders', {}],
      ['get_order', { order_id: 1042 }],
      ['check_refund_eligibility', { order_id: 1042 }],
      ['create_support_ticket', { category: 'other', summary: 'x' }],
      ['get_ticket', { ticket_id: someoneElsesTicket() }],
    ];
    for (const [name, input] of needsCustomer) expect((await run(name, input, null)).result).toMatchObject({ error: 'no_customer' });
    expect((await run('search_help_center', { query: 'refund' }, null)).failed).toBe(false);
    expect((await run('handoff_to_human', { reason: 'asked for one' }, null)).failed).toBe(false);
  });
});

describe('orders', () => {
  test('are listed newest first with readable money', async () => {
    expect((await run('list_orders')).result).toEqual({
      orders: [
        {
          order_id: 1042,
          status: 'shipped',
          days_since_purchase: 3,
          total: '64.90 EUR',
          total_minor: 6490,
          currency: 'EUR',
          items: ['1 x Mistral windbreaker'],
        },
        {
          order_id: 1043,
          status: 'delivered',
          days_since_purchase: 20,
          total: '114.30 EUR',
          total_minor: 11430,
          currency: 'EUR',
          items: ['1 x Isobar desk barometer', '2 x Monsoon rain gauge'],
        },
      ],
      older_orders_not_listed: 0,
    });
  });

  test('a long list is cut and says so', async () => {
    const [order] = data.orders;
    if (order === undefined) throw new Error('the seed has no orders');
    const many = Array.from({ length: 25 }, (_, index) => ({ ...order, id: index + 1, customerId: DEMO_CUSTOMER_ID, paidDaysAgo: index }));
    await store.shop.seed({ ...data, orders: many });
    const { result } = await run('list_orders');
    expect((result as { orders: unknown[] }).orders).toHaveLength(20);
    expect(result).toMatchObject({ older_orders_not_listed: 5 });
  });

  test('the day of purchase is counted in UTC days before today', async () => {
    expect((await run('get_order', { order_id: 1042 })).result).toMatchObject({ purchased_on: '2026-05-14', days_since_purchase: 3 });
  });
});

describe('tickets', () => {
  const refund = { category: 'refund', summary: 'Customer requests a refund for order 1042.', order_id: 1042 };

  test('the first new one is 5001 and belongs to the conversation', async () => {
    const made = await run('create_support_ticket', refund);
    expect(made).toMatchObject({ result: { created: true, ticket_id: 5001, status: 'open' }, failed: false, events: ['ticket'] });
    expect(Object.keys(made.result as object)).toEqual(['created', 'ticket_id', 'status']);
    expect(made.ticket).toMatchObject({
      id: 5001,
      customerId: DEMO_CUSTOMER_ID,
      conversationId: CONVERSATION,
      orderId: 1042,
      createdAt: NOW,
    });
    expect((await run('get_ticket', { ticket_id: '#5001' })).result).toMatchObject({
      ticket_id: 5001,
      status: 'open',
      order_id: 1042,
      summary: refund.summary,
    });
  });

  test('asking again returns the open one instead of opening a second', async () => {
    await run('create_support_ticket', refund);
    const again = await run('create_support_ticket', { ...refund, summary: 'Other words.' });
    expect(again).toEqual({ result: { created: false, ticket_id: 5001, status: 'open' }, failed: false, events: [] });
    expect((await run('create_support_ticket', { ...refund, category: 'shipping' })).result).toMatchObject({
      created: true,
      ticket_id: 5002,
    });
    expect((await run('create_support_ticket', { ...refund, order_id: 1043 })).result).toMatchObject({ created: true, ticket_id: 5003 });
  });

  test('a solved one does not stand in the way of a new one', async () => {
    const { ticket } = await run('create_support_ticket', refund);
    if (ticket === undefined) throw new Error('no ticket was made');
    await store.tickets.update(ticket.id, ticket.version, { status: 'solved' }, NOW);
    expect((await run('create_support_ticket', refund)).result).toMatchObject({ created: true, ticket_id: 5002 });
  });

  test.each([null, '', undefined])('order_id %j means none', async (orderId) => {
    const { ticket } = await run('create_support_ticket', { category: 'other', summary: 'x', order_id: orderId });
    expect(ticket?.orderId).toBeNull();
  });

  test('an unknown category is refused with the list of categories', async () => {
    const { result } = await run('create_support_ticket', { category: 'money', summary: 'x' });
    expect((result as { message: string }).message).toContain('expected one of refund, exchange');
  });
});

describe('search_help_center', () => {
  const search = async (query: string): Promise<{ article_id: string; title: string; snippet: string }[]> =>
    ((await run('search_help_center', { query })).result as { articles: { article_id: string; title: string; snippet: string }[] })
      .articles;

  test.each([
    ['How long do I have to return something for a refund?', 'refunds'],
    ['shipping costs to Norway', 'shipping'],
    ['is there a warranty on the barometer', 'warranty'],
    ['delete my data', 'privacy'],
    ['reset password', 'account'],
    ['my parcel is lost', 'lost-parcel'],
    ['parcel arrived damaged', 'damaged-parcel'],
    ['how can I cancel my order', 'cancel-order'],
    ['change delivery address', 'change-address'],
    ['which payment methods do you accept', 'payment-methods'],
    ['gift card validity', 'gift-cards'],
    ['invoice with VAT number', 'invoices'],
    ['customs duties', 'international-orders'],
    ['opening hours', 'contact-hours'],
    ['exchange for another size', 'size-exchange'],
    ['returns label', 'returns-label'],
  ])('%s → %s', async (query, articleId) => {
    const articles = await search(query);
    expect(articles[0]?.article_id).toBe(articleId);
    expect(articles.length).toBeLessThanOrEqual(3);
    for (const { snippet } of articles) expect(snippet).not.toMatch(/[*`#]/);
  });

  test('nothing fitting is an empty list, not a failure', async () => {
    expect(await search('xyzzy')).toEqual([]);
  });

  test('changed articles are found at once, removed ones no longer', async () => {
    expect(await search('zeppelin')).toEqual([]);
    await store.shop.changeArticles({ put: [{ id: 'z', title: 'Zeppelin rides', body: 'Up!', source: 'z.md' }], remove: ['warranty'] });
    expect((await search('zeppelin')).map(({ article_id: id }) => id)).toEqual(['z']);
    expect((await search('warranty')).map(({ article_id: id }) => id)).not.toContain('warranty');
  });
});

describe('handoff and failures', () => {
  test('a handoff carries its reason to the engine', async () => {
    expect(await run('handoff_to_human', { reason: ' wants a person ' })).toMatchObject({
      failed: false,
      events: ['handoff'],
      handoffReason: 'wants a person',
      result: { handed_off: true },
    });
  });

  test('a broken store is data without its cause', async () => {
    await store.close();
    const { result, failed } = await run('get_order', { order_id: 1042 });
    expect(failed).toBe(true);
    expect(result).toMatchObject({ error: 'unavailable' });
  });

  test('an aborted signal rejects with cancelled and opens no ticket', async () => {
    const call = { id: 'c', name: 'create_support_ticket', arguments: { category: 'other', summary: 'x' } };
    const scope = { conversationId: CONVERSATION, customerId: DEMO_CUSTOMER_ID, turn: 1, signal: AbortSignal.abort() };
    await expect(tools.run(call, scope)).rejects.toSatisfy((error) => error instanceof ConsoleError && error.code === 'cancelled');
    expect(await store.tickets.list({ conversationId: CONVERSATION, limit: 1 })).toEqual([]);
  });
});
