// Checks every source file of one project folder against scripts/gates/source-rules.mjs. Reads files only.
// Usage: node scripts/gates/source.mjs [FOLDER]
import '../check-node.mjs';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkSource, soleOwners } from './source-rules.mjs';

const PATTERNS = ['{shared,electron,renderer,tests,bench,scripts}/**/*.{ts,tsx,mjs,cjs,css}', '*.{ts,mjs,cjs}'];
const LEAST_FILES = 10;

const root = path.resolve(process.argv[2] ?? '.');
const files = PATTERNS.flatMap((pattern) => globSync(pattern, { cwd: root })).map((file) => file.split(path.sep).join('/'));
if (files.length < LEAST_FILES || !existsSync(path.join(root, 'package.json'))) {
  console.error(`found ${files.length} source files in ${root}: nothing was checked`);
  process.exit(1);
}

const findings = [];
const uses = [];
for (const file of files.toSorted()) {
  const result = checkSource(file, readFileSync(path.join(root, file), 'utf8'));
  for (const finding of result.findings) findings.push({ file, ...finding });
  for (const power of result.powers) uses.push({ file, ...power });
}
findings.push(...soleOwners(uses));
for (const finding of findings) console.error(`${finding.file}:${finding.line} ${finding.rule}: ${finding.message}`);
console.log(`${files.length} files, ${findings.length} findings`);
process.exit(findings.length === 0 ? 0 : 1);
