/** Pure (state in memory): pinned and forgotten turns, distillation marks and memories. */
import type { TurnRecord } from '../../../shared/conversation.ts';
import type { Memory } from '../../../shared/memories.ts';
import type { ConversationStore, MemoryStore } from '../../engine/ports.ts';
import { cleaned, compareText } from '../clean.ts';
import { memoryMissing, turnAtWork, turnMissing } from '../failures.ts';
import { FORGOTTEN_TEXT, forgottenMessage, planWithoutTexts } from '../forgotten.ts';
import { isAtWork, isReadable, titleOf } from '../stored-message.ts';
import { eraseRequests } from './memory-archive.ts';
import { recordOf, touch } from './memory-conversations.ts';
import type { MemoryTables, RunRecord } from './records.ts';

type UpkeepPart = Pick<ConversationStore, 'readPinned' | 'forgetTurn' | 'readDistilledTurn' | 'writeDistilledTurn' | 'listUndistilled'>;

export function memoryUpkeep(tables: MemoryTables): UpkeepPart {
  return {
    readPinned: async (id, beforeTurn) => {
      const record = tables.conversations.get(id);
      const turns = [...(record?.turns.values() ?? [])].filter((turn) => turn.pinned && turn.turn < beforeTurn);
      turns.sort((left, right) => left.turn - right.turn);
      return structuredClone(
        turns.map((turn) => ({ ...turn, messages: (record?.messages ?? []).filter((message) => message.turn === turn.turn) })),
      );
    },
    forgetTurn: async (id, turn, at) => structuredClone(forget(tables, id, turn, at)),
    readDistilledTurn: async (id) => tables.conversations.get(id)?.distilledTurn ?? 0,
    writeDistilledTurn: async (id, turn) => {
      recordOf(tables, id).distilledTurn = turn;
    },
    listUndistilled: async ({ quietSince, limit }) => {
      const quiet = [...tables.conversations.values()].filter(
        ({ conversation, distilledTurn }) => conversation.updatedAt <= quietSince && conversation.turnCount > distilledTurn,
      );
      const order = quiet
        .map(({ conversation }) => conversation)
        .sort((left, right) => left.updatedAt - right.updatedAt || compareText(left.id, right.id));
      return order.slice(0, limit).map((conversation) => conversation.id);
    },
  };
}

function forget(tables: MemoryTables, id: string, turn: number, at: number): TurnRecord {
  const record = recordOf(tables, id);
  const turnRecord = record.turns.get(turn);
  if (turnRecord === undefined) throw turnMissing(turn);
  if (isAtWork(turnRecord.state)) throw turnAtWork(turn);
  const { conversation } = record;
  const own = record.messages.filter((message) => message.turn === turn);
  if (own.some((message) => isReadable(message) && titleOf(message.content) === conversation.title)) conversation.title = FORGOTTEN_TEXT;
  record.messages = record.messages.map((message) => (message.turn === turn ? forgottenMessage(message) : message));
  for (const branch of record.branches) {
    branch.messages = branch.messages.map((message) => (message.turn === turn ? forgottenMessage(message) : message));
    for (const each of branch.turns) if (each.turn === turn) Object.assign(each, { forgottenAt: each.forgottenAt ?? at, error: null });
  }
  record.superseded = record.superseded.filter((message) => message.turn !== turn);
  if (record.streamed?.turn === turn) record.streamed = null;
  record.memoryStates.clear();
  for (const [key, memory] of tables.memories) if (memory.conversationId === id && memory.turn === turn) tables.memories.delete(key);
  // What a forgotten memory had superseded holds again.
  for (const memory of tables.memories.values())
    if (memory.supersededBy !== null && !tables.memories.has(memory.supersededBy)) memory.supersededBy = null;
  for (const run of tables.runs.values()) {
    if (run.run.conversationId !== id) continue;
    if (run.run.turn === turn) forgetRun(run);
    else if (run.run.turn > turn) forgetInLaterRun(run);
  }
  eraseRequests(tables, id, turn);
  Object.assign(turnRecord, { forgottenAt: turnRecord.forgottenAt ?? at, error: null });
  touch(record, at);
  return turnRecord;
}

function forgetRun(run: RunRecord): void {
  Object.assign(run.run, { question: FORGOTTEN_TEXT, error: null });
  for (const span of run.spans.values()) Object.assign(span, { note: '', error: null, detailBytes: 0 });
  for (const event of run.events.values()) event.data = {};
  run.details.clear();
}

function forgetInLaterRun(run: RunRecord): void {
  for (const detail of run.details.values()) {
    const kind = run.spans.get(detail.spanId)?.kind;
    if (kind === 'compaction') detail.response = planWithoutTexts(detail.response);
    // Requests kept with a span itself, as earlier versions did.
    if (kind === 'model-call') detail.request = null;
  }
}

export function memoryMemories(tables: MemoryTables): MemoryStore {
  const all = (superseded: boolean | undefined): Memory[] =>
    [...tables.memories.values()].filter((memory) => superseded === true || memory.supersededBy === null).sort(byImportance);
  return {
    list: async ({ tenant, customerId, limit, superseded }) => {
      const mine = all(superseded).filter(
        (memory) => memory.tenant === tenant && (memory.scope === 'tenant' || (customerId !== null && memory.customerId === customerId)),
      );
      return structuredClone(mine.slice(0, limit));
    },
    listAll: async ({ limit, tenant, search, superseded }) => {
      const wanted = (search ?? '').trim().toLowerCase();
      const found = all(superseded).filter(
        (memory) => (tenant === undefined || memory.tenant === tenant) && memory.text.toLowerCase().includes(wanted),
      );
      return structuredClone(found.slice(0, limit));
    },
    get: async (id) => structuredClone(tables.memories.get(id) ?? null),
    put: async (memories) => {
      for (const memory of cleaned(memories)) tables.memories.set(memory.id, memory);
    },
    delete: async (id) => {
      if (!tables.memories.delete(id)) throw memoryMissing(id);
      for (const memory of tables.memories.values()) if (memory.supersededBy === id) memory.supersededBy = null;
    },
  };
}

function byImportance(left: Memory, right: Memory): number {
  return Number(right.pinned) - Number(left.pinned) || right.createdAt - left.createdAt || compareText(right.id, left.id);
}
