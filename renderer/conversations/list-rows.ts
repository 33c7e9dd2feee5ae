// Which rows of the list are there, which are missing in view, and where keys lead. Pure.
import type { ConversationSummary } from '../../shared/conversation.ts';

export type FarPages = Readonly<Record<number, readonly ConversationSummary[] | undefined>>;

/** Rows this near to the loaded ones are loaded in order; farther ones by the number of their page. */
const NEAR = 150;
const AHEAD = 20;

/** null: not loaded. */
export function rowAt(items: readonly ConversationSummary[], far: FarPages, index: number, page: number): ConversationSummary | null {
  return items[index] ?? far[Math.floor(index / page)]?.[index % page] ?? null;
}

/** What the rows in view lack: the next page in order, a page by its number, or nothing. */
export function missingRows(
  view: { first: number; last: number },
  loaded: { count: number; hasMore: boolean; far: FarPages; page: number },
): 'next' | number | null {
  const { count, hasMore, far, page } = loaded;
  if (!hasMore || view.last + AHEAD < count) return null;
  if (view.first <= count + NEAR) return 'next';
  for (const number of [Math.floor(view.first / page), Math.floor(view.last / page)]) if (far[number] === undefined) return number;
  return null;
}

/** The row a key leads to; null: the key is not the list's. -1: no row is chosen yet. */
export function rowOfKey(key: string, current: number, count: number, perPage: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  const at = (index: number) => Math.min(last, Math.max(0, index));
  switch (key) {
    case 'ArrowDown':
      return at(current + 1);
    case 'ArrowUp':
      return current < 0 ? last : at(current - 1);
    case 'PageDown':
      return at(Math.max(0, current) + perPage);
    case 'PageUp':
      return at(Math.max(0, current) - perPage);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** A text as marked and plain pieces, in order. Marks are in order and do not overlap. */
export function markedPieces(text: string, marks: readonly { start: number; end: number }[]): { text: string; marked: boolean }[] {
  const pieces: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const { start, end } of marks) {
    if (start > at) pieces.push({ text: text.slice(at, start), marked: false });
    pieces.push({ text: text.slice(start, end), marked: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}
