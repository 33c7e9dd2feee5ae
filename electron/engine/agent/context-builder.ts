/** Builds the context plan of a run or a preview: reads the window a strategy asks for and lets it plan. Reads only. */
import type { ContextMessage, ContextPlan, PlanEntry } from '../../../shared/compaction.ts';
import type { Conversation, StoredTurn, StrategyName } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { RecallIndexes } from '../archive/recall-indexes.ts';
import { memoryNoteFor } from '../memories/memory-keeper.ts';
import { messagesTokens, messageTokens } from '../memory/estimate.ts';
import { flatChars } from '../memory/php-measure.ts';
import { memoryStrategy } from '../memory/strategies.ts';
import type { MemoryInput, MemoryStrategy, TurnReader } from '../memory/strategy.ts';
import type { Clock, ConversationStore, Logger, Store, TokenEstimator } from '../ports.ts';
import type { ToolRegistry } from '../tools/registry.ts';

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

export interface ContextDeps {
  store: Store;
  clock: Clock;
  estimator: TokenEstimator;
  logger: Logger;
  tools: ToolRegistry;
  recall: RecallIndexes;
}

/** What a strategy is given, and the note of memories that stands before what it makes. */
export interface PreparedContext {
  strategy: MemoryStrategy;
  input: MemoryInput;
  memories: ContextMessage | null;
  /** The state as it is stored; "null" where there is none. */
  stored: string;
}

/** Share of the history budget that memories may take. */
const MEMORY_SHARE = 0.1;
/** The budget of each strategy that takes memories; `recent-turns` is the tutorial's own and takes none. */
const BUDGET_SETTING = { summary: 'memory.maxHistoryTokens', stable: 'memory.historyTokens' } as const;

/** Plans the history half of a request. Rejects with a ConsoleError of the store. */
export async function buildContext(deps: ContextDeps, request: ContextRequest): Promise<BuiltContext> {
  const { strategy, input, memories, stored } = await prepareContext(deps, request);
  const outcome = strategy.plan(input);
  const json = JSON.stringify(outcome.state ?? null);
  return {
    plan: withMemories(withForgotten(outcome.plan, input.turns), memories, request.settings, deps.estimator),
    newState: json === stored ? null : { strategy: strategy.name, json },
  };
}

/** Reads what a plan is made from. Rejects with a ConsoleError of the store. */
export async function prepareContext(deps: ContextDeps, request: ContextRequest): Promise<PreparedContext> {
  const { conversations } = deps.store;
  const { conversation, turn } = request;
  const name = request.strategy ?? strategyOf(conversation, request.settings);
  const strategy = memoryStrategy(name);
  const memories = name === 'recent-turns' ? null : await memoriesFor(deps, conversation, request.settings[BUDGET_SETTING[name]]);
  const settings =
    name === 'recent-turns' ? request.settings : lessMemories(request.settings, BUDGET_SETTING[name], memories, deps.estimator);
  const kept = await conversations.readMemoryState(conversation.id, name);
  const state = kept === null ? null : parseState(kept.json, deps.logger, conversation.id);
  const reader: TurnReader = withoutForgotten(readBackwards(conversations, conversation.id, turn));
  const turns = await strategy.load(reader, state, settings, deps.estimator);
  const pinnedTurns = await conversations.readPinned(conversation.id, turns[0]?.turn ?? turn);
  const input: MemoryInput = {
    turns,
    totalTurns: Math.max(0, turn - 1),
    ...(pinnedTurns.length > 0 && { pinnedTurns: pinnedTurns.filter((pinned) => pinned.turn >= 1 && pinned.forgottenAt === undefined) }),
    effects: new Map(deps.tools.specs().map((tool) => [tool.name, tool.effect])),
    state,
    question: request.question,
    now: deps.clock.now(),
    settings,
    estimator: deps.estimator,
  };
  const query = request.settings['memory.recall'] ? (strategy.query?.(input) ?? null) : null;
  const recall = query === null ? null : await deps.recall.search(conversation.id, query);
  return { strategy, input: recall === null ? input : { ...input, recall }, memories, stored: JSON.stringify(state) };
}

/** Memories are a help: a store that cannot give them must not keep the customer from an answer. */
async function memoriesFor(deps: ContextDeps, conversation: Conversation, budget: number): Promise<ContextMessage | null> {
  try {
    return await memoryNoteFor(deps, conversation, budget * MEMORY_SHARE);
  } catch (error) {
    deps.logger.warn('the memories of a customer could not be read', { conversationId: conversation.id, error: String(error) });
    return null;
  }
}

function lessMemories(
  settings: Settings,
  key: 'memory.maxHistoryTokens' | 'memory.historyTokens',
  memories: ContextMessage | null,
  estimator: TokenEstimator,
): Settings {
  return memories === null ? settings : { ...settings, [key]: Math.max(1, settings[key] - messageTokens(memories, estimator)) };
}

/** Memories stand first: they change rarely, so what follows stays where it is. */
function withMemories(plan: ContextPlan, memories: ContextMessage | null, settings: Settings, estimator: TokenEstimator): ContextPlan {
  if (memories === null || plan.strategy === 'recent-turns') return plan;
  const messages = [memories, ...plan.messages];
  return {
    ...plan,
    messages,
    characters: flatChars(messages),
    tokens: messagesTokens(messages, estimator),
    budget: settings[BUDGET_SETTING[plan.strategy]],
    budgetUsed: plan.budgetUsed + messageTokens(memories, estimator),
  };
}

/** A forgotten turn is a place without messages. */
async function* withoutForgotten(turns: AsyncIterable<StoredTurn>): AsyncGenerator<StoredTurn> {
  for await (const turn of turns) yield turn.forgottenAt === undefined ? turn : { ...turn, messages: [] };
}

function withForgotten(plan: ContextPlan, turns: readonly StoredTurn[]): ContextPlan {
  const forgotten = new Set(turns.flatMap((turn) => (turn.forgottenAt === undefined ? [] : [turn.turn])));
  if (forgotten.size === 0) return plan;
  const entries = plan.entries.map((entry): PlanEntry => {
    if (!forgotten.has(entry.turn)) return entry;
    return { turn: entry.turn, disposition: 'dropped', reason: 'forgotten: a person had its text removed', characters: 0, tokens: 0 };
  });
  return { ...plan, entries };
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
