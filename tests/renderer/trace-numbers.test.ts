/** Numbers, zoom, filters and pieces of the trace: any input gives finite, ordered results. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MOST_SHOWN, NOTHING_YET, payloadState, withPiece } from '../../renderer/trace/payload-parts.ts';
import { centsToMicroUsd, runRows } from '../../renderer/trace/run-rows.ts';
import { spanFacts } from '../../renderer/trace/span-facts.ts';
import { spanNumbers } from '../../renderer/trace/span-numbers.ts';
import { centerOf, timelineOf, WHOLE, zoomAround } from '../../renderer/trace/timeline.ts';
import type { RunSummary } from '../../shared/trace.ts';
import { span } from './fakes/samples.ts';

const USAGE = { inputTokens: 100, cacheReadTokens: 40, cacheWriteTokens: 0, outputTokens: 20, reasoningTokens: 5 };

describe('tokens and money of a row', () => {
  const spans = [
    span('run', { kind: 'run' }),
    span('step', { kind: 'step', parentId: 'run' }),
    span('one', { kind: 'model-call', parentId: 'step', usage: USAGE, costMicroUsd: 7 }),
    span('two', { kind: 'model-call', parentId: 'step', usage: USAGE, costMicroUsd: null }),
    span('tool', { kind: 'tool-call', parentId: 'step' }),
    span('loose', { kind: 'model-call', parentId: 'gone', usage: null }),
  ];
  test('steps and the run hold the sums of their model calls; a tool has none', () => {
    const numbers = spanNumbers(spans);
    const sums = { inputTokens: 200, cacheReadTokens: 80, outputTokens: 40, reasoningTokens: 10, costMicroUsd: 7 };
    expect(numbers.get('step')).toEqual(sums);
    expect(numbers.get('run')).toEqual(sums);
    expect(numbers.get('tool')).toBeUndefined();
    expect(numbers.get('loose')?.inputTokens).toBeNull();
  });
  test('circles of parents end', () => {
    const circle = [
      span('a', { kind: 'step', parentId: 'b' }),
      span('b', { kind: 'step', parentId: 'a' }),
      span('c', { kind: 'model-call', parentId: 'a', usage: USAGE }),
    ];
    expect(spanNumbers(circle).get('b')?.inputTokens).toBe(100);
  });
  test('the box under the pointer names begin, waiting, streaming, tokens and cost', () => {
    const call = span('c', { kind: 'model-call', startedAt: 1500, firstTokenAt: 1700, endedAt: 2700, usage: USAGE, costMicroUsd: 12_300 });
    const facts = spanFacts(call, spanNumbers([call]).get('c'), 1000, 0).map(({ name, value }) => `${name} ${value}`);
    expect(facts).toEqual([
      'Begins at +500 ms',
      'First token 200 ms',
      'Streaming 1.0 s, 20/s',
      'Input 100',
      'of it cached 40',
      'Output 20',
      'of it reasoning 5',
      'Cost 1.23 ¢',
    ]);
  });
});

describe('zoom around the pointer', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  test('stays inside the run, and what is under the pointer stays there away from the ends', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 1, noNaN: true }), share, (factor, at) => {
        const closer = zoomAround(WHOLE, factor, at);
        expect(closer.from).toBeGreaterThanOrEqual(0);
        expect(closer.to).toBeLessThanOrEqual(1 + 1e-9);
        expect(closer.from + at * (closer.to - closer.from)).toBeCloseTo(at, 9);
        const back = zoomAround(closer, 1 / factor, at);
        expect(back.from).toBeCloseTo(0, 9);
        expect(back.to).toBeCloseTo(1, 9);
      }),
    );
  });
  test('the keys zoom around the chosen span', () => {
    const timeline = timelineOf([span('run', { startedAt: 0, endedAt: 100 }), span('call', { startedAt: 40, endedAt: 60 })], 0);
    expect(centerOf(timeline, 'call')).toBeCloseTo(0.5);
    expect(centerOf(timeline, 'gone')).toBeUndefined();
  });
});

describe('filters of runs', () => {
  const run = (turn: number, change: Partial<RunSummary>): RunSummary => ({
    id: `run-${turn}`,
    conversationId: 'c',
    turn,
    question: 'q',
    model: 'm',
    startedAt: turn,
    endedAt: turn + 1,
    state: 'answered',
    outcome: 'answered',
    steps: 1,
    toolCalls: 1,
    usage: null,
    costMicroUsd: null,
    error: null,
    ...change,
  });
  const runs = [run(1, { costMicroUsd: 5000 }), run(2, { costMicroUsd: 20_000 }), run(3, {})];
  const turns = (filter: 'costly' | 'tools', costAbove: number | null, toolTurns: Set<number> | null) =>
    runRows(runs, filter, '', 0, true, { costAbove, toolTurns }).map((row) => row.run.turn);
  test('cost over an amount, and over the average without one', () => {
    expect(turns('costly', 4000, null)).toEqual([2, 1]);
    expect(turns('costly', null, null)).toEqual([2]);
    expect(turns('costly', 20_000, null)).toEqual([]);
  });
  test('one tool', () => {
    expect(turns('tools', null, new Set([1, 3]))).toEqual([3, 1]);
    expect(turns('tools', null, null)).toEqual([3, 2, 1]);
  });
  test('cents as people write them', () => {
    expect(['1.5', '1,5', ' 0 ', '', 'x', '-1', 'Infinity'].map(centsToMicroUsd)).toEqual([15_000, 15_000, 0, null, null, null, null]);
  });
});

describe('a payload in pieces', () => {
  test('grows piece by piece up to the limit; a piece that does not fit is left out', () => {
    expect(payloadState(NOTHING_YET)).toBe('nothing');
    const first = withPiece(NOTHING_YET, { offset: 0, text: 'ab', total: 4, next: 2 });
    expect(payloadState(first)).toBe('more');
    expect(withPiece(first, { offset: 0, text: 'ab', total: 4, next: 2 })).toBe(first);
    expect(payloadState(withPiece(first, { offset: 2, text: 'cd', total: 4, next: null }))).toBe('whole');
    expect(payloadState({ text: 'x'.repeat(MOST_SHOWN), total: MOST_SHOWN * 2, next: MOST_SHOWN })).toBe('limit');
  });
});
