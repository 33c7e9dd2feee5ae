// The numbers of a span with their names, for its detail and for the box under the pointer. Pure.
import type { Span } from '../../shared/trace.ts';
import { words } from '../language/language.ts';
import { formatBytes, formatCost, formatDuration, formatReported } from '../ui/format.ts';
import type { SpanNumbers } from './span-numbers.ts';
import { modelTimes } from './span-words.ts';

export interface SpanFact {
  name: string;
  value: string;
}

/** `startedAt` of the run and `now` in UTC milliseconds. `numbers`: of the span with what is under it. */
export function spanFacts(span: Span, numbers: SpanNumbers | undefined, runStartedAt: number, now: number): SpanFact[] {
  const text = words().trace.facts;
  const end = span.endedAt ?? now;
  const facts: SpanFact[] = [{ name: text.begins, value: `+${formatDuration(Math.max(0, span.startedAt - runStartedAt))}` }];
  if (span.kind === 'model-call') {
    const times = modelTimes(span, now);
    const waited = formatDuration(times.waitedMs);
    facts.push({ name: text.firstToken, value: times.streamedMs === null ? text.noneAfter(waited) : waited });
    if (times.streamedMs !== null) {
      const speed = times.tokensPerSecond === null ? '' : `, ${times.tokensPerSecond}/s`;
      facts.push({ name: text.streaming, value: `${formatDuration(times.streamedMs)}${speed}` });
    }
  } else facts.push({ name: text.time, value: formatDuration(Math.max(0, end - span.startedAt)) });
  if (numbers !== undefined) {
    facts.push(
      { name: text.input, value: formatReported(numbers.inputTokens) },
      { name: text.cached, value: formatReported(numbers.cacheReadTokens) },
      { name: text.output, value: formatReported(numbers.outputTokens) },
      { name: text.reasoning, value: formatReported(numbers.reasoningTokens) },
      { name: text.cost, value: formatCost(numbers.costMicroUsd) },
    );
  }
  if (span.detailBytes > 0) facts.push({ name: text.stored, value: formatBytes(span.detailBytes) });
  return facts;
}
