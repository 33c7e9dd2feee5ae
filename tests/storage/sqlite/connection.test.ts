import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../../../electron/storage/sqlite/connection.ts';
import { assertSqliteVersion, openConnection } from '../../../electron/storage/sqlite/connection.ts';
import { assertKnownSchema, migrate, MIGRATIONS, schemaVersion } from '../../../electron/storage/sqlite/migrations.ts';
import { sqliteConversations } from '../../../electron/storage/sqlite/sqlite-conversations.ts';
import { sqliteList } from '../../../electron/storage/sqlite/sqlite-list.ts';
import { READ_MESSAGES, READ_TURNS, sqliteTurns } from '../../../electron/storage/sqlite/sqlite-turns.ts';
import { openFolder } from '../../../electron/storage/sqlite/open-folder.ts';
import { answer, conversation, incoming, nextConversationId, question, START } from '../../contract/store-builders.ts';

let folder = '';
const open: Connection[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nimbus-connection-'));
});

afterEach(async () => {
  for (const connection of open.splice(0)) connection.close();
  await rm(folder, { recursive: true });
});

function opened(name = 'nimbus.db'): Connection {
  const connection = openConnection(path.join(folder, name));
  open.push(connection);
  return connection;
}

function migrated(): Connection {
  const connection = opened();
  migrate(connection, null);
  return connection;
}

describe('pragmas', () => {
  test('every connection has them', () => {
    const connection = migrated();
    const expected = {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      busy_timeout: 5000,
      journal_size_limit: 64 * 1024 * 1024,
      trusted_schema: 0,
      secure_delete: 1,
    };
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, connection.pragma(name)]))).toEqual(expected);
    const reader = openConnection(path.join(folder, 'nimbus.db'), { readOnly: true });
    open.push(reader);
    expect([reader.pragma('foreign_keys'), reader.pragma('busy_timeout'), reader.pragma('trusted_schema')]).toEqual([1, 5000, 0]);
  });

  test('the SQLite in use is free of the fault of write-ahead logs before 3.51.3', () => {
    const version = migrated().one<{ version: string }>('SELECT sqlite_version() AS version')?.version ?? '';
    expect(() => assertSqliteVersion(version)).not.toThrow();
    for (const old of ['3.51.2', '3.50.9', '2.99.99', '3.51']) expect(() => assertSqliteVersion(old)).toThrow(/too old/);
    for (const fine of ['3.51.3', '3.51.10', '3.52.0', '4.0.0']) expect(() => assertSqliteVersion(fine)).not.toThrow();
  });
});

/** Turns of two messages each, written in one go. */
function fill(connection: Connection, id: string, turns: number): void {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${turns})`;
  connection.execute(
    `${numbers} INSERT INTO turns (conversation_id, turn, state, started_at) SELECT '${id}', n, 'answered', n FROM numbers`,
  );
  for (const [role, offset] of [
    ['user', -1],
    ['assistant', 0],
  ]) {
    connection.execute(`${numbers} INSERT INTO messages (conversation_id, role, data, uid, turn, seq, content, origin, trust, sent_at, php_chars)
      SELECT '${id}', '${role}', '{}', '${role}-' || n, n, 2 * n + ${offset}, 'text ' || n, 'customer', 'untrusted', n, 40 FROM numbers`);
  }
}

test('[MEM-6] a window of a conversation of 100,000 messages is read by index, from its end', () => {
  const connection = migrated();
  const id = nextConversationId();
  sqliteConversations(connection).create(conversation({ id }));
  fill(connection, id, 50_000);
  const plan = (sql: string, ...parameters: (string | number)[]): string[] =>
    connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters).map((row) => row.detail);
  expect(plan(READ_TURNS, id, 1e9, 3)).toEqual([
    expect.stringMatching(/^SEARCH turns USING PRIMARY KEY \(conversation_id=\? AND turn<\?\)$/),
  ]);
  expect(plan(READ_MESSAGES, id, 1, 3)).toEqual([
    expect.stringMatching(/^SEARCH messages USING INDEX messages_turn \(conversation_id=\? AND turn>\? AND turn<\?\)$/),
  ]);
  const read = sqliteTurns(connection).readTurns(id, { limit: 3 });
  expect(read.map((turn) => [turn.turn, turn.messages.length])).toEqual([
    [50_000, 2],
    [49_999, 2],
    [49_998, 2],
  ]);
});

test('the list reads its page by index, whatever the number of conversations', () => {
  const connection = migrated();
  const plan = connection
    .all<{ detail: string }>(
      'EXPLAIN QUERY PLAN SELECT * FROM conversations c WHERE c.changed_at <= ? AND (c.changed_at < ? OR c.id > ?) ORDER BY c.changed_at DESC, c.id LIMIT ?',
      1,
      1,
      'x',
      50,
    )
    .map((row) => row.detail);
  expect(plan).toEqual([expect.stringMatching(/^SEARCH c USING INDEX conversations_newest/)]);
});

describe('a full disk', () => {
  test('[SYN-1] nothing is half saved, the error is not-saved and retryable, and writing goes on when there is room', () => {
    const connection = migrated();
    const [conversations, turns] = [sqliteConversations(connection), sqliteTurns(connection)];
    const { id } = conversations.create(conversation());
    turns.accept(incoming(id, question('hello'), 'run'));
    const pages = Number(connection.pragma('page_count'));
    connection.pragma(`max_page_count = ${pages + 3}`);
    const big = answer('x'.repeat(200_000), { id: 'big' });
    const write = (): unknown => turns.append(id, 1, 'run', [answer('small', { id: 'small' }), big]);
    expect(write).toThrow(expect.objectContaining({ name: 'ConsoleError', code: 'not-saved', retryable: true }));
    expect(turns.readTurn(id, 1)?.messages.map((message) => message.content)).toEqual(['hello']);
    expect(conversations.get(id)?.messageCount).toBe(1);
    connection.pragma('max_page_count = 1000000');
    expect(write).not.toThrow();
    expect(
      turns
        .readTurn(id, 1)
        ?.messages.map((message) => message.id)
        .slice(1),
    ).toEqual(['small', 'big']);
  });
});

test('deleted text leaves the database, the write-ahead log and the search index', async () => {
  const connection = migrated();
  const [conversations, turns] = [sqliteConversations(connection), sqliteTurns(connection)];
  const secrets = ['xylographic', 'quincunx', 'borborygmus', 'syzygial', 'psithurism'];
  const { id } = conversations.create(conversation({ title: secrets[0] }));
  turns.accept(incoming(id, question(`my secret is ${secrets[1]}`), 'run'));
  turns.append(id, 1, 'run', [answer(`noted: ${secrets[2]}`)]);
  conversations.saveDraft(id, `draft ${secrets[3]}`, START);
  turns.saveStreamedText(id, 1, 'run', `streamed ${secrets[4]}`);
  const inFiles = async (): Promise<string[]> => {
    const names = await readdir(folder);
    const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'latin1')));
    return secrets.filter((secret) => contents.some((content) => content.includes(secret)));
  };
  expect(await inFiles()).toEqual(secrets);
  conversations.delete(id);
  expect(await inFiles()).toEqual([]);
});

describe('migrations', () => {
  test('a fresh file goes through all steps; a second start changes nothing', async () => {
    const connection = migrated();
    expect(schemaVersion(connection)).toBe(MIGRATIONS.length);
    migrate(connection, path.join(folder, 'backups'));
    expect(await readdir(folder)).not.toContain('backups');
  });

  test.each([1])('the fixture of version %i becomes the present schema with everything in it, after a backup', async (version) => {
    const fixture = await readFile(new URL(`./fixtures/schema-${version}.sql`, import.meta.url), 'utf8');
    const old = openConnection(path.join(folder, 'nimbus.db'));
    old.execute(fixture);
    expect(schemaVersion(old)).toBe(version);
    old.close();
    const opened = openFolder(folder);
    const [conversations, turns] = [sqliteList(opened.connection), sqliteTurns(opened.connection)];
    const found = conversations.list({ limit: 9, search: 'parcel' }).items;
    expect(found.map((item) => [item.title, item.lastText])).toEqual([['Where is my parcel?', 'On its way — 返金は不要です。']]);
    expect(conversations.list({ limit: 9, search: '返金' }).total).toBe(1);
    expect(turns.readTurns(found[0]?.id ?? '', { limit: 9 }).map((turn) => [turn.turn, turn.state, turn.messages.length])).toEqual([
      [2, 'running', 1],
      [1, 'answered', 4],
    ]);
    expect(schemaVersion(opened.connection)).toBe(MIGRATIONS.length);
    opened.close();
    const copies = await readdir(path.join(folder, 'backups'));
    expect(copies).toContain(`schema-${version}.db`);
    const copy = openConnection(path.join(folder, `backups/schema-${version}.db`), { readOnly: true });
    open.push(copy);
    expect(schemaVersion(copy)).toBe(version);
    expect(copy.one<{ count: number }>('SELECT COUNT(*) AS count FROM messages')?.count).toBe(5);
  });

  test('a step that fails leaves the schema and the data before it, and the next try makes another backup', async () => {
    const connection = migrated();
    const { id } = sqliteConversations(connection).create(conversation());
    const backups = path.join(folder, 'backups');
    const failing = [
      ...MIGRATIONS,
      (each: Connection): void => {
        each.execute('ALTER TABLE conversations ADD COLUMN colour TEXT');
        each.execute('DELETE FROM conversations');
        throw new Error('a step with a fault');
      },
    ];
    for (let attempt = 0; attempt < 2; attempt += 1) expect(() => migrate(connection, backups, failing)).toThrow(/a step with a fault/);
    expect(schemaVersion(connection)).toBe(MIGRATIONS.length);
    expect(sqliteConversations(connection).get(id)?.id).toBe(id);
    expect((await readdir(backups)).length).toBe(2);
  });

  test('a database of a newer program is refused and not changed', () => {
    const connection = migrated();
    connection.pragma(`user_version = ${MIGRATIONS.length + 1}`);
    connection.close();
    open.pop();
    expect(() => openFolder(folder)).toThrow(expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('newer') }));
    const again = opened();
    expect(schemaVersion(again)).toBe(MIGRATIONS.length + 1);
    expect(again.one<{ count: number }>('SELECT COUNT(*) AS count FROM conversations')?.count).toBe(0);
  });

  test('a database of another program is refused', () => {
    const connection = opened();
    connection.execute('CREATE TABLE songs (name TEXT)');
    expect(() => assertKnownSchema(connection, 'nimbus.db')).toThrow(expect.objectContaining({ code: 'storage' }));
    expect(() => openFolder(folder)).toThrow(/no database of Nimbus Console/);
  });
});
