/** Does I/O: marks that no console can still need leave the shared database, a part of them at a time. */
import type { MysqlDatabase } from './mysql-database.ts';

const KEPT_DAYS = 90;
/** Of each table; few enough that nobody waits for the locks. */
const MOST_AT_ONCE = 1_000;

/** Marks of operations and tombstones older than 90 days, by the server's clock. */
export async function forgetOldMarks(database: MysqlDatabase): Promise<void> {
  const age = `UTC_TIMESTAMP(3) - INTERVAL ${KEPT_DAYS} DAY LIMIT ${MOST_AT_ONCE}`;
  await database.write(async (session) => {
    await session.run(`DELETE FROM applied_ops WHERE applied_at < ${age}`);
    await session.run(`DELETE FROM tombstones WHERE deleted_at < ${age}`);
  });
}
