/** Pure: `mysql://USER:PASS@H1:P1,H2:P2/DB?ca=FILE`. */
import { ConsoleError } from '../../../shared/errors.ts';

const DEFAULT_PORT = 3306;

export interface MysqlHost {
  host: string;
  port: number;
  /** This machine: a connection that no one else can listen to or answer. */
  isLoopback: boolean;
}

export interface MysqlAddress {
  user: string;
  password: string;
  /** Tried in this order. */
  hosts: MysqlHost[];
  database: string;
  /** Certificate file to trust besides those of the system; null: none. */
  caFile: string | null;
}

/** Throws `invalid-input` with a sentence that never repeats the password. */
export function parseMysqlUrl(text: string): MysqlAddress {
  const match = /^(?:mysql|mariadb):\/\/(?<login>[^@/?#]*)@(?<hosts>[^@/?#]+)\/(?<database>[^/?#]+)(?:\?(?<query>[^#]*))?$/.exec(
    text.trim(),
  );
  const parts = match?.groups;
  if (parts === undefined) throw wrong('it has the form mysql://USER:PASS@HOST:PORT/DATABASE');
  const [user = '', ...password] = (parts['login'] ?? '').split(':');
  const caFile = optionsOf(parts['query'] ?? '');
  if (user === '') throw wrong('the user is missing');
  return {
    user: decoded(user, 'user'),
    password: decoded(password.join(':'), 'password'),
    hosts: parseHosts(parts['hosts'] ?? ''),
    database: decoded(parts['database'] ?? '', 'database'),
    caFile,
  };
}

/** `HOST:PORT,HOST:PORT`; `port` is that of hosts that name none. Throws `invalid-input`. */
export function parseHosts(text: string, port: number = DEFAULT_PORT): MysqlHost[] {
  return text.split(',').map((each) => hostOf(each, port));
}

/** The way back: hosts as `parseHosts` reads them. */
export function hostsText(hosts: readonly MysqlHost[]): string {
  return hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
}

/** The address as `parseMysqlUrl` reads it. Holds the password. */
export function mysqlUrlOf(address: MysqlAddress): string {
  const { user, password, hosts, database, caFile } = address;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const query = caFile === null ? '' : `?ca=${encodeURIComponent(caFile)}`;
  return `mysql://${login}@${hostsText(hosts)}/${encodeURIComponent(database)}${query}`;
}

/** For people: hosts and database, without user and password. */
export function describeAddress(address: MysqlAddress): string {
  return `${address.database} on ${address.hosts.map((host) => `${host.host}:${host.port}`).join(', ')}`;
}

function wrong(reason: string): ConsoleError {
  return new ConsoleError('invalid-input', `The MySQL address cannot be used: ${reason}. Special characters are written as %XX.`);
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(`the ${name} has a broken %XX`);
  }
}

function optionsOf(query: string): string | null {
  let caFile: string | null = null;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'ca') throw wrong(`there is no option "${name}"; the only one is ca=FILE`);
    if (value === '') throw wrong('the option ca names no file');
    caFile = value;
  }
  return caFile;
}

function hostOf(text: string, standardPort: number): MysqlHost {
  const match = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<name>[^:[\]\s]+))(?::(?<port>\d{1,5}))?$/.exec(text.trim());
  const host = match?.groups?.['six'] ?? match?.groups?.['name'];
  if (host === undefined) throw wrong(`"${text.slice(0, 100)}" is no HOST:PORT`);
  const port = Number(match?.groups?.['port'] ?? standardPort);
  if (port < 1 || port > 65_535) throw wrong(`${port} is no port`);
  return { host, port, isLoopback: host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host) };
}
