/** Pure data: the context plan, the explained list behind a context. */
import type { NeutralMessage, Origin, StrategyName, Trust } from './conversation.ts';
import type { SettingKey } from './settings.ts';

/** What happened to a stored turn in one request. */
export type Disposition = 'full' | 'compacted' | 'summarised' | 'recalled' | 'dropped';

/** Messages of a context that are no stored message. */
export type ContextMessageKind = 'summary' | 'ledger' | 'digest' | 'recalled' | 'memory';

/** One message of a context, in wire order. */
export interface ContextMessage extends NeutralMessage {
  /** Absent for a stored message sent as it is. */
  kind?: ContextMessageKind;
  /** The stored turn it stands for; absent for notes that stand for many. */
  turn?: number;
  /** Recalled notes: the stored turns they quote, in order. */
  turns?: number[];
  origin?: Origin;
  trust?: Trust;
}

/** What happened to one stored turn, and why. Numbers are those of what is sent: 0 when dropped. */
export interface PlanEntry {
  /** From 1, over all stored turns. */
  turn: number;
  /** The last turn this entry stands for; absent: `turn` alone. Only turns far back of which nothing is sent share an entry. */
  throughTurn?: number;
  disposition: Disposition;
  /** A plain sentence part, e.g. "older than the newest 2 turns". */
  reason: string;
  /** The setting that caused it, where one did. */
  setting?: SettingKey;
  pinned?: boolean;
  characters: number;
  /** Estimate, shown with `~`. */
  tokens: number;
}

/** The parts of a request, in wire order. `reserve` and `free` are room, not text. */
export const CONTEXT_PARTS = [
  'system',
  'tools',
  'tenant',
  'summary',
  'ledger',
  'pinned',
  'compacted',
  'full',
  'recalled',
  'current',
  'reserve',
  'free',
] as const;
export type ContextPart = (typeof CONTEXT_PARTS)[number];

export interface PartSize {
  part: ContextPart;
  characters: number;
  tokens: number;
}

/** The history half of a request, explained. The request itself is system prompt + tools + these messages + the current turn. */
export interface ContextPlan {
  strategy: StrategyName;
  /** One entry per stored turn before the current one, oldest first. */
  entries: PlanEntry[];
  /** What stands before the current question. */
  messages: ContextMessage[];
  /** Flat measure of `messages` (PHP-compatible characters); `[]` measures 2. */
  characters: number;
  /** Estimated tokens of `messages`. */
  tokens: number;
  /** Budget for `messages`, in the unit of `budgetUnit`. */
  budget: number;
  budgetUnit: 'php-chars' | 'tokens';
  /** Size in the budget's unit, as the strategy measured it. */
  budgetUsed: number;
  /** Things a person should know, e.g. "turn 4 is pinned but does not fit". */
  notices: string[];
}

/** A plan with the fixed parts around it: what the meter draws. */
export interface RequestForecast {
  plan: ContextPlan;
  parts: PartSize[];
  /** Tokens of the whole request, estimated. */
  totalTokens: number;
  /** The model's window in tokens; null: unknown. */
  windowTokens: number | null;
  model: string;
  promptVersion: string;
  /** How far estimates lay from reported counts lately; absent: nothing to compare with yet. */
  accuracy?: EstimateAccuracy;
  /** Estimate of what an exact-prefix cache holds of it; null: nothing was sent before. Absent: not asked for. */
  cachedTokens?: number | null;
  /** Integer micro-USD of the input, the cached part at its price; null: no price known. Absent: not asked for. */
  inputMicroUsd?: number | null;
}

/** Predictions of request sizes against what providers reported. */
export interface EstimateAccuracy {
  /** Predictions compared. */
  samples: number;
  /** 95th percentile of the relative error, e.g. 0.04; null without any. */
  p95Error: number | null;
}

/** The stored turns that notes of these messages quote, in order. */
export function recalledTurns(messages: readonly ContextMessage[]): number[] {
  const turns = messages.flatMap((message) => (message.kind === 'recalled' ? (message.turns ?? []) : []));
  return [...new Set(turns)].sort((left, right) => left - right);
}

/** What the plan says about a stored turn; undefined for a turn it does not know. */
export function entryOfTurn(plan: ContextPlan, turn: number): PlanEntry | undefined {
  return plan.entries.find((entry) => turn >= entry.turn && turn <= (entry.throughTurn ?? entry.turn));
}
