/** Pure: what stays of a forgotten turn, the same in every store. */
import type { NewMessage, StoredMessage } from '../../shared/conversation.ts';
import { storedMessage } from './stored-message.ts';

/** Stands in place of every text of a forgotten turn. */
export const FORGOTTEN_TEXT = '[forgotten]';

/** The message without a word of what was said: its place, role, times and the ids that pair calls with results. */
export function forgottenMessage(message: StoredMessage): StoredMessage {
  const { id, role, origin, trust, at, state, conversationId, turn, seq } = message;
  const kept: NewMessage = { id, role, content: message.content === '' ? '' : FORGOTTEN_TEXT, origin, trust, at };
  if (state !== undefined) kept.state = state;
  if (message.toolCalls !== undefined) kept.toolCalls = message.toolCalls.map((call) => ({ id: call.id, name: call.name, arguments: {} }));
  if (message.toolCallId !== undefined) kept.toolCallId = message.toolCallId;
  if (message.toolName !== undefined) kept.toolName = message.toolName;
  return storedMessage(kept, { conversationId, turn, seq });
}

/** The detail of a later context without the texts it was made of; other details are returned as they are. */
export function planWithoutTexts(response: unknown): unknown {
  if (typeof response !== 'object' || response === null || !('messages' in response) || !('entries' in response)) return response;
  return { ...response, messages: [], notices: [] };
}
