/** Pure: the part of a text that answers a query best. */
import { queryTerms, tokenSpans, type TokenSpan } from './tokens.ts';

const ELLIPSIS = '…';
/** How far a cut may move to reach a space, in UTF-16 units. */
const SPACE_REACH = 24;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The nearest place at or before `index` that splits no grapheme. */
function graphemeStart(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  return GRAPHEMES.segment(text).containing(index)?.index ?? index;
}

/** The start of the window of `length` with the most distinct terms; the first of equals. */
function bestStart(matches: readonly TokenSpan[], length: number): number {
  let best = { start: matches[0]?.start ?? 0, terms: 0 };
  let first = 0;
  const inside = new Map<string, number>();
  for (const last of matches) {
    inside.set(last.token, (inside.get(last.token) ?? 0) + 1);
    for (
      let oldest = matches[first];
      oldest !== undefined && last.end - oldest.start > length && oldest !== last;
      oldest = matches[first]
    ) {
      const left = (inside.get(oldest.token) ?? 1) - 1;
      if (left === 0) inside.delete(oldest.token);
      else inside.set(oldest.token, left);
      first += 1;
    }
    if (inside.size > best.terms) best = { start: matches[first]?.start ?? last.start, terms: inside.size };
  }
  return best.start;
}

/** Where to begin: a little before the match, at a word, at a line's start where one is near. */
function beginBefore(text: string, match: number, lead: number): number {
  if (match <= lead) return 0;
  const before = text.slice(match - lead, match);
  const line = before.lastIndexOf('\n');
  if (line >= 0) return match - lead + line + 1;
  const space = before.search(/\s/);
  return graphemeStart(text, space >= 0 && space < before.length - 1 ? match - lead + space + 1 : match - lead);
}

function endAfter(text: string, begin: number, length: number): number {
  const limit = begin + length;
  if (limit >= text.length) return text.length;
  const tail = text.slice(limit - SPACE_REACH, limit + 1);
  const space = tail.search(/\s\S*$/);
  const end = space > 0 ? limit - SPACE_REACH + space : graphemeStart(text, limit);
  return end > begin ? end : limit;
}

/**
 * At most about `length` UTF-16 units of `text` around the best match, on one line, with `…` where something was left out.
 * Without a match it is the beginning. Never splits a grapheme, unless one alone is longer than `length`.
 */
export function snippet(text: string, query: string, length = 240): string {
  const size = Math.max(length, 2 * SPACE_REACH);
  const terms = new Set(queryTerms(query));
  const matches = text.length <= size ? [] : tokenSpans(text).filter(({ token }) => terms.has(token));
  const begin = matches.length === 0 ? 0 : beginBefore(text, bestStart(matches, size - SPACE_REACH), Math.floor(size / 4));
  const end = endAfter(text, begin, size);
  const part = text.slice(begin, end).replace(/\s+/g, ' ').trim();
  return `${begin > 0 ? ELLIPSIS : ''}${part}${end < text.length ? ELLIPSIS : ''}`;
}
