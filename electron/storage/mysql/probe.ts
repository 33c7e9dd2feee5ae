/** Does I/O: one look at every host of an address, to say what is wrong with it. Changes nothing. */
import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { ConsoleError } from '../../../shared/errors.ts';
import type { StorageFinding, StorageProblem } from '../../../shared/storage-choice.ts';
import { kindOf } from './mysql-errors.ts';
import { DEFAULT_TIMINGS, MysqlPool } from './mysql-pool.ts';
import type { MysqlTimings } from './mysql-pool.ts';
import { hostsText } from './mysql-url.ts';
import type { MysqlAddress, MysqlHost } from './mysql-url.ts';
import type { TableText } from './schema-text.ts';
import { SCHEMA_VERSION } from './schema-version.ts';
import type { SchemaInfo } from './schema-version.ts';

export interface ProbeOptions {
  /** What consoles read and write. */
  tables: readonly TableText[];
  timings?: Partial<MysqlTimings>;
}

/** In the order of the address. Never rejects for what a server does. */
export function probeMysql(address: MysqlAddress, options: ProbeOptions): Promise<StorageFinding[]> {
  return Promise.all(address.hosts.map((host) => probeHost(address, host, options)));
}

async function probeHost(address: MysqlAddress, host: MysqlHost, options: ProbeOptions): Promise<StorageFinding> {
  const finding: StorageFinding = {
    host: hostsText([host]),
    problem: null,
    detail: '',
    server: '',
    encryption: '',
    schema: null,
    schemaNeeded: SCHEMA_VERSION,
    missingRights: [],
  };
  let pool: MysqlPool | null = null;
  try {
    pool = new MysqlPool({ ...address, hosts: [host] }, { ...DEFAULT_TIMINGS, ...options.timings });
    const connection = await pool.acquire(0);
    try {
      await lookAround(connection, finding, options.tables);
    } finally {
      connection.destroy();
    }
  } catch (error) {
    const cause = error instanceof ConsoleError && error.cause !== undefined ? error.cause : error;
    finding.problem = pool === null ? 'ca-file' : problemOf(cause);
    finding.detail = cause instanceof Error ? cause.message : String(cause);
  } finally {
    await pool?.close();
  }
  return finding;
}

async function lookAround(connection: PoolConnection, finding: StorageFinding, tables: readonly TableText[]): Promise<void> {
  const [server] = await rows<{ version: string }>(connection, 'SELECT VERSION() AS version');
  finding.server = server?.version ?? '';
  const [encryption] = await rows<{ Value: string }>(connection, "SHOW SESSION STATUS LIKE 'Ssl_version'");
  finding.encryption = encryption?.Value ?? '';
  let schema: SchemaInfo | undefined;
  try {
    [schema] = await rows<SchemaInfo>(connection, 'SELECT version, min_reader, min_writer FROM schema_info WHERE id = 1');
  } catch (error) {
    if (kindOf(error) !== 'schema') throw error;
  }
  finding.schema = schema?.version ?? null;
  finding.problem = schemaProblem(schema);
  if (finding.problem === null) await tryRights(connection, finding, tables);
}

async function rows<T>(connection: PoolConnection, sql: string): Promise<T[]> {
  const [found] = await connection.query<RowDataPacket[]>(sql);
  return found as T[];
}

function schemaProblem(schema: SchemaInfo | undefined): StorageProblem | null {
  if (schema === undefined) return 'schema-missing';
  if (schema.min_reader > SCHEMA_VERSION || schema.min_writer > SCHEMA_VERSION) return 'schema-newer';
  return schema.version < SCHEMA_VERSION ? 'schema-older' : null;
}

/** Statements that touch no row, yet are refused without the right. Grants may come by patterns and roles, so they are not read but tried. */
async function tryRights(connection: PoolConnection, finding: StorageFinding, tables: readonly TableText[]): Promise<void> {
  const missing = new Set<string>();
  for (const { name, columns } of tables) {
    const column = [...columns.keys()][0] ?? 'id';
    const statements = {
      SELECT: `SELECT ${column} FROM ${name} WHERE 1 = 0`,
      INSERT: `INSERT INTO ${name} SELECT * FROM ${name} WHERE 1 = 0`,
      UPDATE: `UPDATE ${name} SET ${column} = ${column} WHERE 1 = 0`,
      DELETE: `DELETE FROM ${name} WHERE 1 = 0`,
    };
    for (const [right, sql] of Object.entries(statements)) {
      try {
        await connection.query(sql);
      } catch (error) {
        if (kindOf(error) === 'schema') {
          finding.problem = 'schema-missing';
          finding.detail = error instanceof Error ? error.message : '';
          return;
        }
        if (kindOf(error) !== 'access') throw error;
        missing.add(right);
      }
    }
  }
  finding.missingRights = [...missing];
  if (missing.size > 0) finding.problem = 'rights-missing';
}

const BY_NUMBER: Readonly<Record<number, StorageProblem>> = {
  1040: 'too-many',
  1044: 'no-right-to-database',
  1045: 'wrong-login',
  1049: 'no-database',
  1142: 'rights-missing',
  1143: 'rights-missing',
  1290: 'read-only',
  1698: 'wrong-login',
  1792: 'read-only',
  1836: 'read-only',
};

const BY_CODE: Readonly<Record<string, StorageProblem>> = {
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNRESET: 'unreachable',
  EPIPE: 'unreachable',
  PROTOCOL_CONNECTION_LOST: 'unreachable',
  ETIMEDOUT: 'timeout',
  PROTOCOL_SEQUENCE_TIMEOUT: 'timeout',
  PROTOCOL_PACKETS_OUT_OF_ORDER: 'not-mysql',
  HANDSHAKE_NO_SSL_SUPPORT: 'tls-none',
};

/** mysql2 keeps Node's words of a refused certificate, but not always its code. */
const TLS_WORDS: readonly [RegExp, StorageProblem][] = [
  [/ALTNAME|altnames|does not match certificate/, 'tls-wrong-name'],
  [/EXPIRED|expired|NOT_YET_VALID|not yet valid/, 'tls-expired'],
  [/SELF_SIGNED|self[- ]signed|UNABLE_TO_|unable to (get|verify)/, 'tls-self-signed'],
  [/^ERR_TLS_|ERR_SSL_|CERT_|HANDSHAKE_SSL_ERROR/, 'tls-other'],
];

/** What an error of a connection means. Pure. */
export function problemOf(error: unknown): StorageProblem {
  if (!(error instanceof Error)) return 'other';
  const errno: unknown = Reflect.get(error, 'errno');
  const code: unknown = Reflect.get(error, 'code');
  const byNumber = typeof errno === 'number' ? BY_NUMBER[errno] : undefined;
  if (byNumber !== undefined) return byNumber;
  const byCode = typeof code === 'string' ? BY_CODE[code] : undefined;
  if (byCode !== undefined) return byCode;
  // The pool's own patience ran out.
  if (error instanceof ConsoleError) return error.retryable ? 'timeout' : 'other';
  const text = `${typeof code === 'string' ? code : ''} ${error.message}`.trim();
  return TLS_WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}
