/** Pure: how texts and questions become search terms. Every store uses the same, so that all find the same. */

/** Longer words are cut, in documents and questions alike. In UTF-16 units. */
const LONGEST_TERM = 64;

/** Scripts written without spaces: searched by pairs of characters. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆`;
const unspacedRun = new RegExp(`[${UNSPACED}\\p{M}]+`, 'gu');
const startsUnspaced = new RegExp(`^[${UNSPACED}]`, 'u');
/** A word, an id with inner punctuation (`ORD-1043`, `a@b.example`), or a pictograph. */
const chunk = /[\p{L}\p{N}\p{M}]+(?:[-_.@/:+][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}/gu;
/** Most texts are, and need no tables. */
const ascii = /^\p{ASCII}*$/u;
const innerPunctuation = /[-_.@/:+]/;
const accentsOfLetters = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;

/** Case, width, compatibility forms and the accents of Latin, Greek and Cyrillic letters make no difference. */
export function folded(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : foldedUnicode(text);
}

function foldedUnicode(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(accentsOfLetters, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(accentsOfLetters, '')
    .normalize('NFKC')
    .replaceAll('ς', 'σ');
}

/** Distinct terms of a text to be found. Terms hold letters, digits and non-ASCII characters only, never a space. */
export function documentTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const [word] of folded(text).matchAll(chunk)) {
    const parts = word.split(innerPunctuation);
    // An id is found whole and by its parts.
    if (parts.length > 1) terms.add(cut(parts.join('')));
    for (const part of parts) for (const term of wordTerms(part, true)) terms.add(term);
  }
  return [...terms];
}

/** Terms of a question. A conversation is found when each of them is the beginning of one of its terms. Empty: nothing to look for. */
export function questionTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const [word] of folded(text).matchAll(chunk)) {
    const parts = word.split(innerPunctuation);
    if (parts.length > 1) terms.add(cut(parts.join('')));
    else for (const term of wordTerms(word, false)) terms.add(term);
  }
  return [...terms];
}

/** Splits where scripts change: `iPhone返金` is a word and a pair. */
function wordTerms(word: string, isDocument: boolean): string[] {
  const terms: string[] = [];
  let end = 0;
  for (const match of word.matchAll(unspacedRun)) {
    if (!startsUnspaced.test(match[0])) continue;
    if (match.index > end) terms.push(cut(word.slice(end, match.index)));
    terms.push(...pairs(match[0], isDocument));
    end = match.index + match[0].length;
  }
  if (end < word.length) terms.push(cut(word.slice(end)));
  return terms;
}

/** A document also holds its last character alone, so that each single character begins a term. */
function pairs(run: string, isDocument: boolean): string[] {
  const characters = Array.from(run);
  const last = characters.at(-1);
  if (last === undefined) return [];
  if (characters.length === 1) return [last];
  const result = characters.slice(0, -1).map((character, index) => character + (characters[index + 1] ?? ''));
  return isDocument ? [...result, last] : result;
}

function cut(term: string): string {
  return term.length <= LONGEST_TERM ? term : term.slice(0, LONGEST_TERM).replace(/[\ud800-\udbff]$/, '');
}
