/** Does I/O: everything about a customer in MySQL. */
import type { ErasureCounts } from '../../../shared/erasure.ts';
import type { ErasureStore } from '../../engine/ports.ts';
import { ABOUT_CUSTOMER, CONVERSATION_TABLES, customerMark, inJson, RUN_TABLES, textsToFind } from '../erasure-texts.ts';
import { eraseRequests } from './mysql-archive.ts';
import { adoptAll } from './mysql-conversations.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { serverTime } from './server-time.ts';
import type { MysqlSession } from './mysql-session.ts';

const MOST_TEXTS = 40;
const TEXT_TYPES = "'char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json'";

export function mysqlErasure(database: MysqlDatabase): ErasureStore {
  return {
    conversationsOf: (customerId) => database.read((session) => conversationsOf(session, customerId)),
    count: (customerId) => database.read((session) => countCustomer(session, customerId)),
    textsOf: async (customerId) => {
      await adoptAll(database);
      return database.read((session) => textsOf(session, customerId));
    },
    forget: async (customerId) => {
      const at = await database.read(serverTime);
      const mark = { conversation_id: customerMark(customerId), deleted_at: at };
      const counts = await database.read((session) => countCustomer(session, customerId));
      const ids = await database.read((session) => conversationsOf(session, customerId));
      await database.write((session) => session.insert('tombstones', [mark], 'update'));
      // One transaction each: many conversations at once would hold locks for long.
      for (const id of ids) await database.write((session) => forgetConversation(session, id, at));
      await database.write((session) => forgetRest(session, customerId));
      return counts;
    },
    // Its pages, redo log and binlog are the server's own.
    compact: async () => undefined,
    search: (texts) => database.read((session) => searchTexts(session, texts)),
  };
}

async function conversationsOf(session: MysqlSession, customerId: string): Promise<string[]> {
  const sql = `SELECT id FROM conversations WHERE ${ABOUT_CUSTOMER} ORDER BY id`;
  return (await session.all<{ id: string }>(sql, customerId, customerId, customerId)).map((row) => row.id);
}

async function textsOf(session: MysqlSession, customerId: string): Promise<string[]> {
  const person = await session.one<{ name: string; email: string; phone: string }>(
    'SELECT name, email, phone FROM customers WHERE id = ?',
    customerId,
  );
  const sql = `SELECT m.content FROM messages m JOIN conversations c ON c.id = m.conversation_id
    WHERE m.role = 'user' AND m.content IS NOT NULL AND ${ABOUT_CUSTOMER} ORDER BY CHAR_LENGTH(m.content) DESC LIMIT ${MOST_TEXTS}`;
  const rows = await session.all<{ content: string }>(sql, customerId, customerId, customerId);
  return textsToFind(
    person,
    rows.map((row) => row.content),
  );
}

async function countCustomer(session: MysqlSession, customerId: string): Promise<ErasureCounts> {
  const counts: ErasureCounts = {};
  const ids = await conversationsOf(session, customerId);
  const add = async (table: string, where: string, ...parameters: string[]): Promise<void> => {
    const row = await session.one<{ count: number | string }>(`SELECT COUNT(*) AS count FROM ${table} WHERE ${where}`, ...parameters);
    const found = Number(row?.count ?? 0);
    if (found > 0) counts[table] = (counts[table] ?? 0) + found;
  };
  for (const id of ids) {
    await add('conversations', 'id = ?', id);
    for (const table of CONVERSATION_TABLES) await add(table, 'conversation_id = ?', id);
    for (const [table, where] of Object.entries(RUN_TABLES)) await add(table, where, id);
    await add('usage_ledger', 'conversation_id = ?', id);
    for (const table of ['memories', 'tickets'])
      await add(table, 'conversation_id = ? AND (customer_id IS NULL OR customer_id <> ?)', id, customerId);
  }
  for (const table of ['memories', 'tickets', 'orders']) await add(table, 'customer_id = ?', customerId);
  await add('customers', 'id = ?', customerId);
  return counts;
}

async function forgetConversation(session: MysqlSession, id: string, at: number): Promise<void> {
  await session.one('SELECT id FROM conversations WHERE id = ? FOR UPDATE', id);
  await session.insert('tombstones', [{ conversation_id: id, deleted_at: at }], 'update');
  for (const table of ['memories', 'tickets']) await session.run(`DELETE FROM ${table} WHERE conversation_id = ?`, id);
  await session.run('UPDATE usage_ledger SET conversation_id = NULL, turn = NULL, run_id = NULL WHERE conversation_id = ?', id);
  await session.run('DELETE FROM conversations WHERE id = ?', id);
  await session.run('UPDATE applied_ops SET result = NULL WHERE conversation_id = ?', id);
  await eraseRequests(session, id, 0);
}

async function forgetRest(session: MysqlSession, customerId: string): Promise<void> {
  for (const table of ['memories', 'tickets', 'orders']) await session.run(`DELETE FROM ${table} WHERE customer_id = ?`, customerId);
  await session.run('DELETE FROM customers WHERE id = ?', customerId);
  const kept = await session.all<{ id: string }>(
    'SELECT m.id FROM memories m LEFT JOIN memories n ON n.id = m.superseded_by WHERE m.superseded_by IS NOT NULL AND n.id IS NULL',
  );
  for (const { id } of kept) await session.run('UPDATE memories SET superseded_by = NULL WHERE id = ?', id);
  // Answers about tickets belong to no conversation.
  await session.run('UPDATE applied_ops SET result = NULL WHERE result IS NOT NULL AND INSTR(result, ?) > 0', JSON.stringify(customerId));
}

async function searchTexts(session: MysqlSession, texts: readonly string[]): ReturnType<ErasureStore['search']> {
  const columns = await session.all<{ table_name: string; column_name: string }>(
    `SELECT table_name AS table_name, column_name AS column_name FROM information_schema.columns
      WHERE table_schema = DATABASE() AND data_type IN (${TEXT_TYPES}) ORDER BY table_name, column_name`,
  );
  const matches: { place: string; count: number }[] = [];
  const forms = [...new Set(texts.flatMap((text) => [text, inJson(text), inJson(inJson(text))]))];
  if (forms.length === 0) return { columns: columns.length, matches };
  const where = (column: string): string => forms.map(() => `INSTR(CONVERT(${column} USING utf8mb4), ?) > 0`).join(' OR ');
  for (const { table_name: table, column_name: column } of columns) {
    const [quotedTable, quotedColumn] = [table, column].map((name) => `\`${name.replaceAll('`', '``')}\``);
    const sql = `SELECT COUNT(*) AS count FROM ${quotedTable} WHERE ${where(quotedColumn ?? '')}`;
    const count = Number((await session.one<{ count: number | string }>(sql, ...forms))?.count ?? 0);
    if (count > 0) matches.push({ place: `${table}.${column}`, count });
  }
  return { columns: columns.length, matches };
}
