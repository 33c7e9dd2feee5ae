/** Pure: from a new message to the stored form, the same in every store. */
import type { Conversation, NewMessage, StoredMessage, TurnOutcome, TurnRecord, TurnState } from '../../shared/conversation.ts';
import { phpMessageLength } from '../../shared/php-json.ts';
import type { ImportedTurn, NewConversation } from '../engine/ports.ts';
import { cleaned, shortened } from './clean.ts';

/** Longest title made from a first message, and longest last text of a list row, in UTF-16 units. */
const TITLE_LENGTH = 80;
const LAST_TEXT_LENGTH = 160;

/** Only the fields of its role are kept; an empty list of calls is none. */
export function storedMessage(message: NewMessage, place: { conversationId: string; turn: number; seq: number }): StoredMessage {
  const source = cleaned(message);
  const kept: NewMessage = {
    id: source.id,
    role: source.role,
    content: source.content,
    origin: source.origin,
    trust: source.trust,
    at: source.at,
  };
  if (source.state !== undefined) kept.state = source.state;
  if (source.role === 'assistant') {
    if (source.toolCalls !== undefined && source.toolCalls.length > 0) kept.toolCalls = source.toolCalls;
    if (source.providerRaw !== undefined) kept.providerRaw = source.providerRaw;
  }
  if (source.role === 'tool') {
    kept.toolCallId = source.toolCallId ?? '';
    kept.toolName = source.toolName ?? '';
  }
  return { ...kept, ...place, phpChars: phpMessageLength(kept) };
}

/** True for what people read and search: questions and answers with text. */
export function isReadable(message: Pick<StoredMessage, 'role' | 'content'>): boolean {
  return message.role !== 'tool' && message.content !== '';
}

export function titleOf(text: string): string {
  return shortened(text, TITLE_LENGTH);
}

export function lastTextOf(text: string): string {
  return shortened(text, LAST_TEXT_LENGTH);
}

/** A turn in one of these states is at work: messages wait in the queue, and it can end. */
export function isAtWork(state: TurnState): boolean {
  return state === 'running' || state === 'waiting-approval';
}

export function newConversation(source: NewConversation): Conversation {
  const { at, ...fields } = cleaned(source);
  return { ...fields, handoffReason: null, createdAt: at, updatedAt: at, turnCount: 0, messageCount: 0 };
}

export function newTurn(
  place: { conversationId: string; turn: number },
  run: { runId: string; promptVersion: string },
  at: number,
): TurnRecord {
  return {
    ...place,
    state: 'running',
    outcome: null,
    runId: run.runId,
    promptVersion: run.promptVersion,
    startedAt: at,
    endedAt: null,
    error: null,
    pinned: false,
  };
}

/** Numbers imported turns and messages. What comes before the first user message is turn 0. */
export function importedTurns(
  conversationId: string,
  turns: ImportedTurn[],
  at: number,
): { record: TurnRecord; messages: StoredMessage[] }[] {
  const filled = turns.filter((turn) => turn.messages.length > 0);
  let seq = 0;
  let number = filled[0]?.messages[0]?.role === 'user' ? 0 : -1;
  return filled.map((imported) => {
    number += 1;
    const place = { conversationId, turn: number };
    const messages = imported.messages.map((message) => {
      seq += 1;
      return storedMessage(message, { ...place, seq });
    });
    const times = messages.map((message) => message.at);
    const record: TurnRecord = {
      ...place,
      state: imported.state,
      outcome: importedOutcome(imported.state),
      runId: null,
      promptVersion: null,
      startedAt: times[0] ?? at,
      endedAt: isAtWork(imported.state) ? null : (times.at(-1) ?? at),
      error: null,
      pinned: false,
    };
    return { record, messages };
  });
}

function importedOutcome(state: TurnState): TurnOutcome | null {
  return state === 'answered' || state === 'handed-off' || state === 'stopped' || state === 'interrupted' ? state : null;
}

/** The place of a row in the list, newest first; opaque to callers. */
/** `total` travels along, so that later pages need not count again. */
export function listCursor(place: { updatedAt: number; id: string }, total: number): string {
  return `${place.updatedAt}.${place.id}.${total}`;
}

/** Null when it is no cursor of ours. */
export function parseListCursor(cursor: string): { updatedAt: number; id: string; total: number | null } | null {
  const match = /^(-?\d{1,16})\.([^.]{1,64})(?:\.(\d{1,16}))?$/.exec(cursor);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  return { updatedAt: Number(match[1]), id: match[2], total: match[3] === undefined ? null : Number(match[3]) };
}
