/** Pure: reported usage times dated prices, in integer micro-USD. Unknown stays null, never 0. */
import type { Usage } from '../../shared/usage.ts';
import { findModel } from './catalog.ts';
import type { DatedPrice, Rates } from './catalog.ts';

/** A price a person entered for a model the catalog does not know, or knows with another price. */
export interface CustomPrice {
  provider: string;
  model: string;
  prices: DatedPrice[];
}

/** Rates are kept as whole numbers of this fraction of a micro-USD, so that sums are exact. */
const FRACTION = 1_000_000n;

/** The price that holds on the day of `at` (UTC milliseconds); a person's own comes first. null: none known. */
export function priceAt(provider: string, model: string, at: number, custom: readonly CustomPrice[] = []): DatedPrice | null {
  const day = new Date(at).toISOString().slice(0, 10);
  const holds = (price: DatedPrice) => price.from <= day && (price.to === null || day < price.to);
  const own = custom.find((entry) => entry.provider === provider && entry.model === model)?.prices.find(holds);
  return own ?? findModel(provider, model)?.prices.find(holds) ?? null;
}

/**
 * The cost of one call in micro-USD. Cached and written tokens are part of the input and billed at their own rate only; reasoning is part of
 * the output and not billed again. Rounded once, half up. null without usage or price.
 */
export function costMicroUsd(usage: Usage | null, price: DatedPrice | null): number | null {
  if (usage === null || price === null) return null;
  const rates: Rates = price.above !== undefined && usage.inputTokens > price.above.inputTokens ? price.above : price;
  const read = clamp(usage.cacheReadTokens, usage.inputTokens);
  const written = clamp(usage.cacheWriteTokens, usage.inputTokens - read);
  const total =
    part(usage.inputTokens - read - written, rates.input) +
    part(read, rates.cachedInput ?? rates.input) +
    part(written, rates.cacheWrite ?? rates.input) +
    part(usage.outputTokens, rates.output);
  return Number((total + FRACTION / 2n) / FRACTION);
}

/** Usage of one call to its cost, with the price of its day. */
export function costOf(
  call: { provider: string; model: string; usage: Usage | null; at: number },
  custom: readonly CustomPrice[] = [],
): number | null {
  return costMicroUsd(call.usage, priceAt(call.provider, call.model, call.at, custom));
}

function clamp(tokens: number, most: number): number {
  return Math.max(0, Math.min(tokens, most));
}

/** Dollars per million tokens are micro-dollars per token. */
function part(tokens: number, rate: number): bigint {
  return BigInt(Math.max(0, Math.round(tokens))) * BigInt(Math.round(rate * Number(FRACTION)));
}

/** What a request may cost before it is sent: nothing cached and the longest output, everything cached and no output. null: no price. */
export function costRange(
  request: { provider: string; model: string; inputTokens: number; maxOutputTokens: number; at: number },
  custom: readonly CustomPrice[] = [],
): { least: number; most: number } | null {
  const price = priceAt(request.provider, request.model, request.at, custom);
  const usage = { inputTokens: request.inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const least = costMicroUsd({ ...usage, cacheReadTokens: request.inputTokens }, price);
  // Writing to the cache may cost more than plain input.
  const plain = costMicroUsd({ ...usage, outputTokens: request.maxOutputTokens }, price);
  const written = costMicroUsd({ ...usage, cacheWriteTokens: request.inputTokens, outputTokens: request.maxOutputTokens }, price);
  return least === null || plain === null || written === null ? null : { least, most: Math.max(plain, written) };
}
