// Spans in words. Pure.
import type { Span } from '../../shared/trace.ts';
import { words } from '../language/language.ts';

/** Heading of a span's detail. */
export function spanTitle(span: Span): string {
  const text = words().trace;
  const kind = text.kinds[span.kind];
  if (span.kind === 'run') return kind;
  if (span.kind === 'step') return `${kind} ${span.step ?? ''}`.trim();
  const step = span.step === null ? '' : `, ${text.inStep(span.step)}`;
  return span.kind === 'model-call' || span.kind === 'tool-call' ? `${kind}${step}` : `${kind}: ${span.name}${step}`;
}

/** What a screen reader hears for a row beside its name and time. */
export function spanState(span: Span): string {
  const text = words().trace;
  const state = span.endedAt === null ? text.states.running : span.status === 'ok' ? '' : text.states[span.status];
  return [text.kinds[span.kind], state, span.note].filter((word) => word !== '').join(', ');
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
