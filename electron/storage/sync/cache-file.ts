/** Does I/O: opens the two files of an offline cache: the outbox, which is never thrown away, and the copy, which may be. Worker only. */
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../make-folder.ts';
import type { Connection } from '../sqlite/connection.ts';
import { openConnection } from '../sqlite/connection.ts';
import { lockFolder } from '../sqlite/folder-lock.ts';
import { assertKnownSchema, migrate } from '../sqlite/migrations.ts';
import { openOutbox } from '../sqlite/sqlite-outbox.ts';
import type { SalvageReport, SqliteOutbox } from '../sqlite/sqlite-outbox.ts';
import { REPLICA_SCHEMA } from './replica.ts';
import { CACHE_FILE, OUTBOX_FILE } from './sync-options.ts';

export interface OpenedCache {
  cache: Connection;
  outbox: SqliteOutbox;
  salvaged: SalvageReport | null;
  /** Where a copy that could not be used is now; null: it was fine. */
  setAside: string | null;
  close(): void;
}

/** Takes the folder's lock before any other file is opened. Throws `folder-in-use` or `storage`. */
export function openCacheFolder(folder: string): OpenedCache {
  makeFolder(folder);
  const unlock = lockFolder(folder);
  try {
    const { outbox, salvaged } = openOutbox(path.join(folder, OUTBOX_FILE));
    try {
      const file = path.join(folder, CACHE_FILE);
      const setAside = existsSync(file) && !isUsable(file) ? asideOf(file) : null;
      const cache = openConnection(file);
      migrate(cache, null);
      cache.execute(REPLICA_SCHEMA);
      const close = (): void => {
        cache.close();
        outbox.close();
        unlock();
      };
      return { cache, outbox, salvaged, setAside, close };
    } catch (error) {
      outbox.close();
      throw error;
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Damaged, or of a newer version: everything in it is in MySQL or in the outbox, so a new copy is made. */
function isUsable(file: string): boolean {
  let connection: Connection | null = null;
  try {
    connection = openConnection(file, { readOnly: true });
    if (String(connection.pragma('quick_check(1)')) !== 'ok') return false;
    assertKnownSchema(connection, file);
    return true;
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}

function asideOf(file: string): string {
  let aside = `${file}.damaged`;
  for (let copy = 2; existsSync(aside); copy += 1) aside = `${file}.damaged-${copy}`;
  renameSync(file, aside);
  for (const companion of ['-wal', '-shm']) if (existsSync(file + companion)) renameSync(file + companion, aside + companion);
  return aside;
}
