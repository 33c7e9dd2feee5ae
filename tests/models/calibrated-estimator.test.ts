/** Estimates that learn from reported usage. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { measureKind } from '../../bench/token-estimates.ts';
import { SAMPLE_KINDS, sampleText, seededRandom } from '../../bench/token-samples.ts';
import { createCalibratedEstimator } from '../../electron/models/calibrated-estimator.ts';
import { scriptShares } from '../../electron/models/text-scripts.ts';

const base = { name: 'quarters', count: (text: string) => Math.ceil(text.length / 4) };
const make = (saved?: unknown) => createCalibratedEstimator({ model: 'openai/gpt-5', base, saved });

beforeAll(async () => {
  // Loading takes a moment; every estimator shares it.
  expect(await make().load()).toBe(true);
}, 60_000);

describe('calibrated estimator', () => {
  it.each(SAMPLE_KINDS)(
    'P95 error is at most 8 %% after three calls on %s (simulated)',
    async (kind) => {
      const { after } = await measureKind(kind, 12);
      expect(after).toBeLessThanOrEqual(0.08);
    },
    60_000,
  );

  it('learns mixed writing from mixed requests', () => {
    const estimator = make();
    const random = seededRandom(5);
    const factorOf = (text: string) => {
      const shares = scriptShares(text);
      return shares.latin * 1.3 + shares.json * 0.8 + shares.cjk * 0.9 + shares.other + shares.arabic + shares.emoji;
    };
    const fresh = make();
    const mixed = () => `${sampleText('English', random)}\n${sampleText('JSON', random)}\n${sampleText('Japanese', random)}`;
    for (let call = 0; call < 12; call += 1) {
      const text = mixed();
      estimator.learn(text, Math.round(fresh.count(text) * factorOf(text)));
    }
    const text = mixed();
    expect(Math.abs(estimator.count(text) / (fresh.count(text) * factorOf(text)) - 1)).toBeLessThan(0.05);
    expect(estimator.accuracy()).toMatchObject({ samples: 12 });
    expect(estimator.accuracy().p95Error).toBeGreaterThan(0);
  });

  it('keeps what it learned between starts, and starts anew from anything else', () => {
    const estimator = make();
    const text = 'An ordinary English sentence about an order, repeated. '.repeat(10);
    estimator.learn(text, make().count(text) * 2);
    const again = make(JSON.parse(JSON.stringify(estimator.calibration())));
    expect(again.count(text)).toBe(estimator.count(text));
    expect(again.count(text)).toBeGreaterThan(make().count(text) * 1.7);
    for (const saved of [null, 'x', {}, { factors: [1], covariance: [], errors: [] }])
      expect(make(saved).count(text)).toBe(make().count(text));
  });

  it('ignores reports that cannot be', () => {
    const estimator = make();
    for (const tokens of [Number.NaN, 0, -5, Number.POSITIVE_INFINITY, 3]) estimator.learn('some text', tokens);
    expect(estimator.accuracy()).toEqual({ samples: 0, p95Error: null });
  });

  it('counts any text without throwing, quickly', async () => {
    const estimator = make();
    await estimator.load();
    expect(estimator.count('')).toBe(0);
    expect(estimator.count('<|endoftext|>')).toBeGreaterThan(1);
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => Number.isInteger(estimator.count(text))));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 }), (units) =>
        Number.isInteger(estimator.count(String.fromCharCode(...units))),
      ),
    );
    // A word without spaces would take minutes in one piece.
    expect(estimator.count('a'.repeat(100_000))).toBeGreaterThan(10_000);
    expect(estimator.count('😀'.repeat(20_000))).toBeGreaterThan(10_000);
  });

  it('counts with its base until the tokenizer is there', async () => {
    const estimator = make();
    const text = 'Wait '.repeat(100);
    expect(estimator.count(text)).toBe(base.count(text));
    await estimator.load();
    expect(estimator.count(text)).not.toBe(base.count(text));
  });

  it('shares add up to one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        expect(Object.values(scriptShares(text)).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
      }),
    );
  });
});
