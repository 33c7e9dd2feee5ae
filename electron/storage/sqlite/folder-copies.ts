/** Does I/O: the copies below a data folder's "backups": which is the newest, and one new a day. Blocks; for a worker. */
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../make-folder.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';

export const DATABASE_FILE = 'nimbus.db';
export const BACKUP_FOLDER = 'backups';
const DAILY = /^daily-\d{4}-\d{2}-\d{2}T\d{6}Z\.db$/;
/** A copy being written; one left behind by a crash is replaced by the next copy. */
const UNFINISHED = 'daily.unfinished';
const KEPT_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Copies looked into for advice: each costs a check of the whole file. */
const MOST_CHECKED = 20;

export interface FolderCopy {
  file: string;
  /** Last change of the file, in milliseconds since 1970. */
  at: number;
}

export interface UsableCopy extends FolderCopy {
  conversations: number;
}

/** Newest first: files of "backups" and databases in folders of it. [] when there is none or it cannot be read. */
export function copiesOf(folder: string): FolderCopy[] {
  const backups = path.join(folder, BACKUP_FOLDER);
  const found: FolderCopy[] = [];
  for (const name of namesIn(backups)) {
    for (const file of [path.join(backups, name), path.join(backups, name, DATABASE_FILE)]) {
      if (!file.endsWith('.db')) continue;
      const entry = statSync(file, { throwIfNoEntry: false });
      if (entry?.isFile() === true) found.push({ file, at: entry.mtimeMs });
    }
  }
  return found.sort((one, other) => other.at - one.at);
}

/** What to do about a database that cannot be used: names the newest copy that can, or says that there is none. */
export function adviceOf(folder: string, { whole }: { whole: string }): string {
  const copy = newestUsable(folder);
  if (copy === null) return `There is no copy of it in "${BACKUP_FOLDER}". To begin anew, move ${whole} elsewhere and start again.`;
  const date = new Date(copy.at).toISOString().slice(0, 16).replace('T', ' ');
  const count = `${copy.conversations} conversation${copy.conversations === 1 ? '' : 's'}`;
  return `Move ${whole} elsewhere, put the newest copy in its place and start again: ${copy.file} (${date} UTC, ${count}).`;
}

/**
 * A whole copy of the database, on the disk when this returns, unless there are no conversations or a copy is younger than a day.
 * Keeps the newest 7 of its own; other copies stay. Throws ConsoleErrors and errors of the file system.
 */
export function copyDaily(folder: string, now: number): string | null {
  const source = path.join(folder, DATABASE_FILE);
  if (!existsSync(source) || !isDue(folder, now)) return null;
  const connection = openConnection(source, { readOnly: true });
  try {
    if (conversationCount(connection) === 0) return null;
    const backups = path.join(folder, BACKUP_FOLDER);
    makeFolder(backups);
    const unfinished = path.join(backups, UNFINISHED);
    rmSync(unfinished, { force: true });
    writeCopy(connection, unfinished);
    const file = path.join(backups, `daily-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}Z.db`);
    renameSync(unfinished, file);
    const daily = namesIn(backups).filter((name) => DAILY.test(name));
    for (const name of daily.sort().reverse().slice(KEPT_DAYS)) rmSync(path.join(backups, name), { force: true });
    return file;
  } finally {
    connection.close();
  }
}

/** True when no copy is younger than a day. A copy dated in the future says nothing. */
export function isDue(folder: string, now: number): boolean {
  return !copiesOf(folder).some((copy) => copy.at <= now && now - copy.at < DAY_MS);
}

/** For its owner only, and on the disk when this returns. */
export function writeCopy(connection: Connection, file: string): void {
  connection.run('VACUUM INTO ?', file);
  chmodSync(file, 0o600);
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

/** 0 as well for a database that has no schema yet. */
export function conversationCount(connection: Connection): number {
  if (connection.one("SELECT 1 FROM sqlite_schema WHERE name = 'conversations'") === null) return 0;
  return connection.one<{ count: number }>('SELECT COUNT(*) AS count FROM conversations')?.count ?? 0;
}

function newestUsable(folder: string): UsableCopy | null {
  for (const copy of copiesOf(folder).slice(0, MOST_CHECKED)) {
    let connection: Connection | null = null;
    try {
      connection = openConnection(copy.file, { readOnly: true });
      if (String(connection.pragma('quick_check(1)')) !== 'ok') continue;
      const conversations = conversationCount(connection);
      // Copies of a database that was only just made help nobody.
      if (conversations > 0) return { ...copy, conversations };
    } catch {
      // A damaged copy is none.
    } finally {
      connection?.close();
    }
  }
  return null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
