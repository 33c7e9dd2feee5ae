/** Pure: stored text made harmless for a terminal. Text of customers and models must not move the cursor, set a title or reorder what is read. */

const ESCAPE = '\u001b';
/** Operating-system commands (title, links, clipboard) with what they carry, in their 7-bit and 8-bit forms, also unterminated. */
const STRING_SEQUENCES = new RegExp(
  `(?:${ESCAPE}[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u009c${ESCAPE}\\n]*(?:\\u0007|\\u009c|${ESCAPE}\\\\)?`,
  'g',
);
const CONTROL_SEQUENCES = new RegExp(`(?:${ESCAPE}\\[|\\u009b)[0-?]*[ -/]*[@-~]?`, 'g');
/** C0 except tab and newline, DEL, C1. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const LINE_BREAKS = /\r\n?|\u2028|\u2029/g;

/** What JSON.stringify leaves as it is although a terminal or a reader may be misled by it. */
const UNSAFE_IN_JSON = new RegExp('[\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]', 'g');

/** Without control characters, escape sequences and bidi controls; line breaks are `\n`. */
export function cleanForTerminal(text: string): string {
  return text
    .replace(STRING_SEQUENCES, '')
    .replace(CONTROL_SEQUENCES, '')
    .replace(LINE_BREAKS, '\n')
    .replace(CONTROLS, '')
    .replace(BIDI_CONTROLS, '');
}

/** The same on one line: breaks and tabs become spaces. */
export function cleanLine(text: string): string {
  return cleanForTerminal(text).replace(/[\n\t]+/g, ' ');
}

/** JSON text with the remaining unsafe characters escaped; it parses to the same value. */
export function escapeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function toJson(value: unknown): string {
  return escapeJson(JSON.stringify(value, null, 2));
}
