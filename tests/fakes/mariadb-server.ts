/** Does I/O: a private MariaDB server for tests on a free port of 127.0.0.1 and a folder of its own. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SERVER_PLACES = ['/usr/sbin/mariadbd', '/usr/libexec/mariadbd', '/usr/local/sbin/mariadbd', '/opt/homebrew/bin/mariadbd'];
/** Root must say so; anybody else is who they are. */
const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
/** A busy machine needs long to fill a new data folder. */
const START_MS = 90_000;
const STOP_MS = 20_000;
const POLL_MS = 50;

export interface MariadbServer {
  port: number;
  folder: string;
  /** A URL for the console; the database is made when missing. */
  url(database: string): string;
  /** Runs statements with the `mysql` client as root and gives its tab-separated output. Rejects with the client's words. */
  sql(statements: string, database?: string): Promise<string>;
  /** SIGKILL, as a power cut for the server. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

function serverBinary(): string {
  const found = SERVER_PLACES.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error(
    'mariadbd was not found: install MariaDB first (Debian: "apt-get install mariadb-server", macOS: "brew install mariadb").',
  );
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Options given to `mariadbd` after the usual ones; `place` is where its folder is made. */
export async function startMariadb(options: { serverOptions?: string[]; place?: string } = {}): Promise<MariadbServer> {
  const binary = serverBinary();
  const folder = await mkdtemp(path.join(options.place ?? tmpdir(), 'nimbus-mariadb-'));
  const [data, socket] = [path.join(folder, 'data'), path.join(folder, 'socket')];
  await install(data);
  const port = await freePort();
  let child: ChildProcess | null = null;

  const client = async (statements: string, database?: string): Promise<string> => {
    const parameters = [
      '--no-defaults',
      `--socket=${socket}`,
      '--user=root',
      '--default-character-set=utf8mb4',
      '--batch',
      '--skip-column-names',
    ];
    const running = run('mariadb', database === undefined ? parameters : [...parameters, database], { maxBuffer: 1 << 26 });
    // A client that cannot connect ends before it has read its statements; its words come with the rejection.
    running.child.stdin?.on('error', () => undefined);
    running.child.stdin?.end(statements);
    return (await running).stdout;
  };

  const start = async (): Promise<void> => {
    const parameters = [
      '--no-defaults',
      ...asRoot,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--pid-file=${path.join(folder, 'pid')}`,
      `--log-error=${path.join(folder, 'error.log')}`,
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      '--innodb-flush-log-at-trx-commit=2',
      '--innodb-buffer-pool-size=64M',
      '--innodb-log-file-size=8M',
      ...(options.serverOptions ?? []),
    ];
    const started = spawn(binary, parameters, { stdio: 'ignore' });
    child = started;
    const until = Date.now() + START_MS;
    for (;;) {
      if (started.exitCode !== null || started.signalCode !== null) throw new Error(`mariadbd ended: ${await errorLog(folder)}`);
      if (await isUp(client)) return;
      if (Date.now() > until) throw new Error(`mariadbd did not start within ${START_MS} ms: ${await errorLog(folder)}`);
      await wait(POLL_MS);
    }
  };

  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    const killed = setTimeout(() => running.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(killed);
  };

  await start();
  // Passwords over TCP only: the client above uses the socket.
  await client("CREATE USER 'console'@'127.0.0.1' IDENTIFIED BY 'console'; GRANT ALL ON *.* TO 'console'@'127.0.0.1';");
  return {
    port,
    folder,
    url: (database) => `mysql://console:console@127.0.0.1:${port}/${database}`,
    sql: client,
    kill: () => end('SIGKILL'),
    start,
    stop: async () => {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function install(data: string): Promise<void> {
  await run('mariadb-install-db', [
    '--no-defaults',
    ...asRoot,
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    '--innodb-log-file-size=8M',
  ]);
}

async function isUp(client: (statements: string) => Promise<string>): Promise<boolean> {
  try {
    return (await client('SELECT 1')).trim() === '1';
  } catch {
    return false;
  }
}

async function errorLog(folder: string): Promise<string> {
  try {
    return (await readFile(path.join(folder, 'error.log'), 'utf8')).split('\n').slice(-15).join('\n');
  } catch {
    return 'no error log';
  }
}
