/** Pure data: providers, models, keys and spending as people see them. Keys themselves never appear in any of these. */
import type { UsageTotals } from './usage.ts';

export const PROVIDERS = ['demo', 'openai', 'openai-chat', 'gemini', 'tape'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** What a key store keeps: a key for each provider, and the password of the shared database. */
export const VAULT_SLOTS = [...PROVIDERS, 'mysql'] as const;
export type VaultSlot = (typeof VAULT_SLOTS)[number];

/** Where the key in use comes from; the environment wins over a stored one. */
export type KeyState = 'not-needed' | 'none' | 'environment' | 'keychain' | 'session';

export interface ProviderView {
  provider: ProviderName;
  /** e.g. "OpenAI", "Compatible server", "demo model (scripted, not an AI)". */
  label: string;
  key: KeyState;
  /** The environment variable a key may come from; null: none is needed. */
  keyVariable: string | null;
  /** null: the provider's own address. Never holds a password. */
  baseUrl: string | null;
  /** Whether this provider takes another address at all. */
  takesBaseUrl: boolean;
}

/** Whether a key can be kept beyond this session, and why not. */
export interface KeyStorage {
  canPersist: boolean;
  /** A sentence; "" when it can. */
  reason: string;
}

export interface ModelView {
  id: string;
  /** null: unknown. */
  windowTokens: number | null;
  /** Micro-USD per million tokens, from the catalog or the person's own list; null: tokens only. */
  price: { input: number; cachedInput: number; output: number; since: string } | null;
}

/** One finding of "Test connection"; `ok: null` is a limit worth knowing, not a failure. */
export interface ConnectionFact {
  ok: boolean | null;
  text: string;
}

export interface ConnectionReport {
  ok: boolean;
  facts: ConnectionFact[];
  /** What is wrong, in plain words; "" when nothing is. */
  problem: string;
  /** What to do next; "" when nothing is. */
  action: string;
}

/** What a cap does when it is reached. A cap is never passed by more than one step. */
export type BudgetAction = 'warn' | 'handoff' | 'stop';

export interface SpendingLine {
  totals: UsageTotals;
  /** Integer micro-USD; null: no cap. */
  capMicroUsd: number | null;
}

export interface Spending {
  turn: SpendingLine | null;
  conversation: SpendingLine | null;
  /** Of the UTC day. */
  day: SpendingLine;
  action: BudgetAction;
}

/** What the next send may cost, in integer micro-USD; null: no price known. `most` is the worst case at the step limit. */
export interface CostForecast {
  least: number;
  likely: number;
  most: number;
}

/** A recorded conversation that the `tape` adapter can play offline. */
export interface TapeView {
  id: string;
  title: string;
  turns: number;
  /** The recorded model, e.g. `openai/gpt-5-mini`. */
  model: string;
  /** True for those that ship with the console. */
  builtIn: boolean;
}
