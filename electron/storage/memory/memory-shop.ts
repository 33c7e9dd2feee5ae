/** Pure (state in memory): shop records, tickets, usage and preferences. */
import { mayMove } from '../../../shared/shop.ts';
import type { Ticket } from '../../../shared/shop.ts';
import type { UsageTotals } from '../../../shared/usage.ts';
import type { PreferenceStore, ShopStore, TicketStore, UsageStore } from '../../engine/ports.ts';
import { cleaned, compareText } from '../clean.ts';
import { ticketChanged, ticketMissing, ticketMoveRefused } from '../failures.ts';
import { documentTerms, questionTerms } from '../search-terms.ts';
import { customerTexts, LAST_SEEDED_TICKET } from '../shop-rules.ts';
import type { MemoryTables } from './records.ts';

export function memoryShop(tables: MemoryTables): ShopStore {
  return {
    isSeeded: async () => tables.isSeeded,
    seed: async (source) => {
      const data = cleaned(source);
      tables.customers = new Map(data.customers.map((customer) => [customer.id, customer]));
      tables.products = new Map(data.products.map((product) => [product.id, product]));
      tables.orders = new Map(data.orders.map((order) => [order.id, order]));
      tables.articles = new Map(data.articles.map((article) => [article.id, article]));
      const later = [...tables.tickets.values()].filter((ticket) => ticket.id > LAST_SEEDED_TICKET);
      const tickets = [...later, ...data.tickets.map((ticket): Ticket => ({ ...ticket, version: 1 }))];
      tables.tickets = new Map(tickets.map((ticket) => [ticket.id, ticket]));
      tables.lastTicketId = Math.max(tables.lastTicketId, ...tables.tickets.keys());
      tables.articlesRevision += 1;
      tables.isSeeded = true;
    },
    customer: async (id) => structuredClone(tables.customers.get(id) ?? null),
    listCustomers: async ({ limit, search }) => {
      const wanted = (search ?? '').trim() === '' ? null : questionTerms(search ?? '');
      const found = [...tables.customers.values()].filter((customer) => {
        if (wanted === null) return true;
        const terms = customerTexts(customer).flatMap(documentTerms);
        return wanted.length > 0 && wanted.every((question) => terms.some((term) => term.startsWith(question)));
      });
      found.sort((left, right) => compareText(left.name, right.name) || compareText(left.id, right.id));
      return structuredClone(found.slice(0, limit));
    },
    ordersOf: async (customerId) => {
      const orders = [...tables.orders.values()].filter((order) => order.customerId === customerId);
      return structuredClone(orders.sort((left, right) => left.paidDaysAgo - right.paidDaysAgo || right.id - left.id));
    },
    order: async (id) => structuredClone(tables.orders.get(id) ?? null),
    articles: async () => structuredClone([...tables.articles.values()].sort((left, right) => compareText(left.id, right.id))),
    articlesVersion: async () => String(tables.articlesRevision),
    changeArticles: async (change) => {
      for (const article of cleaned(change.put)) tables.articles.set(article.id, article);
      for (const id of change.remove) tables.articles.delete(id);
      tables.articlesRevision += 1;
    },
  };
}

export function memoryTickets(tables: MemoryTables): TicketStore {
  return {
    create: async (source) => {
      const { at, action: _action, ...fields } = cleaned(source);
      tables.lastTicketId += 1;
      const ticket: Ticket = { ...fields, id: tables.lastTicketId, version: 1, createdAt: at, updatedAt: at };
      tables.tickets.set(ticket.id, ticket);
      return structuredClone(ticket);
    },
    get: async (id) => structuredClone(tables.tickets.get(id) ?? null),
    list: async (query) => {
      const found = [...tables.tickets.values()].filter(
        (ticket) =>
          (query.customerId === undefined || ticket.customerId === query.customerId) &&
          (query.conversationId === undefined || ticket.conversationId === query.conversationId) &&
          (query.status === undefined || ticket.status === query.status),
      );
      return structuredClone(found.sort((left, right) => right.id - left.id).slice(0, query.limit));
    },
    update: async (id, version, patch, at) => {
      const ticket = tables.tickets.get(id);
      if (ticket === undefined) throw ticketMissing(id);
      if (ticket.version !== version) throw ticketChanged(id);
      const { status, summary, category } = cleaned(patch);
      if (status !== undefined && !mayMove(ticket.status, status)) throw ticketMoveRefused(id, ticket.status, status);
      if (status !== undefined) ticket.status = status;
      if (summary !== undefined) ticket.summary = summary;
      if (category !== undefined) ticket.category = category;
      ticket.version += 1;
      ticket.updatedAt = at;
      return structuredClone(ticket);
    },
  };
}

export function memoryUsage(tables: MemoryTables): UsageStore {
  return {
    record: async (record) => {
      if (!tables.usage.has(record.id)) tables.usage.set(record.id, cleaned(record));
    },
    totals: async (query) => {
      const totals: UsageTotals = {
        calls: 0,
        unknownCalls: 0,
        inputTokens: 0,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
        costMicroUsd: 0,
        unpricedCalls: 0,
      };
      for (const record of tables.usage.values()) {
        if (query.conversationId !== undefined && record.conversationId !== query.conversationId) continue;
        if (query.turn !== undefined && record.turn !== query.turn) continue;
        if (query.since !== undefined && record.at < query.since) continue;
        if (query.tenant !== undefined && record.tenant !== query.tenant) continue;
        totals.calls += 1;
        totals.unknownCalls += record.usage === null ? 1 : 0;
        totals.inputTokens += record.usage?.inputTokens ?? 0;
        totals.cacheReadTokens += record.usage?.cacheReadTokens ?? 0;
        totals.cacheWriteTokens += record.usage?.cacheWriteTokens ?? 0;
        totals.outputTokens += record.usage?.outputTokens ?? 0;
        totals.reasoningTokens += record.usage?.reasoningTokens ?? 0;
        totals.costMicroUsd += record.costMicroUsd ?? 0;
        totals.unpricedCalls += record.costMicroUsd === null ? 1 : 0;
      }
      return totals;
    },
    tenants: async () => {
      const tenants = new Set([...tables.usage.values()].flatMap((record) => record.tenant ?? []));
      return [...tenants].sort(compareText);
    },
  };
}

export function memoryPreferences(tables: MemoryTables): PreferenceStore {
  return {
    read: async (key) => tables.preferences.get(key) ?? null,
    write: async (key, json) => {
      tables.preferences.set(cleaned(key), cleaned(json));
    },
    all: async () => Object.fromEntries(tables.preferences),
  };
}
