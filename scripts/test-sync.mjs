// npm run -s test:sync: the fault matrix of sync, one line for each row, and a count at the end.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'nimbus-test-sync-'));
const report = path.join(folder, 'report.json');
const files = process.argv.slice(2);
const parameters = [
  '--project',
  'storage',
  ...(files.length > 0
    ? files
    : [
        'tests/storage/sync/fault-',
        'tests/storage/sync/galera',
        'tests/storage/sync/unplug',
        'tests/storage/sync/live',
        'tests/storage/sync/late-deletion',
        'tests/storage/sync/erasure',
        'tests/storage/sync/model',
      ]),
];
const args = ['node_modules/vitest/vitest.mjs', 'run', ...parameters, '--reporter=json', `--outputFile=${report}`];
const run = spawnSync(process.execPath, args, { cwd: path.resolve(import.meta.dirname, '..'), stdio: ['ignore', 'ignore', 'inherit'] });
let passed = 0;
let failed = 0;
try {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const file of testResults) {
    for (const test of file.assertionResults) {
      const isPassed = test.status === 'passed';
      if (isPassed) passed += 1;
      else failed += 1;
      console.log(`${isPassed ? 'ok    ' : 'FAILED'} ${test.title} (${((test.duration ?? 0) / 1000).toFixed(1)} s)`);
      if (!isPassed) console.log(`       ${(test.failureMessages?.[0] ?? 'no message').split('\n')[0]}`);
    }
    if (file.assertionResults.length === 0) {
      failed += 1;
      console.log(`FAILED ${path.basename(file.name)}: ${file.message.split('\n')[0]}`);
    }
  }
} catch (error) {
  failed += 1;
  console.log(`FAILED no report: ${error.message}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} rows passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 && run.status === 0 ? 0 : 1;
