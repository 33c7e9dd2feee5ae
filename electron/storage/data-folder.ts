/** Does I/O: the files of a data folder beside the store: cleans its copies and reads every byte for texts that must be gone. */
import { close, fstat, open, read } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { CleaningOrder, DataFolder } from '../engine/ports.ts';
import { byteForms } from './erasure-texts.ts';
import { remotePart } from './sqlite/sqlite-store.ts';
import { WorkerClient } from './sqlite/worker-client.ts';
import type { WorkerOptions } from './sqlite/worker-protocol.ts';

const CHUNK_BYTES = 1024 * 1024;
const [openFile, readBytes, closeFile, statOf] = [promisify(open), promisify(read), promisify(close), promisify(fstat)];

/**
 * Handles of files that the process may have open as databases. Closing any handle of such a file would drop the process's locks on it
 * (POSIX), so these stay open until the process ends.
 */
const heldHandles = new Map<string, number>();

/** `copied` resolves when no copy is being made. */
export function createDataFolder(folder: string, copied: () => Promise<void> = () => Promise.resolve()): DataFolder {
  return {
    cleanCopies: async (order) => {
      await copied();
      return cleanInWorker(folder, order);
    },
    scan: async (texts) => {
      const needles = texts.flatMap(byteForms);
      const result = { files: 0, bytes: 0, matches: [] as { place: string; count: number }[] };
      for (const file of await filesOf(folder)) {
        const found = await scanFile(file, needles, path.dirname(file) === folder);
        if (found === null) continue;
        result.files += 1;
        result.bytes += found.bytes;
        if (found.count > 0) result.matches.push({ place: path.relative(folder, file), count: found.count });
      }
      return result;
    },
  };
}

/** In a thread of its own: large copies take long. Rejects with `storage`. */
export async function cleanInWorker(folder: string, order: CleaningOrder): Promise<{ cleaned: number; deleted: number }> {
  const data: WorkerOptions = { folder, readOnly: true, cleaning: order };
  const file = new URL(import.meta.url.endsWith('.ts') ? './sqlite/sqlite-worker.ts' : './sqlite-worker.js', import.meta.url);
  const client = new WorkerClient(new Worker(file, { workerData: data, execArgv: [] }));
  await client.opened;
  try {
    return await remotePart<{ read(): Promise<{ cleaned: number; deleted: number }> }>(client, 'report').read();
  } finally {
    await client.close();
  }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** null: the file is gone by now. Counts the forms found at least once. */
async function scanFile(file: string, needles: readonly Buffer[], isLive: boolean): Promise<{ bytes: number; count: number } | null> {
  const handle = isLive ? await heldHandle(file) : await openFile(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const overlap = Math.max(1, ...needles.map((needle) => needle.length)) - 1;
    const buffer = Buffer.alloc(CHUNK_BYTES + overlap);
    const found = new Set<Buffer>();
    let kept = 0;
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await readBytes(handle, buffer, kept, CHUNK_BYTES, bytes);
      if (bytesRead === 0) return { bytes, count: found.size };
      bytes += bytesRead;
      const part = buffer.subarray(0, kept + bytesRead);
      for (const needle of needles) if (part.includes(needle)) found.add(needle);
      const rest = Math.min(overlap, part.length);
      part.copy(buffer, 0, part.length - rest);
      kept = rest;
    }
  } finally {
    if (!isLive) await closeFile(handle);
  }
}

async function heldHandle(file: string): Promise<number | null> {
  const known = heldHandles.get(file);
  try {
    const now = await stat(file);
    if (known !== undefined && (await statOf(known)).ino === now.ino) return known;
    const handle = await openFile(file, 'r');
    heldHandles.set(file, handle);
    return handle;
  } catch {
    return null;
  }
}
