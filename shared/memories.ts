/** Pure data: what is remembered about customers and tenants beyond one conversation. */
import type { Trust } from './conversation.ts';

/** `customer`: of one customer of one tenant. `tenant`: of everybody the tenant serves. */
export type MemoryScope = 'customer' | 'tenant';

/** One short fact. */
export interface Memory {
  id: string;
  tenant: string;
  scope: MemoryScope;
  /** Scope `customer` only. */
  customerId: string | null;
  text: string;
  /** What the fact is about, e.g. `preferred name`: a later fact with the same one supersedes it. null: nothing contradicts it. */
  slot: string | null;
  /** The lowest trust of what it was made from. */
  trust: Trust;
  /** `distilled` from a conversation, or written by a `human`. */
  origin: 'distilled' | 'human';
  pinned: boolean;
  /** The memory that took its place; null: it holds. Superseded ones are never sent. */
  supersededBy: string | null;
  /** Where it was said; null for one that a person wrote. */
  conversationId: string | null;
  turn: number | null;
  /** UTC milliseconds. */
  createdAt: number;
  changedAt: number;
}

/** One summary that a conversation had. */
export interface SummaryVersionView {
  version: number;
  text: string;
  /** It stands for all turns up to this one. */
  throughTurn: number;
  /** `PROVIDER/MODEL`, or `extractive` where no model wrote it. */
  model: string;
  /** UTC milliseconds. */
  at: number;
  trust: Trust;
  /** The one that is sent. */
  current: boolean;
  /** A newer one was made after it. */
  stale: boolean;
}

/** What "compact now" did. */
export interface CompactionReport {
  compacted: boolean;
  /** Why nothing changed; "" when something did. */
  reason: string;
  /** The last turn that is no longer sent as it is; 0: none. */
  throughTurn: number;
  /** Estimates of the history half of the next request. */
  tokensBefore: number;
  tokensAfter: number;
}
