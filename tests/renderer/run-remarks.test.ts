/** What a trace tells beside its spans. */
import { describe, expect, test } from 'vitest';
import { runRemarks } from '../../renderer/trace/run-remarks.ts';
import type { TraceEvent } from '../../shared/trace.ts';

const event = (type: TraceEvent['type'], data: Record<string, unknown>): TraceEvent => ({
  runId: 'run-1',
  seq: 1,
  type,
  at: 0,
  ms: 0,
  step: 1,
  data,
});

describe('remarks of a run', () => {
  test('P19 notices are told once, in order', () => {
    const lost = event('notice', { message: '2 thought signatures could not travel to openai/gpt-5.' });
    const other = event('notice', { message: 'The cost cap is reached.' });
    expect(runRemarks([lost, other, lost, event('notice', {})]).notices).toEqual([lost.data['message'], other.data['message']]);
  });

  test('the forecast stands against the cost; unknown is null, not 0', () => {
    expect(runRemarks([event('turn-end', { costForecast: { least: 1, likely: 3, most: 9 } })]).forecastMicroUsd).toBe(3);
    expect(runRemarks([event('turn-end', { costForecast: null })]).forecastMicroUsd).toBeNull();
    expect(runRemarks([event('turn-end', {})]).forecastMicroUsd).toBeNull();
  });
});
