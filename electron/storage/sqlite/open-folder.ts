/** Does I/O: opens the database of a data folder. Worker only. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConsoleError } from '../../../shared/errors.ts';
import { makeFolder } from '../make-folder.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import { adviceOf, BACKUP_FOLDER, DATABASE_FILE } from './folder-copies.ts';
import { lockFolder } from './folder-lock.ts';
import { assertKnownSchema, migrate, MIGRATIONS, schemaVersion } from './migrations.ts';
import { isDamage, openedForReading } from './sqlite-errors.ts';

export { BACKUP_FOLDER, DATABASE_FILE } from './folder-copies.ts';

/** What a console leaves beside its database; an empty database beside one of them was not empty before. */
const TRACES_OF_USE = [BACKUP_FOLDER, 'console.id', 'keys.json', `${DATABASE_FILE}-wal`, 'cache.db', 'outbox.db'];

export interface OpenFolder {
  connection: Connection;
  close(): void;
}

/**
 * Takes the folder's lock before any other file is opened, looks at the database without changing it, then migrates it.
 * Throws `folder-in-use`, `invalid-input` (the folder cannot be made), `unsupported` (newer schema) or `storage` (damaged).
 */
export function openFolder(folder: string): OpenFolder {
  makeFolder(folder);
  const unlock = lockFolder(folder);
  try {
    const file = path.join(folder, DATABASE_FILE);
    assertUsableFile(file);
    if (existsSync(file)) inspect(file);
    const connection = openConnection(file);
    try {
      migrate(connection, path.join(folder, BACKUP_FOLDER));
    } catch (error) {
      connection.close();
      throw error;
    }
    return {
      connection,
      close: () => {
        connection.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Takes the lock and opens an empty database in memory only. Throws `folder-in-use` or `storage`. */
export function holdFolder(folder: string): OpenFolder {
  makeFolder(folder);
  const unlock = lockFolder(folder);
  const empty = emptyFolder();
  return {
    connection: empty.connection,
    close: () => {
      empty.close();
      unlock();
    },
  };
}

/** For a look beside a running engine: takes no lock and changes nothing. A folder without a database reads as empty. */
export function openFolderForReading(folder: string, name: string = DATABASE_FILE): OpenFolder {
  const file = path.join(folder, name);
  if (!existsSync(file)) return emptyFolder();
  assertUsableFile(file);
  const connection = openConnection(file, { readOnly: true });
  try {
    assertKnownSchema(connection, file);
    const version = schemaVersion(connection);
    if (version === 0) {
      connection.close();
      return emptyFolder();
    }
    if (version < MIGRATIONS.length) {
      throw new ConsoleError(
        'unsupported',
        `${file} has schema ${version} of an older Nimbus Console. Start the console once ("npm start"): it updates the folder.`,
      );
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  return { connection, close: () => connection.close() };
}

function emptyFolder(): OpenFolder {
  const connection = openConnection(':memory:');
  migrate(connection, null);
  const refused = (): never => {
    throw openedForReading();
  };
  return { connection: { ...connection, write: refused }, close: () => connection.close() };
}

/** Refuses what SQLite would take for a new database, and what is no file. */
function assertUsableFile(file: string): void {
  const entry = statSync(file, { throwIfNoEntry: false });
  if (entry === undefined) return;
  if (entry.isDirectory())
    throw new ConsoleError(
      'storage',
      `${file} is a folder, where the database should be a file. Move it elsewhere, or choose another data folder with --data-dir=FOLDER.`,
    );
  const folder = path.dirname(file);
  if (entry.size > 0 || !TRACES_OF_USE.some((name) => holdsSomething(path.join(folder, name)))) return;
  const advice = adviceOf(folder, { whole: `${path.basename(file)} and any "-wal" and "-shm" beside it` });
  throw new ConsoleError(
    'storage',
    `The database ${file} is empty (0 bytes), although this folder was in use before, as after a crash of the file system. Nothing was changed. ${advice}`,
  );
}

function holdsSomething(place: string): boolean {
  const entry = statSync(place, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  return entry.isDirectory() ? readdirSync(place).length > 0 : entry.size > 0;
}

/** Reads only, so that a damaged file stays as it is for whoever rescues it. */
function inspect(file: string): void {
  const damaged = (detail: string, cause?: unknown): ConsoleError =>
    new ConsoleError(
      'storage',
      `The database ${file} is damaged (${detail}). It was left as it is. ${adviceOf(path.dirname(file), { whole: `${path.basename(file)} and any "-wal" and "-shm" beside it` })}`,
      { cause },
    );
  let connection: Connection | null = null;
  try {
    connection = openConnection(file, { readOnly: true });
    const check = String(connection.pragma('quick_check(1)'));
    if (check !== 'ok') throw damaged(check);
    assertKnownSchema(connection, file);
  } catch (error) {
    const cause = error instanceof ConsoleError ? error.cause : error;
    if (isDamage(cause)) throw damaged(cause instanceof Error ? cause.message : 'not a database', cause);
    throw error;
  } finally {
    connection?.close();
  }
}
