import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConnection } from '../../../electron/storage/sqlite/connection.ts';
import { migrate } from '../../../electron/storage/sqlite/migrations.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';
import { startMariadb } from '../../fakes/mariadb-server.ts';

/** Only one database has these, for the reason given. `TABLE` or `TABLE.COLUMN`. */
const ONLY_MYSQL: Record<string, string> = {
  'conversations.created_at': 'the tutorial’s own time, for other programs',
  'conversations.updated_at': 'the tutorial’s own time, for other programs',
  'conversations.last_seq': 'several consoles take numbers under the row lock and compare when they pull',
  'conversations.version': 'several consoles compare it when they pull',
  'messages.created_at': 'the tutorial’s own time, for other programs',
  search_terms: 'SQLite has a full-text index instead',
  applied_ops: 'only the shared database answers for operations of several consoles',
  turn_leases: 'one engine owns a data folder, so a lease would guard against nobody',
  tool_runs: 'side effects are agreed on where all consoles look',
  offline_branches: 'one engine owns a data folder, so nobody goes on elsewhere',
  'tickets.touched_at': 'several consoles look at the server’s time when they pull',
  tombstones: 'a data folder has no other copy that could come back',
  schema_info: 'SQLite keeps its number in user_version',
};
const ONLY_SQLITE: Record<string, string> = {
  'conversations.search_id': 'the row number the full-text index needs',
  message_search: 'MySQL’s full-text index leaves out two-letter and CJK words; it has search_terms',
  title_search: 'as message_search',
};

const CONVERSATION = '00000000000000000000000000000abc';

let server: MariadbServer;
let schema = '';

beforeAll(async () => {
  schema = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  server = await startMariadb();
  await server.sql('CREATE DATABASE console; CREATE DATABASE twice');
  await server.sql(schema, 'console');
}, 120_000);

afterAll(async () => {
  await server?.stop();
});

/** Rows of a query as lists of text. */
async function rows(sql: string, database = 'console'): Promise<string[][]> {
  const text = await server.sql(sql, database);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

describe('schema.sql', () => {
  test('loads twice without a change', async () => {
    const columns = "SELECT * FROM information_schema.columns WHERE table_schema = 'twice' ORDER BY table_name, ordinal_position";
    await server.sql(schema, 'twice');
    await server.sql("UPDATE counters SET value = 5042 WHERE name = 'last_ticket_id'", 'twice');
    const before = await rows(columns);
    await server.sql(schema, 'twice');
    expect(await rows(columns)).toEqual(before);
    expect(await rows("SELECT value FROM counters WHERE name = 'last_ticket_id'", 'twice')).toEqual([['5042']]);
  });

  test('the statements of the PHP tutorial run unchanged, cascade included', async () => {
    await server.sql(`INSERT INTO conversations (id) VALUES ('${CONVERSATION}')`, 'console');
    const messages = [
      ['user', '{"role":"user","content":"Grüezi 😀"}'],
      ['assistant', '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"get_order","arguments":{"order_id":1043}}]}'],
      ['tool', '{"role":"tool","tool_call_id":"c1","name":"get_order","content":"{}"}'],
      ['assistant', '{"role":"assistant","content":"On its way."}'],
    ];
    for (const [role, data] of messages) {
      await server.sql(`INSERT INTO messages (conversation_id, role, data) VALUES ('${CONVERSATION}', '${role}', '${data}')`, 'console');
    }
    const read = await rows(`SELECT data FROM messages WHERE conversation_id = '${CONVERSATION}' ORDER BY id`);
    expect(read.map(([data]) => JSON.parse(data ?? '') as unknown)).toEqual(messages.map(([, data]) => JSON.parse(data ?? '') as unknown));
    await server.sql(
      `SET time_zone = '+00:00'; UPDATE conversations SET updated_at = NOW() - INTERVAL 31 DAY WHERE id = '${CONVERSATION}'`,
      'console',
    );
    await server.sql('DELETE FROM conversations WHERE updated_at < NOW() - INTERVAL 30 DAY', 'console');
    expect(await rows('SELECT COUNT(*) FROM conversations')).toEqual([['0']]);
    expect(await rows('SELECT COUNT(*) FROM messages')).toEqual([['0']]);
  });

  test('[SYN-2] one place and one message id per conversation, while rows of other programs have neither', async () => {
    const insert = (fields: string, values: string): Promise<string> =>
      server.sql(
        `INSERT INTO messages (conversation_id, role, data, ${fields}) VALUES ('${CONVERSATION}', 'user', '{}', ${values})`,
        'console',
      );
    await server.sql(`INSERT INTO conversations (id) VALUES ('${CONVERSATION}')`, 'console');
    await insert('seq, uid', "1, 'AbC'");
    await insert('seq, uid', "2, 'abc'");
    await insert('seq, uid', 'NULL, NULL');
    await insert('seq, uid', 'NULL, NULL');
    await expect(insert('seq, uid', "1, 'new'")).rejects.toThrow(/Duplicate entry/);
    await expect(insert('seq, uid', "3, 'AbC'")).rejects.toThrow(/Duplicate entry/);
    await server.sql('DELETE FROM conversations', 'console');
  });

  test('every text column is utf8mb4 with a binary collation; only ids and hashes of ours are ascii', async () => {
    const columns = await rows(`SELECT table_name, column_name, character_set_name, collation_name FROM information_schema.columns
      WHERE table_schema = 'console' AND character_set_name IS NOT NULL`);
    expect(columns.length).toBeGreaterThan(100);
    const isOwnId = (column: string): boolean => /(^|_)id$|^idem_key$|sha256$|^args_sha$/.test(column);
    for (const [table, column, characterSet, collation] of columns) {
      const name = `${table}.${column} ${characterSet} ${collation}`;
      if (characterSet === 'ascii') expect([name, isOwnId(column ?? ''), collation]).toEqual([name, true, 'ascii_bin']);
      else expect([name, characterSet, collation]).toEqual([name, 'utf8mb4', 'utf8mb4_bin']);
    }
    const tables = await rows("SELECT table_name, engine, table_collation FROM information_schema.tables WHERE table_schema = 'console'");
    for (const [table, engine, collation] of tables) expect([table, engine, collation]).toEqual([table, 'InnoDB', 'utf8mb4_bin']);
  });

  test('every table has a primary key, which clusters need', async () => {
    const without = await rows(`SELECT t.table_name FROM information_schema.tables t WHERE t.table_schema = 'console' AND NOT EXISTS (
      SELECT 1 FROM information_schema.statistics s WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.index_name = 'PRIMARY')`);
    expect(without).toEqual([]);
  });

  test('nothing in it is known to one of MySQL and MariaDB only', () => {
    const statements = schema.replaceAll(/--.*$/gm, '');
    for (const only of [
      /utf8mb4_0900/i,
      /uca1400/i,
      /\bRETURNING\b/i,
      /SKIP LOCKED/i,
      /\bUUID\b/i,
      /\bSEQUENCE\b/i,
      /JSON_[A-Z]/i,
      /nopad/i,
    ]) {
      expect(statements).not.toMatch(only);
    }
  });

  test('it describes the same tables and columns as the SQLite schema, but for those listed', async () => {
    const mysql = (await rows("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'console'")).map(
      ([table, column]) => `${table}.${column}`,
    );
    const connection = openConnection(':memory:');
    migrate(connection, null);
    const sqlite = connection
      .all<{ name: string }>(
        `SELECT t.name || '.' || c.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c
          WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '%\\_search\\__%' ESCAPE '\\'`,
      )
      .map((row) => row.name);
    connection.close();
    const onlyIn = (own: string[], other: string[], listed: Record<string, string>): string[] =>
      own.filter((name) => !other.includes(name) && !(name in listed) && !((name.split('.')[0] ?? '') in listed));
    expect(onlyIn(mysql, sqlite, ONLY_MYSQL)).toEqual([]);
    expect(onlyIn(sqlite, mysql, ONLY_SQLITE)).toEqual([]);
    const tables = (names: string[]): string[] => names.map((name) => name.split('.')[0] ?? '');
    for (const listed of Object.keys(ONLY_MYSQL)) {
      expect([listed, sqlite.includes(listed) || tables(sqlite).includes(listed)]).toEqual([listed, false]);
      expect([listed, mysql.includes(listed) || tables(mysql).includes(listed)]).toEqual([listed, true]);
    }
    for (const listed of Object.keys(ONLY_SQLITE)) {
      expect([listed, mysql.includes(listed) || tables(mysql).includes(listed)]).toEqual([listed, false]);
      expect([listed, sqlite.includes(listed) || tables(sqlite).includes(listed)]).toEqual([listed, true]);
    }
  });
});
