import { readFile } from 'node:fs/promises';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, vi } from 'vitest';
import { migrateMysql } from '../../../electron/storage/mysql/migrate.ts';
import { openMysqlStore } from '../../../electron/storage/mysql/mysql-store.ts';
import { parseMysqlUrl } from '../../../electron/storage/mysql/mysql-url.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { startMariadb } from '../../fakes/mariadb-server.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Another server than the private MariaDB, of a login that may create and drop databases: `npm run test:mysql`. */
const GIVEN_URL = process.env['NIMBUS_TEST_MYSQL_URL'] ?? '';

interface TestServer {
  /** Makes an empty database; resolves with its address. */
  create(database: string): Promise<string>;
  stop(): Promise<void>;
}

let server: TestServer;
let schemaSql = '';
let databases = 0;

async function privateServer(): Promise<TestServer> {
  const started = await startMariadb();
  return {
    create: async (database) => {
      await started.sql(`CREATE DATABASE ${database}`);
      return started.url(database);
    },
    stop: () => started.stop(),
  };
}

async function givenServer(url: string): Promise<TestServer> {
  const { user, password, hosts, database: own } = parseMysqlUrl(url);
  const [first] = hosts;
  if (first === undefined) throw new Error('NIMBUS_TEST_MYSQL_URL names no host');
  const connection = await createConnection({ host: first.host, port: first.port, user, password });
  const made: string[] = [];
  return {
    create: async (database) => {
      const name = `${own}_${database}`;
      // What an earlier run left when it was ended.
      await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
      await connection.query(`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`);
      made.push(name);
      return url.replace(new RegExp(`/${own}(?=$|\\?)`), `/${name}`);
    },
    stop: async () => {
      for (const name of made) await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
      await connection.end();
    },
  };
}

beforeAll(async () => {
  schemaSql = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  server = GIVEN_URL === '' ? await privateServer() : await givenServer(GIVEN_URL);
}, 120_000);

afterAll(async () => {
  await server?.stop();
});

storeContract('MySQL', async () => {
  databases += 1;
  const url = await server.create(`contract_${databases}`);
  await migrateMysql({ url, schemaSql });
  return { store: await openMysqlStore({ url }), dispose: async () => undefined };
});
