// When the transcript follows its end. Pure.

/** So close to the end counts as at the end: rounding and a half-read line must not stop following. */
export const NEAR_END_PX = 48;

/** All in pixels; `distance`: from the end of the view to the end of the rows. */
export interface ScrollState {
  total: number;
  height: number;
  distance: number;
}

/**
 * Whether the view follows its end after a change. Where only the view moved, it follows when it is near the end. Where heights changed, the
 * end has moved away by that much; what is beyond it is a person scrolling up.
 */
export function followsEnd(before: ScrollState & { follows: boolean }, now: ScrollState): boolean {
  if (now.total === before.total && now.height === before.height) return now.distance <= NEAR_END_PX;
  if (!before.follows) return false;
  const moved = Math.max(0, now.total - before.total) + Math.max(0, before.height - now.height);
  return now.distance <= Math.max(0, before.distance) + moved + NEAR_END_PX;
}
