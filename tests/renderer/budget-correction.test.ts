/** The meter follows what was reported last, and never further than twice or half. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctionOf, spentLines } from '../../renderer/budget/correction.ts';

test('nothing reported leaves the estimate as it is', () => {
  expect(correctionOf(null)).toBe(1);
  expect(correctionOf({ lastRequest: null })).toBe(1);
  expect(correctionOf({ lastRequest: { estimated: 0, reported: 5 } })).toBe(1);
  expect(correctionOf({ lastRequest: { estimated: 100, reported: 120 } })).toBeCloseTo(1.2);
});

test('any report gives a factor from a half to two', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (estimated, reported) => {
      const factor = correctionOf({ lastRequest: { estimated, reported } });
      expect(factor).toBeGreaterThanOrEqual(0.5);
      expect(factor).toBeLessThanOrEqual(2);
    }),
  );
});

test('spending lines: unknown money is null, not 0', () => {
  const totals = {
    calls: 2,
    unknownCalls: 0,
    inputTokens: 90,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 10,
    reasoningTokens: 0,
    costMicroUsd: 0,
    unpricedCalls: 2,
  };
  const day = { totals: { ...totals, costMicroUsd: 7, unpricedCalls: 1 }, capMicroUsd: 50 };
  expect(spentLines({ turn: null, conversation: { totals, capMicroUsd: null }, day, action: 'warn' })).toEqual([
    { id: 'conversation', tokens: 100, costMicroUsd: null, capMicroUsd: null },
    { id: 'day', tokens: 100, costMicroUsd: 7, capMicroUsd: 50 },
  ]);
  // Calls of which nothing is known are not nothing.
  const silent = { ...totals, unknownCalls: 2, inputTokens: 0, outputTokens: 0 };
  expect(spentLines({ turn: { totals: silent, capMicroUsd: null }, conversation: null, day, action: 'warn' })[0]).toMatchObject({
    id: 'turn',
    tokens: null,
  });
  expect(spentLines(null)).toEqual([]);
});
