/** Asked before each step of a run: may it cost more? Reads through ports only. */
import type { CapReached } from '../money/budget.ts';
import { capReached, capSentence, hasCap } from '../money/budget.ts';
import type { ModelRequest } from '../ports.ts';
import type { RunContext } from './run-context.ts';
import { worstStepCost } from './run-forecast.ts';

/** The step may begin; `release` is called once its cost is in the ledger. */
interface Permit {
  kind: 'permit';
  release: () => void;
}

/** A cap ends the run. */
export interface BudgetStop {
  kind: 'stop';
  action: 'handoff' | 'stop';
  /** One sentence for a person. */
  reason: string;
}

const FREE: Permit = { kind: 'permit', release: () => undefined };

/**
 * A cap that only warns is told once per run and lets it go on. Where the steps under way in other conversations may use up the day's cap,
 * this one waits for them. Rejects with the store's ConsoleError (what was spent must be known before more is) and with `cancelled`.
 */
export async function checkBudget(run: RunContext, request: ModelRequest, step: number): Promise<Permit | BudgetStop> {
  const { deps, scope, settings, control } = run;
  if (!hasCap(settings)) return FREE;
  const { ledger } = deps;
  for (;;) {
    const spending = await control.race(ledger.spending(scope, settings));
    const cap = capReached(spending);
    if (cap !== null) tell(run, cap, step);
    if (spending.action === 'warn') return FREE;
    if (cap !== null) return { kind: 'stop', action: spending.action, reason: capSentence(cap) };
    const { totals, capMicroUsd } = spending.day;
    if (capMicroUsd === null) return FREE;
    const { reservations } = ledger;
    if (reservations.total() === 0 || totals.costMicroUsd + reservations.total() < capMicroUsd) {
      return { kind: 'permit', release: reservations.reserve(worstStepCost(run, request)) };
    }
    await control.race(reservations.change());
  }
}

function tell(run: RunContext, cap: CapReached, step: number): void {
  if (run.warnedOfCap) return;
  run.warnedOfCap = true;
  const message = capSentence(cap);
  run.recorder.event('notice', step, { message, cap: cap.scope, spentMicroUsd: cap.spentMicroUsd, capMicroUsd: cap.capMicroUsd });
  run.deps.emit({ type: 'notice', level: 'warning', message, conversationId: run.scope.conversationId });
}
