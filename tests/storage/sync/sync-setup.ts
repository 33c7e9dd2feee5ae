/** Does I/O: a MariaDB server with a database for each test, and consoles with folders of their own. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Logger } from '../../../electron/engine/ports.ts';
import { openSyncedStore } from '../../../electron/storage/sync/synced-store.ts';
import type { SyncedStore } from '../../../electron/storage/sync/synced-store.ts';
import type { SyncOptions } from '../../../electron/storage/sync/sync-options.ts';
import { startFaultProxy } from '../../fakes/fault-proxy.ts';
import type { FaultProxy } from '../../fakes/fault-proxy.ts';
import { startMariadb } from '../../fakes/mariadb-server.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';

export const quietLogger: Logger = { warn: () => undefined, error: () => undefined };

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms) => wait(ms),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export interface TestDatabase {
  name: string;
  /** Through the fault proxy. */
  url: string;
  directUrl: string;
  sql(statements: string): Promise<string>;
}

export interface SyncSetup {
  server: MariadbServer;
  proxy: FaultProxy;
  /** A new database with the schema. */
  database(): Promise<TestDatabase>;
  folder(): Promise<string>;
  /** Opens a console that is closed at the end. */
  open(url: string, options?: Partial<SyncOptions>): Promise<SyncedStore>;
  /** Closes all consoles opened so far. */
  closeAll(): Promise<void>;
  stop(): Promise<void>;
}

let databases = 0;

/** `place`: where the server's folder is made. */
export async function startSyncSetup(serverOptions: string[] = [], place?: string): Promise<SyncSetup> {
  const schema = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  const server = await startMariadb({ serverOptions, ...(place !== undefined && { place }) });
  const proxy = await startFaultProxy(server.port);
  const folders: string[] = [];
  const stores = new Set<SyncedStore>();
  const folder = async (): Promise<string> => {
    const made = await mkdtemp(path.join(tmpdir(), 'nimbus-sync-'));
    folders.push(made);
    return made;
  };
  const closeAll = async (): Promise<void> => {
    for (const store of stores) await store.close();
    stores.clear();
  };
  return {
    server,
    proxy,
    folder,
    database: async () => {
      databases += 1;
      const name = `sync_${databases}`;
      await server.sql(`CREATE DATABASE ${name}`);
      await server.sql(schema, name);
      const directUrl = server.url(name);
      return { name, directUrl, url: directUrl.replace(`:${server.port}/`, `:${proxy.port}/`), sql: (text) => server.sql(text, name) };
    },
    open: async (url, options = {}) => {
      const store = await openSyncedStore({
        folder: options.folder ?? (await folder()),
        url,
        consoleName: 'Desk',
        clock: realClock,
        newId: randomUUID,
        logger: quietLogger,
        ...options,
        timings: { pollMs: 200, reconnectMs: 200, answerMs: 2_000, leaseMs: 2_000, ...options.timings },
      });
      stores.add(store);
      return store;
    },
    closeAll,
    stop: async () => {
      await closeAll();
      await proxy.close();
      await server.stop();
      for (const each of folders) await rm(each, { recursive: true, force: true });
    },
  };
}

/** Asks again until the answer is right; fails with the last failure after the time. */
export async function eventually(check: () => Promise<void> | void, ms = 8_000): Promise<void> {
  const until = Date.now() + ms;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await wait(50);
    }
  }
}
