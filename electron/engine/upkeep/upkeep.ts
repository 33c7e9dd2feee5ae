/** What happens to a conversation's memory outside of its runs: summaries and memories after a turn, and a sweep for quiet conversations. */
import type { Conversation } from '../../../shared/conversation.ts';
import { toErrorInfo } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { ContextDeps } from '../agent/context-builder.ts';
import { prepareContext, strategyOf } from '../agent/context-builder.ts';
import { distilConversation } from '../memories/memory-keeper.ts';
import type { WorkResult } from '../memory/summarise.ts';
import { runMemoryWork } from '../memory/summarise.ts';
import type { MemoryInput, MemoryOutcome } from '../memory/strategy.ts';
import type { Clock, IdSource } from '../ports.ts';
import type { HelperDeps } from './summariser-and-distiller.ts';
import { createDistiller, createSummariser } from './summariser-and-distiller.ts';

export interface UpkeepDeps extends ContextDeps, HelperDeps {
  ids: IdSource;
  readSettings: (conversation: Conversation) => Promise<Settings>;
}

export interface TurnEnd {
  conversationId: string;
  turn: number;
  /** Something of the history was not sent in full. */
  crossedBudget: boolean;
}

export interface Upkeep {
  /** Starts what is due after a turn and returns at once. */
  afterTurn(end: TurnEnd): void;
  /** Begins to look for quiet conversations now and then. */
  start(): void;
  /** Looks once. Resolves with the number of conversations read. Never rejects. */
  sweep(): Promise<number>;
  /** Resolves when all that was started is done. Never rejects. */
  idle(): Promise<void>;
  /** Aborts what is at work; nothing starts afterwards. */
  stop(): Promise<void>;
}

/** Longest call of a summariser, for one piece. */
const SUMMARY_MS = 60_000;
const SWEEP_EVERY_MS = 10 * 60_000;
/** Unchanged for so long, a conversation is over for now. */
const QUIET_MS = 30 * 60_000;
const MOST_SWEPT = 50;

export function createUpkeep(deps: UpkeepDeps): Upkeep {
  const { store, clock, logger } = deps;
  const controller = new AbortController();
  const working = new Set<Promise<unknown>>();
  let cancelSweep = (): void => undefined;

  const track = <T>(work: Promise<T>): Promise<T> => {
    working.add(work);
    const done = (): boolean => working.delete(work);
    work.then(done, done);
    return work;
  };

  const distil = async (conversation: Conversation, through: number): Promise<void> => {
    const settings = await deps.readSettings(conversation);
    if (!settings['memory.distilOnCompress']) return;
    await distilConversation(deps, conversation, through, createDistiller(deps, conversation, settings), controller.signal);
  };

  const afterTurn = async ({ conversationId, turn, crossedBudget }: TurnEnd): Promise<void> => {
    const conversation = await store.conversations.get(conversationId);
    if (conversation === null || controller.signal.aborted) return;
    const settings = await deps.readSettings(conversation);
    if (strategyOf(conversation, settings) === 'summary') {
      const { input, strategy } = await prepareContext(deps, { conversation, turn: turn + 1, question: null, settings });
      const result = await summarise(deps, { conversation, settings, outcome: strategy.plan(input) }, controller.signal);
      if (result.kind === 'kept') logger.warn('the previous summary stays', { conversationId, reason: result.reason });
    }
    if (crossedBudget) await distil(conversation, turn);
  };

  const sweep = async (): Promise<number> => {
    const ids = await store.conversations.listUndistilled({ quietSince: clock.now() - QUIET_MS, limit: MOST_SWEPT });
    for (const id of ids) {
      if (controller.signal.aborted) break;
      const conversation = await store.conversations.get(id);
      if (conversation !== null) await distil(conversation, conversation.turnCount);
    }
    return ids.length;
  };

  const quietly = (what: string, work: Promise<unknown>): void => {
    const logged = work.catch((error: unknown) => {
      logger.warn(what, { error: toErrorInfo(error).message });
    });
    void track(logged);
  };

  const schedule = (): void => {
    cancelSweep = clock.after(SWEEP_EVERY_MS, () => {
      quietly('quiet conversations could not be read for memories', sweep());
      if (!controller.signal.aborted) schedule();
    });
  };

  return {
    afterTurn: (end) => {
      if (!controller.signal.aborted) quietly('a conversation could not be looked after', afterTurn(end));
    },
    start: schedule,
    sweep: async () => {
      try {
        return await track(sweep());
      } catch (error) {
        logger.warn('quiet conversations could not be read for memories', { error: toErrorInfo(error).message });
        return 0;
      }
    },
    async idle() {
      while (working.size > 0) await Promise.allSettled(working);
    },
    async stop() {
      cancelSweep();
      controller.abort();
      await Promise.allSettled(working);
    },
  };
}

/** Runs the summariser on what a plan asks for and stores the new version. Rejects only when the store does. */
export async function summarise(
  deps: HelperDeps & { clock: Clock },
  work: { conversation: Conversation; settings: Settings; outcome: MemoryOutcome },
  signal: AbortSignal,
): Promise<WorkResult> {
  const { conversation, settings, outcome } = work;
  const { conversations } = deps.store;
  const result = await runMemoryWork(outcome, createSummariser(deps, conversation, settings), {
    clock: deps.clock,
    timeoutMs: SUMMARY_MS,
    signal,
    latestState: () => readState(deps, conversation.id),
  });
  if (result.kind === 'summarised')
    await conversations.writeMemoryState(conversation.id, { strategy: 'summary', json: JSON.stringify(result.state) });
  return result;
}

export async function readState(deps: Pick<UpkeepDeps, 'store'>, conversationId: string): Promise<unknown> {
  const kept = await deps.store.conversations.readMemoryState(conversationId, 'summary');
  try {
    return JSON.parse(kept?.json ?? 'null');
  } catch {
    return null;
  }
}

/** The input with a budget and a time at which `stable` compacts whatever the turns are. */
export function forcedInput(input: MemoryInput, tokens: number): MemoryInput {
  const DAY_MS = 86_400_000;
  const SHARE = 0.6;
  const LEAST_TOKENS = 200;
  const budget = Math.min(input.settings['memory.historyTokens'], Math.max(LEAST_TOKENS, Math.floor(tokens * SHARE)));
  return { ...input, now: input.now + DAY_MS, settings: { ...input.settings, 'memory.historyTokens': budget } };
}
