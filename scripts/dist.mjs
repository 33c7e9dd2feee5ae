// npm run dist: builds and packages the window host into release/. Flags: --dir (no installer), --electron-dist=FOLDER, --output=FOLDER.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    dir: { type: 'boolean', default: false },
    'electron-dist': { type: 'string' },
    output: { type: 'string' },
  },
});

function run(file, ...args) {
  const ended = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' });
  if (ended.status !== 0) {
    console.error(`${path.basename(file)} failed; nothing was packaged`);
    process.exit(1);
  }
}

run('scripts/build.mjs', '--if-needed');
const builder = ['--publish', 'never'];
if (values.dir) builder.push('--dir');
if (values['electron-dist']) builder.push(`-c.electronDist=${path.resolve(values['electron-dist'])}`);
if (values.output) builder.push(`-c.directories.output=${path.resolve(values.output)}`);
run('node_modules/electron-builder/cli.js', ...builder);
