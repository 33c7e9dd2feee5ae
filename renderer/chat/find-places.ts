// Going from one found place to the next. Pure; places count from 0, over all turns, oldest first.
import type { FoundMessage } from '../../shared/api/reading.ts';

export interface FoundPlace {
  turn: number;
  /** Among the places of the turn, from 0. */
  inTurn: number;
}

/** The turn of a place and which of the turn's places it is; null: there is no such place. */
export function placeAt(found: readonly FoundMessage[], place: number): FoundPlace | null {
  let left = place;
  let turn = -1;
  let before = 0;
  for (const message of found) {
    if (message.turn !== turn) {
      turn = message.turn;
      before = 0;
    }
    if (left < message.count) return left < 0 ? null : { turn, inTurn: before + left };
    left -= message.count;
    before += message.count;
  }
  return null;
}

/** The first place in this turn or a later one; the last of all where none follows; -1: nothing was found. */
export function firstPlaceFrom(found: readonly FoundMessage[], turn: number): number {
  let place = 0;
  for (const message of found) {
    if (message.turn >= turn) return place;
    place += message.count;
  }
  return place - 1;
}

/** Round and round. */
export function nextPlace(place: number, by: 1 | -1, total: number): number {
  return total === 0 ? -1 : (place + by + total) % total;
}
