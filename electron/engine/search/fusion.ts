/** Pure: one ranking out of several by reciprocal rank, and the likeness of vectors. */

/** Keeps the first places of one list from deciding alone. */
const RANK_OFFSET = 60;

/** Ids of all lists, best first: each list gives 1 / (60 + place). Equal sums by id, in code unit order. */
export function fuseByRank(lists: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [index, id] of [...new Set(list)].entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_OFFSET + index + 1));
  }
  return [...scores].toSorted(([left, a], [right, b]) => b - a || (left < right ? -1 : left > right ? 1 : 0)).map(([id]) => id);
}

/** Cosine of the angle, from -1 to 1; 0 where one has no length or their sizes differ. */
export function likeness(left: readonly number[], right: readonly number[]): number {
  if (left.length !== right.length) return 0;
  let dot = 0;
  let leftLength = 0;
  let rightLength = 0;
  for (const [index, a] of left.entries()) {
    const b = right[index] ?? 0;
    dot += a * b;
    leftLength += a * a;
    rightLength += b * b;
  }
  const length = Math.sqrt(leftLength) * Math.sqrt(rightLength);
  return length === 0 ? 0 : dot / length;
}

/** A short fingerprint of a text (FNV-1a, twice 32 bits): tells changed texts from unchanged ones; no defence against anybody. */
export function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + index), 0x85ebca6b);
  }
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, '0');
  return `${hex(low)}${hex(high)}${text.length.toString(16)}`;
}
