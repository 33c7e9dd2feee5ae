/** Pure: two requests compared: where they differ first, what caused it, and what it costs of the provider's cache. */
import type { DiffCause, DiffRow, FirstDifference, RequestDiff, RequestPart } from '../../../shared/inspection.ts';
import type { ModelRequest, TokenEstimator } from '../ports.ts';
import { cacheable, commonStart, isSamePart, partsTokens, requestParts, sharedStart } from './request-parts.ts';

type Parted = Pick<ModelRequest, 'system' | 'tools' | 'messages'>;

/** Parts compared pairwise at most; longer middles are paired in order instead of matched. */
const MOST_CELLS = 5_000_000;

/** Compares any two requests; the same twice gives no first difference and only `same` rows. */
export function diffRequests(from: Parted, to: Parted, estimator: TokenEstimator): RequestDiff {
  const before = requestParts(from, estimator);
  const after = requestParts(to, estimator);
  const shared = sharedStart(before, after);
  const tokensBefore = partsTokens(before);
  const same = shared.parts === before.length && shared.parts === after.length;
  return {
    cause: same ? 'none' : causeOf(before, after, shared.parts),
    first: same ? null : firstDifference(before, after, shared.parts),
    rows: rowsOf(before, after),
    tokensBefore,
    tokensAfter: partsTokens(after),
    sharedTokens: shared.tokens,
    cacheableTokens: cacheable(shared.tokens),
    lostTokens: Math.max(0, cacheable(tokensBefore) - cacheable(shared.tokens)),
  };
}

function firstDifference(before: readonly RequestPart[], after: readonly RequestPart[], at: number): FirstDifference {
  const [left, right] = [before[at], after[at]];
  const part = right ?? left;
  const isMessage = part?.kind === 'message';
  const start = (right === undefined ? before : after).findIndex((each) => each.kind === 'message');
  return {
    part: at + 1,
    message: isMessage ? at - start + 1 : null,
    character: left === undefined || right === undefined ? 1 : commonStart(left.text, right.text) + 1,
    label: part?.label ?? '',
  };
}

/** What a note is called in its label, and the cause that a change of it speaks of. */
const NOTE_CAUSES: readonly [RegExp, DiffCause][] = [
  [/summary|digest|ledger/u, 'compaction'],
  [/recalled/u, 'recalled'],
  [/memory/u, 'memories'],
];

function causeOf(before: readonly RequestPart[], after: readonly RequestPart[], at: number): DiffCause {
  const [left, right] = [before[at], after[at]];
  if (left?.kind === 'system' || right?.kind === 'system') return 'prompt';
  if (left?.kind === 'tool' || right?.kind === 'tool') return 'tools';
  const rest = after.slice(at);
  if (left === undefined) return rest.some(isQuestion) ? 'new-turn' : 'new-step';
  for (const [pattern, cause] of NOTE_CAUSES) {
    if (pattern.test(left.label) || (right !== undefined && pattern.test(right.label))) return cause;
  }
  if (right === undefined) return 'message';
  // The last thing said in both: only the question is another one.
  if (at === before.length - 1 && at === after.length - 1 && isQuestion(left) && isQuestion(right)) return 'other-question';
  // A turn of the first request that is gone or shorter in the second.
  const kept = new Set(after.map((part) => part.text));
  if (left.turn !== null && !kept.has(left.text)) return 'compaction';
  return isQuestion(right) ? 'new-turn' : 'message';
}

function isQuestion(part: RequestPart): boolean {
  return /(?:^|, )user$/u.test(part.label);
}

/** Every part of both once, in order: equal parts side by side, parts of one place that differ as changed. */
function rowsOf(before: readonly RequestPart[], after: readonly RequestPart[]): DiffRow[] {
  let start = 0;
  while (start < before.length && start < after.length && samePair(before[start], after[start])) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    samePair(before[before.length - 1 - end], after[after.length - 1 - end])
  )
    end += 1;
  const rows: DiffRow[] = [];
  pairUp(rows, before.slice(0, start), after.slice(0, start), 'same');
  middleRows(rows, before.slice(start, before.length - end), after.slice(start, after.length - end));
  pairUp(rows, before.slice(before.length - end), after.slice(after.length - end), 'same');
  return rows;
}

function samePair(left: RequestPart | undefined, right: RequestPart | undefined): boolean {
  return left !== undefined && right !== undefined && isSamePart(left, right);
}

function middleRows(rows: DiffRow[], before: readonly RequestPart[], after: readonly RequestPart[]): void {
  if (before.length * after.length > MOST_CELLS) return gapRows(rows, before, after);
  const lengths = longestCommon(before, after);
  let [left, right] = [0, 0];
  let [gapLeft, gapRight] = [0, 0];
  const closeGap = (): void => gapRows(rows, before.slice(gapLeft, left), after.slice(gapRight, right));
  while (left < before.length && right < after.length) {
    if (samePair(before[left], after[right])) {
      closeGap();
      pairUp(rows, before.slice(left, left + 1), after.slice(right, right + 1), 'same');
      [left, right] = [left + 1, right + 1];
      [gapLeft, gapRight] = [left, right];
    } else if ((lengths[left + 1]?.[right] ?? 0) >= (lengths[left]?.[right + 1] ?? 0)) left += 1;
    else right += 1;
  }
  gapRows(rows, before.slice(gapLeft), after.slice(gapRight));
}

/** `table[i][j]`: how many parts the rests from i and j have in common, in order. */
function longestCommon(before: readonly RequestPart[], after: readonly RequestPart[]): Uint32Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    const [row, below] = [table[left], table[left + 1]];
    if (row === undefined || below === undefined) continue;
    for (let right = after.length - 1; right >= 0; right -= 1) {
      row[right] = samePair(before[left], after[right]) ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return table;
}

/** Between equal parts: those that speak of the same thing are one changed row, the others are removed or added. */
function gapRows(rows: DiffRow[], before: readonly RequestPart[], after: readonly RequestPart[]): void {
  const left = [...before];
  for (const part of after) {
    const partner = left.findIndex((each) => each.kind === part.kind && each.label === part.label);
    if (partner < 0) {
      rows.push({ kind: 'added', before: null, after: part });
      continue;
    }
    for (const gone of left.splice(0, partner)) rows.push({ kind: 'removed', before: gone, after: null });
    const [matched] = left.splice(0, 1);
    if (matched !== undefined) rows.push({ kind: isSamePart(matched, part) ? 'same' : 'changed', before: matched, after: part });
  }
  for (const gone of left) rows.push({ kind: 'removed', before: gone, after: null });
}

function pairUp(rows: DiffRow[], before: readonly RequestPart[], after: readonly RequestPart[], kind: 'same'): void {
  before.forEach((part, index) => {
    const other = after[index];
    if (other !== undefined) rows.push({ kind, before: part, after: other });
  });
}
