/** Does I/O: turns, messages and the queue in MySQL. Every change takes the conversation's row lock first. */
import type { NewMessage, StoredMessage, StoredTurn, TurnRecord } from '../../../shared/conversation.ts';
import type { AcceptResult, ConversationStore, IncomingMessage } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { notAnEnd, turnMissing, turnNotReopenable, turnTaken } from '../failures.ts';
import {
  AT_WORK,
  MESSAGE_COLUMNS,
  messageOf,
  messageRow,
  QUEUED_COLUMNS,
  queuedMessageOf,
  TURN_COLUMNS,
  turnOf,
  turnRow,
} from '../rows.ts';
import type { ConversationRow, MessageRow, QueuedRow, TurnRow } from '../rows.ts';
import { isAtWork, isReadable, lastTextOf, newTurn, storedMessage, titleOf } from '../stored-message.ts';
import { NOT_RUN_ELSEWHERE } from './console-leases.ts';
import type { ConsoleLeases } from './console-leases.ts';
import { adopt, lockedConversation } from './mysql-conversations.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { addToSearch, refillSearch } from './mysql-search.ts';
import { sqlTime } from './mysql-session.ts';
import type { MysqlSession } from './mysql-session.ts';

type TurnPart = Pick<
  ConversationStore,
  | 'accept'
  | 'startQueued'
  | 'listQueued'
  | 'listQueuedConversations'
  | 'reopenTurn'
  | 'append'
  | 'saveStreamedText'
  | 'readStreamedText'
  | 'endTurn'
  | 'listOpenTurns'
  | 'readTurns'
  | 'readTurn'
  | 'setPinned'
>;

interface Start {
  runId: string;
  promptVersion: string;
}

const TURN = `SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND turn = ?`;

/** With `leases` every turn this console runs is leased; without, whoever calls answers for that. */
export function mysqlTurns(database: MysqlDatabase, leases: ConsoleLeases | null = null): TurnPart {
  return {
    accept: async (incoming) => {
      await adopt(database, incoming.conversationId);
      return database.write((session) => accept(session, incoming, leases));
    },
    startQueued: async (id, start) => {
      await adopt(database, id);
      return database.write((session) => startQueued(session, id, start, leases));
    },
    listQueued: async (id) => {
      const sql = `SELECT ${QUEUED_COLUMNS} FROM queued_messages WHERE conversation_id = ? ORDER BY id`;
      const rows = await database.read((session) => session.all<QueuedRow>(sql, id));
      return rows.map((row) => ({ id: row.uid, conversationId: row.conversation_id, text: row.content, at: row.sent_at }));
    },
    listQueuedConversations: async () => {
      const sql = 'SELECT DISTINCT conversation_id AS id FROM queued_messages ORDER BY conversation_id';
      return (await database.read((session) => session.all<{ id: string }>(sql))).map((row) => row.id);
    },
    reopenTurn: async (id, turn, start) => {
      await adopt(database, id);
      return database.write(async (session) => {
        const record = await reopen(session, id, turn, start);
        await leases?.take(session, id, start.runId);
        return record;
      });
    },
    append: (id, turn, runId, messages) =>
      database.write(async (session) => {
        const conversation = await lockedConversation(session, id);
        await turnUnder(session, { id, turn, runId }, leases);
        return addMessages(session, conversation, turn, messages);
      }),
    saveStreamedText: (id, turn, runId, text) =>
      database.write(async (session) => {
        await lockedConversation(session, id);
        await turnUnder(session, { id, turn, runId }, leases);
        await session.insert('streamed_texts', [{ conversation_id: id, turn, content: cleaned(text) }], 'update');
      }),
    readStreamedText: async (id, turn) => {
      const sql = 'SELECT content FROM streamed_texts WHERE conversation_id = ? AND turn = ?';
      return (await database.read((session) => session.one<{ content: string }>(sql, id, turn)))?.content ?? '';
    },
    endTurn: (id, turn, runId, end) => database.write((session) => endTurn(session, { id, turn, runId }, end, leases)),
    listOpenTurns: async () => {
      const free = leases === null ? 'TRUE' : NOT_RUN_ELSEWHERE;
      const sql = `SELECT ${TURN_COLUMNS} FROM turns WHERE ${AT_WORK} AND ${free} ORDER BY conversation_id, turn`;
      const parameters = leases === null ? [] : [leases.identity.id];
      return (await database.read((session) => session.all<TurnRow>(sql, ...parameters))).map(turnOf);
    },
    readTurns: async (id, window) => {
      await adopt(database, id);
      return database.read(async (session) => {
        const sql = `SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND turn < ? ORDER BY turn DESC LIMIT ?`;
        const rows = await session.all<TurnRow>(sql, id, window.beforeTurn ?? 2 ** 31, window.limit);
        const [newest, oldest] = [rows[0], rows.at(-1)];
        return newest === undefined || oldest === undefined ? [] : wholeTurns(session, rows, oldest.turn, newest.turn);
      });
    },
    readTurn: async (id, turn) => {
      await adopt(database, id);
      return database.read(async (session) => {
        const row = await session.one<TurnRow>(TURN, id, turn);
        return row === null ? null : ((await wholeTurns(session, [row], turn, turn))[0] ?? null);
      });
    },
    setPinned: (id, turn, pinned) =>
      database.write(async (session) => {
        await lockedConversation(session, id);
        const sql = 'UPDATE turns SET pinned = ? WHERE conversation_id = ? AND turn = ?';
        if ((await session.run(sql, pinned ? 1 : 0, id, turn)) === 0) throw turnMissing(turn);
        await session.run('UPDATE conversations SET version = version + 1 WHERE id = ?', id);
      }),
  };
}

async function wholeTurns(session: MysqlSession, rows: TurnRow[], from: number, to: number): Promise<StoredTurn[]> {
  const sql = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND turn >= ? AND turn <= ? ORDER BY turn, seq`;
  const byTurn = new Map<number, StoredMessage[]>();
  for (const row of await session.all<MessageRow>(sql, rows[0]?.conversation_id ?? '', from, to)) {
    const messages = byTurn.get(row.turn) ?? [];
    messages.push(messageOf(row));
    byTurn.set(row.turn, messages);
  }
  return rows.map((row) => ({ ...turnOf(row), messages: byTurn.get(row.turn) ?? [] }));
}

/** Throws unless this run works on the turn. */
async function turnUnder(
  session: MysqlSession,
  { id, turn, runId }: { id: string; turn: number; runId: string },
  leases: ConsoleLeases | null,
): Promise<TurnRow> {
  const row = await session.one<TurnRow>(TURN, id, turn);
  if (row === null || !isAtWork(row.state) || row.run_id !== runId) throw turnTaken(turn);
  await leases?.check(session, id, runId);
  return row;
}

async function isWorking(session: MysqlSession, id: string): Promise<boolean> {
  return (await session.one(`SELECT 1 AS found FROM turns WHERE ${AT_WORK} AND conversation_id = ? LIMIT 1`, id)) !== null;
}

async function accept(session: MysqlSession, incoming: IncomingMessage, leases: ConsoleLeases | null): Promise<AcceptResult> {
  const id = incoming.conversationId;
  const conversation = await lockedConversation(session, id);
  const message = cleaned(incoming.message);
  const stored = await session.one<{ turn: number }>('SELECT turn FROM messages WHERE conversation_id = ? AND uid = ?', id, message.id);
  if (stored !== null) return { kind: 'known', turn: stored.turn };
  const queued = await session.one('SELECT 1 AS found FROM queued_messages WHERE conversation_id = ? AND uid = ?', id, message.id);
  if (queued !== null) return { kind: 'known', turn: null };
  if (!(await isWorking(session, id))) {
    await leases?.take(session, id, incoming.runId);
    return { kind: 'started', ...(await beginTurn(session, conversation, message, incoming)) };
  }
  const { origin, trust, content, at } = message;
  await session.insert('queued_messages', [{ conversation_id: id, uid: message.id, content, origin, trust, sent_at: at }]);
  await touch(session, id, at);
  return { kind: 'queued', queued: { id: message.id, conversationId: id, text: content, at } };
}

async function touch(session: MysqlSession, id: string, at: number): Promise<void> {
  await session.run('UPDATE conversations SET changed_at = GREATEST(changed_at, ?), version = version + 1 WHERE id = ?', sqlTime(at), id);
}

async function startQueued(
  session: MysqlSession,
  id: string,
  start: Start,
  leases: ConsoleLeases | null,
): Promise<{ record: TurnRecord; message: StoredMessage } | null> {
  const conversation = await lockedConversation(session, id);
  if (await isWorking(session, id)) return null;
  const sql = `SELECT ${QUEUED_COLUMNS} FROM queued_messages WHERE conversation_id = ? ORDER BY id LIMIT 1`;
  const row = await session.one<QueuedRow>(sql, id);
  if (row === null) return null;
  await session.run('DELETE FROM queued_messages WHERE conversation_id = ? AND uid = ?', id, row.uid);
  await leases?.take(session, id, start.runId);
  return beginTurn(session, conversation, queuedMessageOf(row), start);
}

async function beginTurn(
  session: MysqlSession,
  conversation: ConversationRow,
  message: NewMessage,
  start: Start,
): Promise<{ record: TurnRecord; message: StoredMessage }> {
  const turn = conversation.turn_count + 1;
  const record = newTurn({ conversationId: conversation.id, turn }, start, message.at);
  await session.insert('turns', [turnRow(record)]);
  await session.run('UPDATE conversations SET turn_count = ? WHERE id = ?', turn, conversation.id);
  const [stored] = await writeMessages(session, conversation, turn, [message]);
  if (stored === undefined) throw turnMissing(turn);
  if (conversation.title === '' && isReadable(stored)) {
    const title = titleOf(stored.content);
    await session.run('UPDATE conversations SET title = ? WHERE id = ?', title, conversation.id);
    await addToSearch(session, conversation.id, [title]);
  }
  return { record, message: stored };
}

/** Known ids stay as they are; the result has the given order. */
async function addMessages(
  session: MysqlSession,
  conversation: ConversationRow,
  turn: number,
  messages: NewMessage[],
): Promise<StoredMessage[]> {
  await session.run('DELETE FROM streamed_texts WHERE conversation_id = ?', conversation.id);
  const byId = new Map<string, StoredMessage>();
  const fresh = new Map<string, NewMessage>();
  for (const message of messages) {
    const id = message.id.toWellFormed();
    const sql = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND uid = ?`;
    const row = await session.one<MessageRow>(sql, conversation.id, id);
    if (row !== null) byId.set(id, messageOf(row));
    else if (!fresh.has(id)) fresh.set(id, message);
  }
  for (const stored of await writeMessages(session, conversation, turn, [...fresh.values()])) byId.set(stored.id, stored);
  return messages.flatMap((message) => byId.get(message.id.toWellFormed()) ?? []);
}

/** Appends at the end; the last place given out is the number of messages. */
async function writeMessages(
  session: MysqlSession,
  conversation: ConversationRow,
  turn: number,
  messages: NewMessage[],
): Promise<StoredMessage[]> {
  if (messages.length === 0) return [];
  const first = conversation.message_count + 1;
  const stored = messages.map((message, index) => storedMessage(message, { conversationId: conversation.id, turn, seq: first + index }));
  await session.insert('messages', stored.map(messageRow));
  const readable = stored.filter(isReadable);
  const last = readable.at(-1);
  const count = conversation.message_count + stored.length;
  await session.run(
    `UPDATE conversations SET message_count = ?, last_seq = ?, version = version + 1, changed_at = GREATEST(changed_at, ?),
      last_text = COALESCE(?, last_text), last_role = COALESCE(?, last_role) WHERE id = ?`,
    count,
    count,
    sqlTime(Math.max(...stored.map((message) => message.at))),
    last === undefined ? null : lastTextOf(last.content),
    last?.role ?? null,
    conversation.id,
  );
  await addToSearch(
    session,
    conversation.id,
    readable.map((message) => message.content),
  );
  return stored;
}

async function reopen(
  session: MysqlSession,
  id: string,
  turn: number,
  start: Start & { at: number; keepThrough?: string },
): Promise<TurnRecord> {
  const conversation = await lockedConversation(session, id);
  const row = await session.one<TurnRow>(TURN, id, turn);
  if (row === null) throw turnMissing(turn);
  if (isAtWork(row.state)) throw turnNotReopenable(turn, 'at-work');
  if (turn !== conversation.turn_count || turn === 0) throw turnNotReopenable(turn, 'not-newest');
  const question = await session.one<{ seq: number }>(
    'SELECT MIN(seq) AS seq FROM messages WHERE conversation_id = ? AND turn = ?',
    id,
    turn,
  );
  const kept = await session.one<{ seq: number | null }>(
    'SELECT MAX(seq) AS seq FROM messages WHERE conversation_id = ? AND turn = ? AND uid = ?',
    id,
    turn,
    start.keepThrough ?? '',
  );
  const lastKept = Math.max(question?.seq ?? 0, kept?.seq ?? 0);
  const place = [id, turn, lastKept] as const;
  await session.run(
    `INSERT INTO superseded_messages (${MESSAGE_COLUMNS}, superseded_at)
      SELECT ${MESSAGE_COLUMNS}, ? FROM messages WHERE conversation_id = ? AND turn = ? AND seq > ? ORDER BY seq`,
    sqlTime(start.at),
    ...place,
  );
  await session.run('DELETE FROM messages WHERE conversation_id = ? AND turn = ? AND seq > ?', ...place);
  await session.run('DELETE FROM streamed_texts WHERE conversation_id = ?', id);
  const record: TurnRecord = { ...newTurn({ conversationId: id, turn }, start, start.at), pinned: row.pinned !== 0 };
  await session.insert('turns', [turnRow(record)], 'update');
  const last = await session.one<Pick<MessageRow, 'content' | 'role'>>(
    "SELECT content, role FROM messages WHERE conversation_id = ? AND role <> 'tool' AND content <> '' ORDER BY seq DESC LIMIT 1",
    id,
  );
  await session.run(
    'UPDATE conversations SET message_count = ?, last_seq = ?, last_text = ?, last_role = ? WHERE id = ?',
    lastKept,
    lastKept,
    last === null ? null : lastTextOf(last.content),
    last?.role ?? null,
    id,
  );
  await touch(session, id, start.at);
  await refillSearch(session, id);
  return record;
}

async function endTurn(
  session: MysqlSession,
  place: { id: string; turn: number; runId: string },
  end: Parameters<TurnPart['endTurn']>[3],
  leases: ConsoleLeases | null,
): Promise<{ record: TurnRecord; messages: StoredMessage[] }> {
  const { id, turn } = place;
  const conversation = await lockedConversation(session, id);
  if (end.state === 'running') throw notAnEnd(end.state);
  const row = await turnUnder(session, place, leases);
  const messages = await addMessages(session, conversation, turn, end.messages);
  const { state, outcome, error, at, recalledTurns } = cleaned(end);
  const before = turnOf({ ...row, recalled_turns: null });
  const record: TurnRecord = { ...before, state, outcome, error, endedAt: at, ...(recalledTurns !== undefined && { recalledTurns }) };
  await session.insert('turns', [turnRow(record)], 'update');
  await touch(session, id, at);
  // Waiting for a person needs no console either.
  await leases?.release(session, id);
  return { record, messages };
}
