/** Does I/O: memories in SQLite. Worker only. */
import type { MemoryStore } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { memoryMissing } from '../failures.ts';
import { MEMORY_COLUMNS, MEMORY_ORDER, memoryOf, memoryRow } from '../memory-rows.ts';
import type { MemoryRow } from '../memory-rows.ts';
import type { Connection, SqlValue } from './connection.ts';
import type { SyncPart } from './sync-part.ts';
import { upsert } from './upsert.ts';

export function sqliteMemories(connection: Connection): SyncPart<MemoryStore> {
  return {
    list: ({ tenant, customerId, limit, superseded }) => {
      const mine = customerId === null ? "scope = 'tenant'" : "(scope = 'tenant' OR (scope = 'customer' AND customer_id = ?))";
      const holding = superseded === true ? '' : 'AND superseded_by IS NULL';
      const sql = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE tenant = ? AND ${mine} ${holding} ORDER BY ${MEMORY_ORDER} LIMIT ?`;
      const parameters: SqlValue[] = customerId === null ? [tenant, limit] : [tenant, customerId, limit];
      return connection.all<MemoryRow>(sql, ...parameters).map(memoryOf);
    },
    listAll: ({ limit, tenant, search, superseded }) => {
      const conditions = ['TRUE'];
      const parameters: SqlValue[] = [];
      if (tenant !== undefined) {
        conditions.push('tenant = ?');
        parameters.push(tenant);
      }
      if (superseded !== true) conditions.push('superseded_by IS NULL');
      const sql = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE ${conditions.join(' AND ')} ORDER BY ${MEMORY_ORDER}`;
      const found = connection.all<MemoryRow>(sql, ...parameters).map(memoryOf);
      const wanted = (search ?? '').trim().toLowerCase();
      return found.filter((memory) => wanted === '' || memory.text.toLowerCase().includes(wanted)).slice(0, limit);
    },
    get: (id) => {
      const row = connection.one<MemoryRow>(`SELECT ${MEMORY_COLUMNS} FROM memories WHERE id = ?`, id);
      return row === null ? null : memoryOf(row);
    },
    put: (memories) =>
      connection.write(() => {
        for (const memory of cleaned(memories)) upsert(connection, 'memories', ['id'], memoryRow(memory));
      }),
    delete: (id) =>
      connection.write(() => {
        if (connection.run('DELETE FROM memories WHERE id = ?', id) === 0) throw memoryMissing(id);
        connection.run('UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?', id);
      }),
  };
}
