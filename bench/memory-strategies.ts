/** Pure: the product's own memory strategies in a form that any other harness can measure. Loads under Node 24 without a build. */
import type { MemoryInput, MemoryStrategy } from '../electron/engine/memory/strategy.ts';
import { memoryStrategy } from '../electron/engine/memory/strategies.ts';
import { scriptEstimator } from '../electron/engine/memory/estimate.ts';
import type { TokenEstimator } from '../electron/engine/ports.ts';
import { defaultSettings, type Settings } from '../shared/settings.ts';
import { type ChatMessage, chatContext, ConversationMirror } from './chat-format.ts';

export interface BuildOptions {
  /** Covers everything that is returned. */
  budgetTokens: number;
  /** Counts the tokens of a text; default: the product's estimator. */
  countTokens?: (text: string) => number;
  /** Mutated in place; stands for what the store keeps of this conversation. Start with `{}`. */
  state: Record<string, unknown>;
  /** UTC milliseconds of the question; default: the date of the newest message. */
  now?: number;
  /** Writes a summary; only `summary` asks. */
  summarise?: (text: string, previous: string) => string | Promise<string>;
}

export interface BenchStrategy {
  /** What stands before the question, question and system excluded. Called once per customer message. */
  buildContext(messages: readonly ChatMessage[], nextUserText: string, options: BuildOptions): ChatMessage[] | Promise<ChatMessage[]>;
}

/** The stored rows behind a state; rebuilt from the messages when the state was copied. */
const mirrors = new WeakMap<object, ConversationMirror>();

function mirrorFor(state: object, messages: readonly ChatMessage[]): ConversationMirror {
  const known = mirrors.get(state);
  if (known?.extend(messages) === true) return known;
  const fresh = new ConversationMirror();
  fresh.extend(messages);
  mirrors.set(state, fresh);
  return fresh;
}

function estimatorOf(options: BuildOptions): TokenEstimator {
  const { countTokens } = options;
  return countTokens === undefined ? scriptEstimator : { name: 'given', count: countTokens };
}

async function planned(
  strategy: MemoryStrategy,
  messages: readonly ChatMessage[],
  question: string,
  options: BuildOptions,
  settings: Settings,
): Promise<ChatMessage[]> {
  const mirror = mirrorFor(options.state, messages);
  const estimator = estimatorOf(options);
  const state = options.state['memory'] ?? null;
  const turns = await strategy.load(mirror.backwards(), state, settings, estimator);
  const input: MemoryInput = {
    turns,
    totalTurns: mirror.totalTurns,
    state,
    question,
    now: options.now ?? turns.at(-1)?.endedAt ?? 0,
    settings,
    estimator,
  };
  const query = strategy.query?.(input) ?? null;
  if (query !== null) input.recall = mirror.search(query);
  const outcome = strategy.plan(input);
  options.state['memory'] = outcome.state;
  return chatContext(outcome.plan, mirror);
}

export const strategies: Record<'full-replay' | 'recent-turns' | 'stable', BenchStrategy> = {
  'full-replay': { buildContext: (messages) => messages.slice(messages.findIndex((message) => message.role === 'user')) },
  'recent-turns': {
    buildContext: (messages, nextUserText, options) =>
      planned(memoryStrategy('recent-turns'), messages, nextUserText, options, {
        ...defaultSettings(),
        'memory.measure': 'tokens',
        'memory.historyTokens': options.budgetTokens,
      }),
  },
  stable: {
    buildContext: (messages, nextUserText, options) =>
      planned(memoryStrategy('stable'), messages, nextUserText, options, {
        ...defaultSettings(),
        'memory.historyTokens': options.budgetTokens,
      }),
  },
};
