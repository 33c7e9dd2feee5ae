// Tool arguments and results as rows and as one line. Pure; takes any text.
import { oneLine } from '../ui/format.ts';

/** Longest text a card shows at once; the rest is one click away. */
export const SHOWN_CHARACTERS = 6000;
const MOST_ROWS = 12;

export type ToolValue = { kind: 'rows'; rows: { key: string; value: string }[] } | { kind: 'text'; text: string };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Flat objects become rows, everything else indented JSON or the text itself. */
export function toolValue(value: unknown): ToolValue {
  const data = typeof value === 'string' ? (value.length > 1_000_000 ? value : parse(value)) : value;
  if (typeof data === 'string') return { kind: 'text', text: data };
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    const entries = Object.entries(data);
    if (entries.length > 0 && entries.length <= MOST_ROWS && entries.every(([, entry]) => isPlain(entry))) {
      return { kind: 'rows', rows: entries.map(([key, entry]) => ({ key, value: String(entry) })) };
    }
  }
  return { kind: 'text', text: JSON.stringify(data, null, 2) ?? '' };
}

/** One line for a closed card: what the result says first. */
export function resultInWords(result: string | null): string {
  if (result === null) return '';
  const data = result.length > 200_000 ? null : parse(result);
  if (Array.isArray(data)) return data.length === 1 ? '1 entry' : `${data.length} entries`;
  if (typeof data !== 'object' || data === null) return oneLine(result, 80);
  if ('error' in data) return `error: ${oneLine(typeof data.error === 'string' ? data.error : JSON.stringify(data.error), 80)}`;
  const list = Object.entries(data).find(([, value]) => Array.isArray(value));
  if (list !== undefined && Array.isArray(list[1])) return countInWords(list[1].length, list[0].replaceAll('_', ' '));
  const plain = Object.entries(data).filter(([, value]) => isPlain(value));
  return oneLine(plain.map(([key, value]) => factInWords(key, value)).join(', '), 90);
}

/** `1 item`, `2 items`: the result's own name of the list, in the singular where there is one. */
function countInWords(count: number, name: string): string {
  return `${count} ${count === 1 ? name.replace(/ies$/u, 'y').replace(/s$/u, '') : name}`;
}

function factInWords(key: string, value: unknown): string {
  const name = key.replaceAll('_', ' ');
  if (value === true) return name;
  if (value === false) return `not ${name}`;
  return `${name} ${String(value)}`;
}

/** `name({"a":1})`, as a call is written. */
export function callInWords(name: string, parameters: Record<string, unknown>): string {
  return `${name}(${oneLine(JSON.stringify(parameters), 120)})`;
}
