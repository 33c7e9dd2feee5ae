/** Pure: where personal data stands in a text. Checksums and number plans decide, so that order numbers, dates and amounts stay. */
import { findPhoneNumbersInText, isSupportedCountry } from 'libphonenumber-js';
import { IBAN_LENGTHS } from './iban-lengths.ts';

export const PERSONAL_KINDS = ['LITERAL', 'EMAIL', 'IBAN', 'CARD', 'PHONE', 'NAME', 'ADDRESS'] as const;
/** `LITERAL`: a text that looks like one of our placeholders. */
export type PersonalKind = (typeof PERSONAL_KINDS)[number];

export interface Finding {
  kind: PersonalKind;
  /** UTF-16 positions. */
  start: number;
  end: number;
}

/** What the shop knows about the customer of the conversation. */
export interface KnownPerson {
  name: string;
  email: string;
  phone: string;
  city: string;
  /** ISO 3166 letters or a name. */
  country: string;
}

const PLACEHOLDER = /\[(?:LITERAL|EMAIL|IBAN|CARD|PHONE|NAME|ADDRESS)_\d{1,6}\]/gu;
const EMAIL =
  /[\p{L}\p{N}_%+'-]+(?:\.[\p{L}\p{N}_%+'-]+)*@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)+/gu;
const IBAN_START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?=[ ]?[\dA-Z])/giu;
/** Longest number of an IBAN written in groups. */
const IBAN_REACH = 48;
/** Numbers of payment cards as they are written: in one piece, or in the groups of the large schemes. */
const CARD = /(?<![\p{L}\p{N}._-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5})(?![\p{L}\p{N}])/gu;
/** First digits that card schemes use. */
const CARD_START = /^(?:4|5[0-8]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[0-8]|6)/u;
const DATE_LIKE = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$/u;
/** A name part that short is as likely a word. */
const LEAST_NAME_PART = 3;
/** National numbers shorter than this are as likely an id. */
const LEAST_NATIONAL_DIGITS = 8;

/** Findings in the order of the text, without overlaps; an earlier kind wins over a later one. Never throws. */
export function findPersonalData(text: string, person: KnownPerson | null): Finding[] {
  const found: Finding[] = [];
  const add = (kind: PersonalKind, start: number, end: number): void => {
    if (end > start && !found.some((other) => start < other.end && other.start < end)) found.push({ kind, start, end });
  };
  for (const match of text.matchAll(PLACEHOLDER)) add('LITERAL', match.index, match.index + match[0].length);
  if (text.includes('@')) for (const match of text.matchAll(EMAIL)) add('EMAIL', match.index, match.index + match[0].length);
  for (const match of text.matchAll(IBAN_START)) add('IBAN', match.index, ibanEnd(text, match.index));
  addCards(text, add);
  addPhones(masked(text, found), person, add);
  if (person !== null) addPerson(text, person, add);
  return found.sort((left, right) => left.start - right.start);
}

type Add = (kind: PersonalKind, start: number, end: number) => void;

/** Where the IBAN that starts here ends, or its start when it is none. */
function ibanEnd(text: string, start: number): number {
  const length = IBAN_LENGTHS[text.slice(start, start + 2).toUpperCase()];
  if (length === undefined) return start;
  let compact = '';
  let end = start;
  for (let index = start; index < Math.min(text.length, start + IBAN_REACH) && compact.length < length; index += 1) {
    const character = text[index] ?? '';
    if (/[\dA-Za-z]/u.test(character)) {
      compact += character.toUpperCase();
      end = index + 1;
    } else if (character !== ' ') break;
  }
  const next = text[end] ?? '';
  return compact.length === length && !/[\p{L}\p{N}]/u.test(next) && passesMod97(compact) ? end : start;
}

function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

export function passesLuhn(text: string): boolean {
  const digits = text.replace(/\D/gu, '');
  let sum = 0;
  for (const [index, digit] of digits.split('').reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum > 0 && sum % 10 === 0;
}

function addCards(text: string, add: Add): void {
  const pattern = new RegExp(CARD);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (CARD_START.test(match[0]) && passesLuhn(match[0])) add('CARD', match.index, pattern.lastIndex);
    // The groups of a card may follow digits that look like its first group.
    else pattern.lastIndex = match.index + 1;
  }
}

/** The text with findings, dates, words, codes and brackets blanked out, at the same positions: none is part of a number beside it, and the search minds all. */
function masked(text: string, found: readonly Finding[]): string {
  let result = text.replaceAll(/[[\]{}<>"',;]|(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)|[\d_#-]*[A-Za-z][\w#-]*|#\d+/gu, (part) =>
    ';'.repeat(part.length),
  );
  for (const { start, end } of found) result = result.slice(0, start) + ';'.repeat(end - start) + result.slice(end);
  return result;
}

function addPhones(text: string, person: KnownPerson | null, add: Add): void {
  if (!/\d[\d\s().\-/]{4,}\d|\d{7}/u.test(text)) return;
  if (person !== null && person.phone.length > 5) addEach(text, person.phone, 'PHONE', add);
  const country = person?.country.toUpperCase() ?? '';
  const known = isSupportedCountry(country) ? country : undefined;
  for (const { startsAt, endsAt, number } of findPhoneNumbersInText(text, known === undefined ? {} : { defaultCountry: known })) {
    const written = text.slice(startsAt, endsAt);
    const before = text[startsAt - 1] ?? '';
    if (/[\p{L}\p{N}_#-]/u.test(before) || DATE_LIKE.test(written) || !number.isValid()) continue;
    if (written.startsWith('+') || written.startsWith('00')) add('PHONE', startsAt, endsAt);
    else if (/^[0(]/u.test(written) && written.replace(/\D/gu, '').length >= LEAST_NATIONAL_DIGITS) add('PHONE', startsAt, endsAt);
  }
}

/** The name, whole or in parts, and the place, as whole words in any case. */
function addPerson(text: string, person: KnownPerson, add: Add): void {
  addEach(text, person.email, 'EMAIL', add);
  addEach(text, person.name, 'NAME', add);
  for (const part of person.name.split(/[\s,]+/u)) if (part.length >= LEAST_NAME_PART || !isLatin(part)) addEach(text, part, 'NAME', add);
  addEach(text, person.city, 'ADDRESS', add);
}

function isLatin(text: string): boolean {
  return /^[\p{Script=Latin}'.-]*$/u.test(text);
}

function addEach(text: string, value: string, kind: PersonalKind, add: Add): void {
  if (value.trim() === '') return;
  const escaped = value.trim().replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
  // Scripts without spaces have no words to be whole.
  const whole = isLatin(value) || /[\s@+]/u.test(value) ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped;
  for (const match of text.matchAll(new RegExp(whole, 'giu'))) add(kind, match.index, match.index + match[0].length);
}
