// Tokens and money of every row that has some: model calls, and steps and runs as the sums of theirs. Pure.
import type { Span } from '../../shared/trace.ts';

export interface SpanNumbers {
  /** All input, cached part included; null: nothing reported it. */
  inputTokens: number | null;
  cacheReadTokens: number | null;
  /** All output, reasoning included. */
  outputTokens: number | null;
  reasoningTokens: number | null;
  /** Integer micro-USD; null: no price known. */
  costMicroUsd: number | null;
}

const NOTHING: SpanNumbers = {
  inputTokens: null,
  cacheReadTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  costMicroUsd: null,
};

function plus(left: number | null, right: number | null): number | null {
  return left === null ? right : right === null ? left : left + right;
}

function added(left: SpanNumbers, right: SpanNumbers): SpanNumbers {
  return {
    inputTokens: plus(left.inputTokens, right.inputTokens),
    cacheReadTokens: plus(left.cacheReadTokens, right.cacheReadTokens),
    outputTokens: plus(left.outputTokens, right.outputTokens),
    reasoningTokens: plus(left.reasoningTokens, right.reasoningTokens),
    costMicroUsd: plus(left.costMicroUsd, right.costMicroUsd),
  };
}

/** By span id. A model call without usage has nulls; steps and runs without a model call are absent. Accepts unknown parents and circles. */
export function spanNumbers(spans: readonly Span[]): ReadonlyMap<string, SpanNumbers> {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const numbers = new Map<string, SpanNumbers>();
  for (const call of spans) {
    if (call.kind !== 'model-call' || byId.get(call.id) !== call) continue;
    const own: SpanNumbers = {
      inputTokens: call.usage?.inputTokens ?? null,
      cacheReadTokens: call.usage?.cacheReadTokens ?? null,
      outputTokens: call.usage?.outputTokens ?? null,
      reasoningTokens: call.usage?.reasoningTokens ?? null,
      costMicroUsd: call.costMicroUsd,
    };
    const seen = new Set<string>();
    for (let at: Span | undefined = call; at !== undefined && !seen.has(at.id); at = byId.get(at.parentId ?? '')) {
      seen.add(at.id);
      if (at !== call && at.kind !== 'step' && at.kind !== 'run') continue;
      numbers.set(at.id, added(numbers.get(at.id) ?? NOTHING, own));
    }
  }
  return numbers;
}
