import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, vi } from 'vitest';
import { openMysqlStore } from '../../../electron/storage/mysql/mysql-store.ts';
import { storeContract } from '../../contract/store-contract.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';
import { startMariadb } from '../../fakes/mariadb-server.ts';

vi.setConfig({ testTimeout: 120_000 });

let server: MariadbServer;
let schema = '';
let databases = 0;

beforeAll(async () => {
  schema = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  server = await startMariadb();
}, 120_000);

afterAll(async () => {
  await server?.stop();
});

storeContract('MySQL', async () => {
  databases += 1;
  const database = `contract_${databases}`;
  await server.sql(`CREATE DATABASE ${database}`);
  await server.sql(schema, database);
  return { store: await openMysqlStore({ url: server.url(database) }), dispose: async () => undefined };
});
