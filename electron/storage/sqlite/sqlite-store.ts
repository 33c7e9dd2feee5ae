/** Does I/O: the SQLite store as the rest of the program sees it; all work happens in a worker thread. */
import { Worker } from 'node:worker_threads';
import type { Store } from '../../engine/ports.ts';
import { WorkerClient } from './worker-client.ts';
import type { WorkerOptions } from './worker-protocol.ts';

/**
 * Opens the database of a data folder, made when missing. With `readOnly` it takes no lock, works beside a running engine and refuses writes
 * with `read-only`. Rejects with `folder-in-use` (message `Nimbus is already running on FOLDER (pid N)`), `unsupported` or `storage`.
 * `file` names another database of the folder, for reading only. Should the worker die, every pending and later call rejects with `storage`.
 */
export async function openSqliteStore(options: { folder: string; readOnly?: boolean; file?: string }): Promise<Store> {
  const data: WorkerOptions = {
    folder: options.folder,
    readOnly: options.readOnly ?? false,
    ...(options.file !== undefined && { file: options.file }),
  };
  const file = new URL(import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js', import.meta.url);
  const client = new WorkerClient(new Worker(file, { workerData: data, execArgv: [] }));
  await client.opened;
  return {
    kind: 'sqlite',
    conversations: remotePart<Store['conversations']>(client, 'conversations'),
    traces: remotePart<Store['traces']>(client, 'traces'),
    shop: remotePart<Store['shop']>(client, 'shop'),
    tickets: remotePart<Store['tickets']>(client, 'tickets'),
    usage: remotePart<Store['usage']>(client, 'usage'),
    preferences: remotePart<Store['preferences']>(client, 'preferences'),
    memories: remotePart<Store['memories']>(client, 'memories'),
    erasure: remotePart<Store['erasure']>(client, 'erasure'),
    prompts: remotePart<Store['prompts']>(client, 'prompts'),
    archive: remotePart<Store['archive']>(client, 'archive'),
    branches: remotePart<NonNullable<Store['branches']>>(client, 'branches'),
    close: () => client.close(),
  };
}

/** Every method of the part as a message to the worker. */
export function remotePart<T extends object>(client: WorkerClient, part: string): T {
  const methods = new Map<string, (...parameters: unknown[]) => Promise<unknown>>();
  return new Proxy({} as T, {
    get: (_target, name) => {
      // Never a thenable, or awaiting the part would call the worker.
      if (typeof name !== 'string' || name === 'then') return undefined;
      const known = methods.get(name);
      if (known !== undefined) return known;
      const method = (...parameters: unknown[]): Promise<unknown> => client.call(part, name, parameters);
      methods.set(name, method);
      return method;
    },
  });
}
