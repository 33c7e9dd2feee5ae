// Decides before parsing whether a text may be parsed as Markdown: bounds on nesting, on size and on the parser's work. Pure.

/** A text longer than this, or with more lines, is folded and never parsed. */
export const LONGEST_PARSED = 12_000;
export const MOST_LINES = 400;

/** Quotes and lists inside each other; every level costs the parser and the page several stack frames. */
const DEEPEST_CONTAINERS = 24;
/** The depths of all lines together: each line is read once more for every container it is in. */
const MOST_DEPTH_IN_ALL = 1_000;
/** Brackets that are open at once. */
const DEEPEST_BRACKETS = 32;
/** Emphasis, code, link and tag marks in one paragraph: each may search the rest of it. */
const MOST_MARKS = 400;
/** Marks of a paragraph times its length: what the parser's search may cost. */
const MOST_SEARCH = 400_000;
/** A table fills every row up to its widest: columns times lines. */
const MOST_CELLS = 6_000;
/** Addresses are looked for from every place inside a word. */
const LONGEST_WORD = 3_000;

const CONTAINER = /[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/uy;
const MARKS = /\*+|_+|~+|`+|[[\]<&@]|:\/\/|www\./gu;
const TABLE_RULE = /^[\s>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$/u;
const FENCE_START = /^(`{3,}(?=[^`]*$)|~{3,})/u;
const FENCE_END = /^ {0,3}(?:`+|~+)[ \t]*$/u;
const HTML_BLOCK = /^[\s>]*</u;

export type PlainReason = 'too long' | 'too deeply nested' | 'too many marks';

/** Quotes and lists that a line opens, its indentation counted as the lists it continues. */
export function containerDepth(line: string): number {
  let depth = 0;
  CONTAINER.lastIndex = 0;
  for (let found = CONTAINER.exec(line); found !== null; found = CONTAINER.exec(line)) {
    const indent = found[0].replaceAll('\t', '    ').length - found[0].trimStart().length;
    depth += 1 + Math.floor(indent / 2);
    if (depth > DEEPEST_CONTAINERS) break;
  }
  return depth;
}

/** The most `[` open at once. */
function bracketDepth(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '[') deepest = Math.max(deepest, ++open);
    else if (character === ']') open = Math.max(0, open - 1);
  }
  return deepest;
}

function countLines(text: string): number {
  return 1 + (text.match(/\r\n?|\n/gu)?.length ?? 0);
}

/** True where a text is folded on the page. */
export function isLong(text: string): boolean {
  return text.length > LONGEST_PARSED || countLines(text) > MOST_LINES;
}

function hasTooManyMarks(paragraph: string): boolean {
  const marks = paragraph.match(MARKS)?.length ?? 0;
  // The lines of a table are searched cell by cell.
  const searched = paragraph.includes('|') ? Math.max(...paragraph.split('\n').map((line) => line.length)) : paragraph.length;
  return marks > MOST_MARKS || marks * searched > MOST_SEARCH;
}

/** Cells of the tables a paragraph may hold. */
function tableCells(paragraph: string): number {
  const lines = paragraph.split('\n');
  const columns = lines.filter((line) => line.includes('-') && TABLE_RULE.test(line)).map((line) => line.split('|').length);
  return Math.max(0, ...columns) * lines.length;
}

function isDeep(lines: readonly string[]): boolean {
  let all = 0;
  for (const line of lines) {
    const depth = containerDepth(line);
    all += depth;
    if (depth > DEEPEST_CONTAINERS || all > MOST_DEPTH_IN_ALL) return true;
  }
  return false;
}

/**
 * The text without its fenced code, whose marks cost nothing. Only fences at the start of a line count, and none in a
 * text with HTML blocks: there, and in a list, the parser may see the end of the code earlier than this does.
 */
function withoutCode(lines: readonly string[]): string {
  if (lines.some((line) => HTML_BLOCK.test(line))) return lines.join('\n');
  let fence: string | null = null;
  const kept: string[] = [];
  for (const line of lines) {
    if (fence === null) {
      fence = FENCE_START.exec(line)?.[1] ?? null;
      kept.push(line);
    } else if (line.trim().startsWith(fence) && FENCE_END.test(line)) fence = null;
  }
  return kept.join('\n');
}

/** Why a text is shown as plain text; null when it may be parsed. Takes time in proportion to the text. */
export function whyPlain(text: string): PlainReason | null {
  if (isLong(text)) return 'too long';
  const lines = text.split(/\r\n?|\n/u);
  if (isDeep(lines) || bracketDepth(text) > DEEPEST_BRACKETS) return 'too deeply nested';
  let cells = 0;
  for (const paragraph of withoutCode(lines).split(/\n[ \t]*\n/u)) {
    if (hasTooManyMarks(paragraph)) return 'too many marks';
    cells += tableCells(paragraph);
  }
  if (cells > MOST_CELLS) return 'too many marks';
  return text.split(/\s/u).some((word) => word.length > LONGEST_WORD) ? 'too many marks' : null;
}

/** Whole characters and whole lines where possible: what stands for a folded text. */
export function headOf(text: string, characters = 2_000, lines = 30): string {
  let end = Math.min(characters, text.length);
  let at = -1;
  for (let line = 0; line < lines; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1 || at >= end) break;
    if (line === lines - 1) end = at;
  }
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/u, '');
}

/** A text cut at line ends into pieces of at most `lines` lines; joined with line ends they are the text. */
export function plainPieces(text: string, lines = 200): string[] {
  const all = text.split('\n');
  const pieces: string[] = [];
  for (let start = 0; start < all.length; start += lines) pieces.push(all.slice(start, start + lines).join('\n'));
  return pieces;
}
