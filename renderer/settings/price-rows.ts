// Own prices as rows a person edits: US dollars per million tokens, as text. Pure, but for the running number of a new row.
import type { OwnPrice, OwnPrices } from '../../shared/own-prices.ts';
import { dollarsOf, microUsdOf } from './setting-fields.ts';

export interface PriceRow {
  key: number;
  /** `PROVIDER/MODEL` */
  model: string;
  input: string;
  /** "": as other input. */
  cachedInput: string;
  output: string;
  /** Tokens; "": unknown. */
  window: string;
  /** What the table does not show and must not lose. */
  cacheWrite?: number;
}

let lastKey = 0;

export function emptyPriceRow(): PriceRow {
  lastKey += 1;
  return { key: lastKey, model: '', input: '', cachedInput: '', output: '', window: '' };
}

/** The stored setting, which the engine checked when it was saved; what cannot be read is an empty list. */
export function readPrices(text: string): OwnPrices {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as OwnPrices) : {};
  } catch {
    return {};
  }
}

export function priceRows(prices: OwnPrices): PriceRow[] {
  return Object.entries(prices).map(([model, price]) => ({
    ...emptyPriceRow(),
    model,
    input: dollarsOf(price.input),
    cachedInput: price.cachedInput === undefined ? '' : dollarsOf(price.cachedInput),
    output: dollarsOf(price.output),
    window: price.window === undefined ? '' : String(price.window),
    ...(price.cacheWrite === undefined ? {} : { cacheWrite: price.cacheWrite }),
  }));
}

type Column = 'model' | 'input' | 'cachedInput' | 'output' | 'window';

/** The setting's text, or the first cell that cannot be read. Rows without a model are left out. */
export function pricesText(rows: readonly PriceRow[]): { text: string } | { row: number; wrong: Column } {
  const made: Record<string, OwnPrice> = {};
  for (const [index, row] of rows.entries()) {
    const model = row.model.trim();
    if (model === '') continue;
    const price = priceOf(row);
    if (typeof price === 'string') return { row: index, wrong: price };
    made[model] = price;
  }
  return { text: Object.keys(made).length === 0 ? '' : JSON.stringify(made) };
}

function priceOf(row: PriceRow): OwnPrice | Column {
  const input = microUsdOf(row.input);
  const output = microUsdOf(row.output);
  const cachedInput = row.cachedInput.trim() === '' ? undefined : microUsdOf(row.cachedInput);
  const window = row.window.trim() === '' ? undefined : Number(row.window.replaceAll(/[\s,._]/gu, ''));
  if (input === null) return 'input';
  if (cachedInput === null) return 'cachedInput';
  if (output === null) return 'output';
  if (window !== undefined && (!Number.isInteger(window) || window < 1)) return 'window';
  return {
    input,
    output,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(row.cacheWrite === undefined ? {} : { cacheWrite: row.cacheWrite }),
    ...(window === undefined ? {} : { window }),
  };
}
