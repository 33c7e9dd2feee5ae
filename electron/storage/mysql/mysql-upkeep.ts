/** Does I/O: pinned and forgotten turns and distillation marks in MySQL. Every change takes the conversation's row lock first. */
import type { StoredMessage, TurnRecord } from '../../../shared/conversation.ts';
import type { ConversationStore } from '../../engine/ports.ts';
import { turnAtWork, turnMissing } from '../failures.ts';
import { FORGOTTEN_TEXT, forgottenMessage, planWithoutTexts } from '../forgotten.ts';
import { MESSAGE_COLUMNS, messageOf, messageRow, TURN_COLUMNS, turnOf } from '../rows.ts';
import type { MessageRow, TurnRow } from '../rows.ts';
import { isAtWork, isReadable, lastTextOf, titleOf } from '../stored-message.ts';
import { eraseRequests } from './mysql-archive.ts';
import { lockedConversation } from './mysql-conversations.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { refillSearch } from './mysql-search.ts';
import { sqlTime } from './mysql-session.ts';
import type { MysqlSession } from './mysql-session.ts';

type UpkeepPart = Pick<ConversationStore, 'readPinned' | 'forgetTurn' | 'readDistilledTurn' | 'writeDistilledTurn' | 'listUndistilled'>;

export function mysqlUpkeep(database: MysqlDatabase): UpkeepPart {
  return {
    readPinned: (id, beforeTurn) =>
      database.read(async (session) => {
        const sql = `SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND pinned = 1 AND turn < ? ORDER BY turn`;
        const turns = (await session.all<TurnRow>(sql, id, beforeTurn)).map(turnOf);
        const whole = [];
        for (const turn of turns) whole.push({ ...turn, messages: await messagesOf(session, id, turn.turn) });
        return whole;
      }),
    forgetTurn: (id, turn, at) => database.write((session) => forget(session, id, turn, at)),
    readDistilledTurn: async (id) => {
      const sql = 'SELECT distilled_turn AS turn FROM conversations WHERE id = ?';
      return (await database.read((session) => session.one<{ turn: number }>(sql, id)))?.turn ?? 0;
    },
    writeDistilledTurn: (id, turn) =>
      database.write(async (session) => {
        await lockedConversation(session, id);
        await session.run('UPDATE conversations SET distilled_turn = ?, updated_at = updated_at WHERE id = ?', turn, id);
      }),
    listUndistilled: async ({ quietSince, limit }) => {
      const sql = `SELECT id FROM conversations WHERE changed_at <= ? AND turn_count > distilled_turn ORDER BY changed_at, id LIMIT ?`;
      return (await database.read((session) => session.all<{ id: string }>(sql, sqlTime(quietSince), limit))).map((row) => row.id);
    },
  };
}

async function messagesOf(session: MysqlSession, id: string, turn: number): Promise<StoredMessage[]> {
  const sql = `SELECT ${MESSAGE_COLUMNS} FROM messages WHERE conversation_id = ? AND turn = ? ORDER BY seq`;
  return (await session.all<MessageRow>(sql, id, turn)).map(messageOf);
}

async function forget(session: MysqlSession, id: string, turn: number, at: number): Promise<TurnRecord> {
  const conversation = await lockedConversation(session, id);
  const row = await session.one<TurnRow>(`SELECT ${TURN_COLUMNS} FROM turns WHERE conversation_id = ? AND turn = ?`, id, turn);
  if (row === null) throw turnMissing(turn);
  if (isAtWork(row.state)) throw turnAtWork(turn);
  const messages = await messagesOf(session, id, turn);
  const titled = messages.some((message) => isReadable(message) && titleOf(message.content) === conversation.title);
  for (const message of messages) {
    const kept = messageRow(forgottenMessage(message));
    await session.run(
      `UPDATE messages SET data = ?, content = ?, tool_calls = ?, provider = NULL, provider_model = NULL, provider_body = NULL,
        provider_sha256 = NULL, php_chars = ? WHERE conversation_id = ? AND uid = ?`,
      kept.data,
      kept.content,
      kept.tool_calls,
      kept.php_chars,
      id,
      message.id,
    );
  }
  await session.run('DELETE FROM superseded_messages WHERE conversation_id = ? AND turn = ?', id, turn);
  await session.run('DELETE FROM streamed_texts WHERE conversation_id = ? AND turn = ?', id, turn);
  await session.run('DELETE FROM memory_states WHERE conversation_id = ?', id);
  const made = await session.all<{ id: string }>('SELECT id FROM memories WHERE conversation_id = ? AND turn = ?', id, turn);
  await session.run('DELETE FROM memories WHERE conversation_id = ? AND turn = ?', id, turn);
  // What a forgotten memory had superseded holds again.
  for (const memory of made) await session.run('UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?', memory.id);
  await forgetTraces(session, id, turn);
  await eraseRequests(session, id, turn);
  const last = await session.one<Pick<MessageRow, 'content' | 'role'>>(
    "SELECT content, role FROM messages WHERE conversation_id = ? AND role <> 'tool' AND content <> '' ORDER BY seq DESC LIMIT 1",
    id,
  );
  await session.run(
    'UPDATE conversations SET title = ?, last_text = ?, changed_at = GREATEST(changed_at, ?), version = version + 1 WHERE id = ?',
    titled ? FORGOTTEN_TEXT : conversation.title,
    last === null ? null : lastTextOf(last.content),
    sqlTime(at),
    id,
  );
  await refillSearch(session, id);
  const forgottenAt = row.forgotten_at ?? at;
  const sql = 'UPDATE turns SET forgotten_at = ?, error = NULL WHERE conversation_id = ? AND turn = ?';
  await session.run(sql, sqlTime(forgottenAt), id, turn);
  return turnOf({ ...row, forgotten_at: forgottenAt, error: null });
}

async function forgetTraces(session: MysqlSession, id: string, turn: number): Promise<void> {
  const runs = 'SELECT id FROM runs WHERE conversation_id = ? AND turn = ?';
  await session.run(`DELETE FROM span_details WHERE span_id IN (SELECT id FROM spans WHERE run_id IN (${runs}))`, id, turn);
  await session.run(`UPDATE spans SET note = '', error = NULL, detail_bytes = 0 WHERE run_id IN (${runs})`, id, turn);
  await session.run(`UPDATE trace_events SET data = '{}' WHERE run_id IN (${runs})`, id, turn);
  await session.run('UPDATE runs SET question = ?, error = NULL WHERE conversation_id = ? AND turn = ?', FORGOTTEN_TEXT, id, turn);
  const later = await session.all<{ span_id: string; kind: string; response: string }>(
    `SELECT d.span_id, s.kind, d.response FROM span_details d JOIN spans s ON s.id = d.span_id JOIN runs r ON r.id = s.run_id
      WHERE r.conversation_id = ? AND r.turn > ? AND s.kind IN ('compaction', 'model-call')`,
    id,
    turn,
  );
  for (const { span_id: spanId, kind, response } of later) {
    // Requests kept with a span itself, as earlier versions did.
    if (kind === 'model-call') await session.run("UPDATE span_details SET request = 'null' WHERE span_id = ?", spanId);
    else {
      const kept = JSON.stringify(planWithoutTexts(JSON.parse(response)));
      if (kept !== response) await session.run('UPDATE span_details SET response = ? WHERE span_id = ?', kept, spanId);
    }
  }
}
