/** Pure: the catalog's dated prices as the engine's port. US dollars per million tokens there, micro-USD per million tokens here. */
import type { ModelRates, PriceList } from '../engine/ports.ts';
import type { Usage } from '../../shared/usage.ts';
import { findModel } from './catalog.ts';
import type { DatedPrice, Rates } from './catalog.ts';

const MICRO_PER_USD = 1_000_000;
const TOKENS_OF_A_RATE = 1_000_000;
const DATE_LENGTH = 10;

export const priceList: PriceList = {
  rates(provider, model, at) {
    const price = priceAt(provider, model, at);
    return price === null ? null : modelRates(price, price.from);
  },
  cost(provider, model, usage, at) {
    const price = priceAt(provider, model, at);
    if (price === null) return null;
    const long = price.above !== undefined && usage.inputTokens > price.above.inputTokens ? price.above : price;
    return costByRates(modelRates(long, price.from), usage);
  },
};

/** The price that holds on the UTC day of `at`; null: none known for that day. */
function priceAt(provider: string, model: string, at: number): DatedPrice | null {
  const day = new Date(at).toISOString().slice(0, DATE_LENGTH);
  return findModel(provider, model)?.prices.find((price) => price.from <= day && (price.to === null || day < price.to)) ?? null;
}

function modelRates(rates: Rates, since: string): ModelRates {
  const micro = (usd: number) => Math.round(usd * MICRO_PER_USD);
  return {
    input: micro(rates.input),
    cachedInput: micro(rates.cachedInput ?? rates.input),
    cacheWrite: micro(rates.cacheWrite ?? rates.input),
    output: micro(rates.output),
    since,
  };
}

/** Cached and written tokens are parts of the input with rates of their own. Rounded once, at the end. */
function costByRates(rates: ModelRates, usage: Usage): number {
  const plain = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens);
  const scaled =
    plain * rates.input +
    usage.cacheReadTokens * rates.cachedInput +
    usage.cacheWriteTokens * rates.cacheWrite +
    usage.outputTokens * rates.output;
  return Math.round(scaled / TOKENS_OF_A_RATE);
}
