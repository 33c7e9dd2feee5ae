/** Does I/O: the clock of the shared database, which alone decides about age. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { MysqlSession } from './mysql-session.ts';

/** UTC milliseconds. */
export async function serverTime(session: MysqlSession): Promise<number> {
  const row = await session.one<{ now_at: number }>('SELECT UTC_TIMESTAMP(3) AS now_at');
  if (row === null) throw new ConsoleError('storage', 'The database did not tell its time.');
  return row.now_at;
}
