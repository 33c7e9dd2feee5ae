/** Does I/O: which storage the next start uses: the environment, else what a person chose, else this computer. Tests and prepares servers. */
import type { StorageConnection } from '../../../shared/api/storage.ts';
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import type { PasswordState, StorageChoice, StorageFinding, StorageServer, StorageView } from '../../../shared/storage-choice.ts';
import type { KeyVault, StorageDesk } from '../../engine/ports.ts';
import { migrateMysql } from '../mysql/migrate.ts';
import { describeAddress, hostsText, mysqlUrlOf, parseHosts, parseMysqlUrl } from '../mysql/mysql-url.ts';
import type { MysqlAddress } from '../mysql/mysql-url.ts';
import { probeMysql } from '../mysql/probe.ts';
import { parseSchema } from '../mysql/schema-text.ts';
import { SCHEMA_VERSION } from '../mysql/schema-version.ts';
import { readSavedChoice, writeSavedChoice } from './saved-choice.ts';
import type { SavedChoice } from './saved-choice.ts';

type Mode = StorageChoice | 'memory';

/** What a start opens. */
export interface StorageTarget {
  mode: Mode;
  /** Holds the password; null: no server. */
  url: string | null;
}

export interface StorageDeskOptions {
  dataFolder: string;
  /** Shown to people. */
  folderName: string;
  /** What the process was started with. */
  environment: StorageTarget & { setBy: readonly string[] };
  vault: KeyVault;
  /** The text of `schema.sql`. */
  readSchema: () => string;
  /** Told every password before it is used, so that logs can leave it out. */
  onSecret: (password: string) => void;
  /** null: this host does not start again. */
  restart: ((here: boolean) => void) | null;
}

export interface OpenedDesk extends StorageDesk {
  /** Rejects with `storage` where the choice cannot be read or its password is not known. */
  target(here: boolean): Promise<StorageTarget>;
  /** What became of a start; `problem` is why there is no storage. */
  started(outcome: Started): void;
}

interface Started {
  target: StorageTarget | null;
  here: boolean;
  problem: string;
}

const VAULT_SLOT = 'mysql';
const DEFAULT_PORT = 3306;
const NO_PASSWORD =
  'The password of the saved MySQL storage is not kept on this computer. Type it in the storage settings, or set NIMBUS_MYSQL_URL.';

interface KeptPassword {
  find(): Promise<{ state: PasswordState; password: string | null }>;
  /** Rejects with `unsupported` where it cannot be kept as asked. */
  keep(password: string, keep: 'keychain' | 'session'): Promise<void>;
}

function keptPassword({ vault, onSecret }: StorageDeskOptions): KeptPassword {
  let lent: string | null = null;
  return {
    async find() {
      if (lent !== null) return { state: 'session', password: lent };
      const kept = await vault.read(VAULT_SLOT);
      return kept === null ? { state: 'none', password: null } : { state: 'keychain', password: kept };
    },
    async keep(password, keep) {
      onSecret(password);
      const { canPersist, reason } = await vault.storage();
      if (keep === 'keychain') {
        if (!canPersist) throw new ConsoleError('unsupported', `${reason} Keep the password for this session only.`);
        await vault.write(VAULT_SLOT, password);
        lent = null;
        return;
      }
      lent = password;
      // An older one must not come back at the next start.
      if (canPersist) await vault.forget(VAULT_SLOT);
    },
  };
}

interface Addresses {
  next(): Promise<StorageTarget>;
  /** null: what the next start uses. The kept password goes to the user and the hosts it was kept for, and to no other. */
  resolve(connection: StorageConnection | null): Promise<MysqlAddress>;
}

function addresses(options: StorageDeskOptions, kept: KeptPassword): Addresses {
  const { dataFolder, environment, onSecret } = options;
  const keptAddress = async (server: StorageServer): Promise<MysqlAddress> => {
    const { password } = await kept.find();
    if (password === null) throw new ConsoleError('storage', NO_PASSWORD);
    return addressOf(server, password);
  };
  const next = async (): Promise<StorageTarget> => {
    if (environment.setBy.length > 0) return { mode: environment.mode, url: environment.url };
    const saved = await readSavedChoice(dataFolder);
    if (saved === null || saved.choice === 'sqlite' || saved.server === null) return { mode: saved?.choice ?? environment.mode, url: null };
    const address = await keptAddress(saved.server);
    onSecret(address.password);
    return { mode: saved.choice, url: mysqlUrlOf(address) };
  };
  const typed = async (connection: Exclude<StorageConnection, { url: string }>): Promise<MysqlAddress> => {
    if (connection.password !== null) return addressOf(connection, connection.password);
    const server = (await readSavedChoice(dataFolder))?.server ?? null;
    const wanted = addressOf(connection, '');
    if (server !== null) {
      const known = addressOf(server, '');
      const isSame = known.user === wanted.user && hostsText(known.hosts) === hostsText(wanted.hosts);
      if (isSame) return { ...wanted, password: (await keptAddress(server)).password };
    }
    throw new ConsoleError('invalid-input', 'Type the password: the kept one belongs to another user or server.');
  };
  return {
    next,
    async resolve(connection) {
      if (connection === null) {
        const { url } = await next();
        if (url === null) throw new ConsoleError('invalid-input', 'Fill in the server first.');
        return parseMysqlUrl(url);
      }
      const address = 'url' in connection ? parseMysqlUrl(connection.url) : await typed(connection);
      if (address.password !== '') onSecret(address.password);
      return address;
    },
  };
}

export function createStorageDesk(options: StorageDeskOptions): OpenedDesk {
  const kept = keptPassword(options);
  const book = addresses(options, kept);
  let now: Started = { target: null, here: false, problem: '' };
  return {
    target: async (here) => (here ? { mode: 'sqlite', url: null } : book.next()),
    started: (outcome) => {
      now = outcome;
    },
    view: () => viewOf({ options, now, kept }),
    save: (choice, connection, keep) => saveChoice({ options, kept, book }, choice, { connection, keep }),

    async test(connection) {
      let address: MysqlAddress;
      try {
        address = await book.resolve(connection);
      } catch (error) {
        if (connection === null || !('url' in connection)) throw error;
        return { ok: false, findings: [unreadable(toErrorInfo(error).message)] };
      }
      const findings = await probeMysql(address, { tables: parseSchema(options.readSchema()).tables });
      return { ok: findings.every((finding) => finding.problem === null), findings };
    },

    async migrate(connection, adminUrl) {
      const address = await book.resolve(connection);
      if (adminUrl === null) return migrateMysql({ url: mysqlUrlOf(address), schemaSql: options.readSchema() });
      const administrator = parseMysqlUrl(adminUrl);
      options.onSecret(administrator.password);
      if (administrator.database !== address.database) {
        const names = `"${administrator.database}" and "${address.database}"`;
        throw new ConsoleError('invalid-input', `The administrator's address names another database: ${names}.`);
      }
      return migrateMysql({ url: mysqlUrlOf(administrator), schemaSql: options.readSchema() });
    },

    restart(here) {
      if (options.restart === null) throw new ConsoleError('unsupported', 'Close Nimbus Console and start it again.');
      options.restart(here);
    },
  };
}

interface SaveParts {
  options: StorageDeskOptions;
  kept: KeptPassword;
  book: Addresses;
}

async function saveChoice(
  { options, kept, book }: SaveParts,
  choice: StorageChoice,
  { connection, keep }: { connection: StorageConnection | null; keep: 'keychain' | 'session' },
): Promise<void> {
  const { dataFolder, environment } = options;
  if (environment.setBy.length > 0) {
    const names = environment.setBy.join(' and ');
    throw new ConsoleError('forbidden', `The storage is set by ${names}; change it there, or remove it to choose here.`);
  }
  if (choice === 'sqlite') {
    const before = await readSavedChoice(dataFolder).catch(() => null);
    return writeSavedChoice(dataFolder, { choice, server: before?.server ?? null });
  }
  if (connection === null) throw new ConsoleError('invalid-input', 'Fill in the server first.');
  const address = await book.resolve(connection);
  // A kept password stays where it is.
  if ('url' in connection || connection.password !== null) await kept.keep(address.password, keep);
  await writeSavedChoice(dataFolder, { choice, server: serverOf(address) });
}

async function viewOf({ options, now, kept }: { options: StorageDeskOptions; now: Started; kept: KeptPassword }): Promise<StorageView> {
  const { environment, vault, dataFolder } = options;
  const isFixed = environment.setBy.length > 0;
  let saved: SavedChoice | null = null;
  let { problem } = now;
  try {
    saved = isFixed ? null : await readSavedChoice(dataFolder);
  } catch (error) {
    problem ||= toErrorInfo(error).message;
  }
  let password: PasswordState = 'environment';
  if (!isFixed) {
    try {
      password = (await kept.find()).state;
    } catch (error) {
      password = 'none';
      problem ||= toErrorInfo(error).message;
    }
  }
  const url = now.target?.url ?? null;
  return {
    inUse: now.target?.mode ?? null,
    place: url === null ? '' : describeAddress(parseMysqlUrl(url)),
    folder: options.folderName,
    fixedBy: [...environment.setBy],
    next: isFixed ? environment.mode : (saved?.choice ?? environment.mode),
    server: isFixed ? environmentServer(environment.url) : (saved?.server ?? null),
    password,
    keyStorage: await vault.storage(),
    problem,
    isSetAside: now.here,
  };
}

/** An address that cannot be read has its own words elsewhere. */
function environmentServer(url: string | null): StorageServer | null {
  try {
    return url === null ? null : serverOf(parseMysqlUrl(url));
  } catch {
    return null;
  }
}

function addressOf(server: StorageServer, password: string): MysqlAddress {
  const { user, database, caFile } = server;
  return { user, password, database, hosts: parseHosts(server.hosts, server.port), caFile: caFile === '' ? null : caFile };
}

/** A port that all hosts share stands alone. */
function serverOf(address: MysqlAddress): StorageServer {
  const ports = new Set(address.hosts.map((host) => host.port));
  const port = ports.size === 1 ? ([...ports][0] ?? DEFAULT_PORT) : DEFAULT_PORT;
  const hosts =
    ports.size === 1 ? address.hosts.map(({ host }) => (host.includes(':') ? `[${host}]` : host)).join(', ') : hostsText(address.hosts);
  return { hosts, port, database: address.database, user: address.user, caFile: address.caFile ?? '' };
}

function unreadable(detail: string): StorageFinding {
  const nothing = { server: '', encryption: '', schema: null, schemaNeeded: SCHEMA_VERSION, missingRights: [] };
  return { host: '', problem: 'address', detail, ...nothing };
}
