/** Pure: rows of archived requests and the objects they stand for. Times are UTC milliseconds here. */
import type { ArchivedRequest, WireForm } from '../../shared/requests.ts';
import type { UsagePurpose } from '../../shared/usage.ts';
import type { NewArchivedRequest } from '../engine/ports.ts';
import type { ManifestRow } from './request-manifest.ts';

export interface RequestRow extends ManifestRow {
  span_id: string;
  conversation_id: string;
  turn: number;
  sha256: string;
  bytes: number;
  sent_at: number;
  purpose: UsagePurpose;
  /** JSON list: hash, bytes, provider, model, variant. null: not sent over a wire. */
  wire: string | null;
}

export const REQUEST_COLUMNS = 'span_id, conversation_id, number, turn, parent, position, appended, sha256, bytes, sent_at, purpose, wire';

export function archivedHead(row: RequestRow): Omit<ArchivedRequest, 'text'> {
  const { span_id: spanId, conversation_id: conversationId, turn, sent_at: sentAt, sha256, bytes, purpose } = row;
  return { spanId, conversationId, turn, sentAt, purpose, wire: wireOf(row.wire), sha256, bytes: Number(bytes) };
}

/** The columns that say what a request was sent for, and how. */
export function sendingColumns({ purpose = 'answer', wire = null }: NewArchivedRequest): Pick<RequestRow, 'purpose' | 'wire'> {
  if (wire === null) return { purpose, wire: null };
  return { purpose, wire: JSON.stringify([wire.sha256, wire.bytes, wire.provider, wire.model, wire.variant]) };
}

function wireOf(text: string | null): WireForm | null {
  if (text === null) return null;
  const [sha256, bytes, provider, model, variant] = JSON.parse(text) as [string, number, string, string, string];
  return { provider, model, variant, sha256, bytes };
}

/** What a request costs beside its segments: its place, its ranges, how it was sent, and its hashes as 32 bytes each. */
export function manifestBytes(row: ManifestRow & Pick<RequestRow, 'wire'>): number {
  const HASH_BYTES = 32;
  const sending = row.wire === null ? 0 : row.wire.length - HASH_BYTES;
  return HASH_BYTES + sending + `${row.number}:${row.parent ?? ''}:${row.position}:${row.appended ?? ''}`.length;
}
