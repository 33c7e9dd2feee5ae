/** Pure: finding a text inside another as people mean it: case, width, spaces and accents make no difference. */

/** A text made comparable, and for each of its units the place of the character it came from. */
export interface Comparable {
  text: string;
  /** One more than `text` has units: the last is the source's length. null: the same places as in the source. */
  places: readonly number[] | null;
}

export interface Place {
  /** UTF-16 units of the source. */
  start: number;
  end: number;
}

const PLAIN = /^[\u0020-\u007e]*$/u;
/** Accents; marks of other scripts change the letter and stay. */
const ACCENTS = /[\u0300-\u036f]/gu;
const SPACES = /\s/u;

function comparableCharacter(character: string): string {
  if (SPACES.test(character)) return ' ';
  return character.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
}

export function comparable(source: string): Comparable {
  if (PLAIN.test(source)) return { text: source.toLowerCase(), places: null };
  let text = '';
  const places: number[] = [];
  let at = 0;
  for (const character of source) {
    const folded = comparableCharacter(character);
    for (let unit = 0; unit < folded.length; unit += 1) places.push(at);
    text += folded;
    at += character.length;
  }
  places.push(source.length);
  return { text, places };
}

/** Places of `wanted` (made comparable) in a text, in order, without overlap. Empty for an empty `wanted`. */
export function placesOf(source: Comparable, wanted: string): Place[] {
  const found: Place[] = [];
  if (wanted === '') return found;
  for (let at = source.text.indexOf(wanted); at !== -1; at = source.text.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    if (source.places === null) found.push({ start: at, end });
    else found.push({ start: source.places[at] ?? 0, end: endOf(source.places, end) });
  }
  return found;
}

/** After the whole character that the last unit belongs to. */
function endOf(places: readonly number[], end: number): number {
  const last = places[end - 1] ?? 0;
  for (let at = end; at < places.length; at += 1) {
    const place = places[at] ?? 0;
    if (place > last) return place;
  }
  return places.at(-1) ?? last;
}

/** How often a text (made comparable) stands in another. */
export function countPlaces(source: string, wanted: string): number {
  return placesOf(comparable(source), wanted).length;
}

/** The searched words of a question, made comparable; quotes and other punctuation around them do not count. */
export function searchedWords(search: string): string[] {
  const words = comparable(search).text.match(/[\p{L}\p{N}\p{M}]+(?:[-_.@/:+][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}/gu) ?? [];
  return [...new Set(words)];
}
