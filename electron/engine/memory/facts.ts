/** Pure: the facts of a text or a tool result that a later turn may need word for word: identifiers, amounts, dates, e-mail addresses, statuses. */

export type FactKind = 'id' | 'email' | 'amount' | 'date' | 'status';

export interface Fact {
  kind: FactKind;
  /** As written, e.g. `credit_card_4421486`, `$1,250.00`, `2024-05-20`. */
  text: string;
}

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const ISO_DATE = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?\b/g;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const WRITTEN_DATE = new RegExp(`\\b(?:${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?|\\d{1,2}\\.? ${MONTH}(?:,? \\d{4})?)\\b`, 'g');
const JAPANESE_DATE = /(?:\d{4}年)?\d{1,2}月\d{1,2}日/g;
const CLOCK = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\+\d)?\b/g;
const MONEY =
  /(?:(?:[$€£¥]|\b(?:USD|EUR|GBP|JPY|CHF)) ?\d+(?:[,.]\d+)*|\b\d+(?:[,.]\d+)* ?(?:[$€£¥円]|(?:USD|EUR|GBP|JPY|CHF|dollars?|euros?|yen)\b))/gi;
/** Letters and digits in one word, with joiners inside: `mia_li_3668`, `HAT136`, `INV-2024-07`. */
const MIXED = /(?<![A-Za-z0-9_])#?(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?![A-Za-z0-9_])/g;
/** Codes of capitals alone are ids only where a word before them says so: `reservation ID is **HATHAT**`. */
const NAMED_CODE =
  /\b(?:[Ii][Dd]|[Cc]ode|[Nn]umber|[Rr]eference|[Rr]eservation|[Bb]ooking|[Oo]rder|[Tt]icket|[Tt]racking)\b[^\p{L}\p{N}\n]{0,6}(?:(?:is|are|was)[^\p{L}\p{N}\n]{0,6})?([A-Z]{5,10})(?![\p{L}\p{N}_])/gu;
const LONG_NUMBER = /(?<![A-Za-z0-9_.,:-])#?\d{3,}(?:\.\d+)?(?![A-Za-z0-9_:-]|[.,]\d)/g;

/** Ordinals, durations and sizes are letters and digits, too, but no ids: `20th`, `14days`, `3x`. */
const NO_ID = /^(?:\d+(?:st|nd|rd|th|x|k|h|am|pm|min|mins|days?|hours?|years?|kg|g|cm|mm|km|mb|gb|px)|h\d|v\d+)$/i;
const SHORTEST_ID = 4;

/** Keys whose value is an identifier whatever it looks like. */
const ID_KEY = /(?:^|_|\b)(?:id|ids|number|code|ref|reference|sku|tracking|iban|key)$/i;
const ID_AS_KEY = /\d{3}/;
const MONEY_KEY = /price|amount|total|balance|cost|fee|refund|paid|due|value/i;
/** Smaller numbers are counts more often than amounts. */
const LEAST_AMOUNT = 20;
const STATUS_KEY = /(?:status|state|eligible|cancelled|membership|cabin|reason|error|category|type|insurance)$/i;
const LONGEST_STATUS = 60;
const LONGEST_ID = 64;

/** Facts of a plain text in order of appearance, each once. */
export function factsOfText(text: string): Fact[] {
  const found: { at: number; fact: Fact }[] = [];
  let rest = text;
  const take = (kind: FactKind, pattern: RegExp): void => {
    let left = '';
    let from = 0;
    for (const match of rest.matchAll(pattern)) {
      const value = (match[1] ?? match[0]).trim();
      if (kind === 'id' && isNoId(value)) continue;
      const isDecimal = kind === 'id' && /^\d+\.\d+$/.test(value);
      found.push({ at: match.index + match[0].indexOf(value), fact: { kind: isDecimal ? 'amount' : kind, text: value } });
      // Blanks keep the places of what follows.
      left += rest.slice(from, match.index) + ' '.repeat(match[0].length);
      from = match.index + match[0].length;
    }
    rest = left + rest.slice(from);
  };
  take('email', EMAIL);
  take('date', ISO_DATE);
  take('date', WRITTEN_DATE);
  take('date', JAPANESE_DATE);
  rest = rest.replace(CLOCK, (match) => ' '.repeat(match.length));
  take('amount', MONEY);
  take('id', NAMED_CODE);
  take('id', MIXED);
  take('id', LONG_NUMBER);
  return distinct(found.toSorted((left, right) => left.at - right.at).map(({ fact }) => fact));
}

function isNoId(text: string): boolean {
  const plain = text.replace(/^#/, '');
  return NO_ID.test(plain) || (plain.length < SHORTEST_ID && !/^\d{3}$/.test(plain));
}

/** Each fact once, by its text. */
export function distinct(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>();
  return facts.filter((fact) => {
    const key = factKey(fact.text);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Two facts with the same key say the same: `$1,250.00` and `1250`, `#1043` and `1043`. */
export function factKey(text: string): string {
  const plain = text.replace(/^[#$€£¥]\s?/, '').toLowerCase();
  return /^\d[\d,]*(?:\.\d+)?$/.test(plain) ? String(Number(plain.replaceAll(',', ''))) : plain;
}

/** A tool result as JSON, or undefined where it is plain text. */
export function parseResult(content: string): unknown {
  const start = content.trimStart()[0];
  if (start !== '{' && start !== '[') return undefined;
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** Facts of a JSON value in document order, each once. Never throws, whatever the depth. */
export function factsOfJson(value: unknown): Fact[] {
  const found: Fact[] = [];
  const waiting: { key: string; value: unknown }[] = [{ key: '', value }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value: item } = next;
    if (Array.isArray(item)) {
      for (let index = item.length - 1; index >= 0; index -= 1) waiting.push({ key, value: item[index] });
    } else if (typeof item === 'object' && item !== null) {
      const entries = Object.entries(item);
      for (let index = entries.length - 1; index >= 0; index -= 1) {
        const [name, inner] = entries[index] ?? ['', null];
        waiting.push({ key: name, value: inner });
      }
      // Some services use ids as keys.
      for (const [name] of entries) if (ID_AS_KEY.test(name) && isIdShaped(name)) found.push({ kind: 'id', text: name });
    } else {
      found.push(...factsOfLeaf(key, item));
    }
  }
  return distinct(found);
}

function isIdShaped(text: string): boolean {
  return text.length <= LONGEST_ID && /^#?[A-Za-z0-9_-]+$/.test(text) && /\d/.test(text) && !isNoId(text);
}

function factsOfLeaf(key: string, value: unknown): Fact[] {
  if (typeof value === 'number') {
    if (ID_KEY.test(key)) return [{ kind: 'id', text: String(value) }];
    return Math.abs(value) >= LEAST_AMOUNT || MONEY_KEY.test(key) ? [{ kind: 'amount', text: String(value) }] : [];
  }
  if (typeof value === 'boolean') return STATUS_KEY.test(key) ? [{ kind: 'status', text: `${key} ${value}` }] : [];
  if (typeof value !== 'string' || value === '') return [];
  if (ID_KEY.test(key) && value.length <= LONGEST_ID && !/\s/.test(value)) return [{ kind: 'id', text: value }];
  if (isIdShaped(value) && !/^\d{1,2}$/.test(value)) return [{ kind: /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'id', text: value }];
  if (STATUS_KEY.test(key) && value.length <= LONGEST_STATUS) return [{ kind: 'status', text: value }];
  return factsOfText(value);
}

/** Facts of a tool result, JSON or text. */
export function factsOfResult(content: string): Fact[] {
  const value = parseResult(content);
  return value === undefined ? factsOfText(content) : factsOfJson(value);
}
