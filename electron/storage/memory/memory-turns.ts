/** Pure (state in memory): turns, messages and the queue. */
import type { NewMessage, QueuedMessage, StoredMessage, StoredTurn, TurnRecord } from '../../../shared/conversation.ts';
import type { AcceptResult, ConversationStore, IncomingMessage } from '../../engine/ports.ts';
import { cleaned, compareText } from '../clean.ts';
import { notAnEnd, turnMissing, turnNotReopenable, turnTaken } from '../failures.ts';
import { isAtWork, isReadable, newTurn, storedMessage } from '../stored-message.ts';
import { nameAfter, recordOf, touch } from './memory-conversations.ts';
import type { ConversationRecord, MemoryTables } from './records.ts';

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

export function memoryTurns(tables: MemoryTables): TurnPart {
  return {
    accept: async (incoming) => structuredClone(accept(recordOf(tables, incoming.conversationId), incoming)),
    startQueued: async (id, start) => {
      const record = recordOf(tables, id);
      if (workingTurn(record) !== null) return null;
      const next = record.queue.shift();
      return next === undefined ? null : structuredClone(beginTurn(record, next.message, start));
    },
    listQueued: async (id) => structuredClone(tables.conversations.get(id)?.queue.map((entry) => entry.queued) ?? []),
    listQueuedConversations: async () => {
      const waiting = [...tables.conversations.values()].filter((record) => record.queue.length > 0);
      return waiting.map((record) => record.conversation.id).sort(compareText);
    },
    reopenTurn: async (id, turn, start) => structuredClone(reopen(recordOf(tables, id), turn, start)),
    append: async (id, turn, runId, messages) => {
      const record = recordOf(tables, id);
      turnUnder(record, turn, runId);
      return structuredClone(addMessages(record, turn, messages));
    },
    saveStreamedText: async (id, turn, runId, text) => {
      const record = recordOf(tables, id);
      turnUnder(record, turn, runId);
      record.streamed = { turn, text: cleaned(text) };
    },
    readStreamedText: async (id, turn) => {
      const streamed = tables.conversations.get(id)?.streamed;
      return streamed?.turn === turn ? streamed.text : '';
    },
    endTurn: async (id, turn, runId, end) => {
      const record = recordOf(tables, id);
      if (end.state === 'running') throw notAnEnd(end.state);
      const turnRecord = turnUnder(record, turn, runId);
      const messages = addMessages(record, turn, end.messages);
      const { state, outcome, error, at, recalledTurns } = cleaned(end);
      delete turnRecord.recalledTurns;
      Object.assign(turnRecord, { state, outcome, error, endedAt: at }, recalledTurns === undefined ? {} : { recalledTurns });
      touch(record, at);
      return structuredClone({ record: turnRecord, messages });
    },
    listOpenTurns: async () => {
      const turns = [...tables.conversations.values()].flatMap((record) => [...record.turns.values()]);
      return structuredClone(turns.filter((turn) => isAtWork(turn.state)));
    },
    readTurns: async (id, window) => {
      const record = tables.conversations.get(id);
      if (record === undefined) return [];
      const before = window.beforeTurn ?? Number.POSITIVE_INFINITY;
      const newest = [...record.turns.values()].filter((turn) => turn.turn < before).sort((left, right) => right.turn - left.turn);
      return newest.slice(0, window.limit).map((turn) => wholeTurn(record, turn));
    },
    readTurn: async (id, turn) => {
      const record = tables.conversations.get(id);
      const turnRecord = record?.turns.get(turn);
      return record === undefined || turnRecord === undefined ? null : wholeTurn(record, turnRecord);
    },
    setPinned: async (id, turn, pinned) => {
      const turnRecord = recordOf(tables, id).turns.get(turn);
      if (turnRecord === undefined) throw turnMissing(turn);
      turnRecord.pinned = pinned;
    },
  };
}

function wholeTurn(record: ConversationRecord, turn: TurnRecord): StoredTurn {
  return structuredClone({ ...turn, messages: record.messages.filter((message) => message.turn === turn.turn) });
}

export function workingTurn(record: ConversationRecord): TurnRecord | null {
  return [...record.turns.values()].find((turn) => isAtWork(turn.state)) ?? null;
}

/** The turn, when this run works on it. */
function turnUnder(record: ConversationRecord, turn: number, runId: string): TurnRecord {
  const turnRecord = record.turns.get(turn);
  if (turnRecord === undefined || !isAtWork(turnRecord.state) || turnRecord.runId !== runId) throw turnTaken(turn);
  return turnRecord;
}

function accept(record: ConversationRecord, incoming: IncomingMessage): AcceptResult {
  const message = cleaned(incoming.message);
  const branched = record.branches.flatMap((branch) => branch.messages);
  const stored = [...record.messages, ...branched].find((other) => other.id === message.id);
  if (stored !== undefined) return { kind: 'known', turn: stored.turn };
  if (record.queue.some((entry) => entry.queued.id === message.id)) return { kind: 'known', turn: null };
  if (workingTurn(record) === null) return { kind: 'started', ...beginTurn(record, message, incoming) };
  const queued: QueuedMessage = { id: message.id, conversationId: incoming.conversationId, text: message.content, at: message.at };
  record.queue.push({ queued, message });
  touch(record, message.at);
  return { kind: 'queued', queued };
}

export function beginTurn(record: ConversationRecord, message: NewMessage, start: Start): { record: TurnRecord; message: StoredMessage } {
  const { conversation } = record;
  const turn = conversation.turnCount + 1;
  const turnRecord = newTurn({ conversationId: conversation.id, turn }, start, message.at);
  record.turns.set(turn, turnRecord);
  conversation.turnCount = turn;
  const stored = addMessage(record, turn, message);
  if (isReadable(stored)) nameAfter(record, stored.content);
  return { record: turnRecord, message: stored };
}

function reopen(record: ConversationRecord, turn: number, start: Start & { at: number; keepThrough?: string }): TurnRecord {
  const turnRecord = record.turns.get(turn);
  if (turnRecord === undefined) throw turnMissing(turn);
  if (isAtWork(turnRecord.state)) throw turnNotReopenable(turn, 'at-work');
  if (turn !== record.conversation.turnCount || turn === 0) throw turnNotReopenable(turn, 'not-newest');
  const first = record.messages.findIndex((message) => message.turn === turn);
  const kept = record.messages.findIndex((message) => message.turn === turn && message.id === start.keepThrough);
  record.superseded.push(...record.messages.splice(Math.max(first, kept) + 1));
  record.conversation.messageCount = record.messages.length;
  record.streamed = null;
  const { pinned } = turnRecord;
  Object.assign(turnRecord, newTurn({ conversationId: record.conversation.id, turn }, start, start.at), { pinned });
  touch(record, start.at);
  return turnRecord;
}

function addMessages(record: ConversationRecord, turn: number, messages: NewMessage[]): StoredMessage[] {
  record.streamed = null;
  return messages.map((message) => record.messages.find((other) => other.id === message.id) ?? addMessage(record, turn, message));
}

function addMessage(record: ConversationRecord, turn: number, message: NewMessage): StoredMessage {
  const { conversation } = record;
  const stored = storedMessage(message, { conversationId: conversation.id, turn, seq: record.messages.length + 1 });
  record.messages.push(stored);
  conversation.messageCount = record.messages.length;
  touch(record, message.at);
  return stored;
}
