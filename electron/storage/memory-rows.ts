/** Pure: rows of memories and the objects they stand for. Times are UTC milliseconds here. */
import type { Trust } from '../../shared/conversation.ts';
import type { Memory } from '../../shared/memories.ts';

export interface MemoryRow {
  id: string;
  tenant: string;
  scope: Memory['scope'];
  customer_id: string | null;
  content: string;
  slot: string | null;
  trust: Trust;
  origin: Memory['origin'];
  pinned: number;
  superseded_by: string | null;
  conversation_id: string | null;
  turn: number | null;
  created_at: number;
  changed_at: number;
}

export const MEMORY_COLUMNS =
  'id, tenant, scope, customer_id, content, slot, trust, origin, pinned, superseded_by, conversation_id, turn, created_at, changed_at';
/** Pinned ones first, then the newest. */
export const MEMORY_ORDER = 'pinned DESC, created_at DESC, id DESC';

export function memoryRow(memory: Memory): MemoryRow {
  return {
    id: memory.id,
    tenant: memory.tenant,
    scope: memory.scope,
    customer_id: memory.customerId,
    content: memory.text,
    slot: memory.slot,
    trust: memory.trust,
    origin: memory.origin,
    pinned: memory.pinned ? 1 : 0,
    superseded_by: memory.supersededBy,
    conversation_id: memory.conversationId,
    turn: memory.turn,
    created_at: memory.createdAt,
    changed_at: memory.changedAt,
  };
}

export function memoryOf(row: MemoryRow): Memory {
  return {
    id: row.id,
    tenant: row.tenant,
    scope: row.scope,
    customerId: row.customer_id,
    text: row.content,
    slot: row.slot,
    trust: row.trust,
    origin: row.origin,
    pinned: row.pinned !== 0,
    supersededBy: row.superseded_by,
    conversationId: row.conversation_id,
    turn: row.turn,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
