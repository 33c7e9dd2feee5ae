// Geometry of the waterfall: rows in tree order with bars in shares of the width, ticks, totals. Pure; accepts any spans.
import type { Span } from '../../shared/trace.ts';

/** A piece of a row, from 0 to 1 of the timeline. */
export interface Bar {
  from: number;
  to: number;
  look: 'solid' | 'waiting' | 'open';
}
export interface TimelineRow {
  span: Span;
  depth: number;
  bars: Bar[];
  durationMs: number;
  running: boolean;
}
export interface Timeline {
  rows: TimelineRow[];
  /** Width in milliseconds; at least 1. */
  totalMs: number;
  startedAt: number;
  ticks: { at: number; label: string }[];
  /** Share at which a running timeline stands; null when everything ended. */
  now: number | null;
}

/** Room right of the last end, as a share of the width, while a run is at work. */
const LIVE_ROOM = 0.08;
const WANTED_TICKS = 4;

/** `now` in UTC milliseconds; used for spans that have not ended. */
export function timelineOf(spans: readonly Span[], now: number): Timeline {
  if (spans.length === 0) return { rows: [], totalMs: 1, startedAt: now, ticks: [], now: null };
  const endOf = (span: Span) => Math.max(span.startedAt, span.endedAt ?? now);
  let startedAt = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  let running = false;
  for (const span of spans) {
    startedAt = Math.min(startedAt, span.startedAt);
    end = Math.max(end, endOf(span));
    running ||= span.endedAt === null;
  }
  const length = Math.max(1, end - startedAt);
  const totalMs = running ? length * (1 + LIVE_ROOM) : length;
  const share = (at: number) => Math.min(1, Math.max(0, (at - startedAt) / totalMs));
  const rows = inTreeOrder(spans).map(({ span, depth }) => ({
    span,
    depth,
    bars: barsOf(span, endOf(span), share),
    durationMs: endOf(span) - span.startedAt,
    running: span.endedAt === null,
  }));
  return { rows, totalMs, startedAt, ticks: ticksOf(totalMs), now: running ? share(end) : null };
}

function barsOf(span: Span, end: number, share: (at: number) => number): Bar[] {
  const from = share(span.startedAt);
  const to = share(end);
  const look = span.endedAt === null ? 'open' : 'solid';
  if (span.kind !== 'model-call') return [{ from, to, look }];
  // Until the first token a model call only waits; that time has another cause and another cure.
  if (span.firstTokenAt === null) return [{ from, to, look: 'waiting' }];
  const first = Math.min(to, Math.max(from, share(span.firstTokenAt)));
  return [
    { from, to: first, look: 'waiting' },
    { from: first, to, look },
  ];
}

/** Parents before children, siblings by start, then as they were recorded; spans with an unknown parent or in a circle stand at the top level. */
function inTreeOrder(spans: readonly Span[]): { span: Span; depth: number }[] {
  const ids = new Set(spans.map((span) => span.id));
  const children = new Map<string | null, Span[]>();
  for (const span of spans) {
    const parent = span.parentId !== null && span.parentId !== span.id && ids.has(span.parentId) ? span.parentId : null;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [span]);
    else siblings.push(span);
  }
  for (const group of children.values()) group.sort((a, b) => a.startedAt - b.startedAt);
  const rows: { span: Span; depth: number }[] = [];
  const seen = new Set<string>();
  const visit = (span: Span, depth: number) => {
    if (seen.has(span.id)) return;
    seen.add(span.id);
    rows.push({ span, depth });
    for (const child of children.get(span.id) ?? []) visit(child, depth + 1);
  };
  for (const span of children.get(null) ?? []) visit(span, 0);
  for (const span of spans) visit(span, 0);
  return rows;
}

/** Round tick positions in shares of the width, with the unit on the first. */
export function ticksOf(totalMs: number): { at: number; label: string }[] {
  const rough = totalMs / WANTED_TICKS;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-9)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  const inSeconds = totalMs >= 2000;
  const ticks: { at: number; label: string }[] = [];
  for (let at = 0; at < totalMs * 0.96 && ticks.length < 12; at += step) {
    const value = inSeconds ? Number((at / 1000).toFixed(2)) : Number(at.toFixed(1));
    ticks.push({ at: at / totalMs, label: at === 0 ? `0 ${inSeconds ? 's' : 'ms'}` : String(value) });
  }
  return ticks;
}

export interface RunTotals {
  steps: number;
  toolCalls: number;
  /** null: no call reported any. */
  inputTokens: number | null;
  cacheReadTokens: number | null;
  outputTokens: number | null;
  reasoningTokens: number | null;
  costMicroUsd: number | null;
  errors: number;
}

/** Sums over model calls; a sum is null when nothing reported it. */
export function runTotals(spans: readonly Span[]): RunTotals {
  const calls = spans.filter((span) => span.kind === 'model-call');
  const reported = calls.flatMap((span) => (span.usage === null ? [] : [span.usage]));
  const priced = calls.flatMap((span) => (span.costMicroUsd === null ? [] : [span.costMicroUsd]));
  const sum = (values: number[]) => (values.length === 0 ? null : values.reduce((total, value) => total + value, 0));
  return {
    steps: spans.filter((span) => span.kind === 'step').length,
    toolCalls: spans.filter((span) => span.kind === 'tool-call').length,
    inputTokens: sum(reported.map((usage) => usage.inputTokens)),
    cacheReadTokens: sum(reported.map((usage) => usage.cacheReadTokens)),
    outputTokens: sum(reported.map((usage) => usage.outputTokens)),
    reasoningTokens: sum(reported.map((usage) => usage.reasoningTokens)),
    costMicroUsd: sum(priced),
    errors: spans.filter((span) => span.status === 'error').length,
  };
}

/** The part of a timeline that is shown, in shares of its width. */
export interface TimeWindow {
  from: number;
  to: number;
}

export const WHOLE: TimeWindow = { from: 0, to: 1 };
/** The closest zoom: a thousandth of the run fills the width. */
const LEAST_WINDOW = 0.001;

/** Zooms by `factor` (below 1: closer) around `center`, both in shares of the whole; stays inside the run. */
export function zoomWindow(window: TimeWindow, factor: number, center: number): TimeWindow {
  const width = Math.min(1, Math.max(LEAST_WINDOW, (window.to - window.from) * factor));
  const from = Math.min(1 - width, Math.max(0, center - width / 2));
  return { from, to: from + width };
}

/** Zooms by `factor` so that what stands at `at`, a share of what is shown, stays there where the ends of the run allow it. */
export function zoomAround(window: TimeWindow, factor: number, at: number): TimeWindow {
  const before = window.to - window.from;
  const width = Math.min(1, Math.max(LEAST_WINDOW, before * factor));
  const from = Math.min(1 - width, Math.max(0, window.from + at * (before - width)));
  return { from, to: from + width };
}

/** Moves by a share of what is shown. */
export function moveWindow(window: TimeWindow, by: number): TimeWindow {
  const width = window.to - window.from;
  const from = Math.min(1 - width, Math.max(0, window.from + by * width));
  return { from, to: from + width };
}

/** The timeline as it looks through the window: shares are those of what is shown, bars outside are left out. */
export function throughWindow(timeline: Timeline, window: TimeWindow): Timeline {
  if (window.from === 0 && window.to === 1) return timeline;
  const width = window.to - window.from;
  const map = (share: number) => (share - window.from) / width;
  const clip = (share: number) => Math.min(1, Math.max(0, map(share)));
  const startMs = window.from * timeline.totalMs;
  const ticks = ticksBetween(startMs, window.to * timeline.totalMs);
  const now = timeline.now === null || map(timeline.now) < 0 || map(timeline.now) > 1 ? null : map(timeline.now);
  const rows = timeline.rows.map((row) => ({
    ...row,
    bars: row.bars
      .filter((bar) => bar.to >= window.from && bar.from <= window.to)
      .map((bar) => ({ ...bar, from: clip(bar.from), to: clip(bar.to) })),
  }));
  return { ...timeline, rows, ticks, now };
}

/** Round ticks inside a piece of the run; labels count from the start of the run. */
function ticksBetween(fromMs: number, toMs: number): Timeline['ticks'] {
  const length = Math.max(1e-6, toMs - fromMs);
  const power = 10 ** Math.floor(Math.log10(length / WANTED_TICKS));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= length / WANTED_TICKS) ?? 10 * power;
  const inSeconds = toMs >= 2000;
  const ticks: Timeline['ticks'] = [];
  for (let at = Math.ceil(fromMs / step) * step; at < toMs - length * 0.04 && ticks.length < 12; at += step) {
    const value = inSeconds ? Number((at / 1000).toFixed(3)) : Number(at.toFixed(2));
    ticks.push({ at: (at - fromMs) / length, label: ticks.length === 0 ? `${value} ${inSeconds ? 's' : 'ms'}` : String(value) });
  }
  return ticks;
}

/** Where the note of a row stands: after its bars, before them, or nowhere when neither side has room. */
export function notePlace(bars: readonly Bar[]): { side: 'after' | 'before'; at: number } | null {
  const from = bars[0]?.from;
  const to = bars.at(-1)?.to;
  if (from === undefined || to === undefined) return null;
  if (to <= 0.7) return { side: 'after', at: to };
  return from >= 0.3 ? { side: 'before', at: from } : null;
}

/** Where the bars of a span have their middle, as a share of the whole; undefined without it. */
export function centerOf(timeline: Timeline, spanId: string | null): number | undefined {
  const bars = timeline.rows.find((row) => row.span.id === spanId)?.bars;
  return bars === undefined ? undefined : ((bars[0]?.from ?? 0) + (bars.at(-1)?.to ?? 1)) / 2;
}
