/** Does I/O through the product's own stores: how long the console's usual work takes. */
import { randomUUID } from 'node:crypto';
import { prepareContext } from '../../electron/engine/agent/context-builder.ts';
import type { ContextDeps } from '../../electron/engine/agent/context-builder.ts';
import { createRecallIndexes } from '../../electron/engine/archive/recall-indexes.ts';
import { createConsoleService } from '../../electron/engine/console-service.ts';
import type { ConsoleService } from '../../electron/engine/console-service.ts';
import { scriptEstimator } from '../../electron/engine/memory/estimate.ts';
import type { Clock, Store } from '../../electron/engine/ports.ts';
import type { ToolRegistry } from '../../electron/engine/tools/registry.ts';
import { createDemoModel } from '../../electron/models/demo/demo-model.ts';
import type { NewMessage } from '../../shared/conversation.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { FREQUENT_WORD, idOf, LONG_ID, rareWord, SHORT_ID } from './made-up.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Milliseconds. */
export interface Timing {
  median: number;
  p95: number;
}

export type Measures = Record<MeasureName, Timing>;
export type MeasureName = 'first-page' | 'next-page' | 'open' | 'window' | 'window-short' | 'window-long' | 'append' | 'rare' | 'frequent';

export const MEASURE_TITLES: Record<MeasureName, string> = {
  'first-page': 'first page of the list (50)',
  'next-page': 'next page of the list (50)',
  open: 'open a conversation',
  window: 'window for the next question',
  'window-short': 'window, conversation of 100 messages',
  'window-long': 'window, longest conversation',
  append: 'append a turn (question, answer)',
  rare: 'search, a word of one conversation',
  frequent: 'search, a word of one message in ten',
};

const PAGE = 50;
const PAGES = 20;
const REPEATS = 40;
/** Runs before those that count. */
const WARM_UPS = 5;
/** Slow work is not repeated for longer. */
const MOST_MS = 15_000;

async function timed(work: (index: number) => Promise<unknown>, repeats = REPEATS): Promise<Timing> {
  const times: number[] = [];
  const until = performance.now() + MOST_MS;
  for (let index = -WARM_UPS; index < repeats; index += 1) {
    const start = performance.now();
    await work(index + WARM_UPS);
    if (index >= 0 || performance.now() > until) times.push(performance.now() - start);
    if (performance.now() > until) break;
  }
  return timingOf(times);
}

/** By turns, so that whatever else the machine does meets both. */
async function compared(
  short: () => Promise<unknown>,
  long: () => Promise<unknown>,
): Promise<Pick<Measures, 'window-short' | 'window-long'>> {
  const times = { short: [] as number[], long: [] as number[] };
  const once = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  for (let index = -WARM_UPS; index < REPEATS; index += 1) {
    const [shortMs, longMs] = [await once(short), await once(long)];
    if (index < 0) continue;
    times.short.push(shortMs);
    times.long.push(longMs);
  }
  return { 'window-short': timingOf(times.short), 'window-long': timingOf(times.long) };
}

export function timingOf(times: readonly number[]): Timing {
  const sorted = [...times].sort((left, right) => left - right);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95) };
}

export function serviceOver(store: Store): ConsoleService {
  return createConsoleService({
    store,
    clock: realClock,
    models: { answering: () => createDemoModel({ delayMs: 0, clock: realClock }) },
    ids: { uuid: randomUUID, conversationId: () => randomUUID().replaceAll('-', '') },
    estimator: scriptEstimator,
    logger: { warn: () => undefined, error: () => undefined },
    appInfo: { version: '0.0.0', storage: store.kind, dataFolder: '', host: 'terminal', platform: 'bench' },
    settingOverrides: {},
  });
}

/** What the loading of a window needs; no recall, which has an index of its own in memory. */
function contextDeps(store: Store): ContextDeps {
  const recall = createRecallIndexes(store.conversations);
  const logger = { warn: () => undefined, error: () => undefined };
  const specs: ToolRegistry['specs'] = () => [];
  const tools = { specs } as ToolRegistry;
  return { store, clock: realClock, estimator: scriptEstimator, logger, tools, recall };
}

/** Spread over all conversations, never the same one twice in a row. */
function spread(index: number, conversations: number): number {
  return (index * 7_919 + 13) % conversations;
}

export async function measure(store: Store, conversations: number): Promise<Measures> {
  const service = serviceOver(store);
  const list = store.conversations;
  const loading = contextDeps(store);
  const window = async (conversationId: string): Promise<unknown> => {
    const conversation = await list.get(conversationId);
    if (conversation === null) throw new Error(`no conversation ${conversationId}`);
    const turn = conversation.turnCount + 1;
    const settings = defaultSettings();
    return prepareContext(loading, { conversation, turn, question: 'Where is my parcel?', settings, strategy: 'recent-turns' });
  };
  let cursor: string | undefined;
  const timings: Measures = {
    'first-page': await timed(() => list.list({ limit: PAGE })),
    'next-page': await timed(async () => {
      const page = await list.list({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
      cursor = page.nextCursor ?? undefined;
    }, PAGES),
    open: await timed((index) => service.call('openConversation', { conversationId: idOf(spread(index, conversations)), turns: 100 })),
    window: await timed((index) => window(idOf(spread(index, conversations)))),
    ...(await compared(
      () => window(SHORT_ID),
      () => window(LONG_ID),
    )),
    rare: await timed((index) => list.list({ limit: PAGE, search: rareWord(spread(index, conversations)) })),
    frequent: await timed(() => list.list({ limit: PAGE, search: FREQUENT_WORD }), 10),
    append: await timed((index) => appendTurn(store, idOf(spread(index, conversations)), index)),
  };
  return timings;
}

async function appendTurn(store: Store, conversationId: string, index: number): Promise<void> {
  const runId = randomUUID();
  const base = { trust: 'untrusted', at: Date.now() } as const;
  const question: NewMessage = {
    ...base,
    id: randomUUID(),
    role: 'user',
    content: `One more question, number ${index}, about the same parcel`,
    origin: 'customer',
  };
  const accepted = await store.conversations.accept({ conversationId, message: question, runId, promptVersion: 'p' });
  if (accepted.kind !== 'started') throw new Error(`the bench expected a new turn, not ${accepted.kind}`);
  const answer: NewMessage = { ...base, id: randomUUID(), role: 'assistant', content: 'It arrives tomorrow before noon', origin: 'model' };
  const end = { state: 'answered', outcome: 'answered', error: null, at: base.at, messages: [answer] } as const;
  await store.conversations.endTurn(conversationId, accepted.record.turn, runId, { ...end, messages: [answer] });
}
