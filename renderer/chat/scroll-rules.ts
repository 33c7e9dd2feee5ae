// When the transcript follows its end. Pure.

/** So close to the end counts as at the end: rounding and a half-read line must not stop following. */
const NEAR_PX = 48;

export function isAtBottom(box: { scrollTop: number; scrollHeight: number; clientHeight: number }): boolean {
  return box.scrollHeight - box.clientHeight - box.scrollTop <= NEAR_PX;
}
