/** Does I/O: one SQLite connection with the pragmas every connection has, cached statements and translated errors. Worker only. */
import { chmodSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ConsoleError } from '../../../shared/errors.ts';
import { openedForReading, translated } from './sqlite-errors.ts';

/** How long a statement waits for another connection's lock. */
const BUSY_MS = 5_000;
/** The write-ahead log is cut back to this size after a checkpoint. */
const WAL_BYTES = 64 * 1024 * 1024;
/** Older versions can corrupt a database when a write-ahead log restarts. */
const LEAST_VERSION = [3, 51, 3] as const;

export type SqlValue = string | number | null;
export type SqlRecord = object;

/** What the store's parts use. Reads throw `storage`, writes `not-saved`, both as ConsoleErrors. */
export interface Connection {
  all<T>(sql: string, ...parameters: SqlValue[]): T[];
  one<T>(sql: string, ...parameters: SqlValue[]): T | null;
  /** Rows changed. Only inside `write`. */
  run(sql: string, ...parameters: SqlValue[]): number;
  /** Inserts the record's properties as columns; returns the row id. Only inside `write`. */
  insert(table: string, record: SqlRecord, orElse?: 'replace' | 'ignore'): number;
  /** All or nothing, with the write lock taken first. */
  write<T>(work: () => T): T;
  pragma(text: string): unknown;
  execute(sql: string): void;
  /** Moves the write-ahead log into the database and empties it, so that deleted text leaves it too. Left for later when that fails. */
  emptyLog(): void;
  close(): void;
}

export function assertSqliteVersion(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [index, least] of LEAST_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new ConsoleError(
        'storage',
        `SQLite ${version} is too old (${LEAST_VERSION.join('.')} is the least): install the packages again.`,
      );
    }
  }
}

/** Opens the file; a read-only connection never creates or changes it. `:memory:` is an empty database. */
export function openConnection(file: string, options: { readOnly?: boolean } = {}): Connection {
  const readOnly = options.readOnly ?? false;
  const isFile = file !== ':memory:';
  try {
    const database = new Database(file, {
      readonly: readOnly && isFile,
      fileMustExist: readOnly && isFile,
      timeout: BUSY_MS,
    });
    try {
      if (isFile && !readOnly) keepPrivate(file);
      prepareConnection(database, readOnly);
    } catch (error) {
      database.close();
      throw error;
    }
    return connectionOf(database, readOnly);
  } catch (error) {
    throw translated(error, 'read');
  }
}

/** Conversations are their owner's only. SQLite gives new side files the mode of the database, so this comes before the first of them. */
function keepPrivate(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    try {
      if (existsSync(each)) chmodSync(each, 0o600);
    } catch {
      // Someone else's file, or a file system without modes: that it can be used is what counts.
    }
  }
}

function prepareConnection(database: Database.Database, readOnly: boolean): void {
  assertSqliteVersion(String(database.prepare('SELECT sqlite_version()').pluck().get()));
  database.pragma(`busy_timeout = ${BUSY_MS}`);
  database.pragma('trusted_schema = OFF');
  database.pragma('foreign_keys = ON');
  if (readOnly) return;
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma(`journal_size_limit = ${WAL_BYTES}`);
  database.pragma('secure_delete = ON');
}

function connectionOf(database: Database.Database, readOnly: boolean): Connection {
  const statements = new Map<string, Database.Statement>();
  const prepared = (sql: string): Database.Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translated(error, database.inTransaction ? 'write' : 'read');
    }
  };
  return {
    all: <T>(sql: string, ...parameters: SqlValue[]) => guarded(() => prepared(sql).all(...parameters) as T[]),
    one: <T>(sql: string, ...parameters: SqlValue[]) => guarded(() => (prepared(sql).get(...parameters) as T | undefined) ?? null),
    run: (sql, ...parameters) => guarded(() => prepared(sql).run(...parameters).changes),
    insert: (table, record, orElse) =>
      guarded(() => Number(prepared(insertSql(table, Object.keys(record), orElse)).run(record).lastInsertRowid)),
    write: (work) => {
      // SQLite would notice at the first change only, after other refusals.
      if (readOnly) throw openedForReading();
      return inTransaction(database, work);
    },
    pragma: (text) => guarded(() => database.pragma(text, { simple: true })),
    execute: (sql) => {
      guarded(() => database.exec(sql));
    },
    emptyLog: () => {
      try {
        database.pragma('wal_checkpoint(TRUNCATE)');
      } catch {
        // The deletion itself is committed; the next checkpoint does the rest.
      }
    },
    close: () => database.close(),
  };
}

function insertSql(table: string, columns: string[], orElse?: 'replace' | 'ignore'): string {
  const conflict = orElse === undefined ? '' : ` OR ${orElse.toUpperCase()}`;
  return `INSERT${conflict} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`;
}

function inTransaction<T>(database: Database.Database, work: () => T): T {
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk rolls back by itself.
    if (database.inTransaction) database.exec('ROLLBACK');
    throw translated(error, 'write');
  }
}
