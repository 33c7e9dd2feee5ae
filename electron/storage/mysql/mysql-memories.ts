/** Does I/O: memories in MySQL. */
import type { MemoryStore } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { memoryMissing } from '../failures.ts';
import { MEMORY_COLUMNS, MEMORY_ORDER, memoryOf, memoryRow } from '../memory-rows.ts';
import type { MemoryRow } from '../memory-rows.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import type { SqlValue } from './mysql-session.ts';

export function mysqlMemories(database: MysqlDatabase): MemoryStore {
  return {
    list: async ({ tenant, customerId, limit, superseded }) => {
      const mine = customerId === null ? "scope = 'tenant'" : "(scope = 'tenant' OR (scope = 'customer' AND customer_id = ?))";
      const holding = superseded === true ? '' : 'AND superseded_by IS NULL';
      const sql = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE tenant = ? AND ${mine} ${holding} ORDER BY ${MEMORY_ORDER} LIMIT ?`;
      const parameters: SqlValue[] = customerId === null ? [tenant, limit] : [tenant, customerId, limit];
      return (await database.read((session) => session.all<MemoryRow>(sql, ...parameters))).map(memoryOf);
    },
    listAll: async ({ limit, tenant, search, superseded }) => {
      const conditions = ['TRUE'];
      const parameters: SqlValue[] = [];
      if (tenant !== undefined) {
        conditions.push('tenant = ?');
        parameters.push(tenant);
      }
      if (superseded !== true) conditions.push('superseded_by IS NULL');
      const sql = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE ${conditions.join(' AND ')} ORDER BY ${MEMORY_ORDER}`;
      const found = (await database.read((session) => session.all<MemoryRow>(sql, ...parameters))).map(memoryOf);
      const wanted = (search ?? '').trim().toLowerCase();
      return found.filter((memory) => wanted === '' || memory.text.toLowerCase().includes(wanted)).slice(0, limit);
    },
    get: async (id) => {
      const sql = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE id = ?`;
      const row = await database.read((session) => session.one<MemoryRow>(sql, id));
      return row === null ? null : memoryOf(row);
    },
    put: (memories) => database.write((session) => session.insert('memories', cleaned(memories).map(memoryRow), 'update')),
    delete: (id) =>
      database.write(async (session) => {
        if ((await session.run('DELETE FROM memories WHERE id = ?', id)) === 0) throw memoryMissing(id);
        await session.run('UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?', id);
      }),
  };
}
