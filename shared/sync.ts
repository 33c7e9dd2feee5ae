/** Pure data: what people are told about the way of their changes to the shared database. */

/** `read-only`: the shared database takes no changes at present. */
export type SyncConnection = 'online' | 'offline' | 'read-only';

export interface SyncStatus {
  state: SyncConnection;
  /** Changes that are Saved and not yet Synced, parked ones left out. */
  waiting: number;
  /** Changes that need a person. */
  parked: number;
  /** When everything was Synced for the last time; null: never since the start. UTC milliseconds. */
  lastSyncedAt: number | null;
  /** When the shared database answered last; null: never since the start. Offline since then. UTC milliseconds. */
  lastContactAt: number | null;
  /** Why it is not online; "" when it is. One sentence for a person. */
  reason: string;
  /** Changes made here are kept while the shared database is away. False: without it nothing can be saved. */
  hasCache: boolean;
  /** This computer's clock minus the shared database's, in milliseconds; null: not measured yet. */
  clockSkewMs: number | null;
}

/** A clock that differs more is told to people. Order, leases and retention go by the shared database all the same. */
export const CLOCK_SKEW_LIMIT_MS = 5 * 60_000;

export function isClockWrong({ clockSkewMs }: Pick<SyncStatus, 'clockSkewMs'>): boolean {
  return clockSkewMs !== null && Math.abs(clockSkewMs) > CLOCK_SKEW_LIMIT_MS;
}

/** A change that was not taken, or an answer that found no place in the conversation. */
export interface ParkedOp {
  id: string;
  /** `parked`: holds later changes of its conversation back. `rejected`: refused, later ones went on. `draft`: an answer kept for a human. */
  kind: 'parked' | 'rejected' | 'draft';
  conversationId: string | null;
  /** What it was, in a few words: "message", "answer", "ticket 5001" … */
  what: string;
  reason: string;
  /** The text it holds, shortened; "" without one. */
  text: string;
  /** UTC milliseconds. */
  at: number;
}

/** The only meanings of the two words, wherever they are shown. */
export const SAVED_MEANING = 'Saved: on this computer\u2019s disk; survives a crash and a power cut.';
export const SYNCED_MEANING = 'Synced: in the shared database; every console sees it.';
