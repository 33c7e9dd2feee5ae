/** Does I/O: the shared store on MySQL or MariaDB, without a local copy. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ConsoleError } from '../../../shared/errors.ts';
import type { Store } from '../../engine/ports.ts';
import { ConsoleLeases } from './console-leases.ts';
import type { ConsoleIdentity } from './console-leases.ts';
import { mysqlActions } from './mysql-actions.ts';
import { mysqlArchive } from './mysql-archive.ts';
import { mysqlConversations } from './mysql-conversations.ts';
import { mysqlErasure } from './mysql-erasure.ts';
import { mysqlList } from './mysql-list.ts';
import { MysqlDatabase } from './mysql-database.ts';
import { isTlsFailure, kindOf, translated } from './mysql-errors.ts';
import { mysqlMemories } from './mysql-memories.ts';
import { mysqlPrompts } from './mysql-prompts.ts';
import { DEFAULT_TIMINGS, MysqlPool } from './mysql-pool.ts';
import type { MysqlTimings } from './mysql-pool.ts';
import { mysqlPreferences, mysqlShop, mysqlTickets, mysqlUsage } from './mysql-shop.ts';
import { mysqlTraces } from './mysql-traces.ts';
import { mysqlTurns } from './mysql-turns.ts';
import { mysqlUpkeep } from './mysql-upkeep.ts';
import { serverTime } from './server-time.ts';
import { parseMysqlUrl } from './mysql-url.ts';
import { DEFAULT_LEASE_MS } from './turn-lease.ts';
import { readOnlyReason } from './schema-version.ts';
import type { SchemaInfo } from './schema-version.ts';

/** Statements that take longer are told to `onSlowStatement`. */
const DEFAULT_SLOW_MS = 250;
const OPENED_FOR_READING = 'The database is open for reading only; nothing was changed.';

export interface MysqlStoreOptions {
  /** `mysql://USER:PASS@H1:P1,H2:P2/DB?ca=FILE`. */
  url: string;
  timings?: Partial<MysqlTimings>;
  /** Who runs turns; by default a new id for each store, under which nobody finds its turns again after a crash until the lease has run out. */
  console?: ConsoleIdentity;
  /** How long a console that has stopped keeps others from its turns. */
  leaseMs?: number;
  /** Refuses every write with `read-only`. */
  readOnly?: boolean;
  slowMs?: number;
  /** The statement with `?` for its values, never the values. */
  onSlowStatement?: (sql: string, ms: number) => void;
}

/**
 * Connects and looks at the schema. Rejects with `invalid-input` (address), `storage` (no server, login, certificate) or
 * `unsupported` (a schema this program cannot read). With a schema it may only read, every write rejects with `read-only`.
 */
export async function openMysqlStore(options: MysqlStoreOptions): Promise<Store> {
  const database = await openMysqlDatabase(options);
  const identity = options.console ?? { id: randomUUID(), name: hostname() };
  return mysqlStoreOn(database, new ConsoleLeases(database, identity, options.leaseMs ?? DEFAULT_LEASE_MS));
}

/** Every part of the store on a database, or on one transaction or operation of it. With `leases` the turns begun through it are leased. */
export function mysqlStoreOn(database: MysqlDatabase, leases: ConsoleLeases | null = null): Store {
  return {
    kind: 'mysql',
    conversations: { ...mysqlConversations(database), ...mysqlList(database), ...mysqlTurns(database, leases), ...mysqlUpkeep(database) },
    traces: mysqlTraces(database),
    shop: mysqlShop(database),
    tickets: mysqlTickets(database),
    usage: mysqlUsage(database),
    preferences: mysqlPreferences(database),
    archive: mysqlArchive(database),
    memories: mysqlMemories(database),
    erasure: mysqlErasure(database),
    prompts: mysqlPrompts(database),
    actions: mysqlActions(database),
    serverNow: () => database.read(serverTime),
    close: async () => {
      leases?.stop();
      await database.close();
    },
  };
}

/** Connects and looks at the schema; rejects as `openMysqlStore`. */
export async function openMysqlDatabase(options: MysqlStoreOptions): Promise<MysqlDatabase> {
  const address = parseMysqlUrl(options.url);
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const pool = new MysqlPool(address, timings);
  try {
    const server = await inspect(pool);
    const slowMs = options.slowMs ?? DEFAULT_SLOW_MS;
    return new MysqlDatabase(pool, {
      timings,
      packetBytes: server.packetBytes,
      readOnlyReason: options.readOnly === true ? OPENED_FOR_READING : readOnlyReason(server.schema),
      onStatement: (sql, ms) => {
        if (ms >= slowMs) options.onSlowStatement?.(sql, ms);
      },
    });
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/** One look, without waiting for a server that is away. */
async function inspect(pool: MysqlPool): Promise<{ packetBytes: number; schema: SchemaInfo }> {
  const connection = await pool.acquire(0);
  try {
    const [packets] = await connection.query('SELECT @@max_allowed_packet AS bytes');
    const [rows] = await connection.query('SELECT version, min_reader, min_writer FROM schema_info WHERE id = 1');
    connection.release();
    const schema = (rows as SchemaInfo[])[0];
    if (schema === undefined) throw new ConsoleError('unsupported', `The database ${pool.place} is empty. Run "npm run db:migrate".`);
    return { packetBytes: Number((packets as { bytes: number | string }[])[0]?.bytes), schema };
  } catch (error) {
    if (kindOf(error) === 'lost' || isTlsFailure(error)) pool.discard(connection);
    if (kindOf(error) === 'schema') {
      throw new ConsoleError('unsupported', `The database ${pool.place} has not the tables of Nimbus Console. Run "npm run db:migrate".`, {
        cause: error,
      });
    }
    throw translated(error, 'read', pool.place);
  }
}
