// When the transcript follows its end. Pure.

/** So close to the end counts as at the end: rounding and a half-read line must not stop following. */
export const NEAR_END_PX = 48;
