/** Does I/O: the lock that lets one engine only use a data folder. Worker only. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { ConsoleError } from '../../../shared/errors.ts';
import { isBusy } from './sqlite-errors.ts';

const LOCK_FILE = 'engine.lock';
/** Tells people who holds the lock; says nothing about whether it is held. */
const PID_FILE = 'engine.pid';
/** The holder writes its pid right after it got the lock; a newcomer waits this long to read it. */
const PID_WAIT_MS = 500;
const PID_POLL_MS = 20;

/**
 * Takes the lock, an exclusive transaction that the system frees when the process dies in whatever way.
 * Throws `folder-in-use`. Returns the way to give it back.
 */
export function lockFolder(folder: string): () => void {
  let opened: Database.Database | null = null;
  try {
    opened = new Database(path.join(folder, LOCK_FILE), { timeout: 0 });
    opened.exec('BEGIN EXCLUSIVE');
    writeFileSync(path.join(folder, PID_FILE), `${process.pid}\n`);
  } catch (error) {
    opened?.close();
    if (isBusy(error)) throw new ConsoleError('folder-in-use', `Nimbus is already running on ${folder} (pid ${holder(folder)})`);
    throw lockFailure(folder, error);
  }
  const database = opened;
  return () => {
    rmSync(path.join(folder, PID_FILE), { force: true });
    database.exec('ROLLBACK');
    database.close();
  };
}

/** Most often the folder may not be written: SQLite says "readonly" or "unable to open", the file system EACCES, EPERM or EROFS. */
export function lockFailure(folder: string, error: unknown): ConsoleError {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC')
    return new ConsoleError('storage', `The disk of the data folder ${folder} is full. Free some space, then start again.`, {
      cause: error,
    });
  const refused = /^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|SQLITE_AUTH|EACCES|EPERM|EROFS)/.test(code);
  const advice = refused ? 'cannot be written by this account' : 'cannot be locked';
  const remedy = refused
    ? 'Give yourself write permission for it and its files, or choose another with --data-dir=FOLDER.'
    : 'Use a folder on a local disk.';
  return new ConsoleError('storage', `The data folder ${folder} ${advice} (${reason}). ${remedy}`, { cause: error });
}

/** The pid as text; a pid left behind by a dead process is not the holder's. */
function holder(folder: string): string {
  for (let waited = 0; waited <= PID_WAIT_MS; waited += PID_POLL_MS) {
    const pid = writtenPid(folder);
    if (pid !== null && isAlive(pid)) return String(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PID_POLL_MS);
  }
  return 'unknown';
}

function writtenPid(folder: string): number | null {
  try {
    const pid = Number(readFileSync(path.join(folder, PID_FILE), 'utf8').trim());
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, but someone else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
