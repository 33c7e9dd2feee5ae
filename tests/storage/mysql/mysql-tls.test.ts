import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMysqlStore } from '../../../electron/storage/mysql/mysql-store.ts';
import type { Certificate } from '../../fakes/certificates.ts';
import { makeAuthority, makeCertificate } from '../../fakes/certificates.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';
import { startMariadb } from '../../fakes/mariadb-server.ts';

const UNTRUSTED = { name: 'ConsoleError', code: 'storage', message: expect.stringContaining('no certificate that can be trusted') };

let folder = '';
let authority: Certificate;
let stranger: Certificate;
const servers: MariadbServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nimbus-tls-'));
  authority = await makeAuthority(folder, 'authority');
  stranger = await makeAuthority(folder, 'stranger');
  const schema = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  for (const names of ['IP:127.0.0.1', 'DNS:localhost', 'DNS:other.example', null]) {
    const options: string[] = [];
    if (names !== null) {
      const own = await makeCertificate(folder, `server-${servers.length}`, authority, names);
      options.push(`--ssl-ca=${authority.certificate}`, `--ssl-cert=${own.certificate}`, `--ssl-key=${own.key}`);
    }
    const server = await startMariadb({ serverOptions: options });
    servers.push(server);
    await server.sql('CREATE DATABASE console');
    await server.sql(schema, 'console');
  }
}, 300_000);

afterAll(async () => {
  for (const server of servers) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Opens the store over the given address and reads from it. */
async function connects(server: MariadbServer | undefined, host: string, trusted: Certificate | null): Promise<void> {
  const url = server?.url('console').replace('127.0.0.1', host) ?? '';
  const store = await openMysqlStore({ url: trusted === null ? url : `${url}?ca=${encodeURIComponent(trusted.certificate)}` });
  try {
    expect((await store.conversations.list({ limit: 1 })).total).toBe(0);
  } finally {
    await store.close();
  }
}

test('a certificate of a trusted authority that names the host is taken, by address and by name', async () => {
  const [byAddress, byName] = servers;
  await connects(byAddress, '127.0.0.1', authority);
  await connects(byName, 'localhost', authority);
  await byAddress?.sql("ALTER USER 'console'@'127.0.0.1' REQUIRE SSL");
  await connects(byAddress, '127.0.0.1', authority);
  await expect(connects(byAddress, '127.0.0.1', null)).rejects.toMatchObject({ code: 'storage' });
});

test('a certificate of an unknown authority is refused', async () => {
  await expect(connects(servers[0], '127.0.0.1', stranger)).rejects.toMatchObject(UNTRUSTED);
});

test('a certificate for another name is refused, also where the host is an address', async () => {
  await expect(connects(servers[2], 'localhost', authority)).rejects.toMatchObject(UNTRUSTED);
  await expect(connects(servers[2], '127.0.0.1', authority)).rejects.toMatchObject(UNTRUSTED);
  await expect(connects(servers[1], '127.0.0.1', authority)).rejects.toMatchObject(UNTRUSTED);
  await expect(connects(servers[0], 'localhost', authority)).rejects.toMatchObject(UNTRUSTED);
});

test('any host but this machine must speak TLS: one that cannot is refused, and so is a self-signed one', async () => {
  // 0.0.0.0 leads to this machine without being one of its names.
  await expect(connects(servers[3], '0.0.0.0', null)).rejects.toMatchObject(UNTRUSTED);
  await expect(connects(servers[0], '0.0.0.0', null)).rejects.toMatchObject(UNTRUSTED);
});

test('a certificate file that is not there is told', async () => {
  const missing = { certificate: path.join(folder, 'missing.pem'), key: '' };
  await expect(connects(servers[0], '127.0.0.1', missing)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('certificate file'),
  });
});
