/** Pure: does a text hold another one? Case, width, diacritics and spacing do not matter; separators inside an id do not either. */

const ID_SEPARATORS = String.raw`[\s\-_.#/]*`;
/** Shorter ones are numbers like any other. */
const LEAST_ID_LENGTH = 4;

/** Compatibility forms as their plain ones, without marks, in lower case, white space as single spaces. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

/** Never throws; an empty text is found nowhere. */
export function textMatcher(wanted: string): (text: string) => boolean {
  const folded = foldText(wanted);
  if (folded === '') return () => false;
  const id = idPattern(folded);
  return (text) => {
    const other = foldText(text);
    return other.includes(folded) || (id?.test(other) ?? false);
  };
}

/** `DE89 3704` finds `de893704` and `#1043-7` finds `1043 7`; null for text that is no id. */
function idPattern(folded: string): RegExp | null {
  const core = folded.replaceAll(/[\s\-_.#/]/gu, '');
  if (core.length < LEAST_ID_LENGTH || !/\d/u.test(core) || !/^[a-z\d]+$/u.test(core)) return null;
  // Words with a number behind them are a phrase, not an id.
  if (folded.split(' ').some((part) => /^[a-z]+$/u.test(part) && part.length > 2)) return null;
  const characters = core.split('').join(ID_SEPARATORS);
  return new RegExp(`(?<![a-z\\d])${characters}(?![a-z\\d])`, 'u');
}
