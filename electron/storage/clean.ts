/** Pure: what every store does with values on entry. */

/** JSON data as it is kept: a copy, lone surrogates as U+FFFD (keys included), `undefined` left out, numbers as JSON knows them. */
export function cleaned<T>(value: T): T {
  return cleanedValue(value) as T;
}

function cleanedValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  // JSON has neither -0 nor NaN.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (Array.isArray(value)) return value.map((item) => cleanedValue(item) ?? null);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter((entry) => entry[1] !== undefined);
    // fromEntries defines own properties, so a key `__proto__` stays a key.
    return Object.fromEntries(entries.map(([key, item]) => [key.toWellFormed(), cleanedValue(item)]));
  }
  return value;
}

/** Orders by code point, as SQLite's BINARY and MySQL's utf8mb4_bin do; UTF-16 order differs above U+D7FF. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = codePointRank(left.charCodeAt(index)) - codePointRank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Moves surrogates behind the rest of the basic plane. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** One line of at most `limit` UTF-16 units, cut between graphemes and marked with `…`. */
export function shortened(text: string, limit: number): string {
  const scanned = 8 * limit;
  const line = text.slice(0, scanned).toWellFormed().replace(/\s+/g, ' ').trim();
  if (line.length <= limit && text.length <= scanned) return line;
  let result = '';
  for (const { segment } of graphemes.segment(line)) {
    if (result.length + segment.length > limit - 1) break;
    result += segment;
  }
  return `${result.trimEnd()}…`;
}
