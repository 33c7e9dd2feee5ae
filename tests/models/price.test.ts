/** Money: dated prices, cached and reasoning tokens billed once, unknown never 0. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOG, CATALOG_SOURCES, checksThoughtSignatures, findModel, isReasoningModel } from '../../electron/models/catalog.ts';
import type { DatedPrice } from '../../electron/models/catalog.ts';
import { costMicroUsd, costOf, costRange, priceAt } from '../../electron/models/price.ts';
import type { Usage } from '../../shared/usage.ts';

const AT = Date.UTC(2026, 10, 30);
const usage = (inputTokens: number, cacheReadTokens: number, outputTokens: number, reasoningTokens = 0, cacheWriteTokens = 0): Usage => ({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  outputTokens,
  reasoningTokens,
});
const price = (rates: Partial<DatedPrice>): DatedPrice => ({ from: '2025-01-01', to: null, input: 1, output: 1, ...rates });

describe('costMicroUsd', () => {
  it('bills 17,903 input tokens of which 17,817 are cached as 86 + 17,817', () => {
    expect(costMicroUsd(usage(17_903, 17_817, 0), price({ input: 1000, cachedInput: 1 }))).toBe(86 * 1000 + 17_817);
    expect(costOf({ provider: 'openai', model: 'gpt-5', usage: usage(17_903, 17_817, 0), at: AT })).toBe(2335);
  });

  it('bills 20 candidates + 409 thoughts as 429 output tokens, once', () => {
    expect(costMicroUsd(usage(0, 0, 429, 409), price({ output: 10 }))).toBe(4290);
  });

  it('bills cache writes at their own rate, at the input rate without one', () => {
    expect(costMicroUsd(usage(100, 20, 0, 0, 30), price({ input: 4, cachedInput: 1, cacheWrite: 5 }))).toBe(50 * 4 + 20 + 30 * 5);
    expect(costMicroUsd(usage(100, 20, 0, 0, 30), price({ input: 4 }))).toBe(400);
  });

  it('uses the rates of long requests for the whole request', () => {
    const tiered = price({ input: 2, output: 12, above: { inputTokens: 200_000, input: 4, output: 18 } });
    expect(costMicroUsd(usage(200_000, 0, 1), tiered)).toBe(400_012);
    expect(costMicroUsd(usage(200_001, 0, 1), tiered)).toBe(800_004 + 18);
  });

  it('unknown usage or price is null, never 0', () => {
    expect(costMicroUsd(null, price({}))).toBeNull();
    expect(costMicroUsd(usage(1, 0, 1), null)).toBeNull();
    expect(costOf({ provider: 'openai', model: 'gpt-99', usage: usage(1, 0, 1), at: AT })).toBeNull();
    expect(costOf({ provider: 'openai', model: 'gpt-5.4', usage: usage(1, 0, 1), at: AT })).toBeNull();
    expect(costOf({ provider: 'demo', model: 'scripted', usage: usage(1, 0, 1), at: AT })).toBeNull();
  });

  it('is a whole number, rounded once, and never bills more than all tokens at the dearest rate', () => {
    const count = fc.integer({ min: 0, max: 2_000_000 });
    const rate = fc.integer({ min: 0, max: 60_000 }).map((value) => value / 1000);
    fc.assert(
      fc.property(count, count, count, count, rate, rate, rate, rate, (input, read, written, output, full, cached, write, out) => {
        const cost = costMicroUsd(
          usage(input, read, output, 0, written),
          price({ input: full, cachedInput: cached, cacheWrite: write, output: out }),
        );
        expect(Number.isSafeInteger(cost)).toBe(true);
        expect(cost).toBeLessThanOrEqual(Math.ceil(input * Math.max(full, cached, write) + output * out));
      }),
    );
  });
});

describe('priceAt', () => {
  const custom = [
    {
      provider: 'openai-chat',
      model: 'local',
      prices: [price({ from: '2026-01-01', to: '2026-06-01', input: 3 }), price({ from: '2026-06-01', input: 2 })],
    },
    { provider: 'openai', model: 'gpt-5', prices: [price({ from: '2026-11-30', input: 9 })] },
  ];
  it('takes the price of the day, a custom one first', () => {
    const input = (at: number) => priceAt('openai-chat', 'local', at, custom)?.input ?? null;
    expect([input(Date.UTC(2025, 11, 31)), input(Date.UTC(2026, 4, 31, 23)), input(Date.UTC(2026, 5, 1))]).toEqual([null, 3, 2]);
    expect(priceAt('openai', 'gpt-5', AT, custom)?.input).toBe(9);
    expect(priceAt('openai', 'gpt-5', AT - 86_400_000, custom)?.input).toBe(1.25);
  });
});

describe('costRange', () => {
  it('reaches from all cached without output to nothing cached with the longest output', () => {
    const range = costRange({ provider: 'openai', model: 'gpt-5', inputTokens: 1000, maxOutputTokens: 100, at: AT });
    expect(range).toEqual({ least: 125, most: 2250 });
    expect(costRange({ provider: 'openai', model: 'gpt-99', inputTokens: 1, maxOutputTokens: 1, at: AT })).toBeNull();
  });
});

describe('catalog', () => {
  it('is well formed: dated, ordered, without overlap, each provider with a source page', () => {
    const names = CATALOG.map((entry) => `${entry.provider}/${entry.model}`);
    expect(new Set(names).size).toBe(names.length);
    for (const entry of CATALOG) {
      expect(CATALOG_SOURCES[entry.provider]?.page).toMatch(/^https:/);
      expect(entry.windowTokens).toBeGreaterThan(100_000);
      for (const [index, dated] of entry.prices.entries()) {
        expect(dated.from).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(dated.input > 0 && dated.output >= dated.input && (dated.cachedInput ?? 0) < dated.input).toBe(true);
        const before = entry.prices[index - 1];
        if (before !== undefined) expect(before.to !== null && before.to <= dated.from).toBe(true);
      }
    }
  });

  it('finds dated snapshots, never a model of a similar name', () => {
    expect(findModel('openai', 'gpt-5-2025-08-07')?.model).toBe('gpt-5');
    expect(findModel('gemini', 'gemini-2.5-flash-001')?.model).toBe('gemini-2.5-flash');
    expect(findModel('openai', 'gpt-5-codex')).toBeNull();
    expect(findModel('openai-chat', 'gpt-5')).toBeNull();
  });

  it.each([
    ['gpt-5', true],
    ['gpt-5-chat-latest', false],
    ['gpt-6.2-sol', true],
    ['o9-mini', true],
    ['gpt-4o', false],
    ['llama-3', false],
  ])('P20 %s reasons: %s', (model, expected) => {
    expect(isReasoningModel('openai', model)).toBe(expected);
  });

  it.each([
    ['gemini-2.5-flash', false],
    ['gemini-3-pro-preview', true],
    ['gemini-10-ultra', true],
    ['gemini-flash-latest', true],
  ])('P19 %s checks thought signatures: %s', (model, expected) => {
    expect(checksThoughtSignatures(model)).toBe(expected);
  });
});
