/** Does I/O: insert or update by key. Worker only. */
import type { Connection, SqlRecord, SqlValue } from './connection.ts';

/** Unlike REPLACE it keeps the rows that refer to this one. Only inside a write. */
export function upsert(connection: Connection, table: string, keys: string[], record: SqlRecord): void {
  const columns = Object.keys(record);
  const values = Object.values(record) as SqlValue[];
  const changes = columns.filter((column) => !keys.includes(column)).map((column) => `${column} = excluded.${column}`);
  connection.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
      ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${changes.join(', ')}`,
    ...values,
  );
}
