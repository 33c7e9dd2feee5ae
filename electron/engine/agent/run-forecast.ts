/** What a run is expected to take, kept in its trace beside what it took. Reads through ports only. */
import type { ContextPlan } from '../../../shared/compaction.ts';
import type { CostForecast } from '../../../shared/models.ts';
import type { Settings } from '../../../shared/settings.ts';
import { messagesTokens, toolsTokens } from '../memory/estimate.ts';
import { forecastCost, MOST_OUTPUT_TOKENS } from '../money/cost-forecast.ts';
import { ownPricesOf } from '../money/ledger.ts';
import { costOf } from '../money/pricing.ts';
import type { ModelRequest } from '../ports.ts';
import type { RunContext } from './run-context.ts';

/** Estimated tokens of a request as it is sent. */
export function requestTokens(run: RunContext, request: ModelRequest): number {
  const { estimator } = run.deps;
  return estimator.count(request.system) + toolsTokens(request.tools, estimator) + messagesTokens(request.messages, estimator);
}

/** Estimates may be too low by this factor. */
const ESTIMATE_MARGIN = 1.5;

/** The most one call of this request may cost, in micro-USD; 0 without a known price, as it cannot be counted then. */
export function worstStepCost(run: RunContext, request: ModelRequest): number {
  const { deps, settings, model } = run;
  const inputTokens = Math.ceil(requestTokens(run, request) * ESTIMATE_MARGIN);
  const usage = { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: MOST_OUTPUT_TOKENS, reasoningTokens: 0 };
  const call = { provider: model.provider, model: model.model, usage, at: deps.clock.now() };
  return costOf(deps.prices, ownPricesOf(settings), call) ?? 0;
}

/** The cost of the whole run in micro-USD; null without a known price, or when the ledger cannot be read. Never rejects. */
export async function forecastRun(run: RunContext, request: ModelRequest, plan: ContextPlan): Promise<CostForecast | null> {
  const { deps, scope, settings, model } = run;
  const own = ownPricesOf(settings);
  const at = deps.clock.now();
  const tokens = requestTokens(run, request);
  try {
    return forecastCost({
      requestTokens: tokens,
      freshTokens: messagesTokens(request.messages.slice(plan.messages.length), deps.estimator),
      maxSteps: settings['agent.maxSteps'],
      totals: await deps.store.usage.totals({ conversationId: scope.conversationId }),
      turns: scope.turn - 1,
      cost: (usage) => costOf(deps.prices, own, { provider: model.provider, model: model.model, usage, at }),
    });
  } catch (error) {
    deps.logger.warn('the cost of a run could not be forecast', { ...scope, error: String(error) });
    return null;
  }
}

/** Settings for a second try after "too long": half of what the first plan used, so that the second is really smaller. */
export function halvedBudget(settings: Settings, plan: ContextPlan): Settings {
  const half = Math.max(2, Math.floor(Math.min(plan.budget, plan.budgetUsed) / 2));
  if (plan.budgetUnit === 'php-chars') return { ...settings, 'memory.maxChars': Math.min(settings['memory.maxChars'], half) };
  return {
    ...settings,
    'memory.historyTokens': Math.min(settings['memory.historyTokens'], half),
    'memory.maxHistoryTokens': Math.min(settings['memory.maxHistoryTokens'], half),
  };
}
