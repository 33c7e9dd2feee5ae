// Checks package.json and the lock: exact versions, no host names, no install script that may run. Reads files only.
// Usage: node scripts/gates/packages.mjs [FOLDER]
import '../check-node.mjs';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(process.argv[2] ?? '.');
const read = (name) => readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));
const problems = [];

const EXACT = /^(npm:[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
  for (const [name, version] of Object.entries(manifest[group] ?? {})) {
    if (!EXACT.test(version)) problems.push(`package.json: ${name} ${version} is not an exact version`);
    if (lock.packages?.['']?.[group]?.[name] !== version) {
      problems.push(`package-lock.json: ${name} ${version} is not locked; run "npm install --package-lock-only"`);
    }
  }
}
if (!/^ignore-scripts=true$/m.test(read('.npmrc')))
  problems.push('.npmrc: ignore-scripts=true is missing; packages could run code at install');
for (const [location, entry] of Object.entries(lock.packages ?? {})) {
  if (entry.resolved) problems.push(`package-lock.json: ${location} names a host (${new URL(entry.resolved).host}); .npmrc prevents that`);
  if (location !== '' && !entry.link && !entry.integrity) problems.push(`package-lock.json: ${location} has no integrity`);
  if (entry.hasInstallScript && manifest.allowScripts?.[location.split('node_modules/').at(-1)] !== false) {
    problems.push(`package.json: ${location} has an install script; list it as false in allowScripts`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${Object.keys(lock.packages ?? {}).length} locked packages, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
