/** Pure: finding a text in a message as people see it, and the piece of a message that a search found. */
import type { StoredMessage } from '../../../shared/conversation.ts';
import { comparable, countPlaces, type Place, placesOf } from '../../../shared/find-text.ts';

/** Longest snippet, and what of it stands before the first word, in UTF-16 units. */
const SNIPPET_LENGTH = 120;
const SNIPPET_LEAD = 24;
/** Longer texts are searched for a snippet only so far. */
const SNIPPET_SEARCHED = 200_000;
/** Deeper values of a tool are shown as text and counted as text. */
const DEEPEST_VALUE = 20;

/** How often a text (made comparable) stands in what the page shows of a message: its words, its calls, its result. */
export function foundIn(message: Pick<StoredMessage, 'role' | 'content' | 'toolCalls'>, wanted: string): number {
  const texts = message.role === 'tool' ? valueTexts(message.content) : [message.content];
  for (const call of message.toolCalls ?? []) texts.push(call.name, ...textsOf(call.arguments, 0));
  return texts.reduce((sum, text) => sum + countPlaces(text, wanted), 0);
}

/** A result is JSON text as a rule: its names and values; else the text. */
function valueTexts(text: string): string[] {
  try {
    return textsOf(JSON.parse(text), 0);
  } catch {
    return [text];
  }
}

function textsOf(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (depth >= DEEPEST_VALUE) return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each, depth + 1));
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsOf(each, depth + 1)]);
}

/** The piece around the first word found; null: none of the words stands there. Words are made comparable. */
export function snippetOf(content: string, words: readonly string[]): { text: string; marks: Place[] } | null {
  const searched = content.slice(0, SNIPPET_SEARCHED);
  const source = comparable(searched);
  const places = words.flatMap((word) => placesOf(source, word)).sort((left, right) => left.start - right.start || right.end - left.end);
  const first = places[0];
  if (first === undefined) return null;
  const start = beginning(searched, first.start);
  const end = wholeEnd(searched, start + SNIPPET_LENGTH);
  const head = start > 0 ? '…' : '';
  const shift = head.length - start;
  const text = `${head}${searched.slice(start, end)}${end < content.length ? '…' : ''}`.replace(/\s/gu, ' ');
  const marks: Place[] = [];
  let covered = 0;
  for (const place of places) {
    if (place.start < covered || place.end > end) continue;
    marks.push({ start: place.start + shift, end: place.end + shift });
    covered = place.end;
  }
  return { text, marks };
}

/** A little before the word, after a space where one is near, never inside a character. */
function beginning(text: string, at: number): number {
  const from = Math.max(0, at - SNIPPET_LEAD);
  if (from === 0) return 0;
  const space = text.slice(from, at).search(/\s/u);
  return space === -1 ? wholeEnd(text, from) : from + space + 1;
}

function wholeEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : Math.min(at, text.length);
}
