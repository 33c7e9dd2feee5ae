/** Pure: errors of MySQL, MariaDB and mysql2 by what can be done about them. */
import { ConsoleError } from '../../../shared/errors.ts';

/**
 * `redo`: the transaction is gone or must go, the same again may succeed. `lost`: the connection, the outcome of a COMMIT is unknown.
 * `read-only`: this server takes no writes. `access`: the login or its rights. `schema`: the tables are not ours. `reject`: the data.
 */
export type MysqlErrorKind = 'redo' | 'lost' | 'read-only' | 'access' | 'schema' | 'reject' | 'full' | 'other';

const KINDS: Record<number, MysqlErrorKind> = {
  1213: 'redo', // deadlock, or the loser of two Galera nodes
  1205: 'redo', // lock wait timeout; rolls back one statement only, so the caller rolls back the rest
  1020: 'redo', // record changed since last read (MariaDB snapshot isolation)
  1040: 'lost', // too many connections
  1047: 'lost', // Galera node is not ready
  1053: 'lost', // server shutdown
  1152: 'lost',
  1158: 'lost',
  1159: 'lost',
  1160: 'lost',
  1161: 'lost',
  1927: 'lost', // connection was killed
  3169: 'lost', // session was killed
  4031: 'lost', // disconnected for inactivity
  1290: 'read-only',
  1792: 'read-only',
  1836: 'read-only',
  1044: 'access',
  1045: 'access',
  1049: 'access',
  1142: 'access',
  1143: 'access',
  1698: 'access',
  1054: 'schema',
  1146: 'schema',
  1048: 'reject',
  1062: 'reject',
  1153: 'reject',
  1264: 'reject',
  1366: 'reject',
  1406: 'reject',
  1452: 'reject',
  3140: 'reject',
  4025: 'reject',
  1021: 'full',
  1114: 'full',
};

const LOST_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_PACKETS_OUT_OF_ORDER',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

function field(error: unknown, name: 'errno' | 'code'): unknown {
  return typeof error === 'object' && error !== null ? (Reflect.get(error, name) as unknown) : undefined;
}

export function kindOf(error: unknown): MysqlErrorKind {
  const [errno, code] = [field(error, 'errno'), field(error, 'code')];
  const kind = typeof errno === 'number' ? KINDS[errno] : undefined;
  if (kind !== undefined) return kind;
  if (typeof code === 'string' && LOST_CODES.has(code)) return 'lost';
  // mysql2 says so when a command meets a connection that has ended.
  if (error instanceof Error && /closed state|connection (is )?closed|Pool is closed/i.test(error.message)) return 'lost';
  return 'other';
}

/** A unique key is taken. */
export function isDuplicate(error: unknown): boolean {
  return field(error, 'errno') === 1062;
}

/** Of a certificate, in Node's words. */
export function isTlsFailure(error: unknown): boolean {
  const code = field(error, 'code');
  return typeof code === 'string' && /^ERR_TLS_|CERT|SELF_SIGNED|^UNABLE_TO_|^HANDSHAKE_(SSL_ERROR|NO_SSL_SUPPORT)$/.test(code);
}

/** A ConsoleError stays what it is. `place` says which server, without the password. */
export function translated(error: unknown, during: 'read' | 'write', place: string): ConsoleError {
  if (error instanceof ConsoleError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const code = during === 'write' ? 'not-saved' : 'storage';
  const made = (message: string, retryable = false): ConsoleError => new ConsoleError(code, message, { retryable, cause: error });
  if (isTlsFailure(error)) {
    return made(
      `The MySQL server of ${place} has no certificate that can be trusted (${detail}). Name its certificate file with ?ca=FILE.`,
    );
  }
  switch (kindOf(error)) {
    case 'redo':
      return made('MySQL was too busy with other changes of the same rows; nothing was saved. Try again.', true);
    case 'lost':
      return made(`The MySQL server of ${place} cannot be reached (${detail}). Check that it runs; then try again.`, true);
    case 'read-only':
      return new ConsoleError('read-only', `The MySQL server of ${place} takes no changes at present (${detail}).`, { cause: error });
    case 'access':
      return made(`MySQL refused the login or its rights (${detail}). Check user, password and database of the address.`);
    case 'schema':
      return made(`The database ${place} has not the tables of this Nimbus Console (${detail}). Run "npm run db:migrate".`);
    case 'full':
      return made('Nothing was saved: the disk of the MySQL server is full. Free some space there, then try again.', true);
    case 'reject':
      return new ConsoleError('invalid-input', `MySQL refused the data (${detail}); nothing was saved.`, { cause: error });
    case 'other':
      return made(during === 'write' ? `Nothing was saved: ${detail}.` : `The database could not be read: ${detail}.`);
  }
}
