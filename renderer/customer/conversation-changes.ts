// Changes one thing about a conversation. I/O through the client; resolves with null when saved, else with the reason.
import type { Conversation } from '../../shared/conversation.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { engine } from '../state/actions.ts';
import type { OwnKey } from './conversation-fields.ts';

async function refusalOf(work: Promise<unknown>): Promise<ErrorInfo | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return toErrorInfo(error);
  }
}

export type ConversationChange = Partial<Pick<Conversation, 'title' | 'tenant' | 'actor' | 'subject' | 'redact'>>;

export function changeConversation(conversationId: string, change: ConversationChange): Promise<ErrorInfo | null> {
  return refusalOf(engine().call('updateConversation', { conversationId, ...change }));
}

/** null takes the conversation's own value back. */
export function changeOwnSetting(conversationId: string, key: OwnKey, value: number | null): Promise<ErrorInfo | null> {
  return refusalOf(engine().call('changeConversationSettings', { conversationId, values: { [key]: value } }));
}
