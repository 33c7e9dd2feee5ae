// Money against its caps, as the meter shows it. Pure.
import { words } from '../language/language.ts';
import type { Spending, SpendingLine } from '../../shared/models.ts';
import { formatCost, formatPercent } from '../ui/format.ts';

export interface CapView {
  name: string;
  /** `1.72 ¢`, `–` where no price is known. */
  spent: string;
  /** `of 15 ¢`; '' without a cap. */
  of: string;
  /** Share of the cap, 0 to 1; null without one. */
  share: number | null;
  percent: string;
  level: 'calm' | 'close' | 'full';
  /** Calls the sum leaves out, because their usage or price is not known. */
  unknown: number;
}

/** Share of a cap from which the meter raises its voice. */
const CLOSE = 0.8;

function view(name: string, line: SpendingLine | null): CapView | null {
  if (line === null) return null;
  const { totals, capMicroUsd } = line;
  const priced = totals.calls - totals.unpricedCalls - totals.unknownCalls;
  const share = capMicroUsd === null || capMicroUsd <= 0 ? null : totals.costMicroUsd / capMicroUsd;
  return {
    name,
    spent: totals.costMicroUsd > 0 || priced > 0 ? formatCost(totals.costMicroUsd) : '–',
    of: capMicroUsd === null ? '' : words().meter.ofCap(formatCost(capMicroUsd)),
    share: share === null ? null : Math.min(1, share),
    percent: share === null ? '' : formatPercent(share),
    level: share === null || share < CLOSE ? 'calm' : share < 1 ? 'close' : 'full',
    unknown: totals.unknownCalls + totals.unpricedCalls,
  };
}

/** Turn, conversation and day; nothing while no call cost money and no cap is set, so that a free model stays quiet. */
export function capViews(spending: Spending | null): CapView[] {
  if (spending === null) return [];
  const lines = [spending.turn, spending.conversation, spending.day];
  if (lines.every((line) => line === null || (line.totals.costMicroUsd === 0 && line.capMicroUsd === null))) return [];
  return [
    view(words().meter.turn, spending.turn),
    view(words().meter.conversation, spending.conversation),
    view(words().meter.today, spending.day),
  ].filter((cap) => cap !== null);
}

/** Reported share of input tokens that came from a cache; null while nothing is reported. */
export function cachedShare(spending: Spending | null): number | null {
  const totals = spending?.conversation?.totals;
  return totals === undefined || totals.inputTokens === 0 ? null : totals.cacheReadTokens / totals.inputTokens;
}
