/** Does I/O: statements on one connection, with times as UTC milliseconds on our side and DATETIME(3) on the server's. */
import type { PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { ConsoleError } from '../../../shared/errors.ts';

export type SqlValue = string | number | null;

/** Part of the server's packet size that one statement may take. */
const PACKET_SHARE = 0.75;
/** Rows of one INSERT, and the bytes after which a new one begins. */
const ROWS_PER_INSERT = 200;
const BYTES_PER_INSERT = 1 << 20;

export interface SessionLimits {
  statementMs: number;
  /** `max_allowed_packet` of the server, in bytes. */
  packetBytes: number;
  /** Told about each statement with its milliseconds. */
  onStatement: (sql: string, ms: number) => void;
}

/** A UTC instant as the server keeps it. */
export function sqlTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
}

function fromSqlTime(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

/** Columns named `…_at` hold instants. */
function isTime(column: string): boolean {
  return column.endsWith('_at');
}

export class MysqlSession {
  private readonly connection: PoolConnection;
  private readonly limits: SessionLimits;

  constructor(connection: PoolConnection, limits: SessionLimits) {
    this.connection = connection;
    this.limits = limits;
  }

  /** Times come back as numbers. */
  async all<T>(sql: string, ...parameters: SqlValue[]): Promise<T[]> {
    const rows = (await this.send(sql, parameters)) as RowDataPacket[];
    return rows.map((row) => {
      const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
        name,
        isTime(name) && typeof value === 'string' ? fromSqlTime(value) : value,
      ]);
      return Object.fromEntries(entries) as T;
    });
  }

  async one<T>(sql: string, ...parameters: SqlValue[]): Promise<T | null> {
    return (await this.all<T>(sql, ...parameters))[0] ?? null;
  }

  /** Rows matched. */
  async run(sql: string, ...parameters: SqlValue[]): Promise<number> {
    return ((await this.send(sql, parameters)) as ResultSetHeader).affectedRows;
  }

  /** Inserts rows of equal columns, in as many statements as they need. */
  async insert(table: string, rows: object[], orElse: 'fail' | 'update' | 'keep' = 'fail'): Promise<void> {
    let batch: SqlValue[][] = [];
    let bytes = 0;
    const columns = Object.keys(rows[0] ?? {});
    const flush = async (): Promise<void> => {
      if (batch.length > 0) await this.run(insertSql(table, columns, batch.length, orElse), ...batch.flat());
      batch = [];
      bytes = 0;
    };
    for (const row of rows) {
      const values = Object.entries(row).map(([name, value]: [string, SqlValue]) =>
        isTime(name) && typeof value === 'number' ? sqlTime(value) : value,
      );
      const size = sizeOf(values);
      if (batch.length >= ROWS_PER_INSERT || (batch.length > 0 && bytes + size > BYTES_PER_INSERT)) await flush();
      batch.push(values);
      bytes += size;
    }
    await flush();
  }

  private async send(sql: string, parameters: SqlValue[]): Promise<unknown> {
    const bytes = sizeOf(parameters);
    if (bytes > this.limits.packetBytes * PACKET_SHARE) {
      const limit = Math.round(this.limits.packetBytes / 1_048_576);
      throw new ConsoleError(
        'not-saved',
        `This is larger than the MySQL server takes (max_allowed_packet is ${limit} MB). Shorten it, or let the server take more.`,
      );
    }
    const start = performance.now();
    try {
      const [result] = await this.connection.query({ sql, values: parameters, timeout: this.limits.statementMs });
      return result;
    } finally {
      this.limits.onStatement(sql, performance.now() - start);
    }
  }
}

/** About the bytes on the wire; escaping may double them at most. */
function sizeOf(values: SqlValue[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === 'string' ? Buffer.byteLength(value) : 8;
  return bytes;
}

function insertSql(table: string, columns: string[], rows: number, orElse: 'fail' | 'update' | 'keep'): string {
  const names = columns.map((column) => `\`${column}\``);
  const row = `(${columns.map(() => '?').join(', ')})`;
  const values = Array.from({ length: rows }, () => row).join(', ');
  const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES ${values}`;
  if (orElse === 'fail') return insert;
  // Naming a column as itself changes nothing; INSERT IGNORE would also cut values that are too long.
  const changes =
    orElse === 'keep' ? names.slice(0, 1).map((name) => `${name} = ${name}`) : names.map((name) => `${name} = VALUES(${name})`);
  return `${insert} ON DUPLICATE KEY UPDATE ${changes.join(', ')}`;
}
