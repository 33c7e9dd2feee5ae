/** Does I/O: conversations, drafts and memory states in SQLite. Worker only. */
import type { Conversation } from '../../../shared/conversation.ts';
import type { ConversationPatch, ConversationStore, ImportedTurn, NewConversation } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { conversationExists, conversationMissing, duplicateMessage } from '../failures.ts';
import { conversationOf, conversationRow, messageRow, patchedAxes, turnRow } from '../rows.ts';
import type { ConversationRow } from '../rows.ts';
import { importedTurns, isReadable, lastTextOf, newConversation, titleOf } from '../stored-message.ts';
import type { Connection } from './connection.ts';
import { eraseRequests } from './sqlite-archive.ts';
import { addToSearch, removeFromSearch } from './sqlite-search.ts';
import type { SyncPart } from './sync-part.ts';

type ConversationPart = SyncPart<
  Pick<
    ConversationStore,
    'create' | 'get' | 'update' | 'delete' | 'insertWhole' | 'saveDraft' | 'readDraft' | 'readMemoryState' | 'writeMemoryState'
  >
>;

export const COLUMNS = `c.id, c.tenant, c.actor_type, c.actor_id, c.subject_type, c.subject_id, c.customer_id, c.title, c.strategy, c.handoff_reason,
  c.started_at, c.changed_at, c.turn_count, c.message_count, c.settings_json, c.redact`;

export function conversationRowOf(connection: Connection, id: string): ConversationRow & { search_id: number } {
  const row = connection.one<ConversationRow & { search_id: number }>(
    `SELECT ${COLUMNS}, c.search_id FROM conversations c WHERE c.id = ?`,
    id,
  );
  if (row === null) throw conversationMissing(id);
  return row;
}

/** Changes the title and its index. Only inside a write. */
export function retitle(connection: Connection, row: { search_id: number; title: string }, title: string): void {
  if (row.title === title) return;
  removeFromSearch(connection, 'title_search', row.search_id, row.title);
  connection.run('UPDATE conversations SET title = ? WHERE search_id = ?', title, row.search_id);
  addToSearch(connection, 'title_search', row.search_id, title);
}

export function sqliteConversations(connection: Connection): ConversationPart {
  return {
    create: (source) =>
      connection.write(() => {
        insertConversation(connection, newConversation(source));
        return conversationOf(conversationRowOf(connection, source.id));
      }),
    get: (id) => {
      const row = connection.one<ConversationRow>(`SELECT ${COLUMNS} FROM conversations c WHERE c.id = ?`, id);
      return row === null ? null : conversationOf(row);
    },
    update: (id, patch, at) => connection.write(() => update(connection, id, patch, at)),
    delete: (id) => {
      connection.write(() => remove(connection, id));
      connection.emptyLog();
    },
    insertWhole: (source, turns) => connection.write(() => insertWhole(connection, source, turns)),
    saveDraft: (id, text, at) =>
      connection.write(() => {
        conversationRowOf(connection, id);
        if (text === '') connection.run('DELETE FROM drafts WHERE conversation_id = ?', id);
        else connection.insert('drafts', { conversation_id: id, content: cleaned(text), changed_at: at }, 'replace');
      }),
    readDraft: (id) => connection.one<{ content: string }>('SELECT content FROM drafts WHERE conversation_id = ?', id)?.content ?? '',
    readMemoryState: (id, strategy) => {
      const row = connection.one<{ state_json: string }>(
        'SELECT state_json FROM memory_states WHERE conversation_id = ? AND strategy = ?',
        id,
        strategy,
      );
      return row === null ? null : { strategy, json: row.state_json };
    },
    writeMemoryState: (id, state) =>
      connection.write(() => {
        conversationRowOf(connection, id);
        const row = { conversation_id: id, strategy: state.strategy, state_json: cleaned(state.json) };
        connection.insert('memory_states', row, 'replace');
      }),
  };
}

function insertConversation(connection: Connection, conversation: Conversation): void {
  if (connection.one('SELECT 1 FROM conversations WHERE id = ?', conversation.id) !== null) throw conversationExists(conversation.id);
  const searchId = connection.insert('conversations', conversationRow(conversation));
  addToSearch(connection, 'title_search', searchId, conversation.title);
}

function update(connection: Connection, id: string, patch: ConversationPatch, at: number): Conversation {
  const row = conversationRowOf(connection, id);
  const { title, strategy, handoffReason } = cleaned(patch);
  const axes = patchedAxes(row, cleaned(patch));
  if (title !== undefined) retitle(connection, row, title);
  connection.run(
    `UPDATE conversations SET strategy = ?, handoff_reason = ?, tenant = ?, actor_type = ?, actor_id = ?, subject_type = ?, subject_id = ?,
      settings_json = ?, redact = ?, changed_at = MAX(changed_at, ?) WHERE id = ?`,
    strategy === undefined ? row.strategy : strategy,
    handoffReason === undefined ? row.handoff_reason : handoffReason,
    axes.tenant,
    axes.actor_type,
    axes.actor_id,
    axes.subject_type,
    axes.subject_id,
    axes.settings_json,
    axes.redact,
    at,
    id,
  );
  return conversationOf(conversationRowOf(connection, id));
}

/** Foreign keys take everything else along. */
function remove(connection: Connection, id: string): void {
  const row = conversationRowOf(connection, id);
  removeFromSearch(connection, 'title_search', row.search_id, row.title);
  const messages = connection.all<{ id: number; content: string; role: string }>(
    'SELECT id, content, role FROM messages WHERE conversation_id = ?',
    id,
  );
  for (const message of messages) {
    if (message.role !== 'tool') removeFromSearch(connection, 'message_search', message.id, message.content);
  }
  connection.run('DELETE FROM conversations WHERE id = ?', id);
  eraseRequests(connection, id, 0);
}

function insertWhole(connection: Connection, source: NewConversation, turns: ImportedTurn[]): Conversation {
  const imported = importedTurns(source.id, turns, source.at);
  const messages = imported.flatMap((turn) => turn.messages);
  const question = messages.find((message) => message.role === 'user' && isReadable(message));
  const last = messages.findLast(isReadable);
  const conversation = newConversation(source);
  if (conversation.title === '' && question !== undefined) conversation.title = titleOf(question.content);
  conversation.turnCount = Math.max(0, ...imported.map((turn) => turn.record.turn));
  conversation.messageCount = messages.length;
  insertConversation(connection, conversation);
  if (last !== undefined) {
    const lastText = lastTextOf(last.content);
    connection.run('UPDATE conversations SET last_text = ?, last_role = ? WHERE id = ?', lastText, last.role, source.id);
  }
  for (const turn of imported) connection.insert('turns', turnRow(turn.record));
  const ids = new Set<string>();
  for (const message of messages) {
    if (ids.has(message.id)) throw duplicateMessage(message.id);
    ids.add(message.id);
    const rowId = connection.insert('messages', messageRow(message));
    if (isReadable(message)) addToSearch(connection, 'message_search', rowId, message.content);
  }
  return conversationOf(conversationRowOf(connection, source.id));
}
