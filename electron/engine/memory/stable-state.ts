/** Pure: what `stable` keeps for a conversation between requests. JSON value; a state of another form reads as none. */
import type { Trust } from '../../../shared/conversation.ts';
import type { TurnDigest } from './digest.ts';

export const STABLE_FORMAT = 1;

/** A message of ours that was sent and stays, byte for byte, until the next compaction. */
export interface FrozenNote {
  kind: 'ledger' | 'digest' | 'recalled';
  /** Before the pinned turns, after them, or before a question. */
  place: 'front' | 'back' | 'question';
  text: string;
  /** Stored turns it stands for. */
  turns: number[];
  trust: Trust;
}

/** A recalled note with its place: directly before the question of a turn. */
export interface PlacedNote extends FrozenNote {
  beforeTurn: number;
}

export interface StableState {
  format: typeof STABLE_FORMAT;
  /** Turns up to this one stand in the notes or in the archive; later ones are sent as they are. */
  throughTurn: number;
  /** Digests of turns that are in the notes, oldest first. */
  digests: TurnDigest[];
  /** Lines of completed side effects, oldest first. */
  actions: string[];
  /** The notes as sent, in wire order, without the recalled ones. */
  notes: FrozenNote[];
  recalled: PlacedNote[];
  /** UTC milliseconds of the last request planned; null: none. */
  lastAt: number | null;
}

export function emptyState(): StableState {
  return { format: STABLE_FORMAT, throughTurn: 0, digests: [], actions: [], notes: [], recalled: [], lastAt: null };
}

/** The stored state, or an empty one where there is none or it has another form. */
export function readState(value: unknown): StableState {
  if (typeof value !== 'object' || value === null) return emptyState();
  const state = value as Partial<StableState>;
  const sound =
    state.format === STABLE_FORMAT &&
    typeof state.throughTurn === 'number' &&
    Array.isArray(state.digests) &&
    Array.isArray(state.actions) &&
    Array.isArray(state.notes) &&
    Array.isArray(state.recalled);
  return sound ? (state as StableState) : emptyState();
}
