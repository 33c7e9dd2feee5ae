/** The calls of the contract that read and write transcript files as text. */
import type { NewMessage, StoredTurn } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { ImportedTurn } from '../ports.ts';
import type { ImportConversation, Transcript } from '../transcript-files.ts';
import { exportJson, exportMarkdown, exportOpenAi, parseImport } from '../transcript-files.ts';
import { conversationFor } from './new-conversation.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';

type TranscriptCalls = Pick<Handlers, 'exportConversation' | 'importConversations'>;

const EXPORT_BATCH = 200;
const FORMATS = { openai: exportOpenAi, markdown: exportMarkdown, json: exportJson } as const;

export function transcriptCalls(parts: ServiceParts): TranscriptCalls {
  return {
    async exportConversation({ conversationId, format }) {
      const transcript = await readTranscript(parts, conversationId);
      if (transcript.messages.length === 0)
        throw new ConsoleError('invalid-input', 'There is nothing to export: the conversation holds no message yet.');
      return { text: FORMATS[format](transcript) };
    },

    async importConversations({ text, ...axes }) {
      const parsed = parseImport(text);
      if ('errors' in parsed) throw new ConsoleError('invalid-input', parsed.errors.join('\n'));
      const ids: string[] = [];
      try {
        for (const conversation of parsed.conversations) {
          const source = await conversationFor(parts, axes);
          await parts.store.conversations.insertWhole(source, importedTurns(parts, conversation));
          ids.push(source.id);
        }
      } catch (error) {
        await removeAll(parts, ids);
        throw error;
      }
      for (const id of ids) await parts.supervisor.announce(id);
      return { ids, notices: parsed.notices };
    },
  };
}

/** A file is imported whole or not at all. */
async function removeAll(parts: ServiceParts, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await parts.store.conversations.delete(id).catch((error: unknown) => {
      parts.logger.error('a half-imported file could not be taken back', { conversationId: id, error: String(error) });
    });
  }
}

function importedTurns(parts: ServiceParts, conversation: ImportConversation): ImportedTurn[] {
  const at = parts.clock.now();
  return conversation.turns.map((turn) => ({
    state: turn.state,
    messages: turn.messages.map((message): NewMessage => ({ ...message, id: parts.ids.uuid(), at })),
  }));
}

async function readTranscript(parts: ServiceParts, conversationId: string): Promise<Transcript> {
  const { store } = parts;
  const conversation = await requireConversation(store, conversationId);
  const customer = conversation.customerId === null ? null : await store.shop.customer(conversation.customerId);
  const turns = await readAllTurns(parts, conversationId);
  return { conversation, customer, messages: turns.flatMap((turn) => turn.messages) };
}

/** Oldest first. */
export async function readAllTurns({ store }: ServiceParts, conversationId: string): Promise<StoredTurn[]> {
  const newestFirst: StoredTurn[] = [];
  for (;;) {
    const beforeTurn = newestFirst.at(-1)?.turn;
    const window = { limit: EXPORT_BATCH, ...(beforeTurn !== undefined && { beforeTurn }) };
    const batch = await store.conversations.readTurns(conversationId, window);
    newestFirst.push(...batch);
    if (batch.length < EXPORT_BATCH) break;
  }
  return newestFirst.reverse();
}
