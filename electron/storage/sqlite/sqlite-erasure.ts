/** Does I/O: everything about a customer in a SQLite database, a copy of an earlier version included. Worker only. */
import type { ErasureCounts } from '../../../shared/erasure.ts';
import type { ErasureStore } from '../../engine/ports.ts';
import { ABOUT_CUSTOMER, CONVERSATION_TABLES, inJson, RUN_TABLES, textsToFind } from '../erasure-texts.ts';
import type { Connection, SqlValue } from './connection.ts';
import { eraseRequests } from './sqlite-archive.ts';
import { removeFromSearch } from './sqlite-search.ts';
import type { SyncPart } from './sync-part.ts';

const MOST_TEXTS = 40;

export function sqliteErasure(connection: Connection): SyncPart<ErasureStore> {
  return {
    conversationsOf: (customerId) => conversationsOf(connection, customerId),
    count: (customerId) => countCustomer(connection, customerId),
    textsOf: (customerId) => {
      const person = connection.one<{ name: string; email: string; phone: string }>(
        'SELECT name, email, phone FROM customers WHERE id = ?',
        customerId,
      );
      const branches = hasTable(connection, 'branch_messages')
        ? 'UNION ALL SELECT conversation_id, role, content FROM branch_messages'
        : '';
      const sql = `SELECT content FROM (SELECT conversation_id, role, content FROM messages ${branches}) WHERE role = 'user'
        AND conversation_id IN (SELECT id FROM conversations WHERE ${ABOUT_CUSTOMER}) ORDER BY LENGTH(content) DESC LIMIT ${MOST_TEXTS}`;
      const rows = connection.all<{ content: string }>(sql, customerId, customerId, customerId);
      return textsToFind(
        person,
        rows.map((row) => row.content),
      );
    },
    forget: (customerId) => {
      const counts = connection.write(() => eraseCustomer(connection, customerId));
      tidy(connection);
      return counts;
    },
    compact: () => tidy(connection),
    search: (texts) => searchTexts(connection, texts),
  };
}

/** Rewrites the file, so that no page keeps what was deleted, and empties the log. */
export function tidy(connection: Connection): void {
  connection.emptyLog();
  try {
    connection.execute('VACUUM');
  } catch {
    // Deleted bytes are overwritten already; a reader beside keeps the file from being made smaller.
  }
  connection.emptyLog();
}

export function hasTable(connection: Connection, table: string): boolean {
  return connection.one("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table) !== null;
}

function conversationsOf(connection: Connection, customerId: string): string[] {
  if (!hasTable(connection, 'conversations')) return [];
  const sql = `SELECT id FROM conversations WHERE ${ABOUT_CUSTOMER} ORDER BY id`;
  return connection.all<{ id: string }>(sql, customerId, customerId, customerId).map((row) => row.id);
}

function countCustomer(connection: Connection, customerId: string): ErasureCounts {
  const counts: ErasureCounts = {};
  const ids = conversationsOf(connection, customerId);
  const add = (table: string, where: string, ...parameters: SqlValue[]): void => {
    if (!hasTable(connection, table)) return;
    const found = connection.one<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table} WHERE ${where}`, ...parameters)?.count ?? 0;
    if (found > 0) counts[table] = (counts[table] ?? 0) + found;
  };
  for (const id of ids) {
    add('conversations', 'id = ?', id);
    for (const table of CONVERSATION_TABLES) add(table, 'conversation_id = ?', id);
    for (const [table, where] of Object.entries(RUN_TABLES)) add(table, where, id);
    add('usage_ledger', 'conversation_id = ?', id);
  }
  const list = JSON.stringify(ids);
  for (const table of ['memories', 'tickets'])
    add(table, 'customer_id = ? OR conversation_id IN (SELECT value FROM json_each(?))', customerId, list);
  add('orders', 'customer_id = ?', customerId);
  add('customers', 'id = ?', customerId);
  return counts;
}

/** Only inside a write. Tables that an earlier version lacks are left out. */
export function eraseCustomer(connection: Connection, customerId: string): ErasureCounts {
  const counts = countCustomer(connection, customerId);
  const ids = conversationsOf(connection, customerId);
  for (const id of ids) eraseConversation(connection, id);
  const list = JSON.stringify(ids);
  const run = (table: string, sql: string, ...parameters: SqlValue[]): void => {
    if (hasTable(connection, table)) connection.run(sql, ...parameters);
  };
  run('memories', 'DELETE FROM memories WHERE customer_id = ? OR conversation_id IN (SELECT value FROM json_each(?))', customerId, list);
  run('memories', 'UPDATE memories SET superseded_by = NULL WHERE superseded_by NOT IN (SELECT id FROM memories)');
  run('tickets', 'DELETE FROM tickets WHERE customer_id = ? OR conversation_id IN (SELECT value FROM json_each(?))', customerId, list);
  run('orders', 'DELETE FROM orders WHERE customer_id = ?', customerId);
  run('customers', 'DELETE FROM customers WHERE id = ?', customerId);
  for (const id of ids)
    run('usage_ledger', 'UPDATE usage_ledger SET conversation_id = NULL, turn = NULL, run_id = NULL WHERE conversation_id = ?', id);
  return counts;
}

/** With its words in the index. Only inside a write. */
export function eraseConversation(connection: Connection, id: string): void {
  const row = connection.one<{ search_id: number; title: string }>('SELECT search_id, title FROM conversations WHERE id = ?', id);
  if (row === null) return;
  if (hasTable(connection, 'title_search')) removeFromSearch(connection, 'title_search', row.search_id, row.title);
  if (hasTable(connection, 'message_search')) {
    const sql = "SELECT id, content FROM messages WHERE conversation_id = ? AND role <> 'tool'";
    for (const message of connection.all<{ id: number; content: string }>(sql, id))
      removeFromSearch(connection, 'message_search', message.id, message.content);
  }
  connection.run('DELETE FROM conversations WHERE id = ?', id);
  if (hasTable(connection, 'archived_requests')) eraseRequests(connection, id, 0);
  if (hasTable(connection, 'sync_versions')) connection.run('DELETE FROM sync_versions WHERE conversation_id = ?', id);
}

function searchTexts(connection: Connection, texts: readonly string[]): ReturnType<SyncPart<ErasureStore>['search']> {
  // Virtual tables and their shadows hold words, not texts; files are read byte by byte besides.
  const columns = connection.all<{ table_name: string; column_name: string }>(
    `SELECT m.name AS table_name, c.name AS column_name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND c.type = 'TEXT' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1, 2`,
  );
  const matches: { place: string; count: number }[] = [];
  const forms = [...new Set(texts.flatMap((text) => [text, inJson(text), inJson(inJson(text))]))];
  if (forms.length === 0) return { columns: columns.length, matches };
  for (const { table_name: table, column_name: column } of columns) {
    const sql = `SELECT COUNT(*) AS count FROM "${table}" WHERE EXISTS (SELECT 1 FROM json_each(?) WHERE INSTR("${column}", value) > 0)`;
    const count = connection.one<{ count: number }>(sql, JSON.stringify(forms))?.count ?? 0;
    if (count > 0) matches.push({ place: `${table}.${column}`, count });
  }
  return { columns: columns.length, matches };
}
