/** Pure: which rows of the conversation list a filter keeps, and what of them is unread; the same in every store. */
import type { ListFilter } from '../../shared/conversation-list.ts';
import { FILTERED_STATES } from '../../shared/conversation-list.ts';
import type { TurnState } from '../../shared/conversation.ts';
import type { Reader } from '../engine/ports.ts';

/** What is known of a conversation's newest turn and of the reader's mark. */
export interface ReadState {
  turnCount: number;
  startedAt: number;
  /** null: no turn yet. */
  newest: { runId: string | null; changedAt: number } | null;
  /** null: the reader has no mark; `readAt` null: marked unread by hand. */
  mark: { readAt: number | null; readTurn: number } | null;
}

/** Imported turns are nobody's news: only what a run did counts, unless a person marked it. */
export function unreadTurns(state: ReadState, since: number): number {
  const { turnCount, startedAt, newest, mark } = state;
  if (newest === null) return 0;
  if (mark === null) {
    if (newest.runId === null || newest.changedAt <= since) return 0;
    return startedAt > since ? Math.max(1, turnCount) : 1;
  }
  const isUnread = mark.readAt === null || (newest.runId !== null && newest.changedAt > mark.readAt);
  return isUnread ? Math.max(1, turnCount - mark.readTurn) : 0;
}

/** Does not look at `unread` and `ticket`. */
export function passesFilter(
  filter: ListFilter,
  row: {
    tenant: string;
    strategy: string | null;
    updatedAt: number;
    handoffReason: string | null;
    turnState: TurnState | null;
  },
): boolean {
  if (filter.since !== undefined && row.updatedAt < filter.since) return false;
  if (filter.until !== undefined && row.updatedAt >= filter.until) return false;
  if (filter.tenant !== undefined && row.tenant !== filter.tenant) return false;
  if (filter.strategy !== undefined && row.strategy !== filter.strategy) return false;
  if (filter.state === undefined) return true;
  if (filter.state === 'needs-human' && row.handoffReason !== null) return true;
  return row.turnState !== null && FILTERED_STATES[filter.state].includes(row.turnState);
}

/** Rows of `read_marks m` that belong to the reader of a list. */
export const READ_MARK_JOIN = 'LEFT JOIN read_marks m ON m.conversation_id = c.id AND m.reader = ?';
/** Columns for `unreadTurns`, from `conversations c`, its newest turn `t` and the mark `m`. */
export const READ_COLUMNS =
  't.run_id AS newest_run, COALESCE(t.ended_at, t.started_at) AS newest_at, m.reader AS mark_reader, m.read_at, m.read_turn';

export interface ReadRow {
  turn_count: number;
  started_at: number;
  turn_state: TurnState | null;
  newest_run: string | null;
  newest_at: number | null;
  mark_reader: string | null;
  read_at: number | null;
  read_turn: number | null;
}

export function unreadOfRow(row: ReadRow, reader: Reader): number {
  return unreadTurns(
    {
      turnCount: row.turn_count,
      startedAt: row.started_at,
      newest: row.turn_state === null ? null : { runId: row.newest_run, changedAt: row.newest_at ?? 0 },
      mark: row.mark_reader === null ? null : { readAt: row.read_at, readTurn: row.read_turn ?? 0 },
    },
    reader.since,
  );
}

/** As `unreadTurns(…) > 0`. */
const IS_UNREAD = `(t.turn IS NOT NULL AND CASE WHEN m.reader IS NULL THEN t.run_id IS NOT NULL AND COALESCE(t.ended_at, t.started_at) > ?
  WHEN m.read_at IS NULL THEN TRUE ELSE t.run_id IS NOT NULL AND COALESCE(t.ended_at, t.started_at) > m.read_at END)`;

/** Conditions over `conversations c`, `turns t` and, where `unread` is asked for, `read_marks m`. `time` turns milliseconds into the database's form. */
export function filterConditions(
  filter: ListFilter,
  reader: Reader | undefined,
  time: (ms: number) => string | number,
): { sql: string[]; parameters: (string | number | null)[]; needsTurn: boolean; needsMark: boolean } {
  const sql: string[] = [];
  const parameters: (string | number | null)[] = [];
  const add = (text: string, ...values: (string | number | null)[]): void => {
    sql.push(text);
    parameters.push(...values);
  };
  if (filter.since !== undefined) add('c.changed_at >= ?', time(filter.since));
  if (filter.until !== undefined) add('c.changed_at < ?', time(filter.until));
  if (filter.tenant !== undefined) add('c.tenant = ?', filter.tenant);
  if (filter.strategy === null) add('c.strategy IS NULL');
  else if (filter.strategy !== undefined) add('c.strategy = ?', filter.strategy);
  if (filter.ticket === true) add('EXISTS (SELECT 1 FROM tickets k WHERE k.conversation_id = c.id)');
  if (filter.state !== undefined) {
    const states = FILTERED_STATES[filter.state];
    const isIn = `t.state IN (${states.map(() => '?').join(', ')})`;
    add(filter.state === 'needs-human' ? `(c.handoff_reason IS NOT NULL OR ${isIn})` : isIn, ...states);
  }
  const needsMark = filter.unread === true && reader !== undefined;
  if (needsMark) add(IS_UNREAD, time(reader.since));
  return { sql, parameters, needsTurn: needsMark || filter.state !== undefined, needsMark };
}
