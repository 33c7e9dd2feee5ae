/** Reads turns for memories and gives a conversation the ones it may see. I/O through the store; distilling never fails a run. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { Conversation, StoredTurn } from '../../../shared/conversation.ts';
import { toErrorInfo } from '../../../shared/errors.ts';
import type { Clock, IdSource, Logger, Store, TokenEstimator } from '../ports.ts';
import type { Distiller } from './drafts.ts';
import { extractiveDistiller } from './drafts.ts';
import { memoryNote } from './memory-note.ts';
import { mergeDrafts } from './merge.ts';

/** Memories of an owner that are compared with new ones. */
const MOST_COMPARED = 5000;
/** Memories that are tried for a note. */
const MOST_NOTED = 100;
/** Turns read for memories at once. */
const MOST_TURNS = 200;

export interface KeeperDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
}

/** A conversation's personal owner; null for an autonomous run and for one without a customer. */
function customerOf(conversation: Conversation): string | null {
  return conversation.actor === null ? null : conversation.customerId;
}

/** The note of what is known from other conversations and people, within the budget. Rejects with the store's ConsoleError. */
export async function memoryNoteFor(
  deps: { store: Store; estimator: TokenEstimator },
  conversation: Conversation,
  budgetTokens: number,
): Promise<ContextMessage | null> {
  const owner = { tenant: conversation.tenant, customerId: customerOf(conversation) };
  const known = await deps.store.memories.list({ ...owner, limit: MOST_NOTED });
  // What was said in this conversation stands in its own history.
  const others = known.filter((memory) => memory.conversationId !== conversation.id);
  return memoryNote(others, budgetTokens, deps.estimator);
}

/**
 * Reads the turns that were not read yet, up to `through`, and writes what is worth remembering. Only stored messages are read, so nothing
 * that was recalled is remembered again. Resolves with the number of memories written; a failure leaves the turns for the next time.
 */
export async function distilConversation(
  deps: KeeperDeps,
  conversation: Conversation,
  through: number,
  distiller: Distiller,
  signal: AbortSignal,
): Promise<number> {
  const { store, clock, ids, logger } = deps;
  try {
    const done = await store.conversations.readDistilledTurn(conversation.id);
    const limit = Math.min(MOST_TURNS, through - done);
    if (limit <= 0) return 0;
    const turns = (await store.conversations.readTurns(conversation.id, { beforeTurn: done + limit + 1, limit })).reverse();
    const customerId = customerOf(conversation);
    const drafts = customerId === null ? [] : await draftsOf(distiller, turns, signal, logger);
    signal.throwIfAborted();
    const written =
      customerId === null ? [] : await write(deps, conversation, customerId, drafts, { at: clock.now(), id: () => ids.uuid() });
    await store.conversations.writeDistilledTurn(conversation.id, done + limit);
    return written.length;
  } catch (error) {
    logger.warn('a conversation could not be read for memories', { conversationId: conversation.id, error: toErrorInfo(error).message });
    return 0;
  }
}

/** A model that fails costs nothing: the rules read the same turns. */
async function draftsOf(distiller: Distiller, turns: readonly StoredTurn[], signal: AbortSignal, logger: Logger) {
  try {
    return await distiller.distil(turns, signal);
  } catch (error) {
    logger.warn('distilling with a model failed; the rules are used', { error: toErrorInfo(error).message });
    return extractiveDistiller.distil(turns, signal);
  }
}

async function write(
  deps: KeeperDeps,
  conversation: Conversation,
  customerId: string,
  drafts: Awaited<ReturnType<Distiller['distil']>>,
  stamp: { at: number; id: () => string },
) {
  if (drafts.length === 0) return [];
  const { tenant, id: conversationId } = conversation;
  const known = await deps.store.memories.list({ tenant, customerId, limit: MOST_COMPARED, superseded: true });
  const own = known.filter((memory) => memory.scope === 'customer');
  const changed = mergeDrafts(own, drafts, { tenant, customerId, conversationId, ...stamp });
  if (changed.length > 0) await deps.store.memories.put(changed);
  return changed;
}
