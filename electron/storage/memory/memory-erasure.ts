/** Pure (state in memory): everything about a customer. */
import type { ErasureCounts } from '../../../shared/erasure.ts';
import type { ErasureStore } from '../../engine/ports.ts';
import { textsToFind } from '../erasure-texts.ts';
import { eraseRequests } from './memory-archive.ts';
import type { ConversationRecord, MemoryTables } from './records.ts';

export function memoryErasure(tables: MemoryTables): ErasureStore {
  return {
    conversationsOf: async (customerId) => idsOf(tables, customerId),
    count: async (customerId) => countCustomer(tables, customerId),
    textsOf: async (customerId) => {
      const own = idsOf(tables, customerId).flatMap((id) => {
        const record = tables.conversations.get(id);
        return [...(record?.messages ?? []), ...(record?.branches ?? []).flatMap((branch) => branch.messages)];
      });
      const texts = own.filter((message) => message.role === 'user').map((message) => message.content);
      return textsToFind(
        tables.customers.get(customerId) ?? null,
        texts.sort((left, right) => right.length - left.length),
      );
    },
    forget: async (customerId) => {
      const counts = countCustomer(tables, customerId);
      forget(tables, customerId);
      return counts;
    },
    compact: async () => undefined,
    search: async (texts) => {
      const matches = Object.entries(tables).flatMap(([place, table]) => {
        const rows: unknown[] = table instanceof Map ? [...(table as Map<unknown, unknown>).values()] : [];
        const count = rows.filter((row) => texts.some((text) => holds(row, text))).length;
        return count === 0 ? [] : [{ place, count }];
      });
      return { columns: Object.keys(tables).length, matches };
    },
  };
}

function holds(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (typeof value !== 'object' || value === null) return false;
  const parts: unknown[] = value instanceof Map ? [...(value as Map<unknown, unknown>).values()] : Object.values(value);
  return parts.some((part) => holds(part, text));
}

function idsOf(tables: MemoryTables, customerId: string): string[] {
  const isAbout = ({ conversation: { customerId: own, actor, subject } }: ConversationRecord): boolean =>
    own === customerId || [actor, subject].some((each) => each?.type === 'customer' && each.id === customerId);
  return [...tables.conversations].flatMap(([id, record]) => (isAbout(record) ? [id] : [])).sort();
}

function countCustomer(tables: MemoryTables, customerId: string): ErasureCounts {
  const counts: ErasureCounts = {};
  const add = (name: string, count: number): void => {
    if (count > 0) counts[name] = (counts[name] ?? 0) + count;
  };
  const ids = new Set(idsOf(tables, customerId));
  const isOwn = (row: { customerId: string | null; conversationId: string | null }): boolean =>
    row.customerId === customerId || (row.conversationId !== null && ids.has(row.conversationId));
  for (const id of ids) {
    const record = tables.conversations.get(id);
    if (record === undefined) continue;
    add('conversations', 1);
    add('messages', record.messages.length);
    add('branches', record.branches.length);
    for (const branch of record.branches) {
      add('branch_turns', branch.turns.length);
      add('branch_messages', branch.messages.length);
    }
    add('superseded_messages', record.superseded.length);
    add('turns', record.turns.size);
    add('queued_messages', record.queue.length);
    add('memory_states', record.memoryStates.size);
    add('drafts', record.draft === '' ? 0 : 1);
    add('archived_requests', tables.archives.get(id)?.rows.length ?? 0);
  }
  const runs = [...tables.runs.values()].filter(({ run }) => ids.has(run.conversationId));
  add('runs', runs.length);
  for (const run of runs) {
    add('spans', run.spans.size);
    add('trace_events', run.events.size);
    add('span_details', run.details.size);
  }
  add('usage_ledger', [...tables.usage.values()].filter((row) => row.conversationId !== null && ids.has(row.conversationId)).length);
  add('memories', [...tables.memories.values()].filter(isOwn).length);
  add('tickets', [...tables.tickets.values()].filter(isOwn).length);
  add('orders', [...tables.orders.values()].filter((order) => order.customerId === customerId).length);
  add('customers', tables.customers.has(customerId) ? 1 : 0);
  return counts;
}

function forget(tables: MemoryTables, customerId: string): void {
  const ids = new Set(idsOf(tables, customerId));
  for (const id of ids) {
    tables.conversations.delete(id);
    eraseRequests(tables, id, 0);
  }
  const drop = <K, V>(table: Map<K, V>, isOwn: (row: V) => boolean): void => {
    for (const [key, row] of table) if (isOwn(row)) table.delete(key);
  };
  const isOwn = (row: { customerId: string | null; conversationId: string | null }): boolean =>
    row.customerId === customerId || (row.conversationId !== null && ids.has(row.conversationId));
  drop(tables.runs, ({ run }) => ids.has(run.conversationId));
  drop(tables.memories, isOwn);
  for (const memory of tables.memories.values())
    if (memory.supersededBy !== null && !tables.memories.has(memory.supersededBy)) memory.supersededBy = null;
  drop(tables.tickets, isOwn);
  drop(tables.orders, (order) => order.customerId === customerId);
  tables.customers.delete(customerId);
  for (const row of tables.usage.values())
    if (row.conversationId !== null && ids.has(row.conversationId)) Object.assign(row, { conversationId: null, turn: null, runId: null });
}
