/** Whether a conversation's requests are redacted, and its table of placeholders. Reads and writes through the store. */
import type { Conversation } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { LanguageModel, Logger, ModelRequest, Store } from '../ports.ts';
import { createPlaceholderTable } from './placeholders.ts';
import { redactingModel, redactRequest } from './redacting-model.ts';

/** What stands between a conversation and the models it asks. */
export interface Privacy {
  /** The model as the conversation may use it. */
  guard(model: LanguageModel): LanguageModel;
  /** The request exactly as a guarded model sends it. */
  outgoing(request: ModelRequest): ModelRequest;
  /** Stores placeholders that are new, so that they mean the same in later runs. Never rejects. */
  save(): Promise<void>;
}

export const OPEN: Privacy = { guard: (model) => model, outgoing: (request) => request, save: () => Promise.resolve() };

/** Both switches must be on: the application's `privacy.redact` and the conversation's own. Rejects with the store's ConsoleError. */
export async function conversationPrivacy(
  deps: { store: Store; logger: Logger },
  conversation: Conversation,
  settings: Settings,
): Promise<Privacy> {
  if (!settings['privacy.redact'] || conversation.redact === false) return OPEN;
  const { store, logger } = deps;
  const [customer, stored] = await Promise.all([
    conversation.customerId === null ? null : store.shop.customer(conversation.customerId),
    store.conversations.readMemoryState(conversation.id, 'redaction'),
  ]);
  const table = createPlaceholderTable(customer, stored?.json ?? null);
  let saved = stored?.json ?? '';
  return {
    guard: (model) => redactingModel(model, table),
    outgoing: (request) => redactRequest(request, table),
    async save() {
      const json = table.toJson();
      if (json === saved || table.values().length === 0) return;
      try {
        await store.conversations.writeMemoryState(conversation.id, { strategy: 'redaction', json });
        saved = json;
      } catch (error) {
        logger.warn('the placeholders of a conversation could not be stored', { conversationId: conversation.id, error: String(error) });
      }
    },
  };
}
