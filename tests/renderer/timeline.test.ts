/** Geometry of the waterfall: any spans give finite, ordered shares. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SpanKind } from '../../shared/trace.ts';
import { runTotals, ticksOf, timelineOf } from '../../renderer/trace/timeline.ts';
import { modelTimes, spanState } from '../../renderer/trace/span-words.ts';
import { span } from './fakes/samples.ts';

const KINDS: SpanKind[] = ['run', 'step', 'model-call', 'tool-call', 'approval', 'compaction', 'storage', 'retry-wait'];

const spanArbitrary = fc
  .record({
    id: fc.integer({ min: 0, max: 12 }),
    parent: fc.option(fc.integer({ min: 0, max: 12 }), { nil: null }),
    kind: fc.constantFrom(...KINDS),
    startedAt: fc.integer({ min: 0, max: 1_000_000 }),
    length: fc.option(fc.integer({ min: -5, max: 100_000 }), { nil: null }),
    first: fc.option(fc.integer({ min: -10, max: 200_000 }), { nil: null }),
  })
  .map(({ id, parent, kind, startedAt, length, first }) =>
    span(`s${id}`, {
      parentId: parent === null ? null : `s${parent}`,
      kind,
      startedAt,
      endedAt: length === null ? null : startedAt + length,
      firstTokenAt: first === null ? null : startedAt + first,
    }),
  );

describe('timelineOf', () => {
  test('any spans, circles and unknown parents included: one row per id, bars between 0 and 1, in order', () => {
    fc.assert(
      fc.property(fc.array(spanArbitrary, { maxLength: 30 }), fc.integer({ min: 0, max: 2_000_000 }), (spans, now) => {
        const timeline = timelineOf(spans, now);
        expect(timeline.rows.map((row) => row.span.id).toSorted()).toEqual([...new Set(spans.map((entry) => entry.id))].toSorted());
        for (const row of timeline.rows) {
          for (const bar of row.bars) {
            expect(bar.from).toBeGreaterThanOrEqual(0);
            expect(bar.to).toBeLessThanOrEqual(1);
            expect(bar.from).toBeLessThanOrEqual(bar.to);
          }
        }
        expect(timeline.totalMs).toBeGreaterThan(0);
      }),
    );
  });

  test('a model call waits hatched until its first token, then streams', () => {
    const [row] = timelineOf([span('call', { kind: 'model-call', startedAt: 0, firstTokenAt: 25, endedAt: 100 })], 0).rows;
    expect(row?.bars).toEqual([
      { from: 0, to: 0.25, look: 'waiting' },
      { from: 0.25, to: 1, look: 'solid' },
    ]);
  });

  test('children follow their parent by start; parallel tools stand side by side', () => {
    const spans = [
      span('tool-b', { parentId: 'step', kind: 'tool-call', startedAt: 30, endedAt: 60 }),
      span('run', { startedAt: 0 }),
      span('step', { parentId: 'run', kind: 'step', startedAt: 10 }),
      span('tool-a', { parentId: 'step', kind: 'tool-call', startedAt: 20, endedAt: 60 }),
    ];
    expect(timelineOf(spans, 0).rows.map((row) => [row.span.id, row.depth])).toEqual([
      ['run', 0],
      ['step', 1],
      ['tool-a', 2],
      ['tool-b', 2],
    ]);
  });

  test('10,000 spans and none', () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      span(`s${index}`, { parentId: index === 0 ? null : 's0', startedAt: index, endedAt: index + 3 }),
    );
    expect(timelineOf(many, 0).rows).toHaveLength(10_000);
    expect(timelineOf([], 5)).toEqual({ rows: [], totalMs: 1, startedAt: 5, ticks: [], now: null });
  });

  test('a running timeline leaves room after now', () => {
    const timeline = timelineOf([span('run', { startedAt: 0, endedAt: null })], 1000);
    expect(timeline.now).toBeGreaterThan(0.9);
    expect(timeline.now).toBeLessThan(1);
  });
});

test('ticks are round, begin at 0 with the unit, and stay few', () => {
  expect(ticksOf(8000).map((tick) => tick.label)).toEqual(['0 s', '2', '4', '6']);
  expect(ticksOf(90).map((tick) => tick.label)).toEqual(['0 ms', '50']);
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1e9, noNaN: true }), (total) => {
      const ticks = ticksOf(total);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(12);
      expect(ticks.every((tick) => tick.at >= 0 && tick.at < 1)).toBe(true);
    }),
  );
});

test('totals are null where nothing was reported, never 0', () => {
  expect(runTotals([span('call', { kind: 'model-call' })])).toMatchObject({ inputTokens: null, costMicroUsd: null });
  const usage = { inputTokens: 10, cacheReadTokens: 4, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 1 };
  const spans = [
    span('a', { kind: 'model-call', usage, costMicroUsd: 7 }),
    span('b', { kind: 'model-call' }),
    span('c', { kind: 'tool-call', status: 'error' }),
  ];
  expect(runTotals(spans)).toMatchObject({ inputTokens: 10, cacheReadTokens: 4, costMicroUsd: 7, toolCalls: 1, errors: 1 });
});

test('words of a span', () => {
  expect(modelTimes(span('call', { startedAt: 0, firstTokenAt: null, endedAt: 40 }), 0)).toEqual({
    waitedMs: 40,
    streamedMs: null,
    tokensPerSecond: null,
  });
  expect(spanState(span('get_order', { kind: 'tool-call', status: 'error', note: 'not found' }))).toBe('Tool call, error, not found');
});
