/** Pure: Markdown files of a folder become help articles. Reading the folder is the caller's work. */
import type { Article } from '../../../shared/shop.ts';

/** Largest help article, in UTF-16 units of its text; larger files are refused, as a model could not read them anyway. */
export const MAX_ARTICLE_CHARACTERS = 200_000;
const MAX_TITLE_CHARACTERS = 200;
const MAX_ID_CHARACTERS = 190;

export interface MarkdownFile {
  /** Relative to the folder, with `/` or `\` between its parts. */
  path: string;
  text: string;
}

/** Drops a YAML or TOML block between two `---` or `+++` lines at the very start. An opening line without an end is ordinary text. */
function withoutFrontMatter(text: string): string {
  const opening = /^(---|\+\+\+)[ \t]*\n/.exec(text);
  if (opening === null) return text;
  const lines = text.slice(opening[0].length).split('\n');
  const end = lines.findIndex((line) => line.trimEnd() === opening[1]);
  return end < 0 ? text : lines.slice(end + 1).join('\n');
}

/** The text of the first heading outside a code block; null where there is none. */
function firstHeading(text: string): string | null {
  let fence: string | null = null;
  let previous = '';
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    else if (fence === null) {
      const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/
        .exec(line)?.[1]
        ?.replace(/[ \t]+#+[ \t]*$/, '')
        .trim();
      if (heading !== undefined && heading !== '') return heading;
      if (/^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line) && previous.trim() !== '') return previous.trim();
    }
    previous = line;
  }
  return null;
}

/** `help/Returns & refunds.md` → `help/returns-refunds`. Letters of every script are kept. */
function idFromPath(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replace(/\\/g, '/')
    .replace(/\.(?:md|markdown|mdx)$/, '')
    .split('/')
    .map((part) => part.replace(/[^\p{L}\p{N}\p{M}]+/gu, '-').replace(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
    .join('/')
    .slice(0, MAX_ID_CHARACTERS);
}

function titleFromPath(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  const words = name
    .replace(/\.(?:md|markdown|mdx)$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words === '' ? path : words;
}

/** Control characters other than tab, line feed, form feed, carriage return and escape do not occur in text files. */
function holdsControlCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0c && unit !== 0x0d && unit !== 0x1b) return true;
  }
  return false;
}

/** What keeps a text from being an article; null when it is fine. */
function problemOf(text: string): string | null {
  if (text.length > MAX_ARTICLE_CHARACTERS) {
    return `is too large (${text.length} characters, at most ${MAX_ARTICLE_CHARACTERS}); split it into several articles`;
  }
  if (holdsControlCharacters(text)) return 'is not a text file (it holds control characters)';
  const broken = text.split('\ufffd').length - 1;
  if (broken > 3 && broken * 20 > text.length) return 'is not UTF-8 text; save it as UTF-8';
  if (withoutFrontMatter(text).trim() === '') return 'is empty';
  return null;
}

/**
 * Makes one article per file, in the order given. The id comes from the path, the title from the first heading or else the file's name;
 * front matter is left out. Never throws: a file that cannot be an article is one sentence in `problems` and nothing in `articles`.
 */
export function articlesFromMarkdown(files: readonly MarkdownFile[]): { articles: Article[]; problems: string[] } {
  const articles = new Map<string, Article>();
  const problems: string[] = [];
  for (const file of files) {
    const text = file.text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
    const id = idFromPath(file.path);
    const twin = articles.get(id);
    const problem =
      problemOf(text) ??
      (id === '' ? 'has a name without letters or digits; rename it' : null) ??
      (twin === undefined ? null : `would have the same id as ${twin.source} ("${id}"); rename one of them`);
    if (problem !== null) {
      problems.push(`${file.path} ${problem}`);
      continue;
    }
    const body = withoutFrontMatter(text).trim();
    const title = (firstHeading(body) ?? titleFromPath(file.path)).slice(0, MAX_TITLE_CHARACTERS).toWellFormed();
    articles.set(id, { id, title, body: `${body}\n`.toWellFormed(), source: file.path });
  }
  return { articles: [...articles.values()], problems };
}
