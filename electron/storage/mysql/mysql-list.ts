/** Does I/O: rows of the conversation list, their read marks, and the short form of a conversation's turns in MySQL. */
import type { ConversationStore, ListQuery, Reader } from '../../engine/ports.ts';
import { badCursor } from '../failures.ts';
import { filterConditions, READ_COLUMNS, READ_MARK_JOIN, type ReadRow, unreadOfRow } from '../list-conditions.ts';
import { summaryOf, type SummaryRow, type TurnRow } from '../rows.ts';
import { listCursor, parseListCursor } from '../stored-message.ts';
import { adopt, adoptAll, COLUMNS } from './mysql-conversations.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { searchJoins } from './mysql-search.ts';
import { sqlTime } from './mysql-session.ts';
import type { MysqlSession, SqlValue } from './mysql-session.ts';

type ListPart = Pick<ConversationStore, 'summary' | 'list' | 'listTurnMarks' | 'markRead'>;
type ListedRow = SummaryRow & ReadRow;

const NEWEST_TURN = 'LEFT JOIN turns t ON t.conversation_id = c.id AND t.turn = c.turn_count';
/** Its one parameter is the reader; without one it finds no marks. */
const SUMMARY = `SELECT ${COLUMNS}, COALESCE(c.last_text, '') AS last_text, c.last_role, u.name AS customer_name, t.state AS turn_state,
  ${READ_COLUMNS} FROM conversations c LEFT JOIN customers u ON u.id = c.customer_id ${NEWEST_TURN} ${READ_MARK_JOIN}`;

export function mysqlList(database: MysqlDatabase): ListPart {
  return {
    summary: async (id, reader) => {
      await adopt(database, id);
      const row = await database.read((session) => session.one<ListedRow>(`${SUMMARY} WHERE c.id = ?`, reader?.id ?? null, id));
      return row === null ? null : listedOf(row, reader);
    },
    list: async (query) => {
      await adoptAll(database);
      return database.read((session) => list(session, query));
    },
    listTurnMarks: async (id) => {
      await adopt(database, id);
      const sql = 'SELECT turn, started_at, state FROM turns WHERE conversation_id = ? ORDER BY turn';
      const rows = await database.read((session) => session.all<Pick<TurnRow, 'turn' | 'started_at' | 'state'>>(sql, id));
      return rows.map((row) => ({ turn: row.turn, at: row.started_at, state: row.state }));
    },
    markRead: async (id, readerId, read) => {
      await database.write((session) => markRead(session, { id, readerId, read }));
    },
  };
}

function listedOf(row: ListedRow, reader: Reader | undefined): ReturnType<typeof summaryOf> {
  const summary = summaryOf(row);
  return reader === undefined ? summary : { ...summary, unreadTurns: unreadOfRow(row, reader) };
}

async function list(session: MysqlSession, query: ListQuery): ReturnType<ListPart['list']> {
  const start = query.cursor === undefined ? null : parseListCursor(query.cursor);
  if (query.cursor !== undefined && start === null) throw badCursor();
  const search = await searchJoins(session, query.search ?? '');
  if (search === null) return { items: [], nextCursor: null, total: 0 };
  const filter = filterConditions(query.filter ?? {}, query.reader, sqlTime);
  const where = filter.sql.length === 0 ? 'TRUE' : filter.sql.join(' AND ');
  const joins = [search.sql, ...(filter.needsTurn ? [NEWEST_TURN] : []), ...(filter.needsMark ? [READ_MARK_JOIN] : [])].join(' ');
  const readerId: SqlValue[] = filter.needsMark ? [query.reader?.id ?? null] : [];
  const parameters: SqlValue[] = [...search.parameters, ...readerId, ...filter.parameters];
  const count = `SELECT COUNT(*) AS total FROM conversations c ${joins} WHERE ${where}`;
  const total = start?.total ?? Number((await session.one<{ total: number | string }>(count, ...parameters))?.total ?? 0);
  const after = start === null ? 'TRUE' : 'c.changed_at <= ? AND (c.changed_at < ? OR c.id > ?)';
  const place: SqlValue[] = start === null ? [] : [sqlTime(start.updatedAt), sqlTime(start.updatedAt), start.id];
  // Rows that are left out must cost no joins: the page is cut first, then its rows are filled.
  const page = `SELECT c.id FROM conversations c ${joins} WHERE ${where} AND ${after} ORDER BY c.changed_at DESC, c.id LIMIT ? OFFSET ?`;
  const ids = await session.all<{ id: string }>(page, ...parameters, ...place, query.limit + 1, query.offset ?? 0);
  if (ids.length === 0) return { items: [], nextCursor: null, total };
  const rows = await session.all<ListedRow>(
    `${SUMMARY} WHERE c.id IN (${ids.map(() => '?').join(', ')}) ORDER BY c.changed_at DESC, c.id`,
    query.reader?.id ?? null,
    ...ids.map((row) => row.id),
  );
  const items = rows.slice(0, query.limit).map((row) => listedOf(row, query.reader));
  const last = items.at(-1);
  const nextCursor = ids.length > items.length && last !== undefined ? listCursor(last, total) : null;
  return { items, nextCursor, total };
}

async function markRead(session: MysqlSession, { id, readerId, read }: { id: string; readerId: string; read: boolean }): Promise<void> {
  const newest = await session.one<{ turn_count: number; newest_at: number | null }>(
    `SELECT c.turn_count, COALESCE(t.ended_at, t.started_at) AS newest_at FROM conversations c ${NEWEST_TURN} WHERE c.id = ? FOR UPDATE`,
    id,
  );
  if (newest === null) return;
  const mark = read
    ? { read_at: sqlTime(newest.newest_at ?? 0), read_turn: newest.turn_count }
    : { read_at: null, read_turn: Math.max(0, newest.turn_count - 1) };
  await session.insert('read_marks', [{ conversation_id: id, reader: readerId, ...mark }], 'update');
}
