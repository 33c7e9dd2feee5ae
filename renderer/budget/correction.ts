// How far the last estimate lay from what the provider counted, applied to the next. Pure.
import type { BudgetReport } from '../../shared/api/budget.ts';
import type { Spending, SpendingLine } from '../../shared/models.ts';

/** A factor outside of these says that the two measure different things; it is not followed further. */
const LEAST = 0.5;
const MOST = 2;

/** 1 where nothing was reported. */
export function correctionOf(report: Pick<BudgetReport, 'lastRequest'> | null): number {
  const last = report?.lastRequest ?? null;
  if (last === null || last.estimated <= 0 || last.reported <= 0) return 1;
  return Math.min(MOST, Math.max(LEAST, last.reported / last.estimated));
}

export interface SpentLine {
  id: 'turn' | 'conversation' | 'day';
  /** Input and output of the calls whose usage was reported; null: there were calls, and none was. */
  tokens: number | null;
  /** Integer micro-USD; null: no call had a price. */
  costMicroUsd: number | null;
  capMicroUsd: number | null;
}

/** Turn, conversation and day, those that are known. */
export function spentLines(spending: Spending | null): SpentLine[] {
  if (spending === null) return [];
  const line = (id: SpentLine['id'], from: SpendingLine | null): SpentLine[] => {
    if (from === null) return [];
    const { totals, capMicroUsd } = from;
    const priced = totals.calls - totals.unknownCalls - totals.unpricedCalls;
    const costMicroUsd = priced > 0 || totals.costMicroUsd > 0 ? totals.costMicroUsd : null;
    const isUnknown = totals.calls > 0 && totals.unknownCalls === totals.calls;
    return [{ id, tokens: isUnknown ? null : totals.inputTokens + totals.outputTokens, costMicroUsd, capMicroUsd }];
  };
  return [...line('turn', spending.turn), ...line('conversation', spending.conversation), ...line('day', spending.day)];
}
