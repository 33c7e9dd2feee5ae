/** Does I/O: pinned and forgotten turns and distillation marks in SQLite. Worker only. */
import type { StoredMessage, TurnRecord } from '../../../shared/conversation.ts';
import type { ConversationStore } from '../../engine/ports.ts';
import { conversationMissing, turnAtWork, turnMissing } from '../failures.ts';
import { FORGOTTEN_TEXT, forgottenMessage, planWithoutTexts } from '../forgotten.ts';
import { MESSAGE_COLUMNS, messageOf, messageRow, TURN_COLUMNS, turnOf } from '../rows.ts';
import type { MessageRow, TurnRow } from '../rows.ts';
import { isAtWork, isReadable, lastTextOf, titleOf } from '../stored-message.ts';
import type { Connection } from './connection.ts';
import { eraseRequests } from './sqlite-archive.ts';
import { forgetInBranches } from './sqlite-branches.ts';
import { conversationRowOf, retitle } from './sqlite-conversations.ts';
import { addToSearch, removeFromSearch } from './sqlite-search.ts';
import type { SyncPart } from './sync-part.ts';

type UpkeepPart = SyncPart<
  Pick<ConversationStore, 'readPinned' | 'forgetTurn' | 'readDistilledTurn' | 'writeDistilledTurn' | 'listUndistilled'>
>;

export function sqliteUpkeep(connection: Connection): UpkeepPart {
  return {
    readPinned: (id, beforeTurn) => {
      const sql = `SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND pinned = 1 AND turn < ? ORDER BY turn`;
      const turns = connection.all<TurnRow>(sql, id, beforeTurn).map(turnOf);
      return turns.map((turn) => ({ ...turn, messages: messagesOf(connection, id, turn.turn) }));
    },
    forgetTurn: (id, turn, at) => {
      const record = connection.write(() => forget(connection, id, turn, at));
      connection.emptyLog();
      return record;
    },
    readDistilledTurn: (id) =>
      connection.one<{ turn: number }>('SELECT distilled_turn AS turn FROM conversations WHERE id = ?', id)?.turn ?? 0,
    writeDistilledTurn: (id, turn) =>
      connection.write(() => {
        if (connection.run('UPDATE conversations SET distilled_turn = ? WHERE id = ?', turn, id) === 0) throw conversationMissing(id);
      }),
    listUndistilled: ({ quietSince, limit }) =>
      connection
        .all<{ id: string }>(
          'SELECT id FROM conversations WHERE changed_at <= ? AND turn_count > distilled_turn ORDER BY changed_at, id LIMIT ?',
          quietSince,
          limit,
        )
        .map((row) => row.id),
  };
}

function messagesOf(connection: Connection, id: string, turn: number): StoredMessage[] {
  const sql = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND turn = ? ORDER BY seq`;
  return connection.all<MessageRow>(sql, id, turn).map(messageOf);
}

function forget(connection: Connection, id: string, turn: number, at: number): TurnRecord {
  const conversation = conversationRowOf(connection, id);
  const row = connection.one<TurnRow>(`SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND turn = ?`, id, turn);
  if (row === null) throw turnMissing(turn);
  if (isAtWork(row.state)) throw turnAtWork(turn);
  const messages = messagesOf(connection, id, turn);
  if (messages.some((message) => isReadable(message) && titleOf(message.content) === conversation.title))
    retitle(connection, conversation, FORGOTTEN_TEXT);
  for (const message of messages) forgetMessage(connection, message);
  forgetInBranches(connection, id, turn, at);
  connection.run('DELETE FROM superseded_messages WHERE conversation_id = ? AND turn = ?', id, turn);
  connection.run('DELETE FROM streamed_texts WHERE conversation_id = ? AND turn = ?', id, turn);
  connection.run('DELETE FROM memory_states WHERE conversation_id = ?', id);
  connection.run('DELETE FROM memories WHERE conversation_id = ? AND turn = ?', id, turn);
  // What a forgotten memory had superseded holds again.
  connection.run(
    'UPDATE memories SET superseded_by = NULL WHERE superseded_by IS NOT NULL AND superseded_by NOT IN (SELECT id FROM memories)',
  );
  forgetTraces(connection, id, turn);
  eraseRequests(connection, id, turn);
  const last = connection.one<Pick<MessageRow, 'content' | 'role'>>(
    "SELECT content, role FROM messages WHERE conversation_id = ? AND role <> 'tool' AND content <> '' ORDER BY seq DESC LIMIT 1",
    id,
  );
  const lastText = last === null ? '' : lastTextOf(last.content);
  connection.run('UPDATE conversations SET last_text = ?, changed_at = MAX(changed_at, ?) WHERE id = ?', lastText, at, id);
  const forgottenAt = row.forgotten_at ?? at;
  connection.run('UPDATE turns SET forgotten_at = ?, error = NULL WHERE conversation_id = ? AND turn = ?', forgottenAt, id, turn);
  return turnOf({ ...row, forgotten_at: forgottenAt, error: null });
}

function forgetMessage(connection: Connection, message: StoredMessage): void {
  const known = connection.one<{ id: number }>(
    'SELECT id FROM messages WHERE conversation_id = ? AND uid = ?',
    message.conversationId,
    message.id,
  );
  if (known === null) return;
  const kept = messageRow(forgottenMessage(message));
  if (isReadable(message)) {
    removeFromSearch(connection, 'message_search', known.id, message.content);
    addToSearch(connection, 'message_search', known.id, kept.content);
  }
  connection.run(
    `UPDATE messages SET data = ?, content = ?, tool_calls = ?, provider = NULL, provider_model = NULL, provider_body = NULL,
      provider_sha256 = NULL, php_chars = ? WHERE id = ?`,
    kept.data,
    kept.content,
    kept.tool_calls,
    kept.php_chars,
    known.id,
  );
}

function forgetTraces(connection: Connection, id: string, turn: number): void {
  const runs = 'SELECT id FROM runs WHERE conversation_id = ? AND turn = ?';
  connection.run(`DELETE FROM span_details WHERE span_id IN (SELECT id FROM spans WHERE run_id IN (${runs}))`, id, turn);
  connection.run(`UPDATE spans SET note = '', error = NULL, detail_bytes = 0 WHERE run_id IN (${runs})`, id, turn);
  connection.run(`UPDATE trace_events SET data = '{}' WHERE run_id IN (${runs})`, id, turn);
  connection.run('UPDATE runs SET question = ?, error = NULL WHERE conversation_id = ? AND turn = ?', FORGOTTEN_TEXT, id, turn);
  const later = connection.all<{ span_id: string; response: string }>(
    `SELECT d.span_id, d.response FROM span_details d JOIN spans s ON s.id = d.span_id JOIN runs r ON r.id = s.run_id
      WHERE r.conversation_id = ? AND r.turn > ? AND s.kind = 'compaction'`,
    id,
    turn,
  );
  for (const { span_id: spanId, response } of later) {
    const kept = JSON.stringify(planWithoutTexts(JSON.parse(response)));
    if (kept !== response) connection.run('UPDATE span_details SET response = ? WHERE span_id = ?', kept, spanId);
  }
  // Requests kept with a span itself, as earlier versions did.
  connection.run(
    `UPDATE span_details SET request = 'null' WHERE span_id IN (SELECT s.id FROM spans s JOIN runs r ON r.id = s.run_id
      WHERE r.conversation_id = ? AND r.turn > ? AND s.kind = 'model-call')`,
    id,
    turn,
  );
}
