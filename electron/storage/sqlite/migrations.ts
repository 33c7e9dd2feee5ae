/** Does I/O: numbered steps from an empty file to the present schema. Worker only. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConsoleError } from '../../../shared/errors.ts';
import { makeFolder } from '../make-folder.ts';
import type { Connection } from './connection.ts';
import { conversationCount, writeCopy } from './folder-copies.ts';
import { SCHEMA_1 } from './schema-1.ts';
import { SCHEMA_3 } from './schema-3.ts';
import { SCHEMA_4 } from './schema-4.ts';
import { fillSearch, SEARCH_SCHEMA } from './sqlite-search.ts';

/** Marks a file as ours ("NmbC"). */
export const APPLICATION_ID = 0x4e6d6243;

/** One step; runs inside a write and must leave the schema of its number. */
export type Migration = (connection: Connection) => void;

/** Step n is at index n - 1. Released steps never change. */
export const MIGRATIONS: readonly Migration[] = [migrateTo1, migrateTo2, migrateTo3, migrateTo4];

function migrateTo1(connection: Connection): void {
  connection.execute(SCHEMA_1);
}

function migrateTo2(connection: Connection): void {
  connection.execute(SEARCH_SCHEMA);
  fillSearch(connection);
}

function migrateTo3(connection: Connection): void {
  connection.execute(SCHEMA_3);
}

function migrateTo4(connection: Connection): void {
  connection.execute(SCHEMA_4);
}

export function schemaVersion(connection: Connection): number {
  return Number(connection.pragma('user_version'));
}

/** Refuses files that this program cannot read, before anything is changed. A fresh file is fine. */
export function assertKnownSchema(connection: Connection, file: string, newest: number = MIGRATIONS.length): void {
  const version = schemaVersion(connection);
  if (version > newest) {
    throw new ConsoleError(
      'unsupported',
      `${file} was written by a newer Nimbus Console (schema ${version}; this one knows ${newest}). Update Nimbus Console; nothing was changed.`,
    );
  }
  const isFresh = version === 0 && connection.one('SELECT 1 FROM sqlite_schema LIMIT 1') === null;
  if (!isFresh && Number(connection.pragma('application_id')) !== APPLICATION_ID) {
    throw new ConsoleError('storage', `${file} is no database of Nimbus Console. Choose another data folder; nothing was changed.`);
  }
}

/**
 * Runs the missing steps, each in one write of its own, after one backup of a database that holds conversations.
 * A step that fails leaves the schema before it. Throws as `Connection` does.
 */
export function migrate(connection: Connection, backupFolder: string | null, migrations: readonly Migration[] = MIGRATIONS): void {
  const first = schemaVersion(connection);
  if (first < migrations.length && backupFolder !== null && conversationCount(connection) > 0) backup(connection, backupFolder, first);
  for (let version = first; version < migrations.length; version = schemaVersion(connection)) {
    const step = migrations[version];
    if (step === undefined) return;
    connection.write(() => {
      step(connection);
      connection.pragma(`application_id = ${APPLICATION_ID}`);
      connection.pragma(`user_version = ${version + 1}`);
    });
  }
}

/** A whole copy, on the disk before the step starts. Earlier copies stay. */
function backup(connection: Connection, folder: string, version: number): void {
  makeFolder(folder);
  let file = path.join(folder, `schema-${version}.db`);
  for (let copy = 2; existsSync(file); copy += 1) file = path.join(folder, `schema-${version}-${copy}.db`);
  writeCopy(connection, file);
}
