// Runs dependency-cruiser with the table of docs/architecture.md over one project folder. Reads files only.
// Usage: node scripts/gates/imports.mjs [FOLDER]
import '../check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const LAYERS = ['shared', 'electron', 'renderer', 'tests', 'bench'];
/** Fewer modules than this means that the cruiser could not read TypeScript: it then reports success over nothing. */
const LEAST_MODULES = 10;

const root = path.resolve(process.argv[2] ?? '.');
const layers = LAYERS.filter((layer) => existsSync(path.join(root, layer)));
const cruiser = path.resolve(import.meta.dirname, '../../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const run = spawnSync(process.execPath, [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...layers], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});

let report;
try {
  report = JSON.parse(run.stdout);
} catch {
  console.error(`dependency-cruiser gave no report (exit code ${run.status}):\n${run.stderr || run.stdout || run.error}`);
  process.exit(1);
}

const own = report.modules.filter((module) => !module.source.includes('node_modules') && /\.tsx?$/.test(module.source));
if (own.length < LEAST_MODULES) {
  console.error(`dependency-cruiser read ${own.length} TypeScript modules: it checked nothing. Is "typescript" in node_modules version 6?`);
  process.exit(1);
}
for (const violation of report.summary.violations) {
  const way = violation.cycle ? violation.cycle.map((step) => step.name).join(' → ') : violation.to;
  console.error(`${violation.from} → ${way}\n    ${violation.rule.name}: ${commentOf(violation.rule.name)}`);
}
const count = report.summary.violations.length;
console.log(`${own.length} modules, ${count} forbidden imports`);
process.exit(count === 0 ? 0 : 1);

function commentOf(name) {
  return report.summary.ruleSetUsed?.forbidden?.find((rule) => rule.name === name)?.comment ?? 'see .dependency-cruiser.cjs';
}
