// Who speaks in a conversation, in words. Pure.
import { words } from '../language/language.ts';
import type { ConversationData } from '../state/console-data.ts';

export function customerNameOf(data: ConversationData): string {
  return data.customer?.name ?? data.summary.customerName ?? data.summary.actor?.id ?? words().pane.visitor;
}
