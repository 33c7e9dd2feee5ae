/** Does I/O: rows of the shared database as the cache keeps them. Worker only. */
import type { Connection, SqlValue } from '../sqlite/connection.ts';
import { addToSearch, removeFromSearch } from '../sqlite/sqlite-search.ts';
import { upsert } from '../sqlite/upsert.ts';

export type ReplicaRow = Record<string, SqlValue>;

/** A conversation as MySQL has it. */
export interface Snapshot {
  id: string;
  version: number;
  conversation: ReplicaRow;
  turns: ReplicaRow[];
  /** Messages after `keepThrough`, in order. */
  messages: ReplicaRow[];
  /** Messages up to this place stay as they are in the cache; 0: none. */
  keepThrough: number;
  queued: ReplicaRow[];
  memoryStates: ReplicaRow[];
}

const SHOP_TABLES = ['customers', 'products', 'orders', 'articles', 'counters'] as const;
export type ShopTable = (typeof SHOP_TABLES)[number];

export interface SqliteReplica {
  /** Versions of the cached conversations. */
  versions(): Record<string, number>;
  /** Places and ids of the newest messages, newest first, to find out from where on the cache differs. */
  newest(id: string, limit: number): { seq: number; uid: string }[];
  put(snapshot: Snapshot): void;
  /** The cached copy may be anything: it is fetched again. */
  forgetVersion(id: string): void;
  remove(ids: string[]): void;
  putShop(tables: Record<ShopTable, ReplicaRow[]>): void;
  putTickets(rows: ReplicaRow[], isAll: boolean): void;
  putMemories(rows: ReplicaRow[]): void;
  putPrompts(rows: ReplicaRow[]): void;
  articlesRevision(): number;
  /** Customers that rows of the copy name. */
  customerIds(): string[];
}

const CUSTOMER_IDS = `SELECT id FROM customers UNION SELECT customer_id FROM orders
  UNION SELECT customer_id FROM conversations WHERE customer_id IS NOT NULL
  UNION SELECT actor_id FROM conversations WHERE actor_id IS NOT NULL UNION SELECT subject_id FROM conversations WHERE subject_id IS NOT NULL
  UNION SELECT customer_id FROM tickets WHERE customer_id IS NOT NULL UNION SELECT customer_id FROM memories WHERE customer_id IS NOT NULL`;

export const REPLICA_SCHEMA =
  'CREATE TABLE IF NOT EXISTS sync_versions (conversation_id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;';

export function sqliteReplica(connection: Connection): SqliteReplica {
  const columns = new Map<string, { name: string; notnull: number; type: string }[]>();
  /** Only what the cache's table has; texts that must be there are empty instead of missing. */
  const fitted = (table: string, row: ReplicaRow): ReplicaRow => {
    let known = columns.get(table);
    if (known === undefined) {
      known = connection.all('SELECT name, "notnull", type FROM pragma_table_info(?)', table);
      columns.set(table, known);
    }
    const pairs = known.flatMap(({ name, notnull, type }): [string, SqlValue][] => {
      const value = row[name];
      if (value === undefined) return [];
      if (value === null && notnull !== 0) return [[name, type === 'TEXT' ? '' : 0]];
      return [[name, type === 'INTEGER' && typeof value === 'string' ? Number(value) : value]];
    });
    return Object.fromEntries(pairs);
  };
  const replaceAll = (table: string, rows: ReplicaRow[]): void => {
    connection.run(`DELETE FROM ${table}`);
    for (const row of rows) connection.insert(table, fitted(table, row));
  };
  return {
    versions: () => {
      const rows = connection.all<{ conversation_id: string; version: number }>('SELECT conversation_id, version FROM sync_versions');
      return Object.fromEntries(rows.map((row) => [row.conversation_id, row.version]));
    },
    newest: (id, limit) => connection.all('SELECT seq, uid FROM messages WHERE conversation_id = ? ORDER BY seq DESC LIMIT ?', id, limit),
    put: (snapshot) => connection.write(() => put(connection, snapshot, fitted)),
    forgetVersion: (id) => {
      connection.write(() => connection.run('DELETE FROM sync_versions WHERE conversation_id = ?', id));
    },
    remove: (ids) => {
      connection.write(() => {
        for (const id of ids) remove(connection, id);
      });
      connection.emptyLog();
    },
    customerIds: () => connection.all<{ id: string }>(CUSTOMER_IDS).map((row) => row.id),
    putShop: (tables) =>
      connection.write(() => {
        for (const table of SHOP_TABLES) replaceAll(table, tables[table]);
      }),
    putTickets: (rows, isAll) =>
      connection.write(() => {
        if (isAll) connection.run('DELETE FROM tickets');
        for (const row of rows) upsert(connection, 'tickets', ['id'], fitted('tickets', row));
      }),
    putMemories: (rows) => connection.write(() => replaceAll('memories', rows)),
    putPrompts: (rows) => connection.write(() => replaceAll('prompt_versions', rows)),
    articlesRevision: () => connection.one<{ value: number }>("SELECT value FROM counters WHERE name = 'articles_revision'")?.value ?? -1,
  };
}

function put(connection: Connection, snapshot: Snapshot, fitted: (table: string, row: ReplicaRow) => ReplicaRow): void {
  const { id } = snapshot;
  const known = connection.one<{ search_id: number; title: string }>('SELECT search_id, title FROM conversations WHERE id = ?', id);
  if (known !== null) removeFromSearch(connection, 'title_search', known.search_id, known.title);
  upsert(connection, 'conversations', ['id'], fitted('conversations', snapshot.conversation));
  const row = connection.one<{ search_id: number; title: string }>('SELECT search_id, title FROM conversations WHERE id = ?', id);
  if (row !== null) addToSearch(connection, 'title_search', row.search_id, row.title);
  connection.run('DELETE FROM turns WHERE conversation_id = ?', id);
  for (const turn of snapshot.turns) connection.insert('turns', fitted('turns', turn));
  dropMessages(connection, id, snapshot.keepThrough);
  for (const message of snapshot.messages) {
    // The row number of the server is not the cache's.
    const { id: _serverId, ...row } = fitted('messages', message);
    const rowId = connection.insert('messages', row);
    if (message['role'] !== 'tool') addToSearch(connection, 'message_search', rowId, String(message['content'] ?? ''));
  }
  const lists: [string, ReplicaRow[]][] = [
    ['queued_messages', snapshot.queued],
    ['memory_states', snapshot.memoryStates],
  ];
  for (const [table, rows] of lists) {
    connection.run(`DELETE FROM ${table} WHERE conversation_id = ?`, id);
    for (const each of rows) {
      const { id: _serverId, ...rest } = fitted(table, each);
      connection.insert(table, rest);
    }
  }
  connection.insert('sync_versions', { conversation_id: id, version: snapshot.version }, 'replace');
}

function dropMessages(connection: Connection, id: string, keepThrough: number): void {
  const rows = connection.all<{ id: number; role: string; content: string }>(
    'SELECT id, role, content FROM messages WHERE conversation_id = ? AND seq > ?',
    id,
    keepThrough,
  );
  for (const row of rows) {
    if (row.role !== 'tool') removeFromSearch(connection, 'message_search', row.id, row.content);
    connection.run('DELETE FROM messages WHERE id = ?', row.id);
  }
}

function remove(connection: Connection, id: string): void {
  const row = connection.one<{ search_id: number; title: string }>('SELECT search_id, title FROM conversations WHERE id = ?', id);
  if (row !== null) {
    removeFromSearch(connection, 'title_search', row.search_id, row.title);
    dropMessages(connection, id, -1);
    connection.run('DELETE FROM conversations WHERE id = ?', id);
  }
  connection.run('DELETE FROM sync_versions WHERE conversation_id = ?', id);
}
