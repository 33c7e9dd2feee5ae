/** Does I/O: shop records, tickets, usage and preferences in MySQL. */
import { mayMove } from '../../../shared/shop.ts';
import type { Article, Customer, Ticket } from '../../../shared/shop.ts';
import type { UsageTotals } from '../../../shared/usage.ts';
import type { PreferenceStore, ShopData, ShopStore, TicketStore, UsageStore } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { ticketChanged, ticketMissing, ticketMoveRefused } from '../failures.ts';
import { documentTerms, questionTerms } from '../search-terms.ts';
import { customerTexts, LAST_SEEDED_TICKET } from '../shop-rules.ts';
import { orderOf, orderRow, ticketOf, ticketRow, usageRow } from '../trace-rows.ts';
import type { OrderRow, TicketRow } from '../trace-rows.ts';
import { finishAction } from './mysql-actions.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { sqlTime } from './mysql-session.ts';
import type { MysqlSession, SqlValue } from './mysql-session.ts';

type CounterName = 'shop_seeded' | 'articles_revision' | 'last_ticket_id';

const CUSTOMERS = 'SELECT id, name, email, phone, city, country, language FROM customers';

/** Locked until the end of the transaction; the row is made when it is missing. */
async function lockedCounter(session: MysqlSession, name: CounterName, first: number): Promise<number> {
  await session.insert('counters', [{ name, value: first }], 'keep');
  const row = await session.one<{ value: number | string }>('SELECT value FROM counters WHERE name = ? FOR UPDATE', name);
  return Number(row?.value ?? first);
}

async function setCounter(session: MysqlSession, name: CounterName, value: number): Promise<void> {
  await session.insert('counters', [{ name, value }], 'update');
}

async function counter(database: MysqlDatabase, name: CounterName): Promise<number> {
  const sql = 'SELECT value FROM counters WHERE name = ?';
  return Number((await database.read((session) => session.one<{ value: number | string }>(sql, name)))?.value ?? 0);
}

export function mysqlShop(database: MysqlDatabase): ShopStore {
  return {
    isSeeded: async () => (await counter(database, 'shop_seeded')) !== 0,
    seed: (data) => database.write((session) => seed(session, cleaned(data))),
    customer: (id) => database.read((session) => session.one<Customer>(`${CUSTOMERS} WHERE id = ?`, id)),
    listCustomers: async ({ limit, search }) => {
      if ((search ?? '').trim() === '') {
        return database.read((session) => session.all<Customer>(`${CUSTOMERS} ORDER BY name, id LIMIT ?`, limit));
      }
      const wanted = questionTerms(search ?? '');
      if (wanted.length === 0) return [];
      const all = await database.read((session) => session.all<Customer>(`${CUSTOMERS} ORDER BY name, id`));
      const found = all.filter((customer) => {
        const terms = customerTexts(customer).flatMap(documentTerms);
        return wanted.every((question) => terms.some((term) => term.startsWith(question)));
      });
      return found.slice(0, limit);
    },
    ordersOf: async (customerId) => {
      const sql = 'SELECT * FROM orders WHERE customer_id = ? ORDER BY paid_days_ago, id DESC';
      return (await database.read((session) => session.all<OrderRow>(sql, customerId))).map(orderOf);
    },
    order: async (id) => {
      const row = await database.read((session) => session.one<OrderRow>('SELECT * FROM orders WHERE id = ?', id));
      return row === null ? null : orderOf(row);
    },
    articles: () => database.read((session) => session.all<Article>('SELECT id, title, body, source FROM articles ORDER BY id')),
    articlesVersion: async () => String(await counter(database, 'articles_revision')),
    changeArticles: (change) =>
      database.write(async (session) => {
        const revision = await lockedCounter(session, 'articles_revision', 0);
        await session.insert('articles', cleaned(change.put).map(articleRow), 'update');
        for (const id of change.remove) await session.run('DELETE FROM articles WHERE id = ?', id);
        await setCounter(session, 'articles_revision', revision + 1);
      }),
  };
}

function articleRow({ id, title, body, source }: Article): Article {
  return { id, title, body, source };
}

/** Equal ids in the seed: the last one counts. Counters are locked in the order of their names. */
async function seed(session: MysqlSession, data: ShopData): Promise<void> {
  const revision = await lockedCounter(session, 'articles_revision', 0);
  const lastTicket = await lockedCounter(session, 'last_ticket_id', LAST_SEEDED_TICKET);
  for (const table of ['customers', 'products', 'orders', 'articles']) await session.run(`DELETE FROM ${table}`);
  await session.run('DELETE FROM tickets WHERE id <= ?', LAST_SEEDED_TICKET);
  const customers = data.customers.map(({ id, name, email, phone, city, country, language }) => ({
    id,
    name,
    email,
    phone,
    city,
    country,
    language,
  }));
  await session.insert('customers', customers, 'update');
  const products = data.products.map(({ id, name, priceMinor, currency, warrantyMonths }) => ({
    id,
    name,
    price_minor: priceMinor,
    currency,
    warranty_months: warrantyMonths,
  }));
  await session.insert('products', products, 'update');
  await session.insert('orders', data.orders.map(orderRow), 'update');
  await session.insert('articles', data.articles.map(articleRow), 'update');
  await session.insert(
    'tickets',
    data.tickets.map((ticket) => ticketRow({ ...ticket, version: 1 })),
    'update',
  );
  const largest = await session.one<{ id: number | string | null }>('SELECT MAX(id) AS id FROM tickets');
  await setCounter(session, 'last_ticket_id', Math.max(lastTicket, Number(largest?.id ?? 0)));
  await setCounter(session, 'articles_revision', revision + 1);
  await setCounter(session, 'shop_seeded', 1);
}

export function mysqlTickets(database: MysqlDatabase): TicketStore {
  return {
    create: (source) =>
      database.write(async (session) => {
        const { at, action, ...fields } = cleaned(source);
        const id = (await lockedCounter(session, 'last_ticket_id', LAST_SEEDED_TICKET)) + 1;
        await setCounter(session, 'last_ticket_id', id);
        const ticket: Ticket = { ...fields, id, version: 1, createdAt: at, updatedAt: at };
        await session.insert('tickets', [ticketRow(ticket)]);
        if (action !== undefined) {
          const result = JSON.stringify({ created: true, ticket_id: id, status: ticket.status });
          await finishAction(session, { key: action.key, state: 'done', result, at });
        }
        return ticket;
      }),
    get: async (id) => {
      const row = await database.read((session) => session.one<TicketRow>('SELECT * FROM tickets WHERE id = ?', id));
      return row === null ? null : ticketOf(row);
    },
    list: async (query) => {
      const parameters: SqlValue[] = [];
      const conditions = ['TRUE'];
      const where = (column: string, value: string | undefined): void => {
        if (value === undefined) return;
        conditions.push(`${column} = ?`);
        parameters.push(value);
      };
      where('customer_id', query.customerId);
      where('conversation_id', query.conversationId);
      where('status', query.status);
      const sql = `SELECT * FROM tickets WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`;
      return (await database.read((session) => session.all<TicketRow>(sql, ...parameters, query.limit))).map(ticketOf);
    },
    update: (id, version, patch, at) =>
      database.write(async (session) => {
        const row = await session.one<TicketRow>('SELECT * FROM tickets WHERE id = ? FOR UPDATE', id);
        if (row === null) throw ticketMissing(id);
        if (row.version !== version) throw ticketChanged(id);
        const { status, summary, category } = cleaned(patch);
        const ticket = ticketOf(row);
        if (status !== undefined && !mayMove(ticket.status, status)) throw ticketMoveRefused(id, ticket.status, status);
        const changed: Ticket = {
          ...ticket,
          status: status ?? ticket.status,
          summary: summary ?? row.summary,
          category: category ?? row.category,
          version: version + 1,
          updatedAt: at,
        };
        await session.run(
          'UPDATE tickets SET status = ?, summary = ?, category = ?, version = ?, updated_at = ? WHERE id = ? AND version = ?',
          changed.status,
          changed.summary,
          changed.category,
          changed.version,
          sqlTime(at),
          id,
          version,
        );
        return changed;
      }),
  };
}

const TOTALS = `SELECT COUNT(*) AS calls, SUM(input_tokens IS NULL) AS unknownCalls, SUM(input_tokens) AS inputTokens,
  SUM(cache_read_tokens) AS cacheReadTokens, SUM(cache_write_tokens) AS cacheWriteTokens, SUM(output_tokens) AS outputTokens,
  SUM(reasoning_tokens) AS reasoningTokens, SUM(cost_micro_usd) AS costMicroUsd, SUM(cost_micro_usd IS NULL) AS unpricedCalls
  FROM usage_ledger`;

export function mysqlUsage(database: MysqlDatabase): UsageStore {
  return {
    record: (source) => database.write((session) => session.insert('usage_ledger', [usageRow(cleaned(source))], 'keep')),
    totals: async (query) => {
      const parameters: SqlValue[] = [];
      const conditions = ['TRUE'];
      const where = (condition: string, value: SqlValue | undefined): void => {
        if (value === undefined) return;
        conditions.push(condition);
        parameters.push(value);
      };
      where('conversation_id = ?', query.conversationId);
      where('turn = ?', query.turn);
      where('happened_at >= ?', query.since === undefined ? undefined : sqlTime(query.since));
      where('tenant = ?', query.tenant);
      const sql = `${TOTALS} WHERE ${conditions.join(' AND ')}`;
      // Sums are decimals, so they come as text; of no rows they are null.
      const row = await database.read((session) => session.one<Record<keyof UsageTotals, string | number | null>>(sql, ...parameters));
      const number = (name: keyof UsageTotals): number => Number(row?.[name] ?? 0);
      return {
        calls: number('calls'),
        unknownCalls: number('unknownCalls'),
        inputTokens: number('inputTokens'),
        cacheReadTokens: number('cacheReadTokens'),
        cacheWriteTokens: number('cacheWriteTokens'),
        outputTokens: number('outputTokens'),
        reasoningTokens: number('reasoningTokens'),
        costMicroUsd: number('costMicroUsd'),
        unpricedCalls: number('unpricedCalls'),
      };
    },
    tenants: async () => {
      const sql = 'SELECT DISTINCT tenant FROM usage_ledger WHERE tenant IS NOT NULL ORDER BY tenant';
      return (await database.read((session) => session.all<{ tenant: string }>(sql))).map((row) => row.tenant);
    },
  };
}

export function mysqlPreferences(database: MysqlDatabase): PreferenceStore {
  return {
    read: async (name) => {
      const sql = 'SELECT value_json AS value FROM preferences WHERE name = ?';
      return (await database.read((session) => session.one<{ value: string }>(sql, name)))?.value ?? null;
    },
    write: (name, json) =>
      database.write((session) => session.insert('preferences', [{ name: cleaned(name), value_json: cleaned(json) }], 'update')),
    all: async () => {
      const sql = 'SELECT name, value_json AS value FROM preferences ORDER BY name';
      const rows = await database.read((session) => session.all<{ name: string; value: string }>(sql));
      return Object.fromEntries(rows.map((row) => [row.name, row.value]));
    },
  };
}
