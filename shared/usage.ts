/** Pure data: reported tokens and money. Unknown is null, never 0. */

/** Provider-reported tokens of one model call; every adapter converts to exactly this. */
export interface Usage {
  /** All input tokens, cached ones included. */
  inputTokens: number;
  /** Part of `inputTokens` served from the provider's cache. */
  cacheReadTokens: number;
  /** Part of `inputTokens` written to the provider's cache. */
  cacheWriteTokens: number;
  /** All output tokens, reasoning included. */
  outputTokens: number;
  /** Part of `outputTokens`. */
  reasoningTokens: number;
}

/** Why a model was called. */
export type UsagePurpose = 'answer' | 'summary' | 'distil' | 'embed' | 'test';

/** One line of the usage ledger: one model call. */
export interface UsageRecord {
  id: string;
  /** Who paid when the call was made; absent: nobody in particular. */
  tenant?: string;
  conversationId: string | null;
  turn: number | null;
  runId: string | null;
  step: number | null;
  purpose: UsagePurpose;
  provider: string;
  model: string;
  /** null: the provider reported none. */
  usage: Usage | null;
  /** Integer micro-USD; null: no price known or no usage reported. */
  costMicroUsd: number | null;
  /** UTC milliseconds. */
  at: number;
}

/** Totals over ledger lines. */
export interface UsageTotals {
  calls: number;
  /** Calls whose usage is unknown; the sums below leave them out. */
  unknownCalls: number;
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Sum over priced calls. */
  costMicroUsd: number;
  /** Calls without a known price. */
  unpricedCalls: number;
}
