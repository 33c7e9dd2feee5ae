/** Pure: makes the messages of one turn fit to be sent. A call stands with its results, a result with its call ([MEM-1]). */
import type { StoredMessage, StoredTurn } from '../../../shared/conversation.ts';
import type { ToolCall } from '../../../shared/tool.ts';
import { wellFormed } from './text.ts';

/** What stands for a result that was never stored, because the run ended first. */
export const MISSING_RESULT = JSON.stringify({ error: 'The run ended before this call had a result.' });

/** The messages of a turn that may be sent, in order, starting with the customer's; [] where there is none. Stored messages come back as the same objects. */
export function soundMessages(turn: StoredTurn): StoredMessage[] {
  const start = turn.messages.findIndex((message) => message.role === 'user');
  if (start < 0 || turn.turn < 1) return [];
  const sound: StoredMessage[] = [];
  let open: ToolCall[] = [];
  let caller: StoredMessage | null = null;
  for (const stored of turn.messages.slice(start)) {
    const message = wellFormedMessage(stored);
    if (message.role === 'tool') {
      // A result nobody asked for, or a second one for the same call, has no place in a request.
      const asked = open.findIndex((call) => call.id === message.toolCallId);
      if (asked < 0) continue;
      open.splice(asked, 1);
      sound.push(message);
      continue;
    }
    if (caller !== null) closeCalls(open, caller, sound);
    open = [];
    caller = null;
    if (isEmpty(message)) continue;
    sound.push(message);
    if (message.toolCalls !== undefined && message.toolCalls.length > 0) {
      open = [...message.toolCalls];
      caller = message;
    }
  }
  if (caller !== null) closeCalls(open, caller, sound);
  return sound;
}

/** An assistant message without text and calls says nothing, and providers refuse it. */
function isEmpty(message: StoredMessage): boolean {
  return message.role === 'assistant' && message.content.trim() === '' && (message.toolCalls ?? []).length === 0;
}

function closeCalls(open: readonly ToolCall[], caller: StoredMessage, into: StoredMessage[]): void {
  for (const call of open) {
    into.push({
      id: `${caller.id}:${call.id}`,
      conversationId: caller.conversationId,
      turn: caller.turn,
      seq: caller.seq,
      role: 'tool',
      content: MISSING_RESULT,
      toolCallId: call.id,
      toolName: call.name,
      state: 'synthetic',
      origin: 'system',
      trust: 'trusted',
      at: caller.at,
      phpChars: 0,
    });
  }
}

function wellFormedMessage(message: StoredMessage): StoredMessage {
  return message.content.isWellFormed() ? message : { ...message, content: wellFormed(message.content), phpChars: 0 };
}

/** The first turn that waits for a person's approval: it and what follows are at work and stay as they are. Infinity where none waits. */
export function firstWaiting(turns: readonly StoredTurn[]): number {
  return Math.min(...turns.filter((turn) => turn.state === 'waiting-approval').map((turn) => turn.turn));
}
