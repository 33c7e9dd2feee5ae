/** Does I/O: conversations and messages that other programs wrote get what our rows have. */
import type { NewMessage, Role, StoredMessage, TurnState } from '../../../shared/conversation.ts';
import type { ToolCall } from '../../../shared/tool.ts';
import { AT_WORK, messageRow, sha256 } from '../rows.ts';
import { isReadable, lastTextOf, storedMessage, titleOf } from '../stored-message.ts';
import { sqlTime } from './mysql-session.ts';
import type { MysqlSession } from './mysql-session.ts';
import { addToSearch } from './mysql-search.ts';

interface ForeignRow {
  id: number | string;
  role: string;
  data: string;
  created_at: number;
}

/** Conversations with rows that no console has seen, the oldest rows first. */
export async function foreignConversations(session: MysqlSession): Promise<string[]> {
  const unseen = await session.all<{ id: string }>('SELECT id FROM conversations WHERE changed_at IS NULL LIMIT 1000');
  const written = await session.all<{ id: string }>('SELECT DISTINCT conversation_id AS id FROM messages WHERE seq IS NULL LIMIT 1000');
  return [...new Set([...unseen, ...written].map((row) => row.id))];
}

export async function hasForeignRows(session: MysqlSession, conversationId: string): Promise<boolean> {
  const found = await session.one(
    `SELECT 1 AS found FROM conversations WHERE id = ? AND changed_at IS NULL
      UNION ALL SELECT 1 FROM messages WHERE conversation_id = ? AND seq IS NULL LIMIT 1`,
    conversationId,
    conversationId,
  );
  return found !== null;
}

/**
 * Gives foreign rows their turn, place and text, under the conversation's row lock. While a turn is at work they wait: they come after it.
 * A user row begins a turn; other rows belong to the one before.
 */
export async function adoptForeignRows(session: MysqlSession, conversationId: string): Promise<void> {
  const conversation = await session.one<{ turn_count: number; last_seq: number; title: string | null; seen: number }>(
    'SELECT turn_count, last_seq, title, changed_at IS NOT NULL AS seen FROM conversations WHERE id = ? FOR UPDATE',
    conversationId,
  );
  if (conversation === null) return;
  if (conversation.seen === 0) {
    await session.run(
      'UPDATE conversations SET started_at = created_at, changed_at = updated_at, version = version + 1, updated_at = updated_at WHERE id = ?',
      conversationId,
    );
  }
  if ((await session.one(`SELECT 1 AS found FROM turns WHERE ${AT_WORK} AND conversation_id = ? LIMIT 1`, conversationId)) !== null) return;
  const rows = await session.all<ForeignRow>(
    'SELECT id, role, data, created_at FROM messages WHERE conversation_id = ? AND seq IS NULL ORDER BY id',
    conversationId,
  );
  if (rows.length === 0) return;
  const placed: StoredMessage[] = [];
  let { turn_count: turn, last_seq: seq } = conversation;
  for (const row of rows) {
    const message = messageFrom(row);
    if (message.role === 'user') turn += 1;
    seq += 1;
    const stored = storedMessage(message, { conversationId, turn, seq });
    await writePlace(session, row, stored);
    placed.push(stored);
  }
  await writeTurns(session, conversationId, placed);
  await writeConversation(session, conversationId, conversation, { turn, seq, placed });
}

async function writePlace(session: MysqlSession, row: ForeignRow, message: StoredMessage): Promise<void> {
  // `data` and `role` are the other program's and stay.
  const { data: _data, role: _role, conversation_id: _conversation, ...columns } = messageRow(message);
  const names = Object.keys(columns);
  const values = Object.entries(columns).map(([name, value]) => (name === 'sent_at' && typeof value === 'number' ? sqlTime(value) : value));
  await session.run(`UPDATE messages SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`, ...values, row.id);
}

async function writeTurns(session: MysqlSession, conversationId: string, placed: StoredMessage[]): Promise<void> {
  for (const turn of new Set(placed.map((message) => message.turn))) {
    const messages = placed.filter((message) => message.turn === turn);
    const isAnswered = messages.some((message) => message.role === 'assistant' && message.content !== '');
    const state: TurnState = isAnswered ? 'answered' : 'interrupted';
    const times = messages.map((message) => message.at);
    const known = await session.run(
      "UPDATE turns SET state = IF(?, 'answered', state), outcome = IF(?, 'answered', outcome), ended_at = ? WHERE conversation_id = ? AND turn = ?",
      isAnswered ? 1 : 0,
      isAnswered ? 1 : 0,
      sqlTime(Math.max(...times)),
      conversationId,
      turn,
    );
    if (known > 0) continue;
    const times_ = { started_at: Math.min(...times), ended_at: Math.max(...times) };
    await session.insert('turns', [{ conversation_id: conversationId, turn, state, outcome: state, ...times_ }]);
  }
}

async function writeConversation(
  session: MysqlSession,
  conversationId: string,
  before: { title: string | null },
  after: { turn: number; seq: number; placed: StoredMessage[] },
): Promise<void> {
  const last = after.placed.findLast(isReadable);
  const question = after.placed.find((message) => message.role === 'user' && isReadable(message));
  const title = (before.title ?? '') === '' && question !== undefined ? titleOf(question.content) : before.title;
  await session.run(
    `UPDATE conversations SET turn_count = ?, message_count = ?, last_seq = ?, title = ?, version = version + 1,
      last_text = COALESCE(?, last_text), last_role = COALESCE(?, last_role), changed_at = GREATEST(changed_at, ?) WHERE id = ?`,
    after.turn,
    after.seq,
    after.seq,
    title,
    last === undefined ? null : lastTextOf(last.content),
    last?.role ?? null,
    sqlTime(Math.max(...after.placed.map((message) => message.at))),
    conversationId,
  );
  const texts = after.placed.filter(isReadable).map((message) => message.content);
  await addToSearch(session, conversationId, [title ?? '', ...texts]);
}

/** Another program's JSON is taken as far as it has the tutorial's form; whatever it is, it becomes a message. */
function messageFrom(row: ForeignRow): NewMessage {
  const data = objectFrom(row.data);
  const role: Role = row.role === 'user' || row.role === 'tool' ? row.role : 'assistant';
  const content = data['content'];
  const message: NewMessage = {
    // The same for every console that sees the row.
    id: sha256(`foreign row ${row.id}`).slice(0, 32),
    role,
    content: typeof content === 'string' ? content : content === null || content === undefined ? '' : JSON.stringify(content),
    origin: role === 'user' ? 'customer' : role === 'tool' ? `tool:${textOf(data['name'])}` : 'model',
    trust: 'untrusted',
    at: row.created_at,
  };
  if (role === 'assistant' && Array.isArray(data['tool_calls'])) message.toolCalls = data['tool_calls'].map(callFrom);
  if (role === 'tool') {
    message.toolCallId = textOf(data['tool_call_id']);
    message.toolName = textOf(data['name']);
  }
  return message;
}

function callFrom(value: unknown): ToolCall {
  const call = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const given = call['arguments'];
  // PHP writes an empty object as [].
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  return { id: textOf(call['id']), name: textOf(call['name']), arguments: isObject ? (given as Record<string, unknown>) : {} };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function objectFrom(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { content: value };
  } catch {
    return { content: json };
  }
}
