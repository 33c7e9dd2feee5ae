/** Does I/O: a MariaDB Galera cluster for tests, all nodes on 127.0.0.1 with folders of their own. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './mariadb-server.ts';

const run = promisify(execFile);

const SERVER_PLACES = ['/usr/sbin/mariadbd', '/usr/libexec/mariadbd', '/usr/local/sbin/mariadbd'];
const LIBRARY_PLACES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so', '/usr/lib/libgalera_smm.so'];
/** The copying of a node's state does not work as root, so root hands the folders to the server's own account. */
const isRoot = process.getuid?.() === 0;
const OWNER = 'mysql';
const READY_MS = 120_000;
const STOP_MS = 20_000;
const POLL_MS = 100;

export interface GaleraCluster {
  /** Ports of the nodes. */
  ports: number[];
  /** All hosts, in order. */
  url(database: string): string;
  /** Runs statements on one node with the `mariadb` client. */
  sql(node: number, statements: string, database?: string): Promise<string>;
  /** SIGKILL. */
  kill(node: number): Promise<void>;
  stop(): Promise<void>;
}

interface Node {
  folder: string;
  port: number;
  child: ChildProcess;
}

function found(places: readonly string[], what: string): string {
  const place = places.find((each) => existsSync(each));
  if (place === undefined)
    throw new Error(`${what} was not found: install it first (Debian: "apt-get install mariadb-server galera-4 rsync").`);
  return place;
}

export async function startGalera(size: number): Promise<GaleraCluster> {
  const binary = found(SERVER_PLACES, 'mariadbd');
  const library = found(LIBRARY_PLACES, 'the Galera library');
  const folder = await mkdtemp(path.join(tmpdir(), 'nimbus-galera-'));
  const template = path.join(folder, 'template');
  await run('mariadb-install-db', [
    '--no-defaults',
    ...(isRoot ? ['--user=root'] : []),
    `--datadir=${template}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    '--innodb-log-file-size=8M',
  ]);
  const places = await Promise.all(
    Array.from({ length: size }, async () => ({
      sql: await freePort(),
      group: await freePort(),
      state: await freePort(),
      copy: await freePort(),
    })),
  );
  const group = `gcomm://${places.map((place) => `127.0.0.1:${place.group}`).join(',')}`;
  const nodes: Node[] = [];
  const client = async (node: Node, statements: string, database?: string): Promise<string> => {
    const parameters = ['--no-defaults', `--socket=${path.join(node.folder, 'socket')}`, '--user=root', '--batch', '--skip-column-names'];
    const running = run('mariadb', database === undefined ? parameters : [...parameters, database], { maxBuffer: 1 << 26 });
    running.child.stdin?.on('error', () => undefined);
    running.child.stdin?.end(statements);
    return (await running).stdout;
  };
  for (const [index, place] of places.entries()) {
    const home = path.join(folder, `node-${index + 1}`);
    await mkdir(home);
    await cp(template, path.join(home, 'data'), { recursive: true });
    if (isRoot) await run('chown', ['-R', `${OWNER}:`, folder]);
    const child = spawn(
      binary,
      [
        '--no-defaults',
        ...(isRoot ? [`--user=${OWNER}`] : []),
        `--datadir=${path.join(home, 'data')}`,
        `--socket=${path.join(home, 'socket')}`,
        `--port=${place.sql}`,
        '--bind-address=127.0.0.1',
        `--pid-file=${path.join(home, 'pid')}`,
        `--log-error=${path.join(home, 'error.log')}`,
        '--skip-name-resolve',
        '--character-set-server=utf8mb4',
        '--collation-server=utf8mb4_unicode_ci',
        '--innodb-buffer-pool-size=64M',
        '--innodb-log-file-size=8M',
        '--innodb-flush-log-at-trx-commit=2',
        '--binlog-format=ROW',
        '--default-storage-engine=InnoDB',
        '--innodb-autoinc-lock-mode=2',
        '--wsrep-on=ON',
        `--wsrep-provider=${library}`,
        '--wsrep-cluster-name=nimbus',
        `--wsrep-cluster-address=${group}`,
        `--wsrep-node-name=node-${index + 1}`,
        `--wsrep-node-address=127.0.0.1:${place.group}`,
        '--wsrep-sst-method=rsync',
        `--wsrep-sst-receive-address=127.0.0.1:${place.copy}`,
        `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${place.group};ist.recv_addr=127.0.0.1:${place.state};gcache.size=16M;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.keepalive_period=PT0.5S`,
        ...(index === 0 ? ['--wsrep-new-cluster'] : []),
      ],
      { stdio: 'ignore', env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` } },
    );
    const node = { folder: home, port: place.sql, child };
    nodes.push(node);
    await ready(node, client);
  }
  const nodeAt = (index: number): Node => {
    const node = nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  };
  await client(nodeAt(0), "CREATE USER 'console'@'127.0.0.1' IDENTIFIED BY 'console'; GRANT ALL ON *.* TO 'console'@'127.0.0.1'");
  return {
    ports: nodes.map((node) => node.port),
    url: (database) => `mysql://console:console@${nodes.map((node) => `127.0.0.1:${node.port}`).join(',')}/${database}`,
    sql: (node, statements, database) => client(nodeAt(node), statements, database),
    kill: (node) => ended(nodeAt(node).child, 'SIGKILL'),
    stop: async () => {
      for (const node of nodes) await ended(node.child, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ready(node: Node, client: (node: Node, statements: string) => Promise<string>): Promise<void> {
  const until = Date.now() + READY_MS;
  for (;;) {
    if (node.child.exitCode !== null || node.child.signalCode !== null) throw new Error(`a Galera node ended: ${await errorLog(node)}`);
    try {
      const sql = "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'wsrep_ready'";
      if ((await client(node, sql)).trim() === 'ON') return;
    } catch {
      // Not up yet.
    }
    if (Date.now() > until) throw new Error(`a Galera node was not ready within ${READY_MS} ms: ${await errorLog(node)}`);
    await wait(POLL_MS);
  }
}

async function ended(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await Promise.race([gone, wait(STOP_MS)]);
}

async function errorLog(node: Node): Promise<string> {
  try {
    return (await readFile(path.join(node.folder, 'error.log'), 'utf8'))
      .split('\n')
      .filter((line) => /ERROR|error|fail/i.test(line))
      .slice(-12)
      .join('\n');
  } catch {
    return 'no error log';
  }
}
