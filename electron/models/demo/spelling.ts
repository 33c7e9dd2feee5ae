/** Pure: misspelled words that decide what a question is about, put right. */

const KNOWN = 'refund refunds refunded order orders package packages parcel parcels delivery status ticket tickets shipping'.split(' ');
/** Words of their own that are one letter away from a known one. */
const OTHER_WORDS = new Set(
  'older odder ordered statue statues shopping slipping skipping snipping sipping ticked ticker packaged packager deliver delivers'.split(
    ' ',
  ),
);
const SHORTEST = 4;

/** Whether one letter is missing, too many, or wrong, or two neighbours are swapped. */
function isOneEditApart(left: string, right: string): boolean {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same += 1;
  const [restOfLeft, restOfRight] = [left.slice(same), right.slice(same)];
  return (
    restOfLeft.slice(1) === restOfRight ||
    restOfLeft === restOfRight.slice(1) ||
    restOfLeft.slice(1) === restOfRight.slice(1) ||
    (restOfLeft.slice(2) === restOfRight.slice(2) && restOfLeft[0] === restOfRight[1] && restOfLeft[1] === restOfRight[0])
  );
}

function corrected(word: string): string {
  const small = word.toLowerCase();
  if (small.length < SHORTEST || KNOWN.includes(small) || OTHER_WORDS.has(small)) return word;
  return KNOWN.find((known) => known[0] === small[0] && isOneEditApart(small, known)) ?? word;
}

/** The text with `refnud`, `ordr`, `packge` and the like written as they are meant; all else stays as it is. */
export function withSpelling(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}'’])[a-z]+(?![\p{L}\p{N}'’])/giu, corrected);
}
