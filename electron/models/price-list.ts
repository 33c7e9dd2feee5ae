/** Pure: the catalog's dated prices as the engine's port. US dollars per million tokens there, micro-USD per million tokens here. */
import type { ModelRates, PriceList } from '../engine/ports.ts';
import type { Rates } from './catalog.ts';
import { costOf, priceAt } from './price.ts';

const MICRO_PER_USD = 1_000_000;

export const priceList: PriceList = {
  rates(provider, model, at) {
    const price = priceAt(provider, model, at);
    return price === null ? null : modelRates(price, price.from);
  },
  cost: (provider, model, usage, at) => costOf({ provider, model, usage, at }),
};

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
