/** Builds the context plan of a run or a preview: reads the window a strategy asks for and lets it plan. Reads only. */
import type { ContextPlan } from '../../../shared/compaction.ts';
import type { Conversation, StoredTurn, StrategyName } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import { memoryStrategy } from '../memory/strategies.ts';
import type { TurnReader } from '../memory/strategy.ts';
import type { Clock, ConversationStore, Logger, Store, TokenEstimator } from '../ports.ts';

/** Turns read at once; a strategy that needs more asks for more. */
const TURN_BATCH = 8;

export interface BuiltContext {
  plan: ContextPlan;
  /** To be written once the request was really sent; null: nothing changed. */
  newState: { strategy: StrategyName; json: string } | null;
}

export interface ContextRequest {
  conversation: Conversation;
  /** The turn that is being answered, or would be: all turns before it are history. */
  turn: number;
  question: string | null;
  settings: Settings;
  /** Wins over the conversation's and the settings' choice. */
  strategy?: StrategyName;
}

/** Ended turns before `turn`, newest first, read a batch at a time and only as far as somebody asks. */
export async function* readBackwards(conversations: ConversationStore, conversationId: string, turn: number): AsyncGenerator<StoredTurn> {
  let beforeTurn = turn;
  while (beforeTurn > 1) {
    const batch = await conversations.readTurns(conversationId, { beforeTurn, limit: TURN_BATCH });
    for (const stored of batch) {
      // Turn 0 is what an import brought before its first question; it is never sent.
      if (stored.turn < 1) return;
      beforeTurn = stored.turn;
      yield stored;
    }
    if (batch.length < TURN_BATCH) return;
  }
}

/** The strategy that makes a conversation's contexts. */
export function strategyOf(conversation: Conversation, settings: Settings): StrategyName {
  return conversation.strategy ?? settings['memory.strategy'];
}

/** Plans the history half of a request. Rejects with a ConsoleError of the store. */
export async function buildContext(
  deps: { store: Store; clock: Clock; estimator: TokenEstimator; logger: Logger },
  request: ContextRequest,
): Promise<BuiltContext> {
  const { conversations } = deps.store;
  const { conversation, settings, turn } = request;
  const name = request.strategy ?? strategyOf(conversation, settings);
  const strategy = memoryStrategy(name);
  const kept = await conversations.readMemoryState(conversation.id, name);
  const state = kept === null ? null : parseState(kept.json, deps.logger, conversation.id);
  const reader: TurnReader = readBackwards(conversations, conversation.id, turn);
  const turns = await strategy.load(reader, state, settings, deps.estimator);
  const outcome = strategy.plan({
    turns,
    totalTurns: Math.max(0, turn - 1),
    state,
    question: request.question,
    now: deps.clock.now(),
    settings,
    estimator: deps.estimator,
  });
  const json = JSON.stringify(outcome.state ?? null);
  const unchanged = json === JSON.stringify(state);
  return { plan: outcome.plan, newState: unchanged ? null : { strategy: name, json } };
}

/** What a strategy kept is a help, not the history: an unreadable one is started afresh. */
function parseState(json: string, logger: Logger, conversationId: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    logger.warn('the memory state of a conversation is unreadable and starts afresh', { conversationId, error: String(error) });
    return null;
  }
}
