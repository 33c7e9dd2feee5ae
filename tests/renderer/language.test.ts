/** The renderer's visible strings: none stands in a component, and both languages say something everywhere. */
import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { ENGLISH } from '../../renderer/language/english/index.ts';
import { GERMAN } from '../../renderer/language/german/index.ts';
import { setLanguage } from '../../renderer/language/language.ts';
import { formatCost, formatCount, formatDuration, formatReported } from '../../renderer/ui/format.ts';

/** Names of the product, of strategies and of a server, which are the same in every language. */
const NAMES = new Set(['Nimbus', 'Nimbus Console', 'recent-turns', 'summary', 'stable', 'db.example.com']);

/** Addresses show a form, not words. */
const isAddress = (text: string) => text.startsWith('mysql://');

interface Finding {
  line: number;
  text: string;
}

/** Text between tags, alone on its line, and what an attribute that is seen or heard says as a literal. */
export function literalsOf(source: string): Finding[] {
  const found: Finding[] = [];
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//gu, (comment) => comment.replaceAll(/[^\n]/gu, ' ')).replaceAll(/^\s*\/\/.*$/gmu, '');
  const patterns = [
    /(?:aria-label|title|placeholder|alt)="([^"]*)"/gu,
    /(?:aria-label|title|placeholder|alt)=\{'([^']*)'\}/gu,
    /\blabel: '([^']*)'/gu,
    /<[a-z][\w.]*(?:\s[^<>]*)?>(?<!=>)([^<>{}=;]*\p{L}{2,}[^<>{}=;]*)(?=<|\{)/gu,
    /(?:>|\})[ \t]*\n[ \t]*(\p{L}[\p{L} ,.…’'-]+\p{L}[.…]?)[ \t]*\n[ \t]*<\//gu,
  ];
  for (const pattern of patterns) {
    for (const match of code.matchAll(pattern)) {
      const text = (match[1] ?? '').trim();
      if (!/\p{L}{2,}/u.test(text) || NAMES.has(text) || isAddress(text)) continue;
      found.push({ line: code.slice(0, match.index).split('\n').length, text });
    }
  }
  return found;
}

/** Every text, under its dotted name; functions count as filled. */
function textsOf(value: unknown, name: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, name === '' ? key : `${name}.${key}`));
}

afterEach(() => setLanguage('en'));

describe('languages', () => {
  test('no component says something that is not in renderer/language', () => {
    const found = globSync('renderer/**/*.tsx')
      .filter((path) => !path.startsWith('renderer/language'))
      .flatMap((path) => literalsOf(readFileSync(path, 'utf8')).map(({ line, text }) => `${path}:${line}: ${text}`));
    expect(found).toEqual([]);
  });

  test('the scan finds what it looks for, and leaves names and code alone', () => {
    expect(literalsOf('<b>Send</b>')).toEqual([{ line: 1, text: 'Send' }]);
    expect(literalsOf('<p\n  title="Close it"\n/>')).toEqual([{ line: 2, text: 'Close it' }]);
    expect(literalsOf('<button onClick={() => go()}>\n  Try again\n</button>').map(({ text }) => text)).toEqual(['Try again']);
    expect(literalsOf('<b>Nimbus</b><kbd>N</kbd>{words().chat.find}')).toEqual([]);
    expect(literalsOf("const one = { label: 'Newest' };")).toHaveLength(1);
  });

  test('both languages have the same keys, and no text is empty in one only', () => {
    const english = new Map(textsOf(ENGLISH, ''));
    const german = new Map(textsOf(GERMAN, ''));
    expect([...german.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    for (const [key, text] of english) expect(german.get(key) === '', key).toBe(text === '');
  });

  test('numbers, money and words of states follow the language', () => {
    setLanguage('de');
    expect(formatCount(12_345)).toBe('12.345');
    expect(formatCost(2500)).toBe('0,25 ¢');
    expect(formatCost(1_250_000)).toBe('1,25 $');
    expect(formatDuration(1500)).toBe('1,5 s');
    expect(formatReported(null)).toBe('unbekannt');
    setLanguage('en');
    expect(formatCount(12_345)).toBe('12,345');
    expect(formatCost(1_250_000)).toBe('$1.25');
    expect(formatReported(null)).toBe('unknown');
  });
});
