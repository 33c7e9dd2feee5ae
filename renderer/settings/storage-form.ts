// What stands in the fields about the database, and the connection they mean. Pure.
import type { StorageConnection } from '../../shared/api/storage.ts';
import type { StorageChoice, StorageView } from '../../shared/storage-choice.ts';

export interface StorageForm {
  choice: StorageChoice;
  entry: 'fields' | 'address';
  url: string;
  hosts: string;
  port: string;
  database: string;
  user: string;
  password: string;
  authority: 'system' | 'own';
  caFile: string;
  keep: 'keychain' | 'session';
}

/** The field that must be filled first. */
export type MissingField = 'hosts' | 'port' | 'database' | 'user' | 'password' | 'caFile' | 'url';

const DEFAULT_PORT = 3306;
const MOST_PORT = 65_535;

export function formOf(view: StorageView): StorageForm {
  const { server, next, keyStorage } = view;
  return {
    choice: next === 'memory' ? 'sqlite' : next,
    entry: 'fields',
    url: '',
    hosts: server?.hosts ?? '',
    port: String(server?.port ?? DEFAULT_PORT),
    database: server?.database ?? 'nimbus',
    user: server?.user ?? '',
    password: '',
    authority: server !== null && server.caFile !== '' ? 'own' : 'system',
    caFile: server?.caFile ?? '',
    keep: keyStorage.canPersist ? 'keychain' : 'session',
  };
}

/** An untouched password field means the kept one, where there is one; a new user or server needs its own. */
export function connectionOf(form: StorageForm, view: StorageView): { connection: StorageConnection } | { missing: MissingField } {
  if (form.entry === 'address') {
    const url = form.url.trim();
    return /^(mysql|mariadb):\/\//.test(url) ? { connection: { url } } : { missing: 'url' };
  }
  const hosts = form.hosts.trim();
  const database = form.database.trim();
  const user = form.user.trim();
  const caFile = form.authority === 'own' ? form.caFile.trim() : '';
  const port = /^\d{1,5}$/.test(form.port.trim()) ? Number(form.port) : 0;
  if (hosts === '') return { missing: 'hosts' };
  if (port < 1 || port > MOST_PORT) return { missing: 'port' };
  if (database === '') return { missing: 'database' };
  if (user === '') return { missing: 'user' };
  if (form.authority === 'own' && caFile === '') return { missing: 'caFile' };
  const isKnown = view.server !== null && view.server.user === user && sameHosts(view.server, { hosts, port });
  const hasKept = view.password === 'keychain' || view.password === 'session';
  if (form.password === '' && hasKept && !isKnown) return { missing: 'password' };
  const password = form.password === '' && hasKept ? null : form.password;
  return { connection: { hosts, port, database, user, caFile, password } };
}

interface Hosts {
  hosts: string;
  port: number;
}

function sameHosts(one: Hosts, other: Hosts): boolean {
  const listed = ({ hosts, port }: Hosts) =>
    hosts.split(',').map((host) => (/:\d+$/.test(host.trim()) ? host.trim() : `${host.trim()}:${port}`));
  return listed(one).join() === listed(other).join();
}
