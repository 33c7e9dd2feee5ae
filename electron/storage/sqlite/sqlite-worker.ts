/** Does I/O: entry of the worker thread, the sole owner of the data folder's files. */
import { parentPort, workerData } from 'node:worker_threads';
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import type { Connection } from './connection.ts';
import { holdFolder, openFolder, openFolderForReading } from './open-folder.ts';
import type { OpenFolder } from './open-folder.ts';
import { sqliteArchive } from './sqlite-archive.ts';
import { sqliteConversations } from './sqlite-conversations.ts';
import { translated } from './sqlite-errors.ts';
import { sqliteMemories } from './sqlite-memories.ts';
import { sqlitePreferences, sqliteShop, sqliteTickets, sqliteUsage } from './sqlite-shop.ts';
import { sqliteTraces } from './sqlite-traces.ts';
import { sqliteTurns } from './sqlite-turns.ts';
import { sqliteUpkeep } from './sqlite-upkeep.ts';
import type { PartName, WorkerCall, WorkerOptions, WorkerReply, WorkerRequest, WorkerStart } from './worker-protocol.ts';

function partsOf(connection: Connection): Record<PartName, object> {
  return {
    conversations: { ...sqliteConversations(connection), ...sqliteTurns(connection), ...sqliteUpkeep(connection) },
    traces: sqliteTraces(connection),
    shop: sqliteShop(connection),
    tickets: sqliteTickets(connection),
    usage: sqliteUsage(connection),
    preferences: sqlitePreferences(connection),
    archive: sqliteArchive(connection),
    memories: sqliteMemories(connection),
  };
}

function answer(parts: Record<PartName, object>, call: WorkerCall): WorkerReply {
  try {
    const method: unknown = Reflect.get(parts[call.part], call.method);
    if (typeof method !== 'function') throw new ConsoleError('internal', `The store has no method ${call.part}.${call.method}.`);
    return { id: call.id, ok: true, result: Reflect.apply(method, undefined, call.parameters) };
  } catch (error) {
    return { id: call.id, ok: false, error: toErrorInfo(translated(error, 'read')) };
  }
}

function openedFolder(options: WorkerOptions): OpenFolder | null {
  try {
    if (options.lockOnly === true) return holdFolder(options.folder);
    return options.readOnly ? openFolderForReading(options.folder) : openFolder(options.folder);
  } catch (error) {
    send({ type: 'refused', error: toErrorInfo(translated(error, 'read')) });
    return null;
  }
}

function send(message: WorkerStart | WorkerReply): void {
  parentPort?.postMessage(message);
}

function main(): void {
  const opened = openedFolder(workerData as WorkerOptions);
  if (opened === null) return;
  const parts = partsOf(opened.connection);
  send({ type: 'open' });
  parentPort?.on('message', (request: WorkerRequest) => {
    if (request.type === 'call') {
      send(answer(parts, request));
      return;
    }
    opened.close();
    send({ type: 'closed' });
    parentPort?.close();
  });
}

main();
