/** Part of the console's contract: what caching and compaction saved, and how the last estimate compares with what was reported. Pure data. */
import { conversation, result } from './schema.ts';

export interface BudgetReport {
  /** The newest request with reported usage, estimated then and now by the same measure; null: none. Input tokens. */
  lastRequest: { estimated: number; reported: number } | null;
  /** Input tokens of the conversation that a provider served from its cache; null: there were calls, and none reported its usage. */
  cachedTokens: number | null;
  /** Micro-USD those would have cost more without a cache, at today's price; null: no price known. */
  cacheSavedMicroUsd: number | null;
  /** Estimate of tokens the next request leaves out of the newest turns by compaction, dropping and summaries. */
  compactionTokens: number;
  /** Micro-USD of them as input; null: no price known. */
  compactionSavedMicroUsd: number | null;
  /** Newest turns that were looked at. */
  turns: number;
}

export const BUDGET_API = {
  measureBudget: { params: conversation, result: result<BudgetReport>() },
} as const;
