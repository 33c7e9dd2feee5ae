/** Pure: what a model call costs: a person's own price first, then the dated list; unknown stays null. */
import type { ModelView } from '../../../shared/models.ts';
import type { OwnPrice, OwnPrices } from '../../../shared/own-prices.ts';
import type { Usage } from '../../../shared/usage.ts';
import type { PriceList } from '../ports.ts';

const TOKENS_OF_A_RATE = 1_000_000;

export interface PricedCall {
  provider: string;
  model: string;
  usage: Usage;
  /** UTC milliseconds. */
  at: number;
}

/** Integer micro-USD, rounded half up; null: no price known. Cached and cache-written tokens are parts of the input with rates of their own. */
export function costOf(prices: PriceList, own: OwnPrices, call: PricedCall): number | null {
  const mine = ownPriceOf(own, call.provider, call.model);
  return mine === undefined ? prices.cost(call.provider, call.model, call.usage, call.at) : costByOwnPrice(mine, call.usage);
}

function costByOwnPrice(price: OwnPrice, usage: Usage): number {
  const plain = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens);
  const scaled =
    plain * price.input +
    usage.cacheReadTokens * (price.cachedInput ?? price.input) +
    usage.cacheWriteTokens * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return Math.round(scaled / TOKENS_OF_A_RATE);
}

/** The price a person is shown; null: tokens only. An own price has no date. */
export function priceView(prices: PriceList, own: OwnPrices, model: { provider: string; model: string; at: number }): ModelView['price'] {
  const mine = ownPriceOf(own, model.provider, model.model);
  if (mine !== undefined) return { input: mine.input, cachedInput: mine.cachedInput ?? mine.input, output: mine.output, since: '' };
  const rates = prices.rates(model.provider, model.model, model.at);
  return rates === null ? null : { input: rates.input, cachedInput: rates.cachedInput, output: rates.output, since: rates.since };
}

function ownPriceOf(own: OwnPrices, provider: string, model: string): OwnPrice | undefined {
  const name = `${provider}/${model}`;
  return Object.hasOwn(own, name) ? own[name] : undefined;
}
