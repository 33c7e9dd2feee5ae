/** Does I/O: shop records, tickets, usage and preferences in SQLite. Worker only. */
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
import type { Connection, SqlValue } from './connection.ts';
import type { SyncPart } from './sync-part.ts';
import { upsert } from './upsert.ts';

type CounterName = 'shop_seeded' | 'articles_revision' | 'last_ticket_id';

function counter(connection: Connection, name: CounterName): number {
  return connection.one<{ value: number }>('SELECT value FROM counters WHERE name = ?', name)?.value ?? 0;
}

function setCounter(connection: Connection, name: CounterName, value: number): void {
  connection.insert('counters', { name, value }, 'replace');
}

export function sqliteShop(connection: Connection): SyncPart<ShopStore> {
  return {
    isSeeded: () => counter(connection, 'shop_seeded') !== 0,
    seed: (data) => connection.write(() => seed(connection, cleaned(data))),
    customer: (id) => connection.one<Customer>('SELECT * FROM customers WHERE id = ?', id),
    listCustomers: ({ limit, search }) => {
      if ((search ?? '').trim() === '') return connection.all<Customer>('SELECT * FROM customers ORDER BY name, id LIMIT ?', limit);
      const wanted = questionTerms(search ?? '');
      if (wanted.length === 0) return [];
      const found = connection.all<Customer>('SELECT * FROM customers ORDER BY name, id').filter((customer) => {
        const terms = customerTexts(customer).flatMap(documentTerms);
        return wanted.every((question) => terms.some((term) => term.startsWith(question)));
      });
      return found.slice(0, limit);
    },
    ordersOf: (customerId) =>
      connection.all<OrderRow>('SELECT * FROM orders WHERE customer_id = ? ORDER BY paid_days_ago, id DESC', customerId).map(orderOf),
    order: (id) => {
      const row = connection.one<OrderRow>('SELECT * FROM orders WHERE id = ?', id);
      return row === null ? null : orderOf(row);
    },
    articles: () => connection.all<Article>('SELECT * FROM articles ORDER BY id'),
    articlesVersion: () => String(counter(connection, 'articles_revision')),
    changeArticles: (change) =>
      connection.write(() => {
        for (const article of cleaned(change.put)) upsert(connection, 'articles', ['id'], articleRow(article));
        for (const id of change.remove) connection.run('DELETE FROM articles WHERE id = ?', id);
        setCounter(connection, 'articles_revision', counter(connection, 'articles_revision') + 1);
      }),
  };
}

function articleRow({ id, title, body, source }: Article): Article {
  return { id, title, body, source };
}

/** Equal ids in the seed: the last one counts, as in a map. */
function seed(connection: Connection, data: ShopData): void {
  for (const table of ['customers', 'products', 'orders', 'articles']) connection.run(`DELETE FROM ${table}`);
  connection.run('DELETE FROM tickets WHERE id <= ?', LAST_SEEDED_TICKET);
  for (const { id, name, email, phone, city, country, language } of data.customers) {
    connection.insert('customers', { id, name, email, phone, city, country, language }, 'replace');
  }
  for (const { id, name, priceMinor, currency, warrantyMonths } of data.products) {
    connection.insert('products', { id, name, price_minor: priceMinor, currency, warranty_months: warrantyMonths }, 'replace');
  }
  for (const order of data.orders) connection.insert('orders', orderRow(order), 'replace');
  for (const article of data.articles) connection.insert('articles', articleRow(article), 'replace');
  for (const ticket of data.tickets) connection.insert('tickets', ticketRow({ ...ticket, version: 1 }), 'replace');
  const largest = connection.one<{ id: number | null }>('SELECT MAX(id) AS id FROM tickets')?.id ?? 0;
  setCounter(connection, 'last_ticket_id', Math.max(LAST_SEEDED_TICKET, largest, counter(connection, 'last_ticket_id')));
  setCounter(connection, 'articles_revision', counter(connection, 'articles_revision') + 1);
  setCounter(connection, 'shop_seeded', 1);
}

export function sqliteTickets(connection: Connection): SyncPart<TicketStore> {
  const ticketById = (id: number): Ticket | null => {
    const row = connection.one<TicketRow>('SELECT * FROM tickets WHERE id = ?', id);
    return row === null ? null : ticketOf(row);
  };
  return {
    create: (source) =>
      connection.write(() => {
        const { at, action: _action, ...fields } = cleaned(source);
        const id = Math.max(LAST_SEEDED_TICKET, counter(connection, 'last_ticket_id')) + 1;
        setCounter(connection, 'last_ticket_id', id);
        const ticket: Ticket = { ...fields, id, version: 1, createdAt: at, updatedAt: at };
        connection.insert('tickets', ticketRow(ticket));
        return ticket;
      }),
    get: ticketById,
    list: (query) => {
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
      return connection.all<TicketRow>(sql, ...parameters, query.limit).map(ticketOf);
    },
    update: (id, version, patch, at) =>
      connection.write(() => {
        const ticket = ticketById(id);
        if (ticket === null) throw ticketMissing(id);
        if (ticket.version !== version) throw ticketChanged(id);
        const { status, summary, category } = cleaned(patch);
        if (status !== undefined && !mayMove(ticket.status, status)) throw ticketMoveRefused(id, ticket.status, status);
        const changed: Ticket = {
          ...ticket,
          status: status ?? ticket.status,
          summary: summary ?? ticket.summary,
          category: category ?? ticket.category,
          version: version + 1,
          updatedAt: at,
        };
        upsert(connection, 'tickets', ['id'], ticketRow(changed));
        return changed;
      }),
  };
}

const TOTALS = `SELECT COUNT(*) AS calls, COALESCE(SUM(input_tokens IS NULL), 0) AS unknownCalls,
  COALESCE(SUM(input_tokens), 0) AS inputTokens, COALESCE(SUM(cache_read_tokens), 0) AS cacheReadTokens,
  COALESCE(SUM(cache_write_tokens), 0) AS cacheWriteTokens, COALESCE(SUM(output_tokens), 0) AS outputTokens,
  COALESCE(SUM(reasoning_tokens), 0) AS reasoningTokens, COALESCE(SUM(cost_micro_usd), 0) AS costMicroUsd,
  COALESCE(SUM(cost_micro_usd IS NULL), 0) AS unpricedCalls FROM usage_ledger`;

export function sqliteUsage(connection: Connection): SyncPart<UsageStore> {
  return {
    record: (source) =>
      connection.write(() => {
        connection.insert('usage_ledger', usageRow(cleaned(source)), 'ignore');
      }),
    totals: (query) => {
      const parameters: SqlValue[] = [];
      const conditions = ['TRUE'];
      const where = (condition: string, value: SqlValue | undefined): void => {
        if (value === undefined) return;
        conditions.push(condition);
        parameters.push(value);
      };
      where('conversation_id = ?', query.conversationId);
      where('turn = ?', query.turn);
      where('happened_at >= ?', query.since);
      where('tenant = ?', query.tenant);
      const totals = connection.one<UsageTotals>(`${TOTALS} WHERE ${conditions.join(' AND ')}`, ...parameters);
      return totals as UsageTotals;
    },
    tenants: () =>
      connection
        .all<{ tenant: string }>('SELECT DISTINCT tenant FROM usage_ledger WHERE tenant IS NOT NULL ORDER BY tenant')
        .map((row) => row.tenant),
  };
}

export function sqlitePreferences(connection: Connection): SyncPart<PreferenceStore> {
  return {
    read: (name) => connection.one<{ value: string }>('SELECT value_json AS value FROM preferences WHERE name = ?', name)?.value ?? null,
    write: (name, json) =>
      connection.write(() => {
        connection.insert('preferences', { name: cleaned(name), value_json: cleaned(json) }, 'replace');
      }),
    all: () => {
      const rows = connection.all<{ name: string; value: string }>('SELECT name, value_json AS value FROM preferences ORDER BY name');
      return Object.fromEntries(rows.map((row) => [row.name, row.value]));
    },
  };
}
