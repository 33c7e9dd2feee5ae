/** Does I/O: owns a data folder whose conversations live elsewhere, so that one engine only works for it. */
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { ConsoleError } from '../../../shared/errors.ts';
import { WorkerClient } from './worker-client.ts';
import type { WorkerOptions } from './worker-protocol.ts';

const ID_FILE = 'console.id';

export interface OwnedFolder {
  /** Who this folder's console is to others; made once, the same after every restart. */
  consoleId: string;
  close(): Promise<void>;
}

/** Takes the folder's lock, freed by the system on SIGKILL. Rejects as `openSqliteStore` does. */
export async function ownFolder(folder: string): Promise<OwnedFolder> {
  const data: WorkerOptions = { folder, readOnly: false, lockOnly: true };
  const file = new URL(import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js', import.meta.url);
  const client = new WorkerClient(new Worker(file, { workerData: data, execArgv: [] }));
  await client.opened;
  try {
    return { consoleId: consoleIdOf(path.join(folder, ID_FILE)), close: () => client.close() };
  } catch (error) {
    await client.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConsoleError('storage', `The data folder ${folder} cannot be written (${reason}).`, { cause: error });
  }
}

/** Whole or not at all: written beside and moved into place. */
function consoleIdOf(file: string): string {
  const known = readId(file);
  if (known !== null) return known;
  const id = randomUUID();
  writeFileSync(`${file}.new`, `${id}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return id;
}

/** Null when there is none, or what is there is none. */
function readId(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^[0-9a-f-]{36}$/.test(text) ? text : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
