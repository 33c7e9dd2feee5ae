// A payload read piece by piece: what is shown of it, and where reading goes on. Pure.

/** Characters of one piece. */
export const PIECE_CHARACTERS = 65_536;
/** Most that is shown; a page with more of it in one box is no longer quick. */
export const MOST_SHOWN = 4 * PIECE_CHARACTERS;

export interface PayloadSoFar {
  text: string;
  /** Characters of the whole. */
  total: number;
  /** Where the next piece begins; null: that was the last one. */
  next: number | null;
}

export const NOTHING_YET: PayloadSoFar = { text: '', total: 0, next: 0 };

/** Adds a piece; one that does not begin where the text ends is left out. */
export function withPiece(so: PayloadSoFar, piece: { offset: number; text: string; total: number; next: number | null }): PayloadSoFar {
  if (piece.offset !== so.text.length) return so;
  return { text: so.text + piece.text, total: piece.total, next: piece.next };
}

export type PayloadState = 'nothing' | 'more' | 'limit' | 'whole';

export function payloadState(so: PayloadSoFar): PayloadState {
  if (so.next === null) return 'whole';
  if (so.next === 0) return 'nothing';
  return so.text.length >= MOST_SHOWN ? 'limit' : 'more';
}
