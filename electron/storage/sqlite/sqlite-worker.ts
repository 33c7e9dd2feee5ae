/** Does I/O: entry of the worker thread, the sole owner of the data folder's files. */
import { workerData } from 'node:worker_threads';
import { openFolder, openFolderForReading } from './open-folder.ts';
import { sqliteParts } from './sqlite-parts.ts';
import type { WorkerOptions } from './worker-protocol.ts';
import { serveParts } from './worker-serve.ts';

serveParts(() => {
  const options = workerData as WorkerOptions;
  const opened = options.readOnly ? openFolderForReading(options.folder, options.file) : openFolder(options.folder);
  return { parts: sqliteParts(opened.connection), close: opened.close };
});
