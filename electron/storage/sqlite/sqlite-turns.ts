/** Does I/O: turns, messages and the queue in SQLite. Worker only. */
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
import type { Connection } from './connection.ts';
import { conversationRowOf, retitle } from './sqlite-conversations.ts';
import { addToSearch, removeFromSearch } from './sqlite-search.ts';
import type { SyncPart } from './sync-part.ts';

type TurnPart = SyncPart<
  Pick<
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
  >
>;

interface Start {
  runId: string;
  promptVersion: string;
}

/** Read by an index of (conversation, turn) only; exported so that a test can look at the plan. */
export const READ_TURNS = `SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND turn < ? ORDER BY turn DESC LIMIT ?`;
export const READ_MESSAGES = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND turn >= ? AND turn <= ? ORDER BY turn, seq`;

/** Stored on the active line or in a branch. Conversation and id twice. */
export const KNOWN_MESSAGE = `SELECT turn FROM messages WHERE conversation_id = ? AND uid = ?
  UNION ALL SELECT turn FROM branch_messages WHERE conversation_id = ? AND uid = ?`;

export function sqliteTurns(connection: Connection): TurnPart {
  return {
    accept: (incoming) => connection.write(() => accept(connection, incoming)),
    startQueued: (id, start) => connection.write(() => startQueued(connection, id, start)),
    listQueued: (id) =>
      connection
        .all<QueuedRow>(`SELECT ${QUEUED_COLUMNS} FROM queued_messages WHERE conversation_id = ? ORDER BY id`, id)
        .map((row) => ({ id: row.uid, conversationId: row.conversation_id, text: row.content, at: row.sent_at })),
    listQueuedConversations: () =>
      connection
        .all<{ id: string }>('SELECT DISTINCT conversation_id AS id FROM queued_messages ORDER BY conversation_id')
        .map((row) => row.id),
    reopenTurn: (id, turn, start) => connection.write(() => reopen(connection, id, turn, start)),
    append: (id, turn, runId, messages) =>
      connection.write(() => {
        const conversation = conversationRowOf(connection, id);
        turnUnder(connection, id, turn, runId);
        return addMessages(connection, conversation, turn, messages);
      }),
    saveStreamedText: (id, turn, runId, text) =>
      connection.write(() => {
        conversationRowOf(connection, id);
        turnUnder(connection, id, turn, runId);
        connection.insert('streamed_texts', { conversation_id: id, turn, content: cleaned(text) }, 'replace');
      }),
    readStreamedText: (id, turn) =>
      connection.one<{ content: string }>('SELECT content FROM streamed_texts WHERE conversation_id = ? AND turn = ?', id, turn)?.content ??
      '',
    endTurn: (id, turn, runId, end) => connection.write(() => endTurn(connection, { id, turn, runId }, end)),
    listOpenTurns: () =>
      connection.all<TurnRow>(`SELECT ${TURN_COLUMNS} FROM turns WHERE ${AT_WORK} ORDER BY conversation_id, turn`).map(turnOf),
    readTurns: (id, window) => {
      const rows = connection.all<TurnRow>(READ_TURNS, id, window.beforeTurn ?? Number.MAX_SAFE_INTEGER, window.limit);
      const [newest, oldest] = [rows[0], rows.at(-1)];
      return newest === undefined || oldest === undefined ? [] : wholeTurns(connection, rows, oldest.turn, newest.turn);
    },
    readTurn: (id, turn) => {
      const row = connection.one<TurnRow>(`SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND turn = ?`, id, turn);
      return row === null ? null : (wholeTurns(connection, [row], turn, turn)[0] ?? null);
    },
    setPinned: (id, turn, pinned) =>
      connection.write(() => {
        conversationRowOf(connection, id);
        const changed = connection.run('UPDATE turns SET pinned = ? WHERE conversation_id = ? AND turn = ?', pinned ? 1 : 0, id, turn);
        if (changed === 0) throw turnMissing(turn);
      }),
  };
}

function wholeTurns(connection: Connection, rows: TurnRow[], from: number, to: number): StoredTurn[] {
  const byTurn = new Map<number, StoredMessage[]>();
  for (const row of connection.all<MessageRow>(READ_MESSAGES, rows[0]?.conversation_id ?? '', from, to)) {
    const messages = byTurn.get(row.turn) ?? [];
    messages.push(messageOf(row));
    byTurn.set(row.turn, messages);
  }
  return rows.map((row) => ({ ...turnOf(row), messages: byTurn.get(row.turn) ?? [] }));
}

function turnRowOf(connection: Connection, id: string, turn: number): TurnRow | null {
  return connection.one<TurnRow>(`SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND turn = ?`, id, turn);
}

/** Throws unless this run works on the turn. */
function turnUnder(connection: Connection, id: string, turn: number, runId: string): TurnRow {
  const row = turnRowOf(connection, id, turn);
  if (row === null || !isAtWork(row.state) || row.run_id !== runId) throw turnTaken(turn);
  return row;
}

export function isWorking(connection: Connection, id: string): boolean {
  return connection.one(`SELECT 1 FROM turns WHERE ${AT_WORK} AND conversation_id = ? LIMIT 1`, id) !== null;
}

function accept(connection: Connection, incoming: IncomingMessage): AcceptResult {
  const id = incoming.conversationId;
  const conversation = conversationRowOf(connection, id);
  const message = cleaned(incoming.message);
  const stored = connection.one<{ turn: number }>(KNOWN_MESSAGE, id, message.id, id, message.id);
  if (stored !== null) return { kind: 'known', turn: stored.turn };
  if (connection.one('SELECT 1 FROM queued_messages WHERE conversation_id = ? AND uid = ?', id, message.id) !== null) {
    return { kind: 'known', turn: null };
  }
  if (!isWorking(connection, id)) return { kind: 'started', ...beginTurn(connection, conversation, message, incoming) };
  const { origin, trust, content, at } = message;
  connection.insert('queued_messages', { conversation_id: id, uid: message.id, content, origin, trust, sent_at: at });
  connection.run('UPDATE conversations SET changed_at = MAX(changed_at, ?) WHERE id = ?', at, id);
  return { kind: 'queued', queued: { id: message.id, conversationId: id, text: content, at } };
}

function startQueued(connection: Connection, id: string, start: Start): { record: TurnRecord; message: StoredMessage } | null {
  const conversation = conversationRowOf(connection, id);
  if (isWorking(connection, id)) return null;
  const row = connection.one<QueuedRow>(`SELECT ${QUEUED_COLUMNS} FROM queued_messages WHERE conversation_id = ? ORDER BY id LIMIT 1`, id);
  if (row === null) return null;
  connection.run('DELETE FROM queued_messages WHERE conversation_id = ? AND uid = ?', id, row.uid);
  return beginTurn(connection, conversation, queuedMessageOf(row), start);
}

/** Only inside a write. */
export function beginTurn(
  connection: Connection,
  conversation: ConversationRow & { search_id: number },
  message: NewMessage,
  start: Start,
): { record: TurnRecord; message: StoredMessage } {
  const turn = conversation.turn_count + 1;
  const record = newTurn({ conversationId: conversation.id, turn }, start, message.at);
  connection.insert('turns', turnRow(record));
  connection.run('UPDATE conversations SET turn_count = ? WHERE id = ?', turn, conversation.id);
  const stored = addMessage(connection, conversation, turn, message, conversation.message_count + 1);
  if (conversation.title === '' && isReadable(stored)) retitle(connection, conversation, titleOf(stored.content));
  return { record, message: stored };
}

function addMessages(connection: Connection, conversation: ConversationRow, turn: number, messages: NewMessage[]): StoredMessage[] {
  connection.run('DELETE FROM streamed_texts WHERE conversation_id = ?', conversation.id);
  let count = conversation.message_count;
  return messages.map((message) => {
    const known = connection.one<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND uid = ?`,
      conversation.id,
      message.id.toWellFormed(),
    );
    if (known !== null) return messageOf(known);
    count += 1;
    return addMessage(connection, conversation, turn, message, count);
  });
}

/** `seq` is also the new number of messages: there are no gaps. */
function addMessage(connection: Connection, conversation: ConversationRow, turn: number, message: NewMessage, seq: number): StoredMessage {
  const stored = storedMessage(message, { conversationId: conversation.id, turn, seq });
  const rowId = connection.insert('messages', messageRow(stored));
  connection.run(
    'UPDATE conversations SET message_count = ?, changed_at = MAX(changed_at, ?) WHERE id = ?',
    seq,
    stored.at,
    conversation.id,
  );
  if (isReadable(stored)) {
    addToSearch(connection, 'message_search', rowId, stored.content);
    setLastText(connection, conversation.id, stored);
  }
  return stored;
}

export function setLastText(connection: Connection, id: string, message: Pick<StoredMessage, 'content' | 'role'> | null): void {
  const text = message === null ? '' : lastTextOf(message.content);
  connection.run('UPDATE conversations SET last_text = ?, last_role = ? WHERE id = ?', text, message?.role ?? null, id);
}

function reopen(connection: Connection, id: string, turn: number, start: Start & { at: number; keepThrough?: string }): TurnRecord {
  const conversation = conversationRowOf(connection, id);
  const row = turnRowOf(connection, id, turn);
  if (row === null) throw turnMissing(turn);
  if (isAtWork(row.state)) throw turnNotReopenable(turn, 'at-work');
  if (turn !== conversation.turn_count || turn === 0) throw turnNotReopenable(turn, 'not-newest');
  supersedeAnswer(connection, { id, turn, keepThrough: start.keepThrough ?? null }, start.at);
  connection.run('DELETE FROM streamed_texts WHERE conversation_id = ?', id);
  const record: TurnRecord = { ...newTurn({ conversationId: id, turn }, start, start.at), pinned: row.pinned !== 0 };
  connection.insert('turns', turnRow(record), 'replace');
  connection.run(
    `UPDATE conversations SET message_count = (SELECT COALESCE(MAX(seq), 0) FROM messages WHERE conversation_id = ?),
      changed_at = MAX(changed_at, ?) WHERE id = ?`,
    id,
    start.at,
    id,
  );
  const last = connection.one<Pick<MessageRow, 'content' | 'role'>>(
    "SELECT content, role FROM messages WHERE conversation_id = ? AND role <> 'tool' AND content <> '' ORDER BY seq DESC LIMIT 1",
    id,
  );
  setLastText(connection, id, last);
  return record;
}

/** What followed the question, or what of it does not stay, leaves the main line; nothing is lost. */
function supersedeAnswer(connection: Connection, place: { id: string; turn: number; keepThrough: string | null }, at: number): void {
  const { id, turn, keepThrough } = place;
  const answers = connection.all<{ id: number; role: string; content: string }>(
    `SELECT id, role, content FROM messages WHERE conversation_id = ? AND turn = ?
      AND seq > (SELECT MAX(seq) FROM messages WHERE conversation_id = ? AND turn = ? AND uid = ?
        UNION ALL SELECT MIN(seq) FROM messages WHERE conversation_id = ? AND turn = ? ORDER BY 1 DESC LIMIT 1)
      ORDER BY seq`,
    id,
    turn,
    id,
    turn,
    keepThrough,
    id,
    turn,
  );
  for (const answer of answers) {
    if (answer.role !== 'tool') removeFromSearch(connection, 'message_search', answer.id, answer.content);
    connection.run(
      `INSERT INTO superseded_messages (${MESSAGE_COLUMNS}, superseded_at) SELECT ${MESSAGE_COLUMNS}, ? FROM messages WHERE id = ?`,
      at,
      answer.id,
    );
    connection.run('DELETE FROM messages WHERE id = ?', answer.id);
  }
}

function endTurn(
  connection: Connection,
  place: { id: string; turn: number; runId: string },
  end: Parameters<TurnPart['endTurn']>[3],
): { record: TurnRecord; messages: StoredMessage[] } {
  const { id, turn, runId } = place;
  const conversation = conversationRowOf(connection, id);
  if (end.state === 'running') throw notAnEnd(end.state);
  const row = turnUnder(connection, id, turn, runId);
  const messages = addMessages(connection, conversation, turn, end.messages);
  const { state, outcome, error, at, recalledTurns } = cleaned(end);
  const before = turnOf({ ...row, recalled_turns: null });
  const record: TurnRecord = { ...before, state, outcome, error, endedAt: at, ...(recalledTurns !== undefined && { recalledTurns }) };
  connection.insert('turns', turnRow(record), 'replace');
  connection.run('UPDATE conversations SET changed_at = MAX(changed_at, ?) WHERE id = ?', at, id);
  return { record, messages };
}
