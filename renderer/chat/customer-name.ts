// Who speaks in a conversation, in words. Pure.
import type { ConversationData } from '../state/console-data.ts';

export function customerNameOf(data: ConversationData): string {
  return data.customer?.name ?? data.summary.customerName ?? data.summary.actor?.id ?? 'Visitor';
}
