// How many cells of the turn map fit a line. Pure.

/** Least width of a cell, what each digit adds beyond one, the gap, and the room of the count of hidden turns; in pixels. */
const CELL_PX = 16;
const DIGIT_PX = 6;
const PADDING_PX = 8;
const GAP_PX = 2;
const COUNT_PX = 32;

/** The newest turns that fit into `room` pixels, oldest first; always at least one where there is one. */
export function cellsThatFit(turns: readonly number[], room: number): number[] {
  const shown: number[] = [];
  let used = COUNT_PX;
  for (const turn of turns.toReversed()) {
    used += Math.max(CELL_PX, String(turn).length * DIGIT_PX + PADDING_PX) + GAP_PX;
    if (used > room && shown.length > 0) break;
    shown.unshift(turn);
  }
  return shown;
}
