/** Does I/O: entry of the worker thread that owns the files of an offline cache. */
import { workerData } from 'node:worker_threads';
import { sqliteParts } from '../sqlite/sqlite-parts.ts';
import { serveParts } from '../sqlite/worker-serve.ts';
import { openCacheFolder } from './cache-file.ts';
import { sqliteReplica } from './replica.ts';

serveParts(() => {
  const opened = openCacheFolder((workerData as { folder: string }).folder);
  const { salvaged, setAside } = opened;
  return {
    parts: {
      ...sqliteParts(opened.cache),
      outbox: opened.outbox,
      replica: sqliteReplica(opened.cache),
      report: { read: () => ({ salvaged, setAside }) },
    },
    close: () => opened.close(),
  };
});
