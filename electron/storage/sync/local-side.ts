/** Does I/O: the files of the offline cache as the rest of the program sees them; all work happens in a worker thread. */
import { Worker } from 'node:worker_threads';
import type { Store } from '../../engine/ports.ts';
import type { SalvageReport, SqliteOutbox } from '../sqlite/sqlite-outbox.ts';
import { remotePart } from '../sqlite/sqlite-store.ts';
import { WorkerClient } from '../sqlite/worker-client.ts';
import type { SqliteReplica } from './replica.ts';
import type { PartKey } from './routes.ts';

/** A synchronous part as calls to the worker. */
type Remote<T> = { [K in keyof T]: T[K] extends (...parameters: infer P) => infer R ? (...parameters: P) => Promise<R> : never };

export interface LocalSide {
  outbox: Remote<Omit<SqliteOutbox, 'close'>>;
  replica: Remote<SqliteReplica>;
  /** What the copy knows about a customer. */
  erasure: Store['erasure'];
  /** The copy as a store. */
  cache: Pick<Store, PartKey>;
  report: { salvaged: SalvageReport | null; setAside: string | null };
  call(part: PartKey, method: string, parameters: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/** Rejects with `folder-in-use` or `storage`. */
export async function openLocalSide(folder: string): Promise<LocalSide> {
  const file = new URL(import.meta.url.endsWith('.ts') ? './sync-worker.ts' : './sync-worker.js', import.meta.url);
  const client = new WorkerClient(new Worker(file, { workerData: { folder }, execArgv: [] }));
  await client.opened;
  const report = remotePart<{ read(): Promise<LocalSide['report']> }>(client, 'report');
  return {
    outbox: remotePart<LocalSide['outbox']>(client, 'outbox'),
    replica: remotePart<LocalSide['replica']>(client, 'replica'),
    erasure: remotePart<Store['erasure']>(client, 'erasure'),
    cache: {
      conversations: remotePart<Store['conversations']>(client, 'conversations'),
      traces: remotePart<Store['traces']>(client, 'traces'),
      shop: remotePart<Store['shop']>(client, 'shop'),
      tickets: remotePart<Store['tickets']>(client, 'tickets'),
      usage: remotePart<Store['usage']>(client, 'usage'),
      preferences: remotePart<Store['preferences']>(client, 'preferences'),
      archive: remotePart<Store['archive']>(client, 'archive'),
      memories: remotePart<Store['memories']>(client, 'memories'),
      prompts: remotePart<Store['prompts']>(client, 'prompts'),
    },
    report: await report.read(),
    call: (part, method, parameters) => client.call(part, method, parameters),
    close: () => client.close(),
  };
}
