/** Pure: building and reading the messages of one turn: canned answers, partial texts, results for calls that never finished. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { MessageState, NeutralMessage, NewMessage, Trust } from '../../../shared/conversation.ts';
import type { ToolCall } from '../../../shared/tool.ts';

/** Ours, not the model's: what the customer reads when there is no answer. Keyed by the mark the message carries. */
export const CANNED_TEXT = {
  failed: "Sorry, I'm having trouble answering right now. Please try again in a moment.",
  'step-limit': 'Sorry, this is taking more steps than it should. Please contact our support team, they will sort it out for you.',
  'time-limit': 'Sorry, this is taking longer than it should. Please try again, or contact our support team.',
  budget: 'Sorry, I cannot answer this right now. Please contact our support team, they will help you.',
  blocked: 'The provider of the model withheld this answer. Please put your question in other words.',
  empty: "Sorry, I couldn't find an answer to that. Could you put it in other words?",
} as const satisfies Partial<Record<MessageState, string>>;
/** In place of `budget` where a human goes on. */
export const BUDGET_HANDOFF_TEXT = 'A colleague from our support team will go on from here.';
/** Follows a text that the model's output limit cut off; there is no trouble to be sorry for. */
export const CUT_OFF_TEXT = 'That was as much as I could say at once, so my answer stops here.';
export type CannedState = keyof typeof CANNED_TEXT;

/** Stand in for a text that never began, so that history reads question → answer. */
export const INTERRUPTED_TEXT = '[interrupted before an answer]';
export const STOPPED_TEXT = '[stopped before an answer]';

/** Id and time of the next message; from the ports. */
export interface MessageStamp {
  id: string;
  at: number;
}
export type Stamp = () => MessageStamp;

export function cannedMessage(stamp: Stamp, state: CannedState, text: string = CANNED_TEXT[state]): NewMessage {
  return { ...stamp(), role: 'assistant', content: text, state, origin: 'system', trust: 'trusted' };
}

/** The text of a stopped or broken answer, or the words that stand for none. */
export function partialMessage(stamp: Stamp, state: 'stopped' | 'interrupted', text: string, trust: Trust): NewMessage {
  if (text.trim() !== '') return { ...stamp(), role: 'assistant', content: text, state, origin: 'model', trust };
  const content = state === 'stopped' ? STOPPED_TEXT : INTERRUPTED_TEXT;
  return { ...stamp(), role: 'assistant', content, state, origin: 'system', trust: 'trusted' };
}

/** Longest end of a partial text that is quoted back, in UTF-16 units. */
const TAIL_LENGTH = 80;

/** Asks the model to go on from its own unfinished text. A user message, so that every provider accepts it; ours, so it is trusted. */
export function goOnMessage(partial: string): ContextMessage {
  const tail = partial.slice(-TAIL_LENGTH).toWellFormed();
  const content =
    'Your last message was cut off before its end. Go on exactly where it stopped, without repeating any of it and without an introduction. ' +
    `It ended with: ${JSON.stringify(tail)}`;
  return { role: 'user', content, origin: 'system', trust: 'trusted' };
}

/** Calls that no later message of the turn answers, in call order. */
export function openCalls(messages: readonly NeutralMessage[]): ToolCall[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' && message.toolCallId ? [message.toolCallId] : [])));
  return messages.flatMap((message) => message.toolCalls ?? []).filter((call) => !answered.has(call.id));
}

/** The result of a call whose outcome nobody knows; it says so. `reason` is one word, e.g. "interrupted". */
export function unknownResult(stamp: Stamp, call: ToolCall, reason: string): NewMessage {
  return {
    ...stamp(),
    role: 'tool',
    content: JSON.stringify({ status: 'unknown', reason }),
    toolCallId: call.id,
    toolName: call.name,
    state: 'synthetic',
    origin: 'system',
    trust: 'trusted',
  };
}

/** One such result per open call. */
export function syntheticResults(stamp: Stamp, messages: readonly NeutralMessage[], reason: string): NewMessage[] {
  return openCalls(messages).map((call) => unknownResult(stamp, call, reason));
}

/** A turn's own message as a part of the request. */
export function toContextMessage(message: NewMessage, turn: number): ContextMessage {
  return {
    role: message.role,
    content: message.content,
    ...(message.toolCalls && { toolCalls: message.toolCalls }),
    ...(message.toolCallId !== undefined && { toolCallId: message.toolCallId }),
    ...(message.toolName !== undefined && { toolName: message.toolName }),
    ...(message.providerRaw && { providerRaw: message.providerRaw }),
    ...(message.state && { state: message.state }),
    turn,
    origin: message.origin,
    trust: message.trust,
  };
}

/** A derived text inherits the lowest trust of its sources; a source without a mark counts as untrusted. */
export function derivedTrust(sources: readonly { trust?: Trust }[]): Trust {
  return sources.every((source) => source.trust === 'trusted') ? 'trusted' : 'untrusted';
}

/** JSON with sorted keys at every depth: equal arguments give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const pairs = Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`);
    return `{${pairs.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
