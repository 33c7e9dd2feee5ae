/** Pure: placeholders for personal data, stable over a conversation, and the way back. */
import type { Finding, KnownPerson, PersonalKind } from './personal-data.ts';
import { findPersonalData, PERSONAL_KINDS } from './personal-data.ts';

/** A stored table of another form is refused. */
const TABLE_FORMAT = 1;
/** Texts whose findings are remembered, so that a history is read once and not at every step. */
const MOST_REMEMBERED = 2000;
const ANY_PLACEHOLDER = /\[(?:LITERAL|EMAIL|IBAN|CARD|PHONE|NAME|ADDRESS)_\d{1,6}\]/gu;
/** A text's end that may be the start of a placeholder. */
const OPEN_END = /\[(?:[A-Z]{0,7}|[A-Z]{4,7}_\d{0,6})$/u;

export interface PlaceholderTable {
  /** The text with placeholders; the same value gets the same one for ever. */
  hide(text: string): string;
  /** The text with the values. Placeholders that are not ours stay as they are. */
  restore(text: string): string;
  /** The value of one placeholder; null where it is none of this table. */
  valueOf(placeholder: string): string | null;
  /** Every value that is hidden. */
  values(): string[];
  /** JSON to be stored with the conversation. */
  toJson(): string;
}

/** `json` is an earlier `toJson`, or null. A table that cannot be read starts empty. */
export function createPlaceholderTable(person: KnownPerson | null, json: string | null): PlaceholderTable {
  return new Table(person, parseTable(json));
}

type Pairs = [placeholder: string, value: string][];

function parseTable(json: string | null): Pairs {
  if (json === null) return [];
  try {
    const stored: unknown = JSON.parse(json);
    if (typeof stored !== 'object' || stored === null || !('format' in stored) || stored.format !== TABLE_FORMAT) return [];
    if (!('pairs' in stored) || !Array.isArray(stored.pairs)) return [];
    return stored.pairs.filter((pair): pair is [string, string] => Array.isArray(pair) && pair.every((part) => typeof part === 'string'));
  } catch {
    return [];
  }
}

class Table implements PlaceholderTable {
  readonly #person: KnownPerson | null;
  readonly #placeholders = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #counts = new Map<PersonalKind, number>();
  readonly #remembered = new Map<string, Finding[]>();

  constructor(person: KnownPerson | null, pairs: Pairs) {
    this.#person = person;
    for (const [placeholder, value] of pairs) {
      const kind = PERSONAL_KINDS.find((each) => placeholder.startsWith(`[${each}_`));
      if (kind === undefined) continue;
      this.#keep(kind, placeholder, value);
      const number = Number(placeholder.slice(kind.length + 2, -1));
      this.#counts.set(kind, Math.max(this.#counts.get(kind) ?? 0, number));
    }
  }

  hide(text: string): string {
    const findings = this.#findings(text);
    if (findings.length === 0) return text;
    let hidden = '';
    let last = 0;
    for (const { kind, start, end } of findings) {
      hidden += text.slice(last, start) + this.#placeholder(kind, text.slice(start, end));
      last = end;
    }
    return hidden + text.slice(last);
  }

  restore(text: string): string {
    return text.includes('[') ? text.replaceAll(ANY_PLACEHOLDER, (placeholder) => this.#values.get(placeholder) ?? placeholder) : text;
  }

  valueOf(placeholder: string): string | null {
    return this.#values.get(placeholder) ?? null;
  }

  values(): string[] {
    return [...this.#values.values()];
  }

  toJson(): string {
    return JSON.stringify({ format: TABLE_FORMAT, pairs: [...this.#values] });
  }

  #findings(text: string): Finding[] {
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    const findings = findPersonalData(text, this.#person);
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(text, findings);
    return findings;
  }

  #placeholder(kind: PersonalKind, value: string): string {
    const key = `${kind} ${value}`;
    const known = this.#placeholders.get(key);
    if (known !== undefined) return known;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const placeholder = `[${kind}_${number}]`;
    this.#keep(kind, placeholder, value);
    return placeholder;
  }

  #keep(kind: PersonalKind, placeholder: string, value: string): void {
    this.#placeholders.set(`${kind} ${value}`, placeholder);
    this.#values.set(placeholder, value);
  }
}

/** Placeholders that a text holds, whoever made them. */
export function placeholdersIn(text: string): string[] {
  return text.match(ANY_PLACEHOLDER) ?? [];
}

/** Restores a text that arrives in pieces: a placeholder cut over two of them is held back until it is whole. */
export class StreamedRestoration {
  readonly #table: PlaceholderTable;
  #held = '';

  constructor(table: PlaceholderTable) {
    this.#table = table;
  }

  add(delta: string): string {
    const text = this.#held + delta;
    const open = OPEN_END.exec(text);
    this.#held = open === null ? '' : text.slice(open.index);
    return this.#table.restore(open === null ? text : text.slice(0, open.index));
  }

  /** What is still held back; nothing more will come. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#table.restore(rest);
  }
}
