// Does I/O: decides whether dist/ is up to date and builds it, one process at a time. Used by build, start, dev and the terminal commands.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const STAMP = path.join(PROJECT, 'dist/.stamp');
const LOCK = path.join(PROJECT, 'node_modules/.cache/nimbus-build.lock');

/** Everything the bundles are made from. */
const SOURCES = [
  'electron',
  'renderer',
  'shared',
  'resources',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.node.config.ts',
  'vite.renderer.config.ts',
  'scripts/build-steps.mjs',
];
const NODE_BUILDS = ['main', 'preload', 'terminal', 'loopback'];
const OUTPUTS = [
  'main/main.js',
  'main/sqlite-worker.js',
  'main/sync-worker.js',
  'preload/preload.cjs',
  'terminal/terminal.js',
  'terminal/sqlite-worker.js',
  'terminal/sync-worker.js',
  'loopback/loopback.js',
  'loopback/sqlite-worker.js',
  'loopback/sync-worker.js',
  'renderer/index.html',
];

/** The holder touches its lock this often; one untouched for STALE_MS belongs to a process that died. */
const HEARTBEAT_MS = 2_000;
const STALE_MS = 15_000;
const LOCK_POLL_MS = 150;
/** Longest wait for somebody else's build. */
const LOCK_WAIT_MS = 180_000;

function* filesOf(entry) {
  const full = path.join(PROJECT, entry);
  if (!existsSync(full)) return;
  if (!statSync(full).isDirectory()) {
    yield entry;
    return;
  }
  const names = readdirSync(full).sort();
  for (const name of names) if (!name.startsWith('.')) yield* filesOf(`${entry}/${name}`);
}

/** SHA-256 over path and content of every source, and the Node major: what dist/.stamp is compared with. */
export function sourceHash() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesOf(source)) {
      const content = readFileSync(path.join(PROJECT, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

function isUpToDate(hash) {
  try {
    if (readFileSync(STAMP, 'utf8') !== hash) return false;
  } catch {
    return false;
  }
  return OUTPUTS.every((file) => existsSync(path.join(PROJECT, 'dist', file)));
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** True when the process that took the lock is gone, or has not touched it for long (its pid may be somebody else's by now). */
function isLeftBehind() {
  const touched = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs;
  if (touched === undefined) return false;
  if (Date.now() - touched > STALE_MS) return true;
  try {
    process.kill(Number(readFileSync(path.join(LOCK, 'pid'), 'utf8') || Number.NaN), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Takes the lock directory; waits while a living build holds it. Returns the way to give it back. */
async function takeLock() {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  const giveUpAt = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      mkdirSync(LOCK);
      writeFileSync(path.join(LOCK, 'pid'), String(process.pid));
      const heartbeat = setInterval(() => {
        const now = new Date();
        try {
          utimesSync(LOCK, now, now);
        } catch {
          // Somebody cleaned node_modules/.cache; the build itself goes on.
        }
      }, HEARTBEAT_MS);
      heartbeat.unref();
      return () => {
        clearInterval(heartbeat);
        rmSync(LOCK, { recursive: true, force: true });
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isLeftBehind()) rmSync(LOCK, { recursive: true, force: true });
    else if (Date.now() > giveUpAt) throw new Error(`another build holds ${path.relative(PROJECT, LOCK)}; remove it if none is running`);
    else await sleep(LOCK_POLL_MS);
  }
}

/** Vite prints to stdout by default; here stdout belongs to results. */
function stderrLogger() {
  const write = (message) => process.stderr.write(`${message}\n`);
  return {
    hasWarned: false,
    info: () => {},
    warn: write,
    warnOnce: write,
    error: write,
    clearScreen: () => {},
    hasErrorLogged: () => false,
  };
}

async function buildAll() {
  const vite = await import('vite');
  const customLogger = stderrLogger();
  rmSync(STAMP, { force: true });
  // React picks its production form by this; a test runner that builds has it set to "test".
  process.env.NODE_ENV = 'production';
  for (const mode of NODE_BUILDS) {
    await vite.build({ configFile: path.join(PROJECT, 'vite.node.config.ts'), mode, customLogger, logLevel: 'warn' });
  }
  await vite.build({ configFile: path.join(PROJECT, 'vite.renderer.config.ts'), customLogger, logLevel: 'warn' });
}

/**
 * Makes dist/ match the sources. Returns false after saying why on stderr when a build failed.
 * @param {{ onlyIfNeeded: boolean }} options
 */
export async function ensureBuilt({ onlyIfNeeded }) {
  if (onlyIfNeeded && isUpToDate(sourceHash())) return true;
  let giveBack = () => {};
  try {
    giveBack = await takeLock();
    const hash = sourceHash();
    if (onlyIfNeeded && isUpToDate(hash)) return true;
    process.stderr.write('Building Nimbus Console …\n');
    const started = Date.now();
    await buildAll();
    // Written last, with the hash taken before: a source changed meanwhile means another build next time.
    writeFileSync(STAMP, hash);
    process.stderr.write(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
    return true;
  } catch (error) {
    process.stderr.write(`The build failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  } finally {
    giveBack();
  }
}
