import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateMysql, mysqlStatus } from '../../../electron/storage/mysql/migrate.ts';
import { openMysqlStore } from '../../../electron/storage/mysql/mysql-store.ts';
import { conversation } from '../../contract/store-builders.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';
import { startMariadb } from '../../fakes/mariadb-server.ts';

const TUTORIAL = `
CREATE TABLE conversations (
  id VARCHAR(32) PRIMARY KEY,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
) DEFAULT CHARSET=latin1;
CREATE TABLE messages (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  conversation_id VARCHAR(32) NOT NULL,
  role ENUM('user', 'assistant', 'tool') NOT NULL,
  data JSON NOT NULL,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  KEY (conversation_id, id),
  FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
) DEFAULT CHARSET=latin1;
INSERT INTO conversations (id) VALUES ('0123456789abcdef0123456789abcdef');
INSERT INTO messages (conversation_id, role, data) VALUES
  ('0123456789abcdef0123456789abcdef', 'user', '{"role":"user","content":"Grüezi 😀"}'),
  ('0123456789abcdef0123456789abcdef', 'assistant', '{"role":"assistant","content":"Hello!"}');`;

let server: MariadbServer;
let schemaSql = '';

beforeAll(async () => {
  schemaSql = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  server = await startMariadb();
}, 120_000);

afterAll(async () => {
  await server?.stop();
});

/** Columns, keys and foreign keys of a database; the order of columns makes no difference to anybody. */
async function shapeOf(database: string): Promise<string[]> {
  const parts = [
    `SELECT 'column', table_name, column_name, column_type, is_nullable, COALESCE(column_default, '-'), COALESCE(collation_name, '-'), extra
      FROM information_schema.columns WHERE table_schema = '${database}'`,
    `SELECT 'key', table_name, index_name, seq_in_index, column_name, non_unique FROM information_schema.statistics
      WHERE table_schema = '${database}'`,
    `SELECT 'foreign', table_name, constraint_name, referenced_table_name, delete_rule FROM information_schema.referential_constraints
      WHERE constraint_schema = '${database}'`,
    `SELECT 'table', table_name, engine, table_collation FROM information_schema.tables WHERE table_schema = '${database}'`,
  ];
  const texts: string[] = [];
  for (const part of parts) texts.push(...(await server.sql(part)).split('\n'));
  return texts.filter((line) => line !== '').sort();
}

test('on an empty database the result is schema.sql, and a second run changes nothing', async () => {
  await server.sql('CREATE DATABASE reference; CREATE DATABASE empty');
  await server.sql(schemaSql, 'reference');
  const steps: string[] = [];
  const changes = await migrateMysql({ url: server.url('empty'), schemaSql, onStep: (text) => steps.push(text) });
  expect([changes, steps.includes('create messages')]).toEqual([steps.length, true]);
  expect(await shapeOf('empty')).toEqual(await shapeOf('reference'));
  expect(await migrateMysql({ url: server.url('empty'), schemaSql })).toBe(0);
});

test('on the tutorial’s own tables the result is schema.sql too, and their conversations open in the console', async () => {
  await server.sql('CREATE DATABASE tutorial');
  await server.sql(TUTORIAL, 'tutorial');
  await migrateMysql({ url: server.url('tutorial'), schemaSql });
  const extra = (await shapeOf('tutorial')).filter((line) => !line.startsWith('key\tmessages\tconversation_id\t'));
  expect(extra).toEqual(await shapeOf('reference'));
  expect(await migrateMysql({ url: server.url('tutorial'), schemaSql })).toBe(0);
  const store = await openMysqlStore({ url: server.url('tutorial') });
  const { items } = await store.conversations.list({ limit: 9, search: 'grüezi' });
  expect(items).toMatchObject([{ id: '0123456789abcdef0123456789abcdef', title: 'Grüezi 😀', lastText: 'Hello!', turnState: 'answered' }]);
  await store.close();
});

test('a migration that stopped half-way goes on', async () => {
  await server.sql('CREATE DATABASE half');
  await server.sql(schemaSql, 'half');
  await server.sql(
    'DROP TABLE tool_runs; ALTER TABLE messages DROP KEY messages_uid, DROP COLUMN php_chars; ALTER TABLE turns DROP FOREIGN KEY turns_conversation',
    'half',
  );
  expect(await migrateMysql({ url: server.url('half'), schemaSql })).toBe(3);
  expect(await shapeOf('half')).toEqual(await shapeOf('reference'));
});

test('two migrations at once: both end well, and the schema is made once', async () => {
  await server.sql('CREATE DATABASE together');
  const both = await Promise.all([1, 2].map(() => migrateMysql({ url: server.url('together'), schemaSql })));
  expect(both.filter((changes) => changes === 0).length).toBe(1);
  expect(await shapeOf('together')).toEqual(await shapeOf('reference'));
});

test('a console refuses a database without its tables, reads an older schema and does not open a newer one', async () => {
  await server.sql('CREATE DATABASE nothing; CREATE DATABASE versions');
  const url = server.url('versions');
  await expect(openMysqlStore({ url: server.url('nothing') })).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('npm run db:migrate'),
  });
  await migrateMysql({ url, schemaSql });
  await server.sql('UPDATE schema_info SET version = 0', 'versions');
  const older = await openMysqlStore({ url });
  expect((await older.conversations.list({ limit: 1 })).total).toBe(0);
  await expect(older.conversations.create(conversation())).rejects.toMatchObject({
    code: 'read-only',
    message: expect.stringContaining('npm run db:migrate'),
  });
  await older.close();
  await migrateMysql({ url, schemaSql });
  expect((await mysqlStatus(url)).version).toBe(2);
  await server.sql('UPDATE schema_info SET version = 7, min_writer = 7', 'versions');
  const newer = await openMysqlStore({ url });
  await expect(newer.conversations.create(conversation())).rejects.toMatchObject({
    code: 'read-only',
    message: expect.stringContaining('Update'),
  });
  await newer.close();
  await server.sql('UPDATE schema_info SET min_reader = 7', 'versions');
  await expect(openMysqlStore({ url })).rejects.toMatchObject({ code: 'unsupported', message: expect.stringContaining('Update') });
  await expect(migrateMysql({ url, schemaSql })).rejects.toMatchObject({ code: 'unsupported' });
});

test('status tells place, server, schema and sizes, without the login', async () => {
  const status = await mysqlStatus(server.url('tutorial'));
  expect(status).toMatchObject({ version: 2, needed: 2, conversations: 1, messages: 2, place: `tutorial on 127.0.0.1:${server.port}` });
  expect(status.server).toContain('MariaDB');
  expect((await mysqlStatus(server.url('nothing'))).version).toBeNull();
  await expect(mysqlStatus(server.url('absent'))).rejects.toMatchObject({ code: 'storage' });
});

test('rule 19: a database that holds conversations is changed only after a person was told to copy it and said so', async () => {
  await server.sql('CREATE DATABASE copied');
  await server.sql(TUTORIAL, 'copied');
  const before = await server.sql('SHOW CREATE TABLE messages', 'copied');
  const migrate = (...more: string[]) =>
    spawnSync(
      process.execPath,
      ['--experimental-strip-types', '--disable-warning=ExperimentalWarning', 'scripts/db.mjs', 'migrate', ...more],
      {
        cwd: fileURLToPath(new URL('../../../', import.meta.url)),
        env: { ...process.env, NIMBUS_MYSQL_ADMIN_URL: server.url('copied') },
        encoding: 'utf8',
        timeout: 60_000,
      },
    );
  const told = migrate();
  expect(told.status, told.stderr).toBe(2);
  expect(told.stderr).toContain('holds 1 conversations under the schema of another program');
  expect(told.stderr).toContain('mariadb-dump');
  expect(await server.sql('SHOW CREATE TABLE messages', 'copied')).toBe(before);
  const done = migrate('--yes');
  expect(done.status, done.stderr).toBe(0);
  expect(done.stdout).toMatch(/\d+ changes made; the database is up to date/u);
  // Nothing to change: nothing to ask.
  expect(migrate()).toMatchObject({ status: 0, stdout: 'the database is up to date\n' });
}, 120_000);
