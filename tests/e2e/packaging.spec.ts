/** Packaging: the unpacked directory is made against a stub of Electron, its contents are listed, and the packed app runs under the stand-in. */
import { extractAll, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FUSES } from '../../scripts/packaging/set-fuses.mjs';
import { ConsolePage } from './harness/console-page.ts';
import { PROJECT, temporaryFolder } from './harness/programs.ts';
import { expectStory, QUESTIONS } from './harness/story.ts';
import { makeStubElectron } from './harness/stub-electron.ts';
import { expect, test } from './harness/test.ts';

const manifest = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
  version: string;
  devDependencies: Record<string, string>;
};

test.describe.configure({ mode: 'serial' });
test.setTimeout(180_000);

let folder: ReturnType<typeof temporaryFolder>;
let unpacked = '';
test.beforeAll(() => {
  folder = temporaryFolder();
  const stub = path.join(folder.path, 'electron');
  makeStubElectron(stub, manifest.devDependencies['electron'] ?? '');
  const output = path.join(folder.path, 'release');
  const run = spawnSync(process.execPath, ['scripts/dist.mjs', '--dir', `--electron-dist=${stub}`, `--output=${output}`], {
    cwd: PROJECT,
    encoding: 'utf8',
    timeout: 150_000,
  });
  expect(run.status, run.stdout + run.stderr).toBe(0);
  unpacked = path.join(output, 'linux-unpacked');
});
test.afterAll(() => folder.remove());

test('the pinned Electron is the installed one', () => {
  const pinned = /^electronVersion: (\S+)$/m.exec(readFileSync(path.join(PROJECT, 'electron-builder.yml'), 'utf8'))?.[1];
  expect(pinned).toBe(manifest.devDependencies['electron']);
});

test('the archive holds the bundles and SQLite, and nothing else', () => {
  const archive = path.join(unpacked, 'resources/app.asar');
  const files = listPackage(archive, { isPack: false }).map((file) => file.replaceAll('\\', '/'));
  const needed = [
    '/package.json',
    '/dist/main/main.js',
    '/dist/main/sqlite-worker.js',
    '/dist/preload/preload.cjs',
    '/dist/renderer/index.html',
    // The tables of a shared database are made from it.
    '/schema.sql',
  ];
  for (const file of [...needed, '/node_modules/better-sqlite3/lib/index.js']) expect(files).toContain(file);
  const known =
    /^\/(package\.json|LICENSE|schema\.sql|dist|dist\/(main|preload|renderer)(\/.*)?|node_modules|node_modules\/better-sqlite3(\/.*)?)$/;
  expect(files.filter((file) => !known.test(file))).toEqual([]);
  expect(files.filter((file) => file.endsWith('.map') || file.endsWith('.ts'))).toEqual([]);
  const natives = files.filter((file) => file.endsWith('.node'));
  expect(natives).toEqual([`/node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`]);
  expect(existsSync(path.join(`${archive}.unpacked`, natives[0] ?? ''))).toBe(true);
});

test('[E19] every fuse is set as written', async () => {
  const wire = await getCurrentFuseWire(path.join(unpacked, 'nimbus-console'));
  const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name))) as (keyof typeof FuseV1Options)[];
  expect(names.length).toBeGreaterThanOrEqual(9);
  for (const name of names) {
    const wanted = FUSES[FuseV1Options[name]] ? FuseState.ENABLE : FuseState.DISABLE;
    expect(wire[FuseV1Options[name]], name).toBe(wanted);
  }
});

test('the packed app, taken out of its archive, answers', async ({ startWindow }) => {
  const app = path.join(folder.path, 'app');
  extractAll(path.join(unpacked, 'resources/app.asar'), app);
  const window = await startWindow({ appFolder: app, packaged: true });
  const page = new ConsolePage(await window.firstWindow());
  await page.ready();
  await page.startConversation('Jonas Lindqvist');
  const answers: string[] = [];
  for (const [index, question] of QUESTIONS.entries()) answers.push(await page.ask(question, index + 1));
  expectStory(answers);
});
