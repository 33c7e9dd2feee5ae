/** Does I/O (reads one optional file): texts that stores, drivers and character sets are known to spoil. */
import { existsSync, readFileSync } from 'node:fs';

const OWN = [
  '',
  ' ',
  'plain',
  'trailing space ',
  '\ttab and\nnew\r\nlines\r',
  'nul \u0000 in the middle',
  '\u0000',
  '\u0001\u001f\u007f\u0080\u009f',
  '\ufeffbyte order mark',
  '\uffff\ufffe\ufdd0',
  'quotes \' " ` \\ \\\' \\" \\0 \\n %s %_ ? :name @name $1',
  "'; DROP TABLE messages; --",
  '😀 👩‍👩‍👧‍👦 🏳️‍🌈 🇯🇵 \u{10ffff}',
  'é é ﬁ Å Å',
  '返金についてお伺いします。ヵ゛が',
  'مرحبا Order #12 שלום \u202e reversed \u202c \u2066 isolate \u2069',
  '</script><img src=x onerror=alert(1)>',
  'null',
  'undefined',
  '{"__proto__":{"x":1}}',
  '1e309',
  '00123',
  'x'.repeat(70_000),
  '🍣'.repeat(20_000),
];

/** A text and what must come back: lone surrogates become U+FFFD, everything else stays as it is. */
export const HOSTILE: { text: string; expected: string }[] = [
  ...OWN.map((text) => ({ text, expected: text })),
  { text: 'lone \ud83d high', expected: 'lone \ufffd high' },
  { text: 'lone \ude00 low', expected: 'lone \ufffd low' },
  { text: '\ud83d', expected: '\ufffd' },
  ...sharedStrings(),
];

/** Keys and ids that careless collations take for the same. */
export const DIFFERENT_IDS: [string, string][] = [
  ['AbC', 'abc'],
  ['é', 'e\u0301'],
  ['ß', 'ss'],
  ['I', 'ı'],
];

function sharedStrings(): { text: string; expected: string }[] {
  const file = new URL('../../../shared/cases/hostile-values.json', import.meta.url);
  if (!existsSync(file)) return [];
  const values = JSON.parse(readFileSync(file, 'utf8')) as { strings: string[]; json_fidelity: string[] };
  return [...values.strings, ...values.json_fidelity].map((text) => ({ text, expected: text }));
}
