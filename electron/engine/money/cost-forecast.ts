/** Pure: what the next message may cost: least, likely, and the worst case at the step limit. */
import type { CostForecast } from '../../../shared/models.ts';
import type { Usage, UsageTotals } from '../../../shared/usage.ts';

export interface ForecastBasis {
  /** Estimated tokens of the whole first request. */
  requestTokens: number;
  /** Those that change from request to request: the question and what it brings. */
  freshTokens: number;
  /** Model calls a run may make. */
  maxSteps: number;
  /** The conversation so far. */
  totals: UsageTotals;
  /** Turns that were answered so far. */
  turns: number;
  /** Integer micro-USD of one call; null: no price known. */
  cost: (usage: Usage) => number | null;
}

/** Output of an answer of one sentence, in tokens. */
const SHORT_ANSWER_TOKENS = 20;
/** Output of an ordinary step where nothing is known about this conversation, in tokens. */
const LIKELY_OUTPUT_TOKENS = 150;
/** Steps of an ordinary turn where nothing is known: one that looks something up, one that answers. */
const LIKELY_STEPS = 2;
/** What a tool's result adds to the request of the next step, in tokens. */
const LIKELY_RESULT_TOKENS = 200;
/** A long answer with reasoning, and a long result, in tokens: more is possible, but no step of the shop comes near. */
export const MOST_OUTPUT_TOKENS = 8192;
const MOST_RESULT_TOKENS = 4096;

/** null without a known price. `least` ≤ `likely` ≤ `most`. */
export function forecastCost(basis: ForecastBasis): CostForecast | null {
  const { requestTokens, totals } = basis;
  const known = totals.calls - totals.unknownCalls;
  const output = known > 0 ? Math.max(SHORT_ANSWER_TOKENS, Math.round(totals.outputTokens / known)) : LIKELY_OUTPUT_TOKENS;
  const steps = basis.turns > 0 && totals.calls > 0 ? Math.max(1, Math.round(totals.calls / basis.turns)) : LIKELY_STEPS;
  const cached = totals.inputTokens > 0 ? totals.cacheReadTokens / totals.inputTokens : 0;
  const prefix = Math.max(0, requestTokens - basis.freshTokens);
  const least = basis.cost(call(requestTokens, prefix, SHORT_ANSWER_TOKENS));
  const likely = sum(Math.min(steps, basis.maxSteps), (step) => {
    const input = requestTokens + step * (output + LIKELY_RESULT_TOKENS);
    return basis.cost(call(input, Math.min(prefix, Math.round(input * cached)), output));
  });
  const most = sum(basis.maxSteps, (step) =>
    basis.cost(call(requestTokens + step * (MOST_OUTPUT_TOKENS + MOST_RESULT_TOKENS), 0, MOST_OUTPUT_TOKENS)),
  );
  if (least === null || likely === null || most === null) return null;
  const middle = Math.max(least, likely);
  return { least, likely: middle, most: Math.max(middle, most) };
}

function call(inputTokens: number, cacheReadTokens: number, outputTokens: number): Usage {
  return { inputTokens, cacheReadTokens, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 };
}

function sum(steps: number, cost: (step: number) => number | null): number | null {
  let total = 0;
  for (let step = 0; step < steps; step += 1) {
    const one = cost(step);
    if (one === null) return null;
    total += one;
  }
  return total;
}
