/** Asked before each step of a run: may it cost more? Reads through ports only. */
import type { CapReached } from '../money/budget.ts';
import { capReached, capSentence, hasCap } from '../money/budget.ts';
import type { RunContext } from './run-context.ts';

/** A cap that ends the run, and how. */
export interface BudgetStop {
  cap: CapReached;
  action: 'handoff' | 'stop';
  /** One sentence for a person. */
  reason: string;
}

/**
 * null: the step may begin. A cap that only warns is told once per run and lets it go on. Rejects with the store's ConsoleError: what was
 * spent must be known before more is.
 */
export async function checkBudget(run: RunContext, step: number): Promise<BudgetStop | null> {
  const { deps, scope, settings, recorder, control } = run;
  if (!hasCap(settings)) return null;
  const spending = await control.race(deps.ledger.spending(scope, settings));
  const cap = capReached(spending);
  if (cap === null) return null;
  const reason = capSentence(cap);
  if (!run.warnedOfCap) {
    run.warnedOfCap = true;
    recorder.event('notice', step, { message: reason, cap: cap.scope, spentMicroUsd: cap.spentMicroUsd, capMicroUsd: cap.capMicroUsd });
    deps.emit({ type: 'notice', level: 'warning', message: reason, conversationId: scope.conversationId });
  }
  return spending.action === 'warn' ? null : { cap, action: spending.action, reason };
}
