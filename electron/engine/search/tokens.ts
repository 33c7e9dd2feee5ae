/** Pure: text of any script as search tokens, with the place of each in the text. */

/** A token and the part of the text it came from, in UTF-16 units. */
export interface TokenSpan {
  token: string;
  start: number;
  end: number;
}

/** Code points of a token that are kept; longer ones are noise (data URLs, hashes) and would fill the index. */
const MAX_TOKEN_LENGTH = 64;

/** Scripts written without spaces between words (and Korean, whose endings stick to the word) are cut into pairs of characters. */
const PAIRED =
  '[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{M}\\p{Nl}]]';
const PAIRED_RUN = new RegExp(`${PAIRED}+`, 'gv');
/** Words, and ids such as `inv-2024-001` or `jan@example.com`, which hold joiners inside. */
const WORD = /[\p{L}\p{M}\p{N}_]+(?:[-.@:/+][\p{L}\p{M}\p{N}_]+)*/gu;
const WORD_PART = /[\p{L}\p{M}\p{N}]+/gu;
/** Marks that only colour a letter: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel signs and the stretching stroke. */
const COLOURING_MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]|\u0640/g;
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
};
const SPELLED_OUT_LETTERS = new RegExp(`[${Object.keys(SPELLED_OUT).join('')}]`, 'gu');

/** Case, width and accents folded away: `ＣＡＦÉ` → `cafe`, `Größe` → `grosse`. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(COLOURING_MARKS, '')
    .normalize('NFC')
    .replace(SPELLED_OUT_LETTERS, (letter) => SPELLED_OUT[letter] ?? letter);
}

/** English plurals only, and only where the singular is certain enough: a rule for both sides of the search, not grammar. */
function singular(word: string): string {
  if (word.length < 4 || !/^[a-z]+s$/.test(word) || /(?:ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|ches|shes|zes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Cuts to whole code points. */
function limited(token: string): string {
  return token.length <= MAX_TOKEN_LENGTH ? token : Array.from(token).slice(0, MAX_TOKEN_LENGTH).join('');
}

function* spansOfWord(word: string, start: number): Generator<TokenSpan> {
  const end = start + word.length;
  const whole = fold(word);
  const parts = [...word.matchAll(WORD_PART)];
  if (parts.length > 1 && whole !== '') yield { token: limited(whole), start, end };
  for (const part of parts) {
    const token = limited(singular(fold(part[0])));
    const from = start + part.index;
    if (token !== '') yield { token, start: from, end: from + part[0].length };
  }
}

/** Single characters and pairs; a query leaves the singles out unless there is nothing else. */
function* spansOfPairedRun(run: string, start: number, withSingles: boolean): Generator<TokenSpan> {
  const original = Array.from(run);
  const folded = Array.from(fold(run));
  const aligned = folded.length === original.length;
  const offsets: number[] = [start];
  for (const character of original) offsets.push((offsets.at(-1) ?? start) + character.length);
  const at = (position: number): number => (aligned ? (offsets[position] ?? start + run.length) : start);
  const until = (position: number): number => (aligned ? (offsets[position] ?? start + run.length) : start + run.length);
  for (const [position, character] of folded.entries()) {
    if (withSingles || folded.length === 1) yield { token: character, start: at(position), end: until(position + 1) };
    const next = folded[position + 1];
    if (next !== undefined) yield { token: character + next, start: at(position), end: until(position + 2) };
  }
}

/** All tokens of a text with their places. `query` form leaves out what only a document needs. Accepts any string, broken surrogates included. */
export function tokenSpans(text: string, form: 'document' | 'query' = 'document'): TokenSpan[] {
  const spans: TokenSpan[] = [];
  for (const word of text.matchAll(WORD)) {
    let from = 0;
    for (const run of word[0].matchAll(PAIRED_RUN)) {
      if (run.index > from) spans.push(...spansOfWord(word[0].slice(from, run.index), word.index + from));
      spans.push(...spansOfPairedRun(run[0], word.index + run.index, form === 'document'));
      from = run.index + run[0].length;
    }
    if (from < word[0].length) spans.push(...spansOfWord(word[0].slice(from), word.index + from));
  }
  return spans;
}

/** Words of English questions that say nothing about their subject; dropped from a query while others remain. */
const QUERY_FILLERS: ReadonlySet<string> = new Set(
  'a about an and any are at be but can could do does for from had has have how i if in is it long me my not of on or our please so some something that the there this to was what when where which will with would you your s t m'.split(
    ' ',
  ),
);

/** The distinct terms of a query in order of appearance. Filler words stay when there is nothing else. */
export function queryTerms(query: string): string[] {
  const all = [...new Set(tokenSpans(query, 'query').map(({ token }) => token))];
  const telling = all.filter((token) => !QUERY_FILLERS.has(token));
  return telling.length > 0 ? telling : all;
}
