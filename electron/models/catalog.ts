/** Pure: what we know about models: windows, dated prices, whether they reason. The data is `catalog.json`. */
import catalog from './catalog.json' with { type: 'json' };

/** US dollars per million tokens; without a rate of its own, cached or written input costs the input rate. */
export interface Rates {
  input: number;
  cachedInput?: number;
  cacheWrite?: number;
  output: number;
}

export interface DatedPrice extends Rates {
  /** First day, UTC, `YYYY-MM-DD`. */
  from: string;
  /** The day after the last one; null: still holds. */
  to: string | null;
  /** Rates of a whole request whose input is longer. */
  above?: Rates & { inputTokens: number };
}

export interface CatalogModel {
  provider: string;
  model: string;
  /** Input and output together, in tokens. */
  windowTokens: number;
  reasoning: boolean;
  prices: DatedPrice[];
}

export const CATALOG: readonly CatalogModel[] = catalog.models;
export const CATALOG_SOURCES: Readonly<Record<string, { page: string; read: string }>> = catalog.sources;

/** A dated snapshot such as `gpt-5-2025-08-07` or `gemini-2.5-flash-001` is the model of the same name. */
const SNAPSHOT = /-(?:\d{4}-\d{2}-\d{2}|\d{3})$/;

/** What the catalog holds about a model; null when it is not in it. Never guesses from a similar name. */
export function findModel(provider: string, model: string): CatalogModel | null {
  const exact = CATALOG.find((entry) => entry.provider === provider && entry.model === model);
  if (exact !== undefined) return exact;
  const base = model.replace(SNAPSHOT, '');
  return base === model ? null : (CATALOG.find((entry) => entry.provider === provider && entry.model === base) ?? null);
}

/** The window in tokens; null: unknown. */
export function windowTokensOf(provider: string, model: string): number | null {
  return findModel(provider, model)?.windowTokens ?? null;
}

/** Whether OpenAI's model reasons; names the catalog does not hold are told by their family. */
export function isReasoningModel(provider: string, model: string): boolean {
  return findModel(provider, model)?.reasoning ?? (/^(?:gpt-[5-9]|o\d|codex)/.test(model) && !/chat/.test(model));
}

/** Whether a Gemini model checks thought signatures; `…-latest` names and unknown ones are taken as new. */
export function checksThoughtSignatures(model: string): boolean {
  const version = /gemini-(\d+)/.exec(model)?.[1];
  return version === undefined || Number(version) >= 3;
}
