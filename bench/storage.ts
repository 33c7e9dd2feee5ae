/** Does I/O: how storage grows. Fills private databases, measures through the product's stores, removes them. `npm run bench:storage -- --help`. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import type { Store } from '../electron/engine/ports.ts';
import { openMysqlStore } from '../electron/storage/mysql/mysql-store.ts';
import { openSqliteStore } from '../electron/storage/sqlite/sqlite-store.ts';
import { startMariadb } from '../tests/fakes/mariadb-server.ts';
import { fillMariadb, fillSqlite } from './storage/fill.ts';
import type { Amount } from './storage/fill.ts';
import { measure } from './storage/measures.ts';
import { parseStorageArguments, USAGE } from './storage/options.ts';
import type { BenchStore, StorageBenchOptions } from './storage/options.ts';
import { markdown, WINDOW_LIMIT, windowRatio } from './storage/report.ts';
import type { SizeResult, StoreResult } from './storage/report.ts';
import { measureWaiting } from './storage/waiting.ts';
import type { WaitingResult } from './storage/waiting.ts';

const GIGABYTE = 2 ** 30;

interface Opened {
  open(): Promise<Store>;
  /** Fills it; resolves when it can be opened. */
  fill(amount: Amount): Promise<void>;
  bytes(): Promise<number>;
  waiting(changes: number): Promise<WaitingResult | null>;
  remove(): Promise<void>;
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  return bytes;
}

async function sqlitePlace(): Promise<Opened> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nimbus-bench-sqlite-'));
  return {
    open: () => openSqliteStore({ folder }),
    fill: async (amount) => fillSqlite(folder, amount),
    bytes: () => bytesIn(folder),
    waiting: async () => null,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function mariadbPlace(): Promise<Opened> {
  const server = await startMariadb({ serverOptions: ['--innodb-buffer-pool-size=2G', '--innodb-log-file-size=512M'] });
  await server.sql('CREATE DATABASE console');
  await server.sql(await readFile(new URL('../schema.sql', import.meta.url), 'utf8'), 'console');
  return {
    open: () => openMysqlStore({ url: server.url('console') }),
    fill: (amount) => fillMariadb(server, 'console', amount),
    bytes: () => bytesIn(path.join(server.folder, 'data', 'console')),
    waiting: (changes) => (changes === 0 ? Promise.resolve(null) : measureWaiting(server, 'console', changes)),
    remove: () => server.stop(),
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function measureSize(name: BenchStore, options: StorageBenchOptions, conversations: number): Promise<SizeResult> {
  const messagesEach = Math.max(2, 2 * Math.round(options.messages / options.conversations / 2));
  const amount: Amount = { conversations, messagesEach, short: options.short, long: options.long };
  const place = name === 'sqlite' ? await sqlitePlace() : await mariadbPlace();
  const say = (text: string): void => {
    process.stderr.write(`${name}, ${conversations} conversations: ${text}\n`);
  };
  try {
    const fill = await seconds(() => place.fill(amount));
    say(`filled in ${fill.toFixed(0)} s`);
    const megabytes = (await place.bytes()) / 2 ** 20;
    let store: Store | null = null;
    const open = await seconds(async () => {
      store = await place.open();
    });
    if (store === null) throw new Error('the store did not open');
    const opened: Store = store;
    const measures = await measure(opened, conversations);
    await opened.close();
    say('measured');
    const waiting = await place.waiting(options.waiting);
    return { conversations, messages: conversations * messagesEach, fill, open, megabytes, measures, waiting };
  } finally {
    await place.remove();
  }
}

const options = parseStorageArguments(process.argv.slice(2));
if (options.help) {
  console.log(USAGE);
} else {
  const results: StoreResult[] = [];
  for (const store of options.stores) {
    const base = await measureSize(store, options, options.baseConversations);
    results.push({ store, base, full: await measureSize(store, options, options.conversations) });
  }
  const machine = `${cpus().length} cores of ${cpus()[0]?.model ?? 'an unknown processor'}, ${Math.round(totalmem() / GIGABYTE)} GB of memory, Node ${process.versions.node}`;
  console.log(options.json ? JSON.stringify({ machine, options, results }, null, 2) : markdown(options, machine, results));
  const slow = results.filter(({ full }) => windowRatio(full) > WINDOW_LIMIT);
  for (const { store, full } of slow)
    console.error(`${store}: the window grows with the length of the conversation, ${windowRatio(full).toFixed(2)} times.`);
  process.exitCode = slow.length === 0 ? 0 : 1;
}
