/** Does I/O: branches in SQLite. Worker only. */
import type { StoredMessage, StoredTurn } from '../../../shared/conversation.ts';
import type { Branch, BranchEdit, BranchStore, BranchSwitch, LineMark } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { branchMissing, lineMoved, turnMissing } from '../failures.ts';
import { forgottenMessage } from '../forgotten.ts';
import { MESSAGE_COLUMNS, messageOf, messageRow, TURN_COLUMNS, turnOf } from '../rows.ts';
import type { MessageRow, TurnRow } from '../rows.ts';
import type { Connection } from './connection.ts';
import { conversationRowOf } from './sqlite-conversations.ts';
import { addToSearch, removeFromSearch } from './sqlite-search.ts';
import { beginTurn, isWorking, KNOWN_MESSAGE, setLastText } from './sqlite-turns.ts';
import type { SyncPart } from './sync-part.ts';

interface BranchRow {
  id: string;
  conversation_id: string;
  parent_id: string | null;
  turn: number;
  ordinal: number;
  distilled_turn: number;
  created_at: number;
}

export function sqliteBranches(connection: Connection): SyncPart<BranchStore> {
  return {
    list: (id) =>
      connection
        .all<BranchRow>('SELECT * FROM branches WHERE conversation_id = ? ORDER BY turn, ordinal, created_at, id', id)
        .map(branchOf),
    readTurns: (id, branchId) => readTurns(connection, id, branchId),
    edit: (edit) => connection.write(() => editTurn(connection, edit)),
    switchTo: (target) => connection.write(() => switchTo(connection, target)),
  };
}

function branchOf(row: BranchRow): Branch {
  const { id, parent_id: parent, turn, ordinal } = row;
  return { id, conversationId: row.conversation_id, parent, turn, ordinal, createdAt: row.created_at };
}

function readTurns(connection: Connection, id: string, branchId: string): StoredTurn[] {
  const turns = connection.all<TurnRow>(
    `SELECT ${TURN_COLUMNS} FROM branch_turns WHERE conversation_id = ? AND branch_id = ? ORDER BY turn`,
    id,
    branchId,
  );
  const messages = connection
    .all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM branch_messages WHERE conversation_id = ? AND branch_id = ? ORDER BY seq`,
      id,
      branchId,
    )
    .map(messageOf);
  return turns.map((row) => ({ ...turnOf(row), messages: messages.filter((message) => message.turn === row.turn) }));
}

function checkLine(connection: Connection, id: string, seen: LineMark): void {
  const { turn_count: count } = conversationRowOf(connection, id);
  const newest = connection.one<{ run_id: string | null }>('SELECT run_id FROM turns WHERE conversation_id = ? AND turn = ?', id, count);
  if (isWorking(connection, id) || count !== seen.turnCount || (newest?.run_id ?? null) !== seen.runId) throw lineMoved();
}

function editTurn(connection: Connection, edit: BranchEdit): ReturnType<SyncPart<BranchStore>['edit']> {
  const { conversationId: id, turn } = edit;
  conversationRowOf(connection, id);
  const message = cleaned(edit.message);
  const known = connection.one<{ turn: number }>(KNOWN_MESSAGE, id, message.id, id, message.id);
  if (known !== null) return { kind: 'known', turn: known.turn };
  checkLine(connection, id, edit.seen);
  stash(connection, { id, turn, branchId: edit.branchId, at: message.at });
  return { kind: 'started', ...beginTurn(connection, conversationRowOf(connection, id), message, edit) };
}

function switchTo(connection: Connection, target: BranchSwitch): void {
  const { conversationId: id, branchId, stashId, at } = target;
  checkLine(connection, id, target.seen);
  const sql = 'SELECT * FROM branches WHERE conversation_id = ? AND id = ? AND parent_id IS NULL';
  const branch = connection.one<BranchRow>(sql, id, branchId);
  if (branch === null) throw branchMissing(branchId);
  stash(connection, { id, turn: branch.turn, branchId: stashId, at });
  connection.run(`INSERT INTO turns (${TURN_COLUMNS}) SELECT ${TURN_COLUMNS} FROM branch_turns WHERE branch_id = ?`, branchId);
  connection.run(
    `INSERT INTO messages (${MESSAGE_COLUMNS}, data) SELECT ${MESSAGE_COLUMNS}, data FROM branch_messages WHERE branch_id = ? ORDER BY seq`,
    branchId,
  );
  for (const message of readableFrom(connection, id, branch.turn)) addToSearch(connection, 'message_search', message.id, message.content);
  connection.run('UPDATE branches SET parent_id = NULL WHERE parent_id = ?', branchId);
  connection.run('DELETE FROM branches WHERE id = ?', branchId);
  connection.run('UPDATE conversations SET distilled_turn = ? WHERE id = ?', branch.distilled_turn, id);
  recount(connection, id, at);
}

/** The tail from a turn on leaves the active line, with the branches that leave it there. */
function stash(connection: Connection, place: { id: string; turn: number; branchId: string; at: number }): void {
  const { id, turn, branchId, at } = place;
  if (connection.one('SELECT 1 FROM turns WHERE conversation_id = ? AND turn = ?', id, turn) === null) throw turnMissing(turn);
  connection.run(
    `INSERT INTO branches (id, conversation_id, parent_id, turn, ordinal, distilled_turn, created_at)
      SELECT ?, id, NULL, ?, ?, distilled_turn, ? FROM conversations WHERE id = ?`,
    branchId,
    turn,
    activeOrdinal(connection, id, turn),
    at,
    id,
  );
  connection.run('UPDATE branches SET parent_id = ? WHERE conversation_id = ? AND parent_id IS NULL AND turn > ?', branchId, id, turn);
  connection.run(
    `INSERT INTO branch_turns (branch_id, ${TURN_COLUMNS}) SELECT ?, ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND turn >= ?`,
    branchId,
    id,
    turn,
  );
  connection.run(
    `INSERT INTO branch_messages (branch_id, ${MESSAGE_COLUMNS}, data)
      SELECT ?, ${MESSAGE_COLUMNS}, data FROM messages WHERE conversation_id = ? AND turn >= ?`,
    branchId,
    id,
    turn,
  );
  for (const message of readableFrom(connection, id, turn)) removeFromSearch(connection, 'message_search', message.id, message.content);
  connection.run('DELETE FROM messages WHERE conversation_id = ? AND turn >= ?', id, turn);
  connection.run('DELETE FROM turns WHERE conversation_id = ? AND turn >= ?', id, turn);
  connection.run('DELETE FROM streamed_texts WHERE conversation_id = ?', id);
  // They may hold texts of the turns that left; placeholders stand for the same data on every line.
  connection.run("DELETE FROM memory_states WHERE conversation_id = ? AND strategy <> 'redaction'", id);
  connection.run('UPDATE conversations SET distilled_turn = MIN(distilled_turn, ?) WHERE id = ?', turn - 1, id);
  recount(connection, id, at);
}

function activeOrdinal(connection: Connection, id: string, turn: number): number {
  const sql = 'SELECT ordinal FROM branches WHERE conversation_id = ? AND parent_id IS NULL AND turn = ? ORDER BY ordinal';
  const taken = connection.all<{ ordinal: number }>(sql, id, turn).map((row) => row.ordinal);
  const gap = taken.findIndex((ordinal, index) => ordinal !== index + 1);
  return gap === -1 ? taken.length + 1 : gap + 1;
}

function readableFrom(connection: Connection, id: string, turn: number): { id: number; content: string }[] {
  return connection.all("SELECT id, content FROM messages WHERE conversation_id = ? AND turn >= ? AND role <> 'tool'", id, turn);
}

function recount(connection: Connection, id: string, at: number): void {
  connection.run(
    `UPDATE conversations SET turn_count = (SELECT COALESCE(MAX(turn), 0) FROM turns WHERE conversation_id = ?),
      message_count = (SELECT COALESCE(MAX(seq), 0) FROM messages WHERE conversation_id = ?), changed_at = MAX(changed_at, ?) WHERE id = ?`,
    id,
    id,
    at,
    id,
  );
  const last = connection.one<Pick<MessageRow, 'content' | 'role'>>(
    "SELECT content, role FROM messages WHERE conversation_id = ? AND role <> 'tool' AND content <> '' ORDER BY seq DESC LIMIT 1",
    id,
  );
  setLastText(connection, id, last);
}

/** A forgotten turn is forgotten on every line. Only inside a write. */
export function forgetInBranches(connection: Connection, id: string, turn: number, at: number): void {
  const rows = connection.all<MessageRow & { branch_id: string }>(
    `SELECT branch_id, ${MESSAGE_COLUMNS} FROM branch_messages WHERE conversation_id = ? AND turn = ?`,
    id,
    turn,
  );
  for (const row of rows) forgetRow(connection, row.branch_id, messageOf(row));
  connection.run(
    'UPDATE branch_turns SET forgotten_at = COALESCE(forgotten_at, ?), error = NULL WHERE conversation_id = ? AND turn = ?',
    at,
    id,
    turn,
  );
}

function forgetRow(connection: Connection, branchId: string, message: StoredMessage): void {
  const kept = messageRow(forgottenMessage(message));
  connection.run(
    `UPDATE branch_messages SET data = ?, content = ?, tool_calls = ?, provider = NULL, provider_model = NULL, provider_body = NULL,
      provider_sha256 = NULL, php_chars = ? WHERE branch_id = ? AND seq = ?`,
    kept.data,
    kept.content,
    kept.tool_calls,
    kept.php_chars,
    branchId,
    message.seq,
  );
}
