/** Does I/O: requests as they left, in MySQL. */
import type { ArchivedRequest } from '../../../shared/requests.ts';
import type { ArchiveStore, NewArchivedRequest } from '../../engine/ports.ts';
import { archivedHead, manifestBytes, REQUEST_COLUMNS, sendingColumns } from '../archive-rows.ts';
import type { RequestRow } from '../archive-rows.ts';
import { conversationMissing } from '../failures.ts';
import { blockStart, neededSegments, nextManifest, segmentNumbers } from '../request-manifest.ts';
import type { ManifestRow } from '../request-manifest.ts';
import { sha256 } from '../rows.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import type { MysqlSession } from './mysql-session.ts';

const BLOCK = 'SELECT number, parent, position, appended FROM archived_requests WHERE conversation_id = ? AND number >= ? AND number <= ?';

export function mysqlArchive(database: MysqlDatabase): ArchiveStore {
  return {
    keep: (request) => database.write((session) => keep(session, request)),
    read: (spanId) =>
      database.read(async (session) => {
        const row = await session.one<RequestRow>(`SELECT ${REQUEST_COLUMNS} FROM archived_requests WHERE span_id = ?`, spanId);
        return row === null ? null : { ...archivedHead(row), text: await textOf(session, row) };
      }),
    list: async (conversationId, { limit, turn, helpers = false }) => {
      const where = (turn === undefined ? '' : 'AND turn = ? ') + (helpers ? '' : "AND purpose = 'answer'");
      const sql = `SELECT ${REQUEST_COLUMNS} FROM archived_requests WHERE conversation_id = ? ${where} ORDER BY number DESC LIMIT ?`;
      const parameters = turn === undefined ? [conversationId, limit] : [conversationId, turn, limit];
      return (await database.read((session) => session.all<RequestRow>(sql, ...parameters))).map(archivedHead);
    },
    size: (conversationId) =>
      database.read(async (session) => {
        const segments = await session.all<{ content: string }>(
          'SELECT content FROM request_segments WHERE conversation_id = ?',
          conversationId,
        );
        const sql = `SELECT ${REQUEST_COLUMNS} FROM archived_requests WHERE conversation_id = ?`;
        const rows = await session.all<RequestRow>(sql, conversationId);
        return {
          requests: rows.length,
          payloadBytes: segments.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
          manifestBytes: rows.reduce((sum, row) => sum + manifestBytes(row), 0),
        };
      }),
  };
}

async function keep(session: MysqlSession, request: NewArchivedRequest): Promise<void> {
  const { spanId, conversationId, turn, at, segments } = request;
  // The conversation's row lock keeps numbers of two consoles apart.
  const conversation = await session.one('SELECT id FROM conversations WHERE id = ? FOR UPDATE', conversationId);
  if (conversation === null) throw conversationMissing(conversationId);
  if ((await session.one('SELECT 1 AS found FROM archived_requests WHERE span_id = ?', spanId)) !== null) return;
  const numbers = await segmentNumbersOf(session, conversationId, segments);
  const newest = await session.one<{ number: number | null }>(
    'SELECT MAX(number) AS number FROM archived_requests WHERE conversation_id = ?',
    conversationId,
  );
  const number = (newest?.number ?? 0) + 1;
  const rows = await session.all<ManifestRow>(BLOCK, conversationId, blockStart(number), number);
  const text = segments.join('');
  const row: RequestRow = {
    span_id: spanId,
    conversation_id: conversationId,
    turn,
    ...nextManifest(number, numbers, rows),
    sha256: sha256(text),
    bytes: Buffer.byteLength(text),
    sent_at: at,
    ...sendingColumns(request),
  };
  await session.insert('archived_requests', [row]);
}

async function segmentNumbersOf(session: MysqlSession, conversationId: string, segments: readonly string[]): Promise<number[]> {
  const known = await session.all<{ number: number; sha256: string }>(
    'SELECT number, sha256 FROM request_segments WHERE conversation_id = ?',
    conversationId,
  );
  const numbers = new Map(known.map((row) => [row.sha256, row.number]));
  let last = Math.max(0, ...numbers.values());
  const fresh: object[] = [];
  const result = segments.map((content) => {
    const hash = sha256(content);
    const found = numbers.get(hash);
    if (found !== undefined) return found;
    last += 1;
    numbers.set(hash, last);
    fresh.push({ conversation_id: conversationId, number: last, sha256: hash, content });
    return last;
  });
  await session.insert('request_segments', fresh);
  return result;
}

async function textOf(session: MysqlSession, row: RequestRow): Promise<ArchivedRequest['text']> {
  const rows = await session.all<ManifestRow>(BLOCK, row.conversation_id, blockStart(row.number), row.number);
  const numbers = segmentNumbers(row.number, rows);
  if (numbers === null) return null;
  const wanted = [...new Set(numbers)];
  if (wanted.length === 0) return '';
  const segments = await session.all<{ number: number; content: string }>(
    `SELECT number, content FROM request_segments WHERE conversation_id = ? AND number IN (${wanted.map(() => '?').join(', ')})`,
    row.conversation_id,
    ...wanted,
  );
  if (segments.length < wanted.length) return null;
  const contents = new Map(segments.map((segment) => [segment.number, segment.content]));
  return numbers.map((number) => contents.get(number) ?? '').join('');
}

/** Erases the requests of a conversation from a turn on, with the segments nothing else needs. Only inside a write. */
export async function eraseRequests(session: MysqlSession, conversationId: string, fromTurn: number): Promise<void> {
  await session.run(
    'UPDATE archived_requests SET parent = NULL, position = 0, appended = NULL WHERE conversation_id = ? AND turn >= ?',
    conversationId,
    fromTurn,
  );
  const rows = await session.all<ManifestRow>(
    'SELECT number, parent, position, appended FROM archived_requests WHERE conversation_id = ? ORDER BY number',
    conversationId,
  );
  const needed = neededSegments(rows);
  const stored = await session.all<{ number: number }>('SELECT number FROM request_segments WHERE conversation_id = ?', conversationId);
  for (const { number } of stored) {
    if (needed.has(number)) continue;
    await session.run('DELETE FROM request_segments WHERE conversation_id = ? AND number = ?', conversationId, number);
  }
}
