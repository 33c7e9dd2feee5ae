import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateMysql } from '../../../electron/storage/mysql/migrate.ts';
import { openMysqlStore } from '../../../electron/storage/mysql/mysql-store.ts';
import { parseMysqlUrl } from '../../../electron/storage/mysql/mysql-url.ts';
import { probeMysql } from '../../../electron/storage/mysql/probe.ts';
import { parseSchema } from '../../../electron/storage/mysql/schema-text.ts';
import { SCHEMA_VERSION } from '../../../electron/storage/mysql/schema-version.ts';
import type { StorageFinding } from '../../../shared/storage-choice.ts';
import { makeAuthority, makeCertificate } from '../../fakes/certificates.ts';
import type { Certificate } from '../../fakes/certificates.ts';
import { freePort, startMariadb } from '../../fakes/mariadb-server.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';
import { contractSteps } from './documented-sql.ts';

let folder = '';
let schemaSql = '';
let server: MariadbServer;
let secured: MariadbServer;
let authority: Certificate;
let stranger: Certificate;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nimbus-probe-'));
  schemaSql = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  authority = await makeAuthority(folder, 'authority');
  stranger = await makeAuthority(folder, 'stranger');
  const own = await makeCertificate(folder, 'server', authority, 'IP:127.0.0.1');
  server = await startMariadb();
  secured = await startMariadb({
    serverOptions: [`--ssl-ca=${authority.certificate}`, `--ssl-cert=${own.certificate}`, `--ssl-key=${own.key}`],
  });
  for (const each of [server, secured]) {
    await each.sql('CREATE DATABASE console');
    await each.sql(schemaSql, 'console');
  }
}, 300_000);

afterAll(async () => {
  await server?.stop();
  await secured?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function probe(url: string): Promise<StorageFinding[]> {
  return probeMysql(parseMysqlUrl(url), { tables: parseSchema(schemaSql).tables, timings: { connectMs: 1500 } });
}

async function problem(url: string): Promise<StorageFinding['problem'] | undefined> {
  return (await probe(url))[0]?.problem;
}

/** A listener that says something, or nothing. */
async function listener(words: string | null): Promise<{ port: number; server: Server }> {
  const made = createServer((socket) => {
    socket.on('error', () => undefined);
    if (words !== null) socket.end(words);
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const address = made.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, server: made };
}

test('a good server is told with its version, and nothing of it is changed', async () => {
  const before = await server.sql('CHECKSUM TABLE conversations, messages, applied_ops, schema_info', 'console');
  const [finding] = await probe(server.url('console'));
  expect(finding).toMatchObject({ problem: null, encryption: '', schema: SCHEMA_VERSION, schemaNeeded: SCHEMA_VERSION, missingRights: [] });
  expect(finding?.server).toContain('MariaDB');
  expect(await server.sql('CHECKSUM TABLE conversations, messages, applied_ops, schema_info', 'console')).toBe(before);
});

test('each host of an address is told apart', async () => {
  const port = await freePort();
  const url = server.url('console').replace('127.0.0.1:', `127.0.0.1:${port},127.0.0.1:`);
  expect((await probe(url)).map((finding) => finding.problem)).toEqual(['unreachable', null]);
});

test('nobody there, nobody of this name, somebody silent, somebody else', async () => {
  expect(await problem(`mysql://a:b@127.0.0.1:${await freePort()}/console`)).toBe('unreachable');
  expect(await problem('mysql://a:b@no-such-host.invalid/console')).toBe('unknown-host');
  const silent = await listener(null);
  const chatty = await listener('SSH-2.0-OpenSSH_9.9\r\n');
  try {
    expect(await problem(`mysql://a:b@127.0.0.1:${silent.port}/console`)).toBe('timeout');
    expect(['not-mysql', 'unreachable']).toContain(await problem(`mysql://a:b@127.0.0.1:${chatty.port}/console`));
  } finally {
    silent.server.close();
    chatty.server.close();
  }
});

test('a wrong password, an unknown database, a database of others', async () => {
  expect(await problem(server.url('console').replace(':console@', ':wrong@'))).toBe('wrong-login');
  expect(await problem(server.url('nowhere'))).toBe('no-database');
  await server.sql("CREATE USER 'guest'@'127.0.0.1' IDENTIFIED BY 'guest'");
  expect(await problem(server.url('console').replace('console:console', 'guest:guest'))).toBe('no-right-to-database');
  for (const finding of await probe(server.url('console').replace(':console@', ':canary@'))) expect(finding.detail).not.toContain('canary');
});

test('X8 a self-signed certificate, one for another name and a file that is not there are told apart', async () => {
  const trusting = (file: string, host = '127.0.0.1') =>
    `${secured.url('console').replace('127.0.0.1', host)}?ca=${encodeURIComponent(file)}`;
  expect(await probe(trusting(authority.certificate))).toMatchObject([{ problem: null, encryption: expect.stringContaining('TLS') }]);
  expect(await problem(trusting(stranger.certificate))).toBe('tls-self-signed');
  expect(await problem(trusting(authority.certificate, 'localhost'))).toBe('tls-wrong-name');
  expect(await problem(trusting(path.join(folder, 'missing.pem')))).toBe('ca-file');
  // 0.0.0.0 leads to this machine without being one of its names, so it must be encrypted.
  expect(await problem(secured.url('console').replace('127.0.0.1', '0.0.0.0'))).toBe('tls-self-signed');
  expect(await problem(server.url('console').replace('127.0.0.1', '0.0.0.0'))).toMatch(/^tls-/);
});

test('rule 19: missing, older and newer tables', async () => {
  await server.sql('CREATE DATABASE empty_one');
  expect(await probe(server.url('empty_one'))).toMatchObject([{ problem: 'schema-missing', schema: null }]);
  await server.sql('CREATE DATABASE other_version');
  await server.sql(schemaSql, 'other_version');
  await server.sql(`UPDATE schema_info SET version = ${SCHEMA_VERSION - 1}`, 'other_version');
  expect(await probe(server.url('other_version'))).toMatchObject([{ problem: 'schema-older', schema: SCHEMA_VERSION - 1 }]);
  await server.sql(`UPDATE schema_info SET version = 99, min_writer = 99`, 'other_version');
  expect(await probe(server.url('other_version'))).toMatchObject([{ problem: 'schema-newer', schema: 99 }]);
});

test('missing rights are named', async () => {
  await server.sql("CREATE USER 'reader'@'127.0.0.1' IDENTIFIED BY 'reader'; GRANT SELECT, INSERT ON console.* TO 'reader'@'127.0.0.1'");
  expect(await probe(server.url('console').replace('console:console', 'reader:reader'))).toMatchObject([
    { problem: 'rights-missing', missingRights: ['UPDATE', 'DELETE'] },
  ]);
});

test('a server that takes no changes is told', async () => {
  await server.sql(
    "CREATE USER 'plain'@'127.0.0.1' IDENTIFIED BY 'plain'; GRANT SELECT, INSERT, UPDATE, DELETE ON console.* TO 'plain'@'127.0.0.1'",
  );
  await server.sql('SET GLOBAL read_only = 1');
  try {
    expect(await problem(server.url('console').replace('console:console', 'plain:plain'))).toBe('read-only');
  } finally {
    await server.sql('SET GLOBAL read_only = 0');
  }
});

test('the documented rights suffice: the administrator makes the tables, the console works and can change none of them', async () => {
  const { statements, administrator, runtime } = await contractSteps();
  await server.sql(statements);
  const address = (login: string) => `mysql://${login}@127.0.0.1:${server.port}/nimbus`;
  expect(await migrateMysql({ url: address(administrator), schemaSql })).toBeGreaterThan(0);
  expect(await migrateMysql({ url: address(administrator), schemaSql })).toBe(0);
  expect(await probe(address(runtime))).toMatchObject([{ problem: null }]);
  const store = await openMysqlStore({ url: address(runtime) });
  try {
    expect(await store.shop.isSeeded()).toBe(false);
  } finally {
    await store.close();
  }
  await server.sql('CREATE DATABASE untouched');
  await expect(migrateMysql({ url: address(runtime).replace('/nimbus', '/untouched'), schemaSql })).rejects.toMatchObject({
    code: 'storage',
  });
  await server.sql('DROP TABLE nimbus.turn_leases');
  await expect(migrateMysql({ url: address(runtime), schemaSql })).rejects.toMatchObject({ code: 'storage' });
  expect(await migrateMysql({ url: address(administrator), schemaSql })).toBe(1);
});
