/** The usage ledger: one priced line per model call, and what a turn, a conversation and a day have cost. I/O through ports only. */
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import type { Spending, SpendingLine } from '../../../shared/models.ts';
import { parseOwnPrices } from '../../../shared/own-prices.ts';
import type { OwnPrices } from '../../../shared/own-prices.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Usage, UsageRecord } from '../../../shared/usage.ts';
import type { Clock, IdSource, Logger, PriceList, UsageStore } from '../ports.ts';
import { costOf } from './pricing.ts';
import type { Reservations } from './reservations.ts';
import { createReservations } from './reservations.ts';

export const MS_PER_DAY = 86_400_000;

/** A call to be written down; helper calls name the conversation that caused them. */
export type LedgerLine = Omit<UsageRecord, 'id' | 'at' | 'costMicroUsd'>;

export interface Ledger {
  /** Writes the line and tells listeners what has been spent. Never rejects: a failure is logged. Returns the cost, null: unknown. */
  record(line: LedgerLine, settings: Settings): Promise<number | null>;
  /** What steps under way may still cost. */
  readonly reservations: Reservations;
  /** Rejects with the store's ConsoleError. */
  spending(scope: { conversationId: string | null; turn: number | null }, settings: Settings): Promise<Spending>;
}

export interface LedgerDeps {
  usage: UsageStore;
  prices: PriceList;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  emit: (event: ConsoleEvent) => void;
}

/** The own prices of the settings; a list that is not readable holds none. */
export function ownPricesOf(settings: Settings): OwnPrices {
  const parsed = parseOwnPrices(settings['models.prices']);
  return parsed.ok ? parsed.prices : {};
}

export function createLedger(deps: LedgerDeps): Ledger {
  const { usage, prices, clock, ids, logger, emit } = deps;

  /** Lines no write has confirmed yet: what was spent must not be forgotten because a disk was busy. Writing one twice changes nothing. */
  const waiting: UsageRecord[] = [];
  const writeWaiting = async (): Promise<void> => {
    for (let record = waiting[0]; record !== undefined; record = waiting[0]) {
      await usage.record(record);
      if (waiting[0] === record) waiting.shift();
    }
  };

  const spending: Ledger['spending'] = async ({ conversationId, turn }, settings) => {
    await writeWaiting();
    const line = async (query: Parameters<UsageStore['totals']>[0], cap: number): Promise<SpendingLine> => ({
      totals: await usage.totals(query),
      capMicroUsd: cap === 0 ? null : cap,
    });
    const now = clock.now();
    const ofConversation = conversationId === null ? null : { conversationId };
    const [ofTurn, ofAll, day] = await Promise.all([
      ofConversation === null || turn === null ? null : line({ ...ofConversation, turn }, settings['budget.turnMicroUsd']),
      ofConversation === null ? null : line(ofConversation, settings['budget.conversationMicroUsd']),
      line({ since: now - (now % MS_PER_DAY) }, settings['budget.dayMicroUsd']),
    ]);
    return { turn: ofTurn, conversation: ofAll, day, action: settings['budget.action'] };
  };

  return {
    reservations: createReservations(),
    spending,
    async record(line, settings) {
      const at = clock.now();
      const { provider, model } = line;
      const cost = priceLine(prices, ownPricesOf(settings), { provider, model, usage: line.usage, at });
      waiting.push({ ...line, id: ids.uuid(), at, costMicroUsd: cost });
      try {
        await writeWaiting();
        if (line.conversationId !== null) {
          const spent = await spending({ conversationId: line.conversationId, turn: line.turn }, settings);
          emit({ type: 'spending-change', conversationId: line.conversationId, spending: spent });
        }
      } catch (error) {
        logger.warn('a line of the usage ledger could not be stored', { runId: line.runId, error: String(error) });
      }
      return cost;
    },
  };
}

function priceLine(
  prices: PriceList,
  own: OwnPrices,
  call: { provider: string; model: string; usage: Usage | null; at: number },
): number | null {
  const { usage } = call;
  return usage === null ? null : costOf(prices, own, { ...call, usage });
}
