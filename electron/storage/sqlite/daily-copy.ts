/** Does I/O: makes the copy of the day in a thread of its own, so that neither the start nor the store waits for it. */
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../engine/ports.ts';
import { isDue } from './folder-copies.ts';
import { WorkerClient } from './worker-client.ts';
import type { WorkerOptions } from './worker-protocol.ts';

/** Closing waits this long for a copy that is being written, in milliseconds. What is unfinished then is made anew at the next start. */
const CLOSE_MS = 2_000;

/**
 * Copies `nimbus.db` of the folder to "backups" unless a copy is younger than a day. A failure is logged; nothing rejects.
 * Returns the way to wait for it, for 2 s at the most.
 */
export function startDailyCopy(options: { folder: string; now: number; logger: Logger }): () => Promise<void> {
  const { folder, now, logger } = options;
  if (!isDue(folder, now)) return () => Promise.resolve();
  const data: WorkerOptions = { folder, readOnly: true, copyAt: now };
  const file = new URL(import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js', import.meta.url);
  const worker = new Worker(file, { workerData: data, execArgv: [] });
  const client = new WorkerClient(worker);
  const copied = client.opened
    .catch((error: unknown) => logger.warn('the daily copy of the database could not be made', { error: String(error) }))
    .then(() => client.close());
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([copied, promise]);
    clearTimeout(timer);
    worker.unref();
  };
}
