/** Pure (state in memory): conversations, drafts and memory states. */
import type { Conversation } from '../../../shared/conversation.ts';
import type {
  ConversationPatch,
  ConversationStore,
  ImportedTurn,
  MemoryStateKey,
  NewConversation,
  StoredMemoryState,
} from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { conversationExists, conversationMissing, duplicateMessage } from '../failures.ts';
import { importedTurns, isReadable, newConversation, titleOf } from '../stored-message.ts';
import { eraseRequests } from './memory-archive.ts';
import type { ConversationRecord, MemoryTables } from './records.ts';

type ConversationPart = Pick<
  ConversationStore,
  'create' | 'get' | 'update' | 'delete' | 'insertWhole' | 'saveDraft' | 'readDraft' | 'readMemoryState' | 'writeMemoryState'
>;

export function recordOf(tables: MemoryTables, id: string): ConversationRecord {
  const record = tables.conversations.get(id);
  if (record === undefined) throw conversationMissing(id);
  return record;
}

/** Time never runs backwards on the list, whatever a clock does. */
export function touch(record: ConversationRecord, at: number): void {
  record.conversation.updatedAt = Math.max(record.conversation.updatedAt, at);
}

/** The first readable customer message names a conversation without a title. */
export function nameAfter(record: ConversationRecord, text: string): void {
  if (record.conversation.title === '') record.conversation.title = titleOf(text);
}

export function memoryConversations(tables: MemoryTables): ConversationPart {
  return {
    create: async (source) => {
      const record = emptyRecord(source);
      if (tables.conversations.has(source.id)) throw conversationExists(source.id);
      tables.conversations.set(source.id, record);
      return structuredClone(record.conversation);
    },
    get: async (id) => structuredClone(tables.conversations.get(id)?.conversation ?? null),
    update: async (id, patch, at) => update(recordOf(tables, id), patch, at),
    delete: async (id) => {
      recordOf(tables, id);
      tables.conversations.delete(id);
      eraseRequests(tables, id, 0);
      for (const [runId, run] of tables.runs) if (run.run.conversationId === id) tables.runs.delete(runId);
    },
    insertWhole: async (source, turns) => insertWhole(tables, source, turns),
    saveDraft: async (id, text) => {
      recordOf(tables, id).draft = cleaned(text);
    },
    readDraft: async (id) => tables.conversations.get(id)?.draft ?? '',
    readMemoryState: async (id, strategy): Promise<StoredMemoryState | null> => {
      const json = tables.conversations.get(id)?.memoryStates.get(strategy);
      return json === undefined ? null : { strategy, json };
    },
    writeMemoryState: async (id, state) => {
      recordOf(tables, id).memoryStates.set(state.strategy, cleaned(state.json));
    },
  };
}

function emptyRecord(source: NewConversation): ConversationRecord {
  return {
    conversation: newConversation(source),
    turns: new Map(),
    messages: [],
    superseded: [],
    queue: [],
    memoryStates: new Map<MemoryStateKey, string>(),
    draft: '',
    readMarks: new Map(),
    streamed: null,
    distilledTurn: 0,
    branches: [],
  };
}

function update(record: ConversationRecord, patch: ConversationPatch, at: number): Conversation {
  const { title, strategy, handoffReason } = cleaned(patch);
  if (title !== undefined) record.conversation.title = title;
  if (strategy !== undefined) record.conversation.strategy = strategy;
  if (handoffReason !== undefined) record.conversation.handoffReason = handoffReason;
  const { tenant, actor, subject, settings, redact } = cleaned(patch);
  if (tenant !== undefined) record.conversation.tenant = tenant;
  if (actor !== undefined) record.conversation.actor = actor;
  if (subject !== undefined) record.conversation.subject = subject;
  if (settings !== undefined) {
    if (Object.keys(settings).length === 0) delete record.conversation.settings;
    else record.conversation.settings = settings;
  }
  if (redact === false) record.conversation.redact = false;
  else if (redact === true) delete record.conversation.redact;
  touch(record, at);
  return structuredClone(record.conversation);
}

function insertWhole(tables: MemoryTables, source: NewConversation, turns: ImportedTurn[]): Conversation {
  if (tables.conversations.has(source.id)) throw conversationExists(source.id);
  const record = emptyRecord(source);
  for (const turn of importedTurns(source.id, turns, source.at)) {
    record.turns.set(turn.record.turn, turn.record);
    record.messages.push(...turn.messages);
  }
  const ids = new Set<string>();
  for (const message of record.messages) {
    if (ids.has(message.id)) throw duplicateMessage(message.id);
    ids.add(message.id);
  }
  const question = record.messages.find((message) => message.role === 'user' && isReadable(message));
  if (question !== undefined) nameAfter(record, question.content);
  record.conversation.turnCount = Math.max(0, ...record.turns.keys());
  record.conversation.messageCount = record.messages.length;
  tables.conversations.set(source.id, record);
  return structuredClone(record.conversation);
}
