/** Pure (state in memory): requests as they left. */
import type { ArchivedRequest } from '../../../shared/requests.ts';
import type { ArchiveStore } from '../../engine/ports.ts';
import { conversationMissing } from '../failures.ts';
import { archivedHead, manifestBytes, sendingColumns } from '../archive-rows.ts';
import type { RequestRow } from '../archive-rows.ts';
import { blockStart, neededSegments, nextManifest, segmentNumbers } from '../request-manifest.ts';
import { sha256 } from '../rows.ts';
import type { MemoryTables, RequestArchive } from './records.ts';

export function memoryArchive(tables: MemoryTables): ArchiveStore {
  return {
    keep: async (request) => {
      const { spanId, conversationId, turn, at, segments } = request;
      if (!tables.conversations.has(conversationId)) throw conversationMissing(conversationId);
      const archive = archiveOf(tables, conversationId);
      if (rowOf(tables, spanId) !== null) return;
      const numbers = segments.map((segment) => segmentNumber(archive, segment));
      const number = (archive.rows.at(-1)?.number ?? 0) + 1;
      const text = segments.join('');
      archive.rows.push({
        span_id: spanId,
        conversation_id: conversationId,
        turn,
        ...nextManifest(number, numbers, archive.rows.slice(blockStart(number) - 1)),
        sha256: sha256(text),
        bytes: Buffer.byteLength(text),
        sent_at: at,
        ...sendingColumns(request),
      });
    },
    read: async (spanId) => {
      const row = rowOf(tables, spanId);
      return row === null ? null : { ...archivedHead(row), text: textOf(archiveOf(tables, row.conversation_id), row) };
    },
    list: async (conversationId, { limit, turn, helpers = false }) => {
      const rows = tables.archives.get(conversationId)?.rows ?? [];
      const found = rows.filter((row) => (turn === undefined || row.turn === turn) && (helpers || row.purpose === 'answer'));
      return found.toReversed().slice(0, limit).map(archivedHead);
    },
    size: async (conversationId) => {
      const archive = tables.archives.get(conversationId);
      const contents = [...(archive?.segments.values() ?? [])];
      const rows = archive?.rows ?? [];
      return {
        requests: rows.length,
        payloadBytes: contents.reduce((sum, content) => sum + Buffer.byteLength(content), 0),
        manifestBytes: rows.reduce((sum, row) => sum + manifestBytes(row), 0),
      };
    },
  };
}

/** Erases the requests of a conversation from a turn on, with the segments nothing else needs. */
export function eraseRequests(tables: MemoryTables, conversationId: string, fromTurn: number): void {
  const archive = tables.archives.get(conversationId);
  if (archive === undefined) return;
  for (const row of archive.rows) if (row.turn >= fromTurn) Object.assign(row, { parent: null, position: 0, appended: null });
  const needed = neededSegments(archive.rows);
  for (const number of archive.segments.keys()) if (!needed.has(number)) archive.segments.delete(number);
}

function archiveOf(tables: MemoryTables, conversationId: string): RequestArchive {
  const known = tables.archives.get(conversationId);
  if (known !== undefined) return known;
  const archive: RequestArchive = { rows: [], segments: new Map(), lastSegment: 0 };
  tables.archives.set(conversationId, archive);
  return archive;
}

function rowOf(tables: MemoryTables, spanId: string): RequestRow | null {
  for (const archive of tables.archives.values()) {
    const row = archive.rows.find((each) => each.span_id === spanId);
    if (row !== undefined) return row;
  }
  return null;
}

function segmentNumber(archive: RequestArchive, content: string): number {
  for (const [number, known] of archive.segments) if (known === content) return number;
  archive.lastSegment += 1;
  archive.segments.set(archive.lastSegment, content);
  return archive.lastSegment;
}

function textOf(archive: RequestArchive, row: RequestRow): ArchivedRequest['text'] {
  const numbers = segmentNumbers(row.number, archive.rows);
  return numbers === null ? null : numbers.map((number) => archive.segments.get(number) ?? '').join('');
}
