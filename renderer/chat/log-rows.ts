// What the log of turns is made of, which pages it lacks, and where a reader stood. Pure.

/** A row is the notes before the turns, one turn, or what stands behind the last one. */
export type LogRow = { kind: 'notes' } | { kind: 'turn'; turn: number } | { kind: 'tail' };

export interface LogShape {
  turns: readonly number[];
  hasNotes: boolean;
}

/** The tail is always there, so that the end has a row to stand on. */
export function rowCount({ turns, hasNotes }: LogShape): number {
  return turns.length + (hasNotes ? 1 : 0) + 1;
}

export function rowAt({ turns, hasNotes }: LogShape, index: number): LogRow {
  if (hasNotes && index === 0) return { kind: 'notes' };
  const turn = turns[index - (hasNotes ? 1 : 0)];
  return turn === undefined ? { kind: 'tail' } : { kind: 'turn', turn };
}

/** Stays the same when rows come in before it. */
export function rowKey(shape: LogShape, index: number): string | number {
  const row = rowAt(shape, index);
  return row.kind === 'turn' ? row.turn : row.kind;
}

/** The row of a turn, or of the next one that is there; the tail past the last. */
export function rowOfTurn({ turns, hasNotes }: LogShape, turn: number): number {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turns[middle] ?? 0) < turn) low = middle + 1;
    else high = middle;
  }
  return low + (hasNotes ? 1 : 0);
}

/** Turns looked after beyond each edge of the view. */
const AHEAD = 12;
/** Fewest and most turns asked for at once. */
const LEAST = 40;
const MOST = 120;

/**
 * The page that the rows from `first` to `last` lack, the newest first; null: nothing. Pages reach some turns further up, where a person
 * who scrolls back goes next.
 */
export function missingPage(
  shape: LogShape,
  isLoaded: (turn: number) => boolean,
  view: { first: number; last: number },
): { last: number; turns: number } | null {
  const shift = shape.hasNotes ? 1 : 0;
  const from = Math.max(0, view.first - shift - AHEAD);
  const to = Math.min(shape.turns.length - 1, view.last - shift + AHEAD);
  let newest = -1;
  let oldest = -1;
  for (let at = to; at >= from; at -= 1) {
    const turn = shape.turns[at];
    if (turn === undefined || isLoaded(turn)) continue;
    if (newest === -1) newest = at;
    oldest = at;
  }
  const last = shape.turns[newest];
  if (last === undefined) return null;
  return { last, turns: Math.min(MOST, Math.max(LEAST, newest - oldest + 1)) };
}

/** Where a reader stands in a conversation: a turn, and how far into it; absent: at the newest. */
export interface ReadingPlace {
  turn: number;
  /** Pixels of the turn above the view. */
  offset: number;
}

/** Parsed from what a page kept; anything broken is nowhere. */
export function parsePlaces(text: string | null): Map<string, ReadingPlace> {
  const places = new Map<string, ReadingPlace>();
  try {
    const value: unknown = text === null ? null : JSON.parse(text);
    if (!Array.isArray(value)) return places;
    for (const entry of value as unknown[]) {
      if (!Array.isArray(entry)) continue;
      const [id, turn, offset] = entry as unknown[];
      if (typeof id === 'string' && typeof turn === 'number' && typeof offset === 'number') places.set(id, { turn, offset });
    }
  } catch {
    return new Map();
  }
  return places;
}

export function placesText(places: ReadonlyMap<string, ReadingPlace>, most = 50): string {
  return JSON.stringify([...places].slice(-most).map(([id, place]) => [id, place.turn, Math.round(place.offset)]));
}

/** Turns that came since the reader left the end. */
export function newSince(turns: readonly number[], seen: number): number {
  let count = 0;
  for (let at = turns.length - 1; at >= 0 && (turns[at] ?? 0) > seen; at -= 1) count += 1;
  return count;
}
