// npm test: check, build, unit, storage and e2e tests. Installs missing system parts where it may. The last line is "N passed, N failed".
// Names of stages as arguments run those alone: npm test -- unit e2e
import './check-node.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureSystemParts } from './system-parts.mjs';
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs';

const root = path.resolve(import.meta.dirname, '..');
const reports = path.join(root, 'test-results');
const MINUTE_MS = 60_000;
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];

/** Stages in order. `needs` names a stage that must have passed. */
const stages = [
  { name: 'check', args: ['scripts/check.mjs'], minutes: 5 },
  { name: 'build', args: ['scripts/build.mjs'], minutes: 5 },
  {
    name: 'unit',
    args: [...vitest, '--project', 'unit', `--outputFile.json=${path.join(reports, 'unit.json')}`],
    read: readVitestReport,
    minutes: 10,
  },
  {
    name: 'storage',
    args: [...vitest, '--project', 'storage', `--outputFile.json=${path.join(reports, 'storage.json')}`],
    read: readVitestReport,
    minutes: 25,
  },
  { name: 'e2e', args: ['node_modules/@playwright/test/cli.js', 'test'], read: readPlaywrightReport, needs: 'build', minutes: 15 },
];

/** What a developer's machine may hold and no test may see. */
const HIDDEN = /^(NIMBUS_|OPENAI_|GEMINI_|GOOGLE_|ANTHROPIC_|ELECTRON_RUN_AS_NODE$|NODE_OPTIONS$)/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !HIDDEN.test(name)));

/** Runs a program with our output. Resolves to its exit code, or a sentence when it was ended by a signal or the clock. */
function run(args, limitMs) {
  return new Promise((resolve) => {
    const detached = process.platform !== 'win32';
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], detached });
    const end = () => (detached && child.pid ? process.kill(-child.pid, 'SIGKILL') : child.kill('SIGKILL'));
    const timer = setTimeout(() => {
      resolve(`did not end within ${limitMs / MINUTE_MS} minutes`);
      end();
    }, limitMs);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end());
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve(signal ? `was ended by ${signal}` : code);
    });
  });
}

async function runStage(stage) {
  const ended = await run(stage.args, stage.minutes * MINUTE_MS);
  if (!stage.read) {
    return ended === 0
      ? { passed: 0, problems: [] }
      : { passed: 0, problems: [`${stage.name} ${ended === 1 ? 'failed' : `ended: ${ended}`}`] };
  }
  let result;
  try {
    result = stage.read(JSON.parse(readFileSync(path.join(reports, `${stage.name}.json`), 'utf8')));
  } catch (error) {
    return { passed: 0, problems: [`${stage.name} left no report (${error.message}); it ended: ${ended}`] };
  }
  if (ended !== 0 && result.problems.length === 0) result.problems.push(`${stage.name} ended with ${ended} although no test failed`);
  if (result.passed + result.problems.length === 0) result.problems.push(`${stage.name} ran no test`);
  return result;
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(`there is no stage ${unknown.join(', ')}; the stages are ${stages.map((stage) => stage.name).join(', ')}`);
  process.exit(2);
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const failures = [...ensureSystemParts()];
let passed = 0;
const broken = new Set();
for (const stage of stages) {
  if (chosen.length > 0 && !chosen.includes(stage.name)) continue;
  console.log(`\n== ${stage.name} ==`);
  if (stage.needs && broken.has(stage.needs)) {
    failures.push(`${stage.name} could not run: ${stage.needs} failed`);
    continue;
  }
  const result = await runStage(stage);
  passed += result.passed;
  failures.push(...result.problems);
  if (result.problems.length > 0) broken.add(stage.name);
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`);
if (chosen.length > 0) console.log(`\nOnly ${chosen.join(', ')} ran.`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
