// `npm run dev`: the page with hot reload behind the browser host; the engine restarts when its source changes.
import './check-node.mjs';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createServer as createVite } from 'vite';
import { PROJECT } from './build-steps.mjs';

const HOST = path.join(PROJECT, 'scripts/dev-engine.mjs');
const ENGINE_SOURCES = ['electron', 'shared'];
const SETTLE_MS = 150;
const FOLDER_IN_USE = 3;
const STRIPS_TYPES_SINCE = [22, 18];

const note = (text) => process.stderr.write(`${text}\n`);

function nodeFlags() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = STRIPS_TYPES_SINCE;
  return major > leastMajor || (major === leastMajor && minor >= leastMinor) ? [] : ['--experimental-strip-types'];
}

/** Known before Vite starts: the page must be told where its update socket is, which is not where the page comes from. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const pagePort = await freePort();
const vite = await createVite({
  configFile: path.join(PROJECT, 'vite.renderer.config.ts'),
  clearScreen: false,
  logLevel: 'warn',
  server: { host: '127.0.0.1', port: pagePort, strictPort: true, hmr: { host: '127.0.0.1', clientPort: pagePort } },
});
await vite.listen();

const DEFAULT_PORT = 5180;
const rest = process.argv.slice(2).filter((flag) => !flag.startsWith('--port='));
const wanted = process.argv.find((flag) => flag.startsWith('--port='));
// The same port after each restart, so that the open page finds its engine again.
const given = [wanted === '--port=0' ? `--port=${await freePort()}` : (wanted ?? `--port=${DEFAULT_PORT}`), ...rest];
const env = {
  ...process.env,
  NIMBUS_DEV_PAGE: `http://127.0.0.1:${pagePort}`,
  NIMBUS_DEV_SESSION: randomBytes(32).toString('base64url'),
};
let child = null;
let ending = false;
let restarts = 0;

function startEngine() {
  // The browser is opened once, not at each restart.
  const flags = restarts === 0 ? given : [...given.filter((flag) => flag !== '--no-open'), '--no-open'];
  restarts += 1;
  const engine = spawn(process.execPath, [...nodeFlags(), HOST, ...flags], { stdio: 'inherit', env });
  child = engine;
  engine.on('exit', (code) => {
    if (child !== engine) return;
    child = null;
    if (ending || code === FOLDER_IN_USE) void end(code ?? 0);
    else note(`The engine ended (code ${code}); it starts again after the next change.`);
  });
}

/** Ends the engine and waits until it let go of the data folder. */
function stopEngine() {
  const engine = child;
  child = null;
  if (engine === null) return Promise.resolve();
  return new Promise((resolve) => {
    engine.on('exit', resolve);
    engine.kill('SIGTERM');
  });
}

let waiting;
let restarting = Promise.resolve();
function restartSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    restarting = restarting.then(stopEngine).then(() => {
      if (ending) return;
      note('Source changed: the engine starts again.');
      startEngine();
    });
  }, SETTLE_MS);
}

const watchers = ENGINE_SOURCES.map((folder) =>
  watch(path.join(PROJECT, folder), { recursive: true }, (_event, file) => {
    if (!ending && file !== null && /\.(ts|json)$/.test(file)) restartSoon();
  }),
);

async function end(code) {
  if (ending && child !== null) return;
  ending = true;
  clearTimeout(waiting);
  for (const watcher of watchers) watcher.close();
  await stopEngine();
  await vite.close();
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0));
startEngine();
