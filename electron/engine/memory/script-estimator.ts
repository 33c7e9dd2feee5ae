/** Pure: the default token estimator. Weights by script, fitted against the o200k vocabulary on support chats, tool results and samples of eleven languages. */
import type { TokenEstimator } from '../ports.ts';

/** A run of Latin letters that one vocabulary entry usually covers, and what letters beyond it cost. */
const WORD_TOKENS = 0.93;
const WORD_LENGTH = 8;
const LONG_LETTER_TOKENS = 0.14;
/** Per three characters of capitals, digits and punctuation. */
const CAPITALS_TOKENS = 0.87;
const DIGITS_TOKENS = 1.12;
const PUNCTUATION_TOKENS = 1.04;
const GROUP_LENGTH = 3;
const NEWLINE_TOKENS = 1.5;
const SPACES_TOKENS = 1.2;

/** Per UTF-16 unit, for scripts whose words the vocabulary cuts into pieces. First and last unit, tokens. */
const UNIT_TOKENS: readonly (readonly [number, number, number])[] = [
  [0x00c0, 0x024f, 0.85],
  [0x0400, 0x04ff, 0.26],
  [0x0590, 0x05ff, 0.4],
  [0x0600, 0x06ff, 0.45],
  [0x3040, 0x309f, 0.56],
  [0x30a0, 0x30ff, 0.75],
  [0x3400, 0x9fff, 0.68],
  [0xac00, 0xd7af, 0.62],
  [0xd800, 0xdfff, 0.87],
];
const OTHER_UNIT_TOKENS = 0.45;

type Run = 'letters' | 'capitals' | 'digits' | 'punctuation' | 'newline' | 'space' | 'other';

function runOf(unit: number): Run {
  if (unit >= 0x61 && unit <= 0x7a) return 'letters';
  if (unit >= 0x41 && unit <= 0x5a) return 'capitals';
  if (unit >= 0x30 && unit <= 0x39) return 'digits';
  if (unit === 0x0a || unit === 0x0d) return 'newline';
  if (unit === 0x20 || unit === 0x09) return 'space';
  return unit < 0x80 ? 'punctuation' : 'other';
}

function unitTokens(unit: number): number {
  for (const [first, last, tokens] of UNIT_TOKENS) {
    if (unit < first) break;
    if (unit <= last) return tokens;
  }
  return OTHER_UNIT_TOKENS;
}

function runTokens(run: Run, length: number): number {
  switch (run) {
    case 'letters':
      return WORD_TOKENS + LONG_LETTER_TOKENS * Math.max(0, length - WORD_LENGTH);
    case 'capitals':
      return CAPITALS_TOKENS * Math.ceil(length / GROUP_LENGTH);
    case 'digits':
      return DIGITS_TOKENS * Math.ceil(length / GROUP_LENGTH);
    case 'punctuation':
      return PUNCTUATION_TOKENS * Math.ceil(length / GROUP_LENGTH);
    case 'newline':
      return NEWLINE_TOKENS;
    case 'space':
      // One space belongs to the word after it.
      return length > 1 ? SPACES_TOKENS : 0;
    case 'other':
      return OTHER_UNIT_TOKENS * length;
  }
}

/** Tokens of a text, rounded up; 0 for "". Linear in its length. */
function countTokens(text: string): number {
  let tokens = 0;
  let index = 0;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    const run = runOf(unit);
    if (run === 'other') {
      tokens += unitTokens(unit);
      index += 1;
      continue;
    }
    let end = index + 1;
    while (end < text.length && runOf(text.charCodeAt(end)) === run) end += 1;
    if (run === 'capitals' && end < text.length && runOf(text.charCodeAt(end)) === 'letters') {
      // A capital that starts a word belongs to the word.
      const capitals = end - 1 - index;
      if (capitals > 0) tokens += runTokens('capitals', capitals);
      index = end - 1;
      end += 1;
      while (end < text.length && runOf(text.charCodeAt(end)) === 'letters') end += 1;
      tokens += runTokens('letters', end - index);
    } else tokens += runTokens(run, end - index);
    index = end;
  }
  return Math.ceil(tokens);
}

/** The default: no tokenizer, right to about ten per cent on ordinary text of any script. Never throws. */
export const scriptEstimator: TokenEstimator = { name: 'script', count: countTokens };
