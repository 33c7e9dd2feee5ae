/** Pure data: where conversations are kept, as people choose it and as a test of the connection finds it. Passwords never appear in any of these. */
import type { KeyStorage } from './models.ts';

export const STORAGE_CHOICES = ['sqlite', 'mysql', 'mysql+cache'] as const;
export type StorageChoice = (typeof STORAGE_CHOICES)[number];

/** A server as it is written into a form; the password is told apart. */
export interface StorageServer {
  /** `HOST`, `HOST:PORT` or several of them with commas, tried in this order. */
  hosts: string;
  /** Of every host that names none. */
  port: number;
  database: string;
  user: string;
  /** Certificate file of the authority that signed the server's certificate; "": those that the system trusts. */
  caFile: string;
}

/** `environment`: part of the address in NIMBUS_MYSQL_URL. */
export type PasswordState = 'none' | 'keychain' | 'session' | 'environment';

export interface StorageView {
  /** What this console works with now; null: it could not start. */
  inUse: StorageChoice | 'memory' | null;
  /** Database and hosts in use, without the login; "" on this computer alone. */
  place: string;
  /** Name of the data folder. */
  folder: string;
  /** Variables of the environment that decide; while there are any, nothing can be chosen here. */
  fixedBy: string[];
  /** What the next start uses. */
  next: StorageChoice | 'memory';
  server: StorageServer | null;
  password: PasswordState;
  keyStorage: KeyStorage;
  /** Why the console could not start, or why what was saved cannot be read; "" when nothing is wrong. */
  problem: string;
  /** True when this start left the chosen storage alone, because a person asked for it. */
  isSetAside: boolean;
}

/** What can be wrong with a server; a closed list, so that every language has words for it. */
export const STORAGE_PROBLEMS = [
  'address', // cannot be read; `detail` says why
  'ca-file', // the certificate file cannot be read
  'unknown-host',
  'unreachable', // nobody listens there
  'timeout',
  'not-mysql', // somebody listens who is no MySQL server
  'too-many', // the server takes no more connections
  'wrong-login',
  'no-database',
  'no-right-to-database',
  'tls-none', // the server speaks no TLS
  'tls-self-signed', // signed by nobody who is trusted
  'tls-wrong-name',
  'tls-expired',
  'tls-other',
  'schema-missing',
  'schema-older',
  'schema-newer',
  'rights-missing',
  'read-only',
  'other',
] as const;
export type StorageProblem = (typeof STORAGE_PROBLEMS)[number];

/** One host of the address. */
export interface StorageFinding {
  host: string;
  /** null: nothing is wrong. */
  problem: StorageProblem | null;
  /** The server's or the system's own words, without secrets; "" when there is nothing to add. */
  detail: string;
  /** e.g. `10.11.6-MariaDB`; "" when no connection came about. */
  server: string;
  /** e.g. `TLSv1.3`; "" without encryption. */
  encryption: string;
  /** Of its tables; null: there are none of ours. */
  schema: number | null;
  schemaNeeded: number;
  /** Rights that consoles need and this login has not, e.g. `INSERT`. */
  missingRights: string[];
}

export interface StorageReport {
  ok: boolean;
  findings: StorageFinding[];
}
