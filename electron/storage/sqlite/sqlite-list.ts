/** Does I/O: rows of the conversation list, their read marks, and the short form of a conversation's turns in SQLite. Worker only. */
import type { ConversationStore, ListQuery, Reader } from '../../engine/ports.ts';
import { badCursor } from '../failures.ts';
import { filterConditions, READ_COLUMNS, READ_MARK_JOIN, type ReadRow, unreadOfRow } from '../list-conditions.ts';
import { summaryOf, type SummaryRow } from '../rows.ts';
import { listCursor, parseListCursor } from '../stored-message.ts';
import type { Connection, SqlValue } from './connection.ts';
import { COLUMNS } from './sqlite-conversations.ts';
import { searchConditions } from './sqlite-search.ts';
import type { SyncPart } from './sync-part.ts';

type ListPart = SyncPart<Pick<ConversationStore, 'summary' | 'list' | 'listTurnMarks' | 'markRead'>>;
type ListedRow = SummaryRow & ReadRow;

/** Its one parameter is the reader; without one it finds no marks. */
const SUMMARY = `SELECT ${COLUMNS}, c.last_text, c.last_role, u.name AS customer_name, t.state AS turn_state, ${READ_COLUMNS} FROM conversations c
  LEFT JOIN customers u ON u.id = c.customer_id
  LEFT JOIN turns t ON t.conversation_id = c.id AND t.turn = c.turn_count ${READ_MARK_JOIN}`;

export function sqliteList(connection: Connection): ListPart {
  return {
    summary: (id, reader) => {
      const row = connection.one<ListedRow>(`${SUMMARY} WHERE c.id = ?`, reader?.id ?? null, id);
      return row === null ? null : listedOf(row, reader);
    },
    list: (query) => list(connection, query),
    listTurnMarks: (id) => connection.all('SELECT turn, started_at AS at, state FROM turns WHERE conversation_id = ? ORDER BY turn', id),
    markRead: (id, readerId, read) => connection.write(() => markRead(connection, { id, readerId, read })),
  };
}

function listedOf(row: ListedRow, reader: Reader | undefined): ReturnType<typeof summaryOf> {
  const summary = summaryOf(row);
  return reader === undefined ? summary : { ...summary, unreadTurns: unreadOfRow(row, reader) };
}

function list(connection: Connection, query: ListQuery): ReturnType<ListPart['list']> {
  const start = query.cursor === undefined ? null : parseListCursor(query.cursor);
  if (query.cursor !== undefined && start === null) throw badCursor();
  const search = searchConditions(connection, query.search ?? '');
  if (search === null) return { items: [], nextCursor: null, total: 0 };
  const filter = filterConditions(query.filter ?? {}, query.reader, (ms) => ms);
  const where = [...(search.sql === '' ? [] : [search.sql]), ...filter.sql].join(' AND ') || 'TRUE';
  // Rows that are left out must cost no joins: only what the conditions need is joined before the page is cut.
  const joins = [
    ...(filter.needsTurn ? ['LEFT JOIN turns t ON t.conversation_id = c.id AND t.turn = c.turn_count'] : []),
    ...(filter.needsMark ? [READ_MARK_JOIN] : []),
  ].join(' ');
  const readerId: SqlValue[] = filter.needsMark ? [query.reader?.id ?? null] : [];
  const parameters: SqlValue[] = [...readerId, ...search.parameters, ...filter.parameters];
  const count = `SELECT COUNT(*) AS total FROM conversations c ${joins} WHERE ${where}`;
  const total = start?.total ?? connection.one<{ total: number }>(count, ...parameters)?.total ?? 0;
  // Row values cannot mix directions, so the place after the cursor is spelled out; the first half lets the index be used.
  const after = start === null ? 'TRUE' : 'c.changed_at <= ? AND (c.changed_at < ? OR c.id > ?)';
  const place: SqlValue[] = start === null ? [] : [start.updatedAt, start.updatedAt, start.id];
  const rows = connection.all<ListedRow>(
    `${SUMMARY} WHERE c.search_id IN (
      SELECT c.search_id FROM conversations c ${joins} WHERE ${where} AND ${after} ORDER BY c.changed_at DESC, c.id LIMIT ? OFFSET ?)
      ORDER BY c.changed_at DESC, c.id`,
    query.reader?.id ?? null,
    ...parameters,
    ...place,
    query.limit + 1,
    query.offset ?? 0,
  );
  const items = rows.slice(0, query.limit).map((row) => listedOf(row, query.reader));
  const last = items.at(-1);
  return { items, nextCursor: rows.length > items.length && last !== undefined ? listCursor(last, total) : null, total };
}

function markRead(connection: Connection, { id, readerId, read }: { id: string; readerId: string; read: boolean }): void {
  const newest = connection.one<{ turn_count: number; at: number | null }>(
    `SELECT c.turn_count, COALESCE(t.ended_at, t.started_at) AS at FROM conversations c
      LEFT JOIN turns t ON t.conversation_id = c.id AND t.turn = c.turn_count WHERE c.id = ?`,
    id,
  );
  if (newest === null) return;
  const mark = read
    ? { read_at: newest.at ?? 0, read_turn: newest.turn_count }
    : { read_at: null, read_turn: Math.max(0, newest.turn_count - 1) };
  connection.insert('read_marks', { conversation_id: id, reader: readerId, ...mark }, 'replace');
}
