/** Pure: whether a cost cap is reached, and the words for it. */
import type { Spending, SpendingLine } from '../../../shared/models.ts';
import type { Settings } from '../../../shared/settings.ts';

export interface CapReached {
  scope: 'turn' | 'conversation' | 'day';
  spentMicroUsd: number;
  capMicroUsd: number;
}

/** True when any cap is set: without one nothing has to be read before a step. */
export function hasCap(settings: Settings): boolean {
  return settings['budget.turnMicroUsd'] > 0 || settings['budget.conversationMicroUsd'] > 0 || settings['budget.dayMicroUsd'] > 0;
}

/** The narrowest cap that is used up; null: none is. Checked before each step, a cap is passed by what that one step costs at most. */
export function capReached(spending: Spending): CapReached | null {
  const lines: [CapReached['scope'], SpendingLine | null][] = [
    ['turn', spending.turn],
    ['conversation', spending.conversation],
    ['day', spending.day],
  ];
  for (const [scope, line] of lines) {
    if (line === null || line.capMicroUsd === null || line.totals.costMicroUsd < line.capMicroUsd) continue;
    return { scope, spentMicroUsd: line.totals.costMicroUsd, capMicroUsd: line.capMicroUsd };
  }
  return null;
}

const SCOPE_WORDS = { turn: 'this turn', conversation: 'this conversation', day: 'today (UTC)' } as const;
const MICRO_PER_USD = 1_000_000;

/** One sentence for a person. */
export function capSentence(cap: CapReached): string {
  const spent = (cap.spentMicroUsd / MICRO_PER_USD).toFixed(4);
  const most = (cap.capMicroUsd / MICRO_PER_USD).toFixed(4);
  return `The cost cap of ${SCOPE_WORDS[cap.scope]} is reached: $${spent} of $${most} spent.`;
}
