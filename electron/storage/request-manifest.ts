/** Pure: how a request is written down as an earlier request, a position in it, and the segments that follow. The same in every store. */

/** Every so many requests of a conversation one is written out whole, so that rebuilding never walks further back. */
export const REQUESTS_PER_BLOCK = 32;

/** One request of a conversation. Numbers count from 1 within the conversation. */
export interface ManifestRow {
  number: number;
  /** The request it begins like; null: it is written out whole. */
  parent: number | null;
  /** Segments it shares with the start of its parent. */
  position: number;
  /** The segments after them, as ranges of segment numbers: `4-9,12`; null: erased. */
  appended: string | null;
}

/** `[4, 5, 6, 9, 4]` → `4-6,9,4`. Order and repetition are kept. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: string[] = [];
  for (let start = 0; start < numbers.length; ) {
    const first = numbers[start] ?? 0;
    let length = 1;
    while (numbers[start + length] === first + length) length += 1;
    ranges.push(length === 1 ? String(first) : `${first}-${first + length - 1}`);
    start += length;
  }
  return ranges.join(',');
}

export function numbersOf(ranges: string): number[] {
  if (ranges === '') return [];
  return ranges.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** The first request of the block that a request belongs to. */
export function blockStart(number: number): number {
  return number - ((number - 1) % REQUESTS_PER_BLOCK);
}

/**
 * Segment numbers of a request; null when it, or one it builds on, is erased or missing.
 * `rows` hold the requests of its block, in any order.
 */
export function segmentNumbers(number: number, rows: readonly ManifestRow[]): number[] | null {
  const row = rows.find((each) => each.number === number);
  if (row === undefined || row.appended === null) return null;
  const appended = numbersOf(row.appended);
  if (row.parent === null) return appended;
  // A parent is always earlier, so this ends.
  const before = row.parent < number ? segmentNumbers(row.parent, rows) : null;
  return before === null || before.length < row.position ? null : [...before.slice(0, row.position), ...appended];
}

/** The row of the next request: built on the newest one of its block that is still there. `rows` hold that block. */
export function nextManifest(number: number, segments: readonly number[], rows: readonly ManifestRow[]): ManifestRow {
  const start = blockStart(number);
  const candidates = rows.filter((row) => row.number >= start && row.number < number && row.appended !== null);
  const parent = candidates.toSorted((left, right) => right.number - left.number)[0];
  const before = parent === undefined ? null : segmentNumbers(parent.number, rows);
  if (parent === undefined || before === null) return { number, parent: null, position: 0, appended: rangesOf(segments) };
  let position = 0;
  while (position < before.length && before[position] === segments[position]) position += 1;
  return { number, parent: parent.number, position, appended: rangesOf(segments.slice(position)) };
}

/** Numbers of all segments that requests of a conversation still need. `rows` are all of them, in order of number. */
export function neededSegments(rows: readonly ManifestRow[]): Set<number> {
  const needed = new Set<number>();
  for (let first = 0; first < rows.length; first += REQUESTS_PER_BLOCK) {
    const block = rows.slice(first, first + REQUESTS_PER_BLOCK);
    for (const row of block) for (const number of segmentNumbers(row.number, block) ?? []) needed.add(number);
  }
  return needed;
}
