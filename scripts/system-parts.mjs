// Programs outside npm that the tests need: finds them, installs them with apt-get where it may, else says what is missing.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/** Folders that hold server programs and are often missing from PATH. */
const EXTRA_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];
const GALERA_FILES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so', '/usr/lib/libgalera_smm.so'];
const INSTALL_LIMIT_MS = 15 * 60_000;

const PARTS = [
  { needs: 'a Chromium browser', find: findChromium, aptPackage: 'chromium', elsewhere: 'install Chromium or set CHROMIUM to its program' },
  {
    needs: 'the MariaDB server (mariadbd, mariadb-install-db)',
    find: () => (findProgram('mariadb-install-db') ? findProgram('mariadbd') : null),
    aptPackage: 'mariadb-server',
    elsewhere: 'install MariaDB 10.11 or newer and put its programs into PATH',
  },
  {
    needs: 'the Galera library for clusters',
    find: () => GALERA_FILES.find((file) => existsSync(file)) ?? null,
    aptPackage: 'galera-4',
    elsewhere: 'install the Galera 4 library of MariaDB',
  },
  { needs: 'rsync, which copies a cluster node', find: () => findProgram('rsync'), aptPackage: 'rsync', elsewhere: 'install rsync' },
];

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Full path of a program in PATH or a folder of server programs; null when it is not there. */
function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...EXTRA_FOLDERS];
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
}

/** The Chromium that tests drive: CHROMIUM, else the first one installed; null when there is none. */
export function findChromium() {
  const chosen = process.env.CHROMIUM;
  if (chosen) return isProgram(chosen) ? chosen : null;
  return ['chromium', 'chromium-browser', 'google-chrome'].map(findProgram).find((file) => file !== null) ?? null;
}

function mayInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Returns what is still missing, as sentences; an empty list means that all is there. */
export function ensureSystemParts() {
  const missing = PARTS.filter((part) => part.find() === null);
  if (missing.length === 0) return [];
  if (mayInstall()) {
    const names = missing.map((part) => part.aptPackage);
    console.log(`installing with apt-get: ${names.join(' ')}`);
    aptGet('update', '-q');
    aptGet('install', '-y', '-q', '--no-install-recommends', ...names);
  }
  return missing
    .filter((part) => part.find() === null)
    .map((part) => `missing: ${part.needs}. On Debian or Ubuntu: apt-get install ${part.aptPackage}; elsewhere: ${part.elsewhere}`);
}

function aptGet(...args) {
  spawnSync('/usr/bin/apt-get', args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: INSTALL_LIMIT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
