/** Pure: which rows and texts are about a customer, the same in every store, and how texts look in files. */
import { sha256 } from './rows.ts';

/** A person is a conversation's customer, its actor or its subject. */
export const ABOUT_CUSTOMER =
  "(customer_id = ? OR (actor_type = 'customer' AND actor_id = ?) OR (subject_type = 'customer' AND subject_id = ?))";

/** Rows that go with their conversation. */
export const CONVERSATION_TABLES = [
  'messages',
  'superseded_messages',
  'turns',
  'streamed_texts',
  'queued_messages',
  'drafts',
  'read_marks',
  'memory_states',
  'search_terms',
  'runs',
  'request_segments',
  'archived_requests',
  'offline_branches',
  'branch_messages',
  'branch_turns',
  'branches',
  'tool_runs',
] as const;

/** Rows that go with a run, with the way from a row to its conversation. */
export const RUN_TABLES: Readonly<Record<string, string>> = {
  spans: 'run_id IN (SELECT id FROM runs WHERE conversation_id = ?)',
  trace_events: 'run_id IN (SELECT id FROM runs WHERE conversation_id = ?)',
  span_details: 'span_id IN (SELECT id FROM spans WHERE run_id IN (SELECT id FROM runs WHERE conversation_id = ?))',
};

const SHORTEST_MESSAGE = 24;
const LONGEST_TEXT = 80;
const MOST_MESSAGES = 40;
/** Shorter ones stand in texts of others by chance. */
const SHORTEST_MARK = 5;

/** Texts to look for: what identifies the person, and beginnings of long messages. City, country and language tell nobody apart. */
export function textsToFind(person: { name: string; email: string; phone: string } | null, messages: readonly string[]): string[] {
  const marks = person === null ? [] : [person.name, person.email, person.phone].filter((text) => text.length >= SHORTEST_MARK);
  const long = messages.filter((text) => text.length >= SHORTEST_MESSAGE).map((text) => text.slice(0, LONGEST_TEXT).toWellFormed());
  return [...new Set([...marks, ...long.slice(0, MOST_MESSAGES)])];
}

/** As JSON writes a text inside quotes. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Every form of the text that is looked for in bytes. */
export function byteForms(text: string): Buffer[] {
  const escaped = inJson(text);
  const ascii = escaped.replaceAll(/[\u0080-\uffff]/gu, (unit) => unicodeEscapes(unit));
  const texts = new Set([text, escaped, inJson(escaped), ascii, text.toLowerCase()]);
  const wide = [text, escaped].map((each) => Buffer.from(each, 'utf16le'));
  return [...[...texts].map((each) => Buffer.from(each, 'utf8')), ...wide, ...wide.map((each) => Buffer.from(each).swap16())];
}

function unicodeEscapes(text: string): string {
  return Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}

/** How a forgotten customer is marked for other consoles, without the id itself. 32 characters, no conversation's id. */
export function customerMark(customerId: string): string {
  return `erased:${sha256(`customer ${customerId}`).slice(0, 25)}`;
}

export const CUSTOMER_MARKS = 'erased:%';
