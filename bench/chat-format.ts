/** Pure: conversations in OpenAI chat form as the stored turns that the product's memory works on, read lazily from the end. */
import type { ContextMessage, ContextPlan } from '../shared/compaction.ts';
import type { StoredMessage, StoredTurn } from '../shared/conversation.ts';
import { ArchiveIndex, type RecallHit, type RecallQuery } from '../electron/engine/memory/archive-index.ts';
import { phpChars } from '../electron/engine/memory/php-measure.ts';

export interface ChatToolCall {
  id: string;
  type?: string;
  function: { name: string; arguments: string };
}

/** One message in OpenAI chat form; `date` is when it was said. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | null;
  tool_calls?: ChatToolCall[];
  tool_call_id?: string;
  name?: string;
  date?: string | number;
}

const CONVERSATION_ID = '0'.repeat(32);

/** Text of a message; "" for none. */
export function textOf(message: ChatMessage): string {
  return message.content ?? '';
}

/** Arguments as an object; text that is no JSON object is kept under `text`. */
function argumentsOf(call: ChatToolCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(call.function.arguments);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return { value };
  } catch {
    return { text: call.function.arguments };
  }
}

function timeOf(message: ChatMessage, fallback: number): number {
  if (typeof message.date === 'number') return message.date;
  if (typeof message.date !== 'string') return fallback;
  const parsed = Date.parse(message.date);
  return Number.isNaN(parsed) ? fallback : parsed;
}

/** What the store would hold for a conversation: turns from 1, made on demand and kept. */
export class ConversationMirror {
  readonly #messages: ChatMessage[] = [];
  /** Index of the user message of each turn. */
  readonly #starts: number[] = [];
  readonly #turns = new Map<number, StoredTurn>();
  readonly #toolNames = new Map<string, string>();
  readonly #archive = new ArchiveIndex();
  readonly #originals = new WeakMap<StoredMessage, ChatMessage>();

  /** Takes what is new; false when `messages` is no continuation of what is mirrored. */
  extend(messages: readonly ChatMessage[]): boolean {
    const known = this.#messages.length;
    if (messages.length < known || (known > 0 && messages[known - 1] !== this.#messages[known - 1])) return false;
    // The last turn may have grown.
    if (messages.length > known) this.#turns.delete(this.#starts.length);
    for (let index = known; index < messages.length; index += 1) {
      const message = messages[index];
      if (message === undefined) continue;
      this.#messages.push(message);
      if (message.role === 'user') this.#starts.push(index);
    }
    return true;
  }

  get totalTurns(): number {
    return this.#starts.length;
  }

  turn(number: number): StoredTurn | undefined {
    const made = this.#turns.get(number);
    if (made !== undefined) return made;
    const start = this.#starts[number - 1];
    if (start === undefined) return undefined;
    const end = this.#starts[number] ?? this.#messages.length;
    const turn = this.#storedTurn(number, start, end);
    this.#turns.set(number, turn);
    return turn;
  }

  async *backwards(): AsyncGenerator<StoredTurn> {
    for (let number = this.totalTurns; number >= 1; number -= 1) {
      const turn = this.turn(number);
      if (turn !== undefined) yield turn;
    }
  }

  /** What the store's full-text index answers; the index is brought up to date first. */
  search(query: RecallQuery): { hits: RecallHit[]; turns: StoredTurn[] } {
    // The newest turn may still grow, so it is indexed once the next one begins; it is always in the context anyway.
    for (let number = this.#archive.newestTurn + 1; number < this.totalTurns; number += 1) {
      const turn = this.turn(number);
      if (turn !== undefined) this.#archive.add(turn, (message) => this.#originals.get(message)?.name ?? '');
    }
    const hits = this.#archive.search(query);
    const numbers = [...new Set(hits.map((hit) => hit.turn))];
    return { hits, turns: numbers.flatMap((number) => this.turn(number) ?? []) };
  }

  /** The input message a stored one was made from. */
  original(message: StoredMessage): ChatMessage | undefined {
    return this.#originals.get(message);
  }

  #storedTurn(number: number, start: number, end: number): StoredTurn {
    const messages: StoredMessage[] = [];
    for (let index = start; index < end; index += 1) {
      const message = this.#messages[index];
      if (message === undefined || message.role === 'system') continue;
      const stored = this.#storedMessage(message, number, index);
      this.#originals.set(stored, message);
      messages.push(stored);
    }
    const at = messages[0]?.at ?? 0;
    return {
      conversationId: CONVERSATION_ID,
      turn: number,
      state: 'answered',
      outcome: 'answered',
      runId: null,
      promptVersion: null,
      startedAt: at,
      endedAt: messages.at(-1)?.at ?? at,
      error: null,
      pinned: false,
      messages,
    };
  }

  #storedMessage(message: ChatMessage, turn: number, index: number): StoredMessage {
    const stored: StoredMessage = {
      role: message.role === 'system' ? 'user' : message.role,
      content: textOf(message),
      id: `m${index}`,
      conversationId: CONVERSATION_ID,
      turn,
      seq: index + 1,
      origin: message.role === 'user' ? 'customer' : message.role === 'tool' ? 'tool' : 'model',
      trust: message.role === 'assistant' ? 'trusted' : 'untrusted',
      at: timeOf(message, 0),
      phpChars: 0,
    };
    if (message.tool_calls !== undefined && message.tool_calls.length > 0) {
      stored.toolCalls = message.tool_calls.map((call) => ({ id: call.id, name: call.function.name, arguments: argumentsOf(call) }));
      for (const call of message.tool_calls) this.#toolNames.set(call.id, call.function.name);
    }
    if (message.role === 'tool') {
      stored.toolCallId = message.tool_call_id ?? '';
      stored.toolName = message.name ?? this.#toolNames.get(stored.toolCallId) ?? '';
    }
    stored.phpChars = phpChars(stored);
    return stored;
  }
}

/** The plan's messages in chat form; stored messages that go verbatim are the very input objects. */
export function chatContext(plan: ContextPlan, mirror: ConversationMirror): ChatMessage[] {
  const next = new Map<number, number>();
  return plan.messages.map((message) => originalOf(message, mirror, next) ?? chatMessage(message));
}

/** Matches a plan message with the stored message it was made from, walking each turn once. */
function originalOf(message: ContextMessage, mirror: ConversationMirror, next: Map<number, number>): ChatMessage | undefined {
  if (message.turn === undefined || message.kind !== undefined || message.state === 'synthetic') return undefined;
  const stored = mirror.turn(message.turn)?.messages ?? [];
  for (let index = next.get(message.turn) ?? 0; index < stored.length; index += 1) {
    const candidate = stored[index];
    if (candidate === undefined || candidate.role !== message.role || candidate.content !== message.content) continue;
    if ((candidate.toolCalls?.length ?? 0) !== (message.toolCalls?.length ?? 0)) continue;
    next.set(message.turn, index + 1);
    return mirror.original(candidate);
  }
  return undefined;
}

function chatMessage(message: ContextMessage): ChatMessage {
  const chat: ChatMessage = { role: message.role, content: message.content };
  if (message.toolCalls !== undefined) {
    if (message.content === '') chat.content = null;
    chat.tool_calls = message.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
  }
  if (message.toolCallId !== undefined) chat.tool_call_id = message.toolCallId;
  return chat;
}
