/** Does I/O: brings a shared database up to `schema.sql`, with an administrator's rights. Consoles never do. */
import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { ConsoleError } from '../../../shared/errors.ts';
import { kindOf, translated } from './mysql-errors.ts';
import { DEFAULT_TIMINGS, MysqlPool } from './mysql-pool.ts';
import { describeAddress, parseMysqlUrl } from './mysql-url.ts';
import { parseSchema } from './schema-text.ts';
import type { TableText } from './schema-text.ts';
import { SCHEMA_VERSION } from './schema-version.ts';

/** Changing a large table takes as long as it takes. */
const STATEMENT_MS = 3_600_000;
const LOCK_SECONDS = 10;

export interface MigrationOptions {
  /** Of a login that may create and alter tables. */
  url: string;
  /** The text of `schema.sql`. */
  schemaSql: string;
  /** Told before each change. */
  onStep?: (text: string) => void;
}

export interface DatabaseStatus {
  place: string;
  server: string;
  /** null: the tables of Nimbus Console are not there. */
  version: number | null;
  needed: number;
  conversations: number;
  messages: number;
}

/**
 * Makes what is missing; run again it changes nothing, and what failed half-way goes on. Works on an empty database, on the two tables of the
 * tutorial (their rows stay) and on an older schema. Resolves with the number of changes. Throws a ConsoleError.
 */
export async function migrateMysql(options: MigrationOptions): Promise<number> {
  return onConnection(options.url, async (connection) => {
    const schema = parseSchema(options.schemaSql);
    await takeLock(connection);
    const version = await schemaVersion(connection);
    if (version !== null && version > SCHEMA_VERSION) {
      throw new ConsoleError('unsupported', `The database has schema ${version} of a newer Nimbus Console; nothing was changed.`);
    }
    let changes = 0;
    const change = async (text: string, sql: string): Promise<void> => {
      options.onStep?.(text);
      await connection.query({ sql, timeout: STATEMENT_MS });
      changes += 1;
    };
    const present = await tableNames(connection);
    if (version === null && present.has('messages')) await loosenTutorialTables(connection, change);
    for (const table of schema.tables) {
      if (!present.has(table.name)) await change(`create ${table.name}`, table.statement);
      else await completeTable(connection, table, { isForeign: version === null, change });
    }
    for (const statement of schema.rest) await connection.query(statement);
    return changes;
  });
}

/** What is there, for people. Throws a ConsoleError when the server cannot be reached. */
export async function mysqlStatus(url: string): Promise<DatabaseStatus> {
  const place = describeAddress(parseMysqlUrl(url));
  return onConnection(url, async (connection) => {
    const present = await tableNames(connection);
    const count = async (table: string): Promise<number> =>
      present.has(table)
        ? Number((await rows<{ count: string | number }>(connection, `SELECT COUNT(*) AS count FROM ${table}`))[0]?.count)
        : 0;
    const [server] = await rows<{ version: string }>(connection, 'SELECT VERSION() AS version');
    return {
      place,
      server: server?.version ?? 'unknown',
      version: await schemaVersion(connection),
      needed: SCHEMA_VERSION,
      conversations: await count('conversations'),
      messages: await count('messages'),
    };
  });
}

async function onConnection<T>(url: string, work: (connection: PoolConnection) => Promise<T>): Promise<T> {
  const pool = new MysqlPool(parseMysqlUrl(url), { ...DEFAULT_TIMINGS, statementMs: STATEMENT_MS });
  try {
    const connection = await pool.acquire(0);
    try {
      return await work(connection);
    } finally {
      connection.destroy();
    }
  } catch (error) {
    throw translated(error, 'read', pool.place);
  } finally {
    await pool.close();
  }
}

async function rows<T>(connection: PoolConnection, sql: string, ...parameters: string[]): Promise<T[]> {
  const [result] = await connection.query<RowDataPacket[]>(sql, parameters);
  return result as T[];
}

/** One migration at a time; the lock ends with the connection. */
async function takeLock(connection: PoolConnection): Promise<void> {
  const [lock] = await rows<{ taken: number | null }>(connection, `SELECT GET_LOCK('nimbus-migration', ${LOCK_SECONDS}) AS taken`);
  if (lock?.taken !== 1) throw new ConsoleError('busy', 'Another migration of this server is running; try again when it has ended.');
}

async function tableNames(connection: PoolConnection): Promise<Set<string>> {
  const found = await rows<{ name: string }>(
    connection,
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  return new Set(found.map((row) => row.name));
}

async function schemaVersion(connection: PoolConnection): Promise<number | null> {
  try {
    return (await rows<{ version: number }>(connection, 'SELECT version FROM schema_info WHERE id = 1'))[0]?.version ?? null;
  } catch (error) {
    if (kindOf(error) === 'schema') return null;
    throw error;
  }
}

type Change = (text: string, sql: string) => Promise<void>;

/** Columns under a foreign key cannot change their type, so it goes first; completing the table brings ours. */
async function loosenTutorialTables(connection: PoolConnection, change: Change): Promise<void> {
  const keys = await rows<{ name: string }>(
    connection,
    `SELECT DISTINCT constraint_name AS name FROM information_schema.key_column_usage
      WHERE table_schema = DATABASE() AND table_name = 'messages' AND referenced_table_name IS NOT NULL`,
  );
  for (const key of keys) await change(`messages: foreign key ${key.name}`, `ALTER TABLE messages DROP FOREIGN KEY \`${key.name}\``);
}

/** Adds missing columns and keys; the columns another program made get our types, which hold all of their values. */
async function completeTable(connection: PoolConnection, table: TableText, context: { isForeign: boolean; change: Change }): Promise<void> {
  const columns = await rows<{ name: string }>(
    connection,
    'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?',
    table.name,
  );
  const present = new Set(columns.map((row) => row.name));
  const changes: string[] = [];
  if (context.isForeign) changes.push(table.options.replaceAll(' COLLATE', ', COLLATE').replaceAll(' DEFAULT', ', DEFAULT'));
  for (const [name, definition] of table.columns) {
    if (!present.has(name)) changes.push(`ADD COLUMN ${definition}`);
    else if (context.isForeign) changes.push(`MODIFY COLUMN ${definition}`);
  }
  const keys = await keyNames(connection, table.name);
  for (const [name, definition] of table.keys) if (!keys.has(name)) changes.push(`ADD ${definition}`);
  if (changes.length > 0) await context.change(`complete ${table.name}`, `ALTER TABLE ${table.name} ${changes.join(', ')}`);
}

async function keyNames(connection: PoolConnection, table: string): Promise<Set<string>> {
  const indexes = await rows<{ name: string }>(
    connection,
    'SELECT DISTINCT index_name AS name FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ?',
    table,
  );
  const foreign = await rows<{ name: string }>(
    connection,
    `SELECT CONCAT(constraint_name, ' (foreign)') AS name FROM information_schema.referential_constraints
      WHERE constraint_schema = DATABASE() AND table_name = ?`,
    table,
  );
  return new Set([...indexes, ...foreign].map((row) => row.name));
}
