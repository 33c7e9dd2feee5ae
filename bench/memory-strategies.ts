/** Pure: the product's own memory strategies in a form that any other harness can measure. Loads under Node 24 without a build. */
import { scriptEstimator } from '../electron/engine/memory/estimate.ts';
import { memoryStrategy } from '../electron/engine/memory/strategies.ts';
import type { MemoryInput, MemoryOutcome } from '../electron/engine/memory/strategy.ts';
import { runMemoryWork, type Summariser } from '../electron/engine/memory/summarise.ts';
import type { Clock, TokenEstimator } from '../electron/engine/ports.ts';
import type { StrategyName } from '../shared/conversation.ts';
import { defaultSettings, type Settings } from '../shared/settings.ts';
import { type ChatMessage, chatContext, ConversationMirror } from './chat-format.ts';
import { extractiveSummary } from './extractive-summary.ts';

export interface BuildOptions {
  /** Covers everything that is returned. */
  budgetTokens: number;
  /** Counts the tokens of a text; default: the product's estimator. */
  countTokens?: (text: string) => number;
  /** Mutated in place; stands for what the store keeps of this conversation. Start with `{}`. */
  state: Record<string, unknown>;
  /** UTC milliseconds of the question; default: the time of the newest message. */
  now?: number;
  /** Writes a summary from the text and the summary so far; only `summary` asks. Default: an extract of at most 300 tokens. */
  summarise?: (text: string, previous: string) => string | Promise<string>;
}

export interface BenchStrategy {
  /** What stands before the question, question and system excluded. Called once per customer message. */
  buildContext(messages: readonly ChatMessage[], nextUserText: string, options: BuildOptions): ChatMessage[] | Promise<ChatMessage[]>;
}

/** The stored rows behind a state; made again from the messages when the state was copied. */
const mirrors = new WeakMap<object, ConversationMirror>();
const SUMMARISER_LIMIT_MS = 60_000;

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

/** Loads, searches and plans as the engine does, on the mirrored rows. */
async function planned(
  name: StrategyName,
  mirror: ConversationMirror,
  question: string,
  options: BuildOptions,
  settings: Settings,
): Promise<MemoryOutcome> {
  const strategy = memoryStrategy(name);
  const estimator = estimatorOf(options);
  const state = options.state['memory'] ?? null;
  const turns = await strategy.load(mirror.backwards(), state, settings, estimator);
  const now = options.now ?? turns.at(-1)?.endedAt ?? 0;
  const input: MemoryInput = { turns, totalTurns: mirror.totalTurns, state, question, now, settings, estimator };
  const query = strategy.query?.(input) ?? null;
  if (query !== null) input.recall = mirror.search(query);
  return strategy.plan(input);
}

function builder(name: StrategyName, settingsFor: (budgetTokens: number) => Partial<Settings>): BenchStrategy {
  return {
    async buildContext(messages, nextUserText, options) {
      const mirror = mirrorFor(options.state, messages);
      const settings: Settings = { ...defaultSettings(), ...settingsFor(options.budgetTokens) };
      let outcome = await planned(name, mirror, nextUserText, options, settings);
      if (outcome.work !== undefined) {
        const done = await runMemoryWork(outcome, summariserOf(options), {
          clock: benchClock(options.now ?? 0),
          timeoutMs: SUMMARISER_LIMIT_MS,
        });
        if (done.kind === 'summarised') {
          options.state['memory'] = done.state;
          outcome = await planned(name, mirror, nextUserText, options, settings);
        }
      }
      options.state['memory'] = outcome.state;
      return chatContext(outcome.plan, mirror);
    },
  };
}

function summariserOf(options: BuildOptions): Summariser {
  const summarise = options.summarise ?? extractiveSummary;
  return {
    async summarise(request) {
      return { text: await summarise(request.transcript, request.previous), complete: true, model: 'bench/summariser' };
    },
  };
}

function benchClock(now: number): Clock {
  return {
    now: () => now,
    sleep: () => Promise.resolve(),
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}

export const strategies: Record<'full-replay' | 'recent-turns' | 'summary' | 'stable', BenchStrategy> = {
  /** Everything from the first customer message on, whatever the budget. */
  'full-replay': {
    buildContext: (messages) =>
      messages.slice(
        Math.max(
          0,
          messages.findIndex((message) => message.role === 'user'),
        ),
      ),
  },
  'recent-turns': builder('recent-turns', (budgetTokens) => ({ 'memory.measure': 'tokens', 'memory.historyTokens': budgetTokens })),
  summary: builder('summary', (budgetTokens) => ({ 'memory.maxHistoryTokens': budgetTokens })),
  stable: builder('stable', (budgetTokens) => ({ 'memory.historyTokens': budgetTokens })),
};
