/** Does I/O: pooled connections to the first host that answers. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { setTimeout as wait } from 'node:timers/promises';
import { createPool } from 'mysql2/promise';
import type { Pool, PoolConnection, PoolOptions } from 'mysql2/promise';
import { ConsoleError } from '../../../shared/errors.ts';
import { storeClosed } from '../failures.ts';
import { isTlsFailure, kindOf, translated } from './mysql-errors.ts';
import { describeAddress } from './mysql-url.ts';
import type { MysqlAddress, MysqlHost } from './mysql-url.ts';

/** All in milliseconds; settings, so that tests need not wait. */
export interface MysqlTimings {
  connectMs: number;
  /** Longest wait for a free connection, a host that answers, or a lost one to come back. */
  acquireMs: number;
  /** A statement that takes longer counts as a lost connection. */
  statementMs: number;
  /** How long a statement waits for a row lock; shorter than `statementMs`. */
  lockMs: number;
}

export const DEFAULT_TIMINGS: MysqlTimings = { connectMs: 5_000, acquireMs: 10_000, statementMs: 10_000, lockMs: 5_000 };

const CONNECTIONS_PER_HOST = 10;
/** Callers waiting for a connection; more are refused. */
const LONGEST_QUEUE = 1_000;
const RETRY_MS = 250;
const IDLE_MS = 60_000;

export class MysqlPool {
  readonly place: string;
  private readonly pools: Pool[];
  private readonly timings: MysqlTimings;
  /** Index of the host that answered last. */
  private active = 0;
  private isClosed = false;

  constructor(address: MysqlAddress, timings: MysqlTimings) {
    this.place = describeAddress(address);
    this.timings = timings;
    const ca = address.caFile === null ? null : certificate(address.caFile);
    this.pools = address.hosts.map((host) => createPool(poolOptions(address, host, ca, timings)));
  }

  /** A connection in a known state. Throws a ConsoleError `storage` when no host answers within `patienceMs`. */
  async acquire(patienceMs: number = this.timings.acquireMs): Promise<PoolConnection> {
    const until = Date.now() + patienceMs;
    for (;;) {
      if (this.isClosed) throw storeClosed();
      const outcome = await this.tryHosts(Math.max(this.timings.connectMs, until - Date.now()));
      if ('connection' in outcome) return outcome.connection;
      const isHopeless = isTlsFailure(outcome.error) || kindOf(outcome.error) !== 'lost';
      if (isHopeless || Date.now() + RETRY_MS >= until) throw translated(outcome.error, 'read', this.place);
      await wait(RETRY_MS);
    }
  }

  /** The connection failed: it is closed, and the next caller begins with the next host. */
  discard(connection: PoolConnection): void {
    connection.destroy();
    this.active = (this.active + 1) % this.pools.length;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await Promise.allSettled(this.pools.map((pool) => pool.end()));
  }

  private async tryHosts(waitMs: number): Promise<{ connection: PoolConnection } | { error: unknown }> {
    let failure: unknown = new Error('no host');
    for (let offset = 0; offset < this.pools.length; offset += 1) {
      const index = (this.active + offset) % this.pools.length;
      const pool = this.pools[index];
      if (pool === undefined) continue;
      try {
        const connection = await withinTime(pool, waitMs);
        try {
          await connection.query(sessionState(this.timings));
        } catch (error) {
          connection.destroy();
          throw error;
        }
        this.active = index;
        return { connection };
      } catch (error) {
        failure = error;
      }
    }
    return { error: failure };
  }
}

/** Every connection is reset when it is given back, its session variables included, so they are set at each loan. */
function sessionState(timings: MysqlTimings): string {
  return `SET NAMES utf8mb4 COLLATE utf8mb4_bin, time_zone = '+00:00',
    sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
    innodb_lock_wait_timeout = ${Math.max(1, Math.round(timings.lockMs / 1000))}`;
}

/** The same trust as Node's own, and the named certificate. */
function certificate(file: string): string[] {
  try {
    return [...rootCertificates, readFileSync(file, 'utf8')];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConsoleError('invalid-input', `The certificate file of the MySQL address cannot be read (${reason}).`, { cause: error });
  }
}

function poolOptions(address: MysqlAddress, host: MysqlHost, ca: string[] | null, timings: MysqlTimings): PoolOptions {
  const isSecured = !host.isLoopback || ca !== null;
  return {
    host: host.host,
    port: host.port,
    user: address.user,
    password: address.password,
    database: address.database,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
    multipleStatements: false,
    connectTimeout: timings.connectMs,
    connectionLimit: CONNECTIONS_PER_HOST,
    queueLimit: LONGEST_QUEUE,
    waitForConnections: true,
    idleTimeout: IDLE_MS,
    resetOnRelease: true,
    stream: () => socketTo(host),
    ...(isSecured
      ? { ssl: { rejectUnauthorized: true, verifyIdentity: true, minVersion: 'TLSv1.2', ...(ca === null ? {} : { ca }) } }
      : {}),
  };
}

/**
 * mysql2 names no host when it starts TLS with an address instead of a name, and Node then checks the certificate against "localhost".
 * Node looks at the socket's own host first.
 */
function socketTo({ host, port }: MysqlHost): Socket {
  const socket = connect({ host, port, keepAlive: true, noDelay: true });
  return Object.assign(socket, { _host: host });
}

/** A connection that comes too late is given back. */
function withinTime(pool: Pool, ms: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(
        new ConsoleError('storage', `No connection to MySQL was free within ${Math.round(ms / 1000)} s. Try again.`, { retryable: true }),
      );
    }, ms);
    pool.getConnection().then(
      (connection) => {
        clearTimeout(timer);
        if (isLate) connection.release();
        else resolve(connection);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });
}
