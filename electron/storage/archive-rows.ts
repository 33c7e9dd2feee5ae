/** Pure: rows of archived requests and the objects they stand for. Times are UTC milliseconds here. */
import type { ArchivedRequest } from '../../shared/requests.ts';
import type { ManifestRow } from './request-manifest.ts';

export interface RequestRow extends ManifestRow {
  span_id: string;
  conversation_id: string;
  turn: number;
  sha256: string;
  bytes: number;
  sent_at: number;
}

export const REQUEST_COLUMNS = 'span_id, conversation_id, number, turn, parent, position, appended, sha256, bytes, sent_at';

export function archivedHead(row: RequestRow): Omit<ArchivedRequest, 'text'> {
  const { span_id: spanId, conversation_id: conversationId, turn, sent_at: sentAt, sha256, bytes } = row;
  return { spanId, conversationId, turn, sentAt, sha256, bytes: Number(bytes) };
}

/** What a request costs beside its segments: its place, its ranges and its hash as 32 bytes. */
export function manifestBytes(row: ManifestRow): number {
  const HASH_BYTES = 32;
  return HASH_BYTES + `${row.number}:${row.parent ?? ''}:${row.position}:${row.appended ?? ''}`.length;
}
