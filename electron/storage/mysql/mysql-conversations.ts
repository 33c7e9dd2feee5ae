/** Does I/O: conversations, drafts and memory states in MySQL. */
import type { Conversation } from '../../../shared/conversation.ts';
import type { ConversationPatch, ConversationStore, ImportedTurn, NewConversation } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { conversationExists, conversationMissing, duplicateMessage } from '../failures.ts';
import { conversationOf, conversationRow, messageRow, patchedAxes, turnRow } from '../rows.ts';
import type { ConversationRow } from '../rows.ts';
import { importedTurns, isReadable, lastTextOf, newConversation, titleOf } from '../stored-message.ts';
import { eraseRequests } from './mysql-archive.ts';
import { adoptForeignRows, foreignConversations, hasForeignRows } from './foreign-rows.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { addToSearch, refillSearch } from './mysql-search.ts';
import { sqlTime } from './mysql-session.ts';
import type { MysqlSession } from './mysql-session.ts';
import { serverTime } from './server-time.ts';

type ConversationPart = Pick<
  ConversationStore,
  'create' | 'get' | 'update' | 'delete' | 'insertWhole' | 'saveDraft' | 'readDraft' | 'readMemoryState' | 'writeMemoryState'
>;

export const COLUMNS = `c.id, c.tenant, c.actor_type, c.actor_id, c.subject_type, c.subject_id, c.customer_id, COALESCE(c.title, '') AS title, c.strategy,
  c.handoff_reason, COALESCE(c.started_at, c.created_at) AS started_at, COALESCE(c.changed_at, c.updated_at) AS changed_at, c.turn_count,
  c.message_count, c.settings_json, c.redact`;

/** The row, locked until the end of the transaction: whoever changes a conversation takes this lock first. */
export async function lockedConversation(session: MysqlSession, id: string): Promise<ConversationRow> {
  const row = await session.one<ConversationRow>(`SELECT ${COLUMNS} FROM conversations c WHERE c.id = ? FOR UPDATE`, id);
  if (row === null) throw conversationMissing(id);
  return row;
}

/** Rows of other programs become ours before anybody reads; a store that may not write shows what is there. */
export async function adopt(database: MysqlDatabase, id: string): Promise<void> {
  if (!database.canWrite || !(await database.read((session) => hasForeignRows(session, id)))) return;
  await database.write((session) => adoptForeignRows(session, id));
}

export async function adoptAll(database: MysqlDatabase): Promise<void> {
  if (!database.canWrite) return;
  for (const id of await database.read(foreignConversations)) await database.write((session) => adoptForeignRows(session, id));
}

export function mysqlConversations(database: MysqlDatabase): ConversationPart {
  return {
    create: (source) =>
      database.write(async (session) => {
        const conversation = newConversation(source);
        await insertConversation(session, conversation);
        await addToSearch(session, source.id, [conversation.title]);
        return conversation;
      }),
    get: async (id) => {
      await adopt(database, id);
      const row = await database.read((session) =>
        session.one<ConversationRow>(`SELECT ${COLUMNS} FROM conversations c WHERE c.id = ?`, id),
      );
      return row === null ? null : conversationOf(row);
    },
    update: (id, patch, at) => database.write((session) => update(session, id, patch, at)),
    delete: (id) =>
      database.write(async (session) => {
        await lockedConversation(session, id);
        await session.insert('tombstones', [{ conversation_id: id, deleted_at: await serverTime(session) }], 'update');
        await session.run('DELETE FROM conversations WHERE id = ?', id);
        // Answers of operations hold texts; that they were made stays known.
        await session.run('UPDATE applied_ops SET result = NULL WHERE conversation_id = ?', id);
        await eraseRequests(session, id, 0);
      }),
    insertWhole: (source, turns) => database.write((session) => insertWhole(session, source, turns)),
    saveDraft: (id, text, at) =>
      database.write(async (session) => {
        await lockedConversation(session, id);
        if (text === '') await session.run('DELETE FROM drafts WHERE conversation_id = ?', id);
        else await session.insert('drafts', [{ conversation_id: id, content: cleaned(text), changed_at: at }], 'update');
      }),
    readDraft: async (id) => {
      const sql = 'SELECT content FROM drafts WHERE conversation_id = ?';
      return (await database.read((session) => session.one<{ content: string }>(sql, id)))?.content ?? '';
    },
    readMemoryState: async (id, strategy) => {
      const sql = 'SELECT state_json FROM memory_states WHERE conversation_id = ? AND strategy = ?';
      const row = await database.read((session) => session.one<{ state_json: string }>(sql, id, strategy));
      return row === null ? null : { strategy, json: row.state_json };
    },
    writeMemoryState: (id, state) =>
      database.write(async (session) => {
        await lockedConversation(session, id);
        const row = { conversation_id: id, strategy: state.strategy, state_json: cleaned(state.json) };
        await session.insert('memory_states', [row], 'update');
      }),
  };
}

async function insertConversation(session: MysqlSession, conversation: Conversation): Promise<void> {
  const known = await session.one('SELECT 1 AS found FROM conversations WHERE id = ? FOR UPDATE', conversation.id);
  if (known !== null) throw conversationExists(conversation.id);
  await session.insert('conversations', [{ ...conversationRow(conversation), last_seq: conversation.messageCount, version: 1 }]);
}

async function update(session: MysqlSession, id: string, patch: ConversationPatch, at: number): Promise<Conversation> {
  const row = await lockedConversation(session, id);
  const { title, strategy, handoffReason } = cleaned(patch);
  const changed: ConversationRow = {
    ...row,
    ...patchedAxes(row, cleaned(patch)),
    title: title ?? row.title,
    strategy: strategy === undefined ? row.strategy : strategy,
    handoff_reason: handoffReason === undefined ? row.handoff_reason : handoffReason,
    changed_at: Math.max(row.changed_at, at),
  };
  await session.run(
    `UPDATE conversations SET title = ?, strategy = ?, handoff_reason = ?, tenant = ?, actor_type = ?, actor_id = ?, subject_type = ?,
      subject_id = ?, settings_json = ?, redact = ?, changed_at = ?, version = version + 1 WHERE id = ?`,
    changed.title,
    changed.strategy,
    changed.handoff_reason,
    changed.tenant,
    changed.actor_type,
    changed.actor_id,
    changed.subject_type,
    changed.subject_id,
    changed.settings_json,
    changed.redact,
    sqlTime(changed.changed_at),
    id,
  );
  if (changed.title !== row.title) await refillSearch(session, id);
  return conversationOf(changed);
}

async function insertWhole(session: MysqlSession, source: NewConversation, turns: ImportedTurn[]): Promise<Conversation> {
  const imported = importedTurns(source.id, turns, source.at);
  const messages = imported.flatMap((turn) => turn.messages);
  const ids = new Set<string>();
  for (const message of messages) {
    if (ids.has(message.id)) throw duplicateMessage(message.id);
    ids.add(message.id);
  }
  const question = messages.find((message) => message.role === 'user' && isReadable(message));
  const last = messages.findLast(isReadable);
  const conversation = newConversation(source);
  if (conversation.title === '' && question !== undefined) conversation.title = titleOf(question.content);
  conversation.turnCount = Math.max(0, ...imported.map((turn) => turn.record.turn));
  conversation.messageCount = messages.length;
  await insertConversation(session, conversation);
  const lastText = last === undefined ? null : lastTextOf(last.content);
  await session.run('UPDATE conversations SET last_text = ?, last_role = ? WHERE id = ?', lastText, last?.role ?? null, source.id);
  await session.insert(
    'turns',
    imported.map((turn) => turnRow(turn.record)),
  );
  await session.insert('messages', messages.map(messageRow));
  await addToSearch(session, source.id, [conversation.title, ...messages.filter(isReadable).map((message) => message.content)]);
  return conversation;
}
