// Builds dist/: main process, preload, terminal, loopback host and page. `--if-needed` does nothing when nothing changed. Messages go to stderr.
import './check-node.mjs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './build-steps.mjs';

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const flags = process.argv.slice(2);
  const unknown = flags.find((flag) => flag !== '--if-needed');
  if (unknown !== undefined) {
    console.error(`unknown flag ${unknown}; the only one is --if-needed`);
    process.exitCode = 2;
  } else {
    process.exitCode = (await ensureBuilt({ onlyIfNeeded: flags.includes('--if-needed') })) ? 0 : 1;
  }
}
