// Does I/O: finds Electron's executable, or fetches it the way the electron package does. Started as a program, it is the fetching itself.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const THIS_FILE = fileURLToPath(import.meta.url);
/** A download that brings nothing for so long is given up. */
const STALL_MS = 20_000;
const PROGRESS_EVERY_MS = 1_000;
const MEGABYTE = 1024 * 1024;

const require = createRequire(import.meta.url);

function packageFolder() {
  return path.dirname(require.resolve('electron/package.json'));
}

/** The path the electron package would start, when its file is there. */
function installedExecutable() {
  const folder = packageFolder();
  const pathFile = path.join(folder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : null;
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!override && name === null) return null;
  const executable = override ? path.join(override, name ?? 'electron') : path.join(folder, 'dist', name);
  return existsSync(executable) ? executable : null;
}

/** A fetch error says only "fetch failed"; its causes say why. */
function reasonOf(error) {
  const codes = [];
  for (let cause = error; cause; cause = cause.cause) {
    if (cause.code) codes.push(cause.code);
    for (const inner of cause.errors ?? []) if (inner.code) codes.push(inner.code);
  }
  return codes[0] ?? String(error?.message ?? error).split('\n')[0];
}

/** Downloads into the package's own cache with progress on stderr, then lets the package's installer unpack it. */
async function fetchElectron() {
  const folder = packageFolder();
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const checksums = JSON.parse(readFileSync(path.join(folder, 'checksums.json'), 'utf8'));
  const fromElectron = createRequire(path.join(folder, 'package.json'));
  const get = await import(pathToFileURL(fromElectron.resolve('@electron/get')).href);
  process.stderr.write(`Fetching Electron ${version} (once) …\n`);
  let stalled;
  const watch = () => {
    clearTimeout(stalled);
    stalled = setTimeout(() => {
      process.stdout.write(`no answer for ${STALL_MS / 1000} s`);
      process.exit(1);
    }, STALL_MS);
  };
  watch();
  let shownAt = 0;
  const onProgress = ({ transferred, total }) => {
    watch();
    if (Date.now() - shownAt < PROGRESS_EVERY_MS) return;
    shownAt = Date.now();
    const whole = total ? ` of ${Math.round(total / MEGABYTE)}` : '';
    process.stderr.write(`  ${Math.round(transferred / MEGABYTE)}${whole} MB\n`);
  };
  try {
    await get.downloadArtifact({
      version,
      artifactName: 'electron',
      cacheRoot: process.env.electron_config_cache,
      checksums,
      platform: process.platform,
      arch: process.arch,
      downloadOptions: { quiet: true, getProgressCallback: onProgress },
    });
  } finally {
    clearTimeout(stalled);
  }
  const installer = spawn(process.execPath, [path.join(folder, 'install.js')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => installer.on('exit', resolve));
  if (code !== 0) throw new Error('the archive could not be unpacked');
}

/** In a process of its own, so that a hanging connection can be left behind. */
function fetchInChild() {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [THIS_FILE], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    child.on('error', (error) => resolve(reasonOf(error)));
    child.on('close', (code) => resolve(code === 0 ? null : said.trim() || `code ${code}`));
  });
}

/** Resolves with `{ executable }`, or with `{ why }` when there is none and none could be fetched. */
export async function electronExecutable() {
  try {
    const present = installedExecutable();
    if (present !== null) return { executable: present };
    const why = await fetchInChild();
    if (why !== null) return { why: `Electron could not be fetched (${why})` };
    const fetched = installedExecutable();
    return fetched === null ? { why: 'Electron was fetched but its executable is missing' } : { executable: fetched };
  } catch (error) {
    return { why: `Electron is not installed (${reasonOf(error)})` };
  }
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === THIS_FILE) {
  try {
    await fetchElectron();
  } catch (error) {
    process.stdout.write(reasonOf(error));
    process.exitCode = 1;
  }
}
