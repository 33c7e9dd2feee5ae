/** Does I/O: the full-text index over conversations. Worker only. */
import { documentTerms, questionTerms } from '../search-terms.ts';
import type { Connection, SqlValue } from './connection.ts';

/**
 * The texts are cut into terms by `search-terms.ts`; the tokenizer only splits at spaces (every non-ASCII character belongs to a term).
 * Contentless: the terms to take out again are computed from the text that was put in, and secure-delete removes them for good.
 */
export const SEARCH_SCHEMA = `
CREATE VIRTUAL TABLE message_search USING fts5 (terms, content = '', tokenize = 'ascii', detail = none);
CREATE VIRTUAL TABLE title_search USING fts5 (terms, content = '', tokenize = 'ascii', detail = none);
INSERT INTO message_search (message_search, rank) VALUES ('secure-delete', 1);
INSERT INTO title_search (title_search, rank) VALUES ('secure-delete', 1);
`;

type SearchTable = 'message_search' | 'title_search';

export function addToSearch(connection: Connection, table: SearchTable, rowId: number, text: string): void {
  const terms = documentTerms(text).join(' ');
  if (terms !== '') connection.run(`INSERT INTO ${table} (rowid, terms) VALUES (?, ?)`, rowId, terms);
}

/** `text` is what was put in under this row id. */
export function removeFromSearch(connection: Connection, table: SearchTable, rowId: number, text: string): void {
  const terms = documentTerms(text).join(' ');
  if (terms !== '') connection.run(`INSERT INTO ${table} (${table}, rowid, terms) VALUES ('delete', ?, ?)`, rowId, terms);
}

/** Fills both indexes from the records; they must be empty. */
export function fillSearch(connection: Connection): void {
  const titles = connection.all<{ search_id: number; title: string }>('SELECT search_id, title FROM conversations');
  for (const row of titles) addToSearch(connection, 'title_search', row.search_id, row.title);
  const step = 1_000;
  let last = 0;
  for (;;) {
    const rows = connection.all<{ id: number; content: string; role: string }>(
      'SELECT id, content, role FROM messages WHERE id > ? ORDER BY id LIMIT ?',
      last,
      step,
    );
    for (const row of rows) {
      if (row.role !== 'tool') addToSearch(connection, 'message_search', row.id, row.content);
      last = row.id;
    }
    if (rows.length < step) return;
  }
}

/** Conditions on `conversations c` for a search, or null when nothing can be found. An empty search has no conditions. */
export function searchConditions(connection: Connection, search: string): { sql: string; parameters: SqlValue[] } | null {
  if (search.trim() === '') return { sql: '', parameters: [] };
  const terms = questionTerms(search);
  if (terms.length === 0) return null;
  const names = connection
    .all<{ id: string; name: string }>('SELECT id, name FROM customers')
    .map((row) => ({ id: row.id, terms: documentTerms(row.name) }));
  let found: ReadonlySet<number> | null = null;
  for (const term of terms) {
    const customers = names.filter((row) => row.terms.some((known) => known.startsWith(term))).map((row) => row.id);
    const holding = withTerm(connection, term, customers);
    found = found === null ? holding : intersection(found, holding);
    if (found.size === 0) return null;
  }
  // Found once, for the count and the page alike.
  return { sql: 'c.search_id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify([...(found ?? [])])] };
}

/** Messages are looked up in an index of two columns, never in their rows: a frequent word stands in very many of them. */
const WITH_TERM = `SELECT search_id FROM conversations WHERE id IN (SELECT DISTINCT m.conversation_id
    FROM message_search s CROSS JOIN messages m INDEXED BY messages_place ON m.id = s.rowid WHERE message_search MATCH ?)
  UNION SELECT rowid FROM title_search WHERE title_search MATCH ?
  UNION SELECT search_id FROM conversations WHERE id >= ? AND id < ?
  UNION SELECT search_id FROM conversations WHERE customer_id IN (SELECT value FROM json_each(?))`;

function withTerm(connection: Connection, term: string, customers: readonly string[]): Set<number> {
  const match = `"${term}"*`;
  const parameters = [match, match, term, `${term}\u{10ffff}`, JSON.stringify(customers)];
  return new Set(connection.all<{ search_id: number }>(WITH_TERM, ...parameters).map((row) => row.search_id));
}

function intersection(left: ReadonlySet<number>, right: ReadonlySet<number>): Set<number> {
  return new Set([...left].filter((id) => right.has(id)));
}
