// npm run check: types of every layer, lint, format, imports, source rules, packages, dead code. Starts programs, changes nothing.
import './check-node.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const AT_ONCE = 2;
const LAYERS = ['shared', 'electron/engine', 'electron/models', 'electron/storage', 'electron', 'renderer', 'tests'];
const bin = (name) => path.join(root, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name);

const steps = [
  ...LAYERS.map((layer) => ({
    name: `types ${layer}`,
    program: process.execPath,
    args: ['node_modules/typescript-native/bin/tsc', '-p', layer],
    fix: 'mend the types; no any, no non-null "!", no ignored errors',
  })),
  {
    name: 'lint',
    program: bin('oxlint'),
    args: ['--type-aware', '--deny-warnings'],
    fix: 'npm run lint shows them; the rules are in .oxlintrc.json',
  },
  { name: 'format', program: bin('biome'), args: ['format', '.'], fix: 'npm run format' },
  gate('imports', 'move the code to the layer it belongs to; the table is in docs/architecture.md'),
  gate('source', 'the rules are in scripts/gates/source-rules.mjs'),
  gate('packages', 'the rules are in scripts/gates/packages.mjs'),
  { name: 'dead code', program: bin('knip'), args: ['--no-progress'], fix: 'delete what nothing uses; entries are in knip.json' },
];

function gate(name, fix) {
  return { name, program: process.execPath, args: [`scripts/gates/${name}.mjs`], fix };
}

/** Runs one step and prints its result. Resolves to true when it passed. */
async function run(step) {
  const started = Date.now();
  const { code, output } = await outputOf(step);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (code === 0) {
    console.log(`ok    ${step.name} (${seconds} s)`);
    return true;
  }
  const command = [path.relative(root, step.program), ...step.args].join(' ');
  console.log(
    `FAIL  ${step.name} (${seconds} s)\n${output.trim().replaceAll(/^/gm, '      ')}\n      ran: ${command}\n      to mend: ${step.fix}`,
  );
  return false;
}

function outputOf(step) {
  return new Promise((resolve) => {
    const child = spawn(step.program, step.args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 1, output: `${error.message}; is "npm ci" done?` }));
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

if (!existsSync(path.join(root, 'node_modules'))) {
  console.error('node_modules is missing: run "npm ci" first');
  process.exit(1);
}
const waiting = [...steps];
const failed = [];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      if (!(await run(step))) failed.push(step.name);
    }
  }),
);
console.log(
  failed.length === 0
    ? `check: all ${steps.length} steps passed`
    : `check: ${failed.length} of ${steps.length} failed: ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
