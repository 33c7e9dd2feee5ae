/** Pure: cutting text without breaking characters ([MEM-10]). */

/** Units after the limit that show whether a grapheme ends there: one code point and one joiner are enough. */
const LOOK_AHEAD = 8;
const ELLIPSIS = '…';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Lone surrogates become U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** The longest start of the text with at most `limit` UTF-16 units that ends between graphemes; "" when the first one is longer. */
export function cutStart(text: string, limit: number): string {
  const sound = wellFormed(text);
  if (sound.length <= limit) return sound;
  if (limit <= 0) return '';
  const start = safeStart(sound, limit);
  let end = start;
  for (const part of graphemes.segment(sound.slice(start, limit + LOOK_AHEAD))) {
    const next = start + part.index + part.segment.length;
    if (next > limit) break;
    end = next;
  }
  return sound.slice(0, end);
}

/** A grapheme boundary before `limit`, so that a long text is not segmented from its start: before any plain ASCII character but a line feed. */
function safeStart(text: string, limit: number): number {
  for (let index = limit - 1; index > 0; index -= 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit < 0x7f) return index;
  }
  return 0;
}

/** As `cutStart`, with an ellipsis inside the limit where something was cut off. */
export function shorten(text: string, limit: number): string {
  const sound = wellFormed(text);
  if (sound.length <= limit) return sound;
  return `${cutStart(sound, Math.max(0, limit - ELLIPSIS.length)).trimEnd()}${ELLIPSIS}`;
}
