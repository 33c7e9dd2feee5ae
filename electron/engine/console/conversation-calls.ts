/** The calls of the contract that open, change, send to and delete conversations. */
import type { StoredTurn, TurnRecord } from '../../../shared/conversation.ts';
import type { ConversationView } from '../../../shared/console-api.ts';
import type { ConversationPatch } from '../ports.ts';
import { conversationFor } from './new-conversation.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';
import { ConsoleError } from '../../../shared/errors.ts';

type ConversationCalls = Pick<
  Handlers,
  | 'listConversations'
  | 'createConversation'
  | 'openConversation'
  | 'updateConversation'
  | 'deleteConversation'
  | 'sendMessage'
  | 'retryTurn'
  | 'continueTurn'
  | 'stopRun'
  | 'saveDraft'
>;

export function conversationCalls(parts: ServiceParts): ConversationCalls {
  const { store, clock, supervisor, emit } = parts;
  return {
    listConversations: async (query) => store.conversations.list({ ...query, reader: await parts.reader() }),

    async createConversation(params) {
      const source = { ...(await conversationFor(parts, params)), strategy: params.strategy ?? null };
      const conversation = await store.conversations.create(source);
      await supervisor.announce(conversation.id);
      return { conversation };
    },

    openConversation: (params) => openConversation(parts, params),

    async updateConversation({ conversationId, ...params }) {
      const patch: ConversationPatch = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
      const conversation = await store.conversations.update(conversationId, patch, clock.now());
      await supervisor.announce(conversationId);
      return { conversation };
    },

    async deleteConversation({ conversationId }) {
      await requireConversation(store, conversationId);
      parts.recall.drop(conversationId);
      await supervisor.withoutRun(conversationId, () => store.conversations.delete(conversationId));
      emit({ type: 'conversation-delete', conversationId });
      return {};
    },

    sendMessage: ({ conversationId, messageId, text }) => supervisor.send(conversationId, messageId, text),
    retryTurn: ({ conversationId }) => supervisor.retry(conversationId),
    continueTurn: ({ conversationId }) => supervisor.goOn(conversationId),

    async stopRun({ conversationId }) {
      await requireConversation(store, conversationId);
      return { stopped: await supervisor.stop(conversationId) };
    },

    async saveDraft({ conversationId, text }) {
      await store.conversations.saveDraft(conversationId, text, clock.now());
      return {};
    },
  };
}

async function openConversation(
  parts: ServiceParts,
  params: { conversationId: string; beforeTurn?: number | undefined; turns: number },
): Promise<ConversationView> {
  const { store, supervisor, logger } = parts;
  const { conversationId, beforeTurn, turns } = params;
  if (supervisor.isUnsettled(conversationId)) {
    await supervisor.recover(conversationId).catch((error: unknown) => {
      logger.warn('a turn could not be closed yet', { conversationId, error: String(error) });
    });
  }
  const conversation = await store.conversations.summary(conversationId, await parts.reader());
  if (conversation === null) throw new ConsoleError('not-found', `There is no conversation ${conversationId}; "conversations" lists them.`);
  const window = { limit: turns + 1, ...(beforeTurn !== undefined && { beforeTurn }) };
  const [newestFirst, queued, draft, customer] = await Promise.all([
    store.conversations.readTurns(conversationId, window),
    store.conversations.listQueued(conversationId),
    store.conversations.readDraft(conversationId),
    conversation.customerId === null ? null : store.shop.customer(conversation.customerId),
  ]);
  const shown = newestFirst.slice(0, turns).reverse();
  return {
    conversation,
    customer,
    turns: shown.map(recordOf),
    messages: shown.flatMap((turn) => turn.messages),
    queued,
    draft,
    complete: newestFirst.length <= turns,
    streaming: streamingOf(parts, conversationId, shown),
  };
}

/** Text of the run at work. Once the step's message is among what was read, its text is not told a second time. */
function streamingOf(parts: ServiceParts, conversationId: string, shown: readonly StoredTurn[]): ConversationView['streaming'] {
  const run = parts.supervisor.active(conversationId);
  if (run === null) return null;
  const { turn, runId } = run.scope;
  const stored = shown.find((one) => one.turn === turn);
  if (stored !== undefined && stored.state !== 'running') return null;
  const { step, text } = run.context.streaming;
  // The n-th step of a running turn leaves its n-th assistant message.
  const told = (stored?.messages ?? []).filter((message) => message.role === 'assistant').length >= step;
  return { turn, runId, step, text: told ? '' : text(), retry: run.context.retry };
}

function recordOf(stored: StoredTurn): TurnRecord {
  const { messages: _messages, ...record } = stored;
  return record;
}
