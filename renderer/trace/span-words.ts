// Spans in words. Pure.
import type { Span, SpanKind } from '../../shared/trace.ts';

export const KIND_WORDS: Record<SpanKind, string> = {
  run: 'Run',
  step: 'Step',
  'model-call': 'Model call',
  'tool-call': 'Tool call',
  approval: 'Approval',
  compaction: 'Compaction',
  storage: 'Storage',
  'retry-wait': 'Waiting to retry',
};

/** Heading of a span's detail. */
export function spanTitle(span: Span): string {
  const kind = KIND_WORDS[span.kind];
  if (span.kind === 'run') return kind;
  if (span.kind === 'step') return `Step ${span.step ?? ''}`.trim();
  const step = span.step === null ? '' : `, step ${span.step}`;
  return span.kind === 'model-call' || span.kind === 'tool-call' ? `${kind}${step}` : `${kind}: ${span.name}${step}`;
}

/** What a screen reader hears for a row beside its name and time. */
export function spanState(span: Span): string {
  const state = span.endedAt === null ? 'running' : span.status === 'ok' ? '' : span.status;
  return [KIND_WORDS[span.kind], state, span.note].filter((word) => word !== '').join(', ');
}

/** Times of a model call: waiting for the first token, then streaming; null where there was none. */
export function modelTimes(span: Span, now: number): { waitedMs: number; streamedMs: number | null; tokensPerSecond: number | null } {
  const end = span.endedAt ?? now;
  if (span.firstTokenAt === null) return { waitedMs: Math.max(0, end - span.startedAt), streamedMs: null, tokensPerSecond: null };
  const streamedMs = Math.max(0, end - span.firstTokenAt);
  const output = span.usage?.outputTokens ?? null;
  return {
    waitedMs: Math.max(0, span.firstTokenAt - span.startedAt),
    streamedMs,
    tokensPerSecond: output === null || streamedMs < 100 ? null : Math.round(output / (streamedMs / 1000)),
  };
}
