/** Does I/O: entry of the worker thread, the sole owner of the data folder's files. */
import { workerData } from 'node:worker_threads';
import { cleanCopies } from './clean-copies.ts';
import { copyDaily } from './folder-copies.ts';
import { holdFolder, openFolder, openFolderForReading } from './open-folder.ts';
import type { OpenFolder } from './open-folder.ts';
import { sqliteParts } from './sqlite-parts.ts';
import type { WorkerOptions } from './worker-protocol.ts';
import { serveParts } from './worker-serve.ts';

function opened(options: WorkerOptions): OpenFolder {
  if (options.lockOnly === true) return holdFolder(options.folder);
  return options.readOnly ? openFolderForReading(options.folder, options.file) : openFolder(options.folder);
}

const options = workerData as WorkerOptions;
const { copyAt, cleaning } = options;

serveParts((): { parts: Record<string, object>; close: () => void } => {
  if (copyAt !== undefined) {
    copyDaily(options.folder, copyAt);
    return { parts: {}, close: () => undefined };
  }
  if (cleaning !== undefined) {
    const report = cleanCopies(options.folder, cleaning);
    return { parts: { report: { read: () => report } }, close: () => undefined };
  }
  const { connection, ...folder } = opened(options);
  return { parts: sqliteParts(connection), close: () => folder.close() };
});
