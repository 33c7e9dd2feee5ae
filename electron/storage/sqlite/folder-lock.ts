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
  const database = new Database(path.join(folder, LOCK_FILE), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new ConsoleError('folder-in-use', `Nimbus is already running on ${folder} (pid ${holder(folder)})`);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConsoleError('storage', `The data folder ${folder} cannot be locked (${reason}). Use a folder on a local disk.`, {
      cause: error,
    });
  }
  writeFileSync(path.join(folder, PID_FILE), `${process.pid}\n`);
  return () => {
    rmSync(path.join(folder, PID_FILE), { force: true });
    database.exec('ROLLBACK');
    database.close();
  };
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
