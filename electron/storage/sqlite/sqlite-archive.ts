/** Does I/O: requests as they left, in SQLite. Worker only. */
import type { ArchivedRequest } from '../../../shared/requests.ts';
import type { ArchiveStore, NewArchivedRequest } from '../../engine/ports.ts';
import { conversationMissing } from '../failures.ts';
import { archivedHead, manifestBytes, REQUEST_COLUMNS, sendingColumns } from '../archive-rows.ts';
import type { RequestRow } from '../archive-rows.ts';
import { blockStart, neededSegments, nextManifest, segmentNumbers } from '../request-manifest.ts';
import type { ManifestRow } from '../request-manifest.ts';
import { sha256 } from '../rows.ts';
import type { Connection } from './connection.ts';
import type { SyncPart } from './sync-part.ts';

const BLOCK = 'SELECT number, parent, position, appended FROM archived_requests WHERE conversation_id = ? AND number >= ? AND number <= ?';

export function sqliteArchive(connection: Connection): SyncPart<ArchiveStore> {
  return {
    keep: (request) => connection.write(() => keep(connection, request)),
    read: (spanId) => {
      const row = connection.one<RequestRow>(`SELECT ${REQUEST_COLUMNS} FROM archived_requests WHERE span_id = ?`, spanId);
      return row === null ? null : { ...archivedHead(row), text: textOf(connection, row) };
    },
    list: (conversationId, { limit, turn, helpers = false }) => {
      const where = (turn === undefined ? '' : 'AND turn = ? ') + (helpers ? '' : "AND purpose = 'answer'");
      const sql = `SELECT ${REQUEST_COLUMNS} FROM archived_requests WHERE conversation_id = ? ${where} ORDER BY number DESC LIMIT ?`;
      const parameters = turn === undefined ? [conversationId, limit] : [conversationId, turn, limit];
      return connection.all<RequestRow>(sql, ...parameters).map(archivedHead);
    },
    size: (conversationId) => {
      const segments = connection.all<{ content: string }>(
        'SELECT content FROM request_segments WHERE conversation_id = ?',
        conversationId,
      );
      const rows = connection.all<RequestRow>(`SELECT ${REQUEST_COLUMNS} FROM archived_requests WHERE conversation_id = ?`, conversationId);
      return {
        requests: rows.length,
        payloadBytes: segments.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
        manifestBytes: rows.reduce((sum, row) => sum + manifestBytes(row), 0),
      };
    },
  };
}

function keep(connection: Connection, request: NewArchivedRequest): void {
  const { spanId, conversationId, turn, at, segments } = request;
  if (connection.one('SELECT 1 FROM conversations WHERE id = ?', conversationId) === null) throw conversationMissing(conversationId);
  if (connection.one('SELECT 1 FROM archived_requests WHERE span_id = ?', spanId) !== null) return;
  const numbers = segments.map((segment) => segmentNumber(connection, conversationId, segment));
  const newest = connection.one<{ number: number | null }>(
    'SELECT MAX(number) AS number FROM archived_requests WHERE conversation_id = ?',
    conversationId,
  );
  const number = (newest?.number ?? 0) + 1;
  const rows = connection.all<ManifestRow>(BLOCK, conversationId, blockStart(number), number);
  const text = segments.join('');
  connection.insert('archived_requests', {
    span_id: spanId,
    conversation_id: conversationId,
    turn,
    ...nextManifest(number, numbers, rows),
    sha256: sha256(text),
    bytes: Buffer.byteLength(text),
    sent_at: at,
    ...sendingColumns(request),
  });
}

function segmentNumber(connection: Connection, conversationId: string, content: string): number {
  const hash = sha256(content);
  const known = connection.one<{ number: number }>(
    'SELECT number FROM request_segments WHERE conversation_id = ? AND sha256 = ?',
    conversationId,
    hash,
  );
  if (known !== null) return known.number;
  const newest = connection.one<{ number: number | null }>(
    'SELECT MAX(number) AS number FROM request_segments WHERE conversation_id = ?',
    conversationId,
  );
  const number = (newest?.number ?? 0) + 1;
  connection.insert('request_segments', { conversation_id: conversationId, number, sha256: hash, content });
  return number;
}

function textOf(connection: Connection, row: RequestRow): ArchivedRequest['text'] {
  const rows = connection.all<ManifestRow>(BLOCK, row.conversation_id, blockStart(row.number), row.number);
  const numbers = segmentNumbers(row.number, rows);
  if (numbers === null) return null;
  const contents = new Map<number, string>();
  for (const number of new Set(numbers)) {
    const segment = connection.one<{ content: string }>(
      'SELECT content FROM request_segments WHERE conversation_id = ? AND number = ?',
      row.conversation_id,
      number,
    );
    if (segment === null) return null;
    contents.set(number, segment.content);
  }
  return numbers.map((number) => contents.get(number) ?? '').join('');
}

/** Erases the requests of a conversation from a turn on, with the segments nothing else needs. Only inside a write. */
export function eraseRequests(connection: Connection, conversationId: string, fromTurn: number): void {
  connection.run(
    'UPDATE archived_requests SET parent = NULL, position = 0, appended = NULL WHERE conversation_id = ? AND turn >= ?',
    conversationId,
    fromTurn,
  );
  const rows = connection.all<ManifestRow & { turn: number }>(
    'SELECT number, parent, position, appended FROM archived_requests WHERE conversation_id = ? ORDER BY number',
    conversationId,
  );
  const needed = neededSegments(rows);
  const numbers = connection.all<{ number: number }>('SELECT number FROM request_segments WHERE conversation_id = ?', conversationId);
  for (const { number } of numbers) {
    if (needed.has(number)) continue;
    connection.run('DELETE FROM request_segments WHERE conversation_id = ? AND number = ?', conversationId, number);
  }
}
