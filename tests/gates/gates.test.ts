/** Tests of the gates: each kind of bad source is planted in a temporary copy of the tree, and the gate must name it. Reads and writes files. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'nimbus-gates-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A copy of everything that the gates read; packages are linked. */
function copyOfTree(name: string): string {
  const copy = path.join(folder, name);
  mkdirSync(copy);
  const parts = [
    'shared',
    'electron',
    'renderer',
    'package.json',
    'package-lock.json',
    '.npmrc',
    '.dependency-cruiser.cjs',
    'tsconfig.base.json',
  ];
  for (const part of parts) cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  mkdirSync(path.join(copy, 'tests'));
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

function plant(copy: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
  writeFileSync(path.join(copy, file), text);
}

function gate(name: string, copy: string): { code: number | null; output: string } {
  const run = spawnSync(process.execPath, [path.join(root, 'scripts/gates', `${name}.mjs`), copy], { encoding: 'utf8' });
  return { code: run.status, output: run.stdout + run.stderr };
}

describe('imports', () => {
  /** file planted → what it imports → the rule that must name it */
  const plants: [file: string, imports: string, rule: string][] = [
    ['shared/bad-node.ts', 'node:fs', 'shared-imports-shared-and-zod'],
    ['shared/bad-engine.ts', '../electron/engine/ports.ts', 'shared-imports-shared-and-zod'],
    ['electron/engine/bad-node.ts', 'node:fs', 'engine-imports-engine-and-shared'],
    ['electron/engine/bad-package.ts', 'ws', 'engine-imports-engine-and-shared'],
    ['electron/engine/memory/bad-adapter.ts', '../../models/planted.ts', 'engine-imports-engine-and-shared'],
    ['electron/models/bad-engine.ts', '../engine/memory/strategy.ts', 'models-import-ports-and-shared'],
    ['electron/models/bad-storage.ts', '../storage/planted.ts', 'models-import-ports-and-shared'],
    ['electron/storage/bad-engine.ts', '../engine/memory/strategy.ts', 'storage-imports-ports-and-shared'],
    ['electron/storage/bad-model.ts', '../models/planted.ts', 'storage-imports-ports-and-shared'],
    ['electron/hosts/bad-engine.ts', '../engine/ports.ts', 'hosts-import-compose-and-shared'],
    ['electron/hosts/bad-adapter.ts', '../storage/planted.ts', 'adapters-in-compose-only'],
    ['electron/bad-adapter.ts', './models/planted.ts', 'adapters-in-compose-only'],
    ['renderer/bad-engine.ts', '../electron/engine/ports.ts', 'renderer-imports-renderer-and-shared'],
    ['renderer/bad-node.ts', 'node:path', 'renderer-without-node'],
    ['electron/bad-test.ts', '../tests/planted.ts', 'product-without-tests'],
    ['electron/hosts/loopback/bad-electron.ts', 'electron', 'electron-in-the-window-host-only'],
    ['electron/storage/bad-electron.ts', 'electron', 'electron-in-the-window-host-only'],
    ['electron/storage/bad-mysql.ts', 'mysql2', 'mysql2-in-its-adapter-only'],
    ['electron/storage/bad-sqlite.ts', 'better-sqlite3', 'better-sqlite3-in-its-worker-only'],
    ['electron/bad-sqlite.ts', 'better-sqlite3', 'better-sqlite3-in-its-worker-only'],
    ['shared/bad-cycle-a.ts', './bad-cycle-b.ts', 'no-cycle'],
    ['shared/bad-cycle-b.ts', './bad-cycle-a.ts', 'no-cycle'],
    ['electron/hosts/bad-nowhere.ts', './is-not-there.ts', 'no-unresolved'],
  ];
  let findings: string[] = [];

  beforeAll(() => {
    const copy = copyOfTree('imports');
    for (const file of ['electron/models/planted.ts', 'electron/storage/planted.ts', 'tests/planted.ts']) {
      plant(copy, file, 'export const planted = 1;\n');
    }
    for (const [file, imports] of plants) plant(copy, file, `import * as imported from '${imports}';\nexport const used = imported;\n`);
    // A type-only import counts as well.
    plant(copy, 'electron/engine/bad-type.ts', "import type { WebSocket } from 'ws';\nexport type Socket = WebSocket;\n");
    const run = gate('imports', copy);
    expect(run.code).toBe(1);
    findings = run.output.split(/\n(?=\S)/);
  });

  test.each(plants)('%s → %s is refused by %s', (file, _imports, rule) => {
    const named = findings.filter((finding) => finding.startsWith(`${file} → `) && finding.includes(`${rule}:`));
    // A cycle is reported once, from either of its files.
    const cycles = findings.filter((finding) => finding.includes(file) && finding.includes(`${rule}:`));
    expect(rule === 'no-cycle' ? cycles : named).not.toHaveLength(0);
  });

  test('a type-only import of a package is refused too', () => {
    expect(findings.some((finding) => finding.startsWith('electron/engine/bad-type.ts → '))).toBe(true);
  });

  test('a run over no modules fails', () => {
    const copy = path.join(folder, 'empty');
    mkdirSync(path.join(copy, 'shared'), { recursive: true });
    cpSync(path.join(root, '.dependency-cruiser.cjs'), path.join(copy, '.dependency-cruiser.cjs'));
    cpSync(path.join(root, 'tsconfig.base.json'), path.join(copy, 'tsconfig.base.json'));
    plant(copy, 'outside.ts', 'export {};\n');
    const run = gate('imports', copy);
    expect(run.code).toBe(1);
    expect(run.output).toMatch(/read 0 TypeScript modules/);
  });
});

describe('source rules', () => {
  const FIRST = '/** Planted. */\n';
  const plants: [file: string, text: string, rule: string][] = [
    ['electron/engine/bad-clock.ts', `${FIRST}export const a = Date.now();\n`, 'pure-engine'],
    ['electron/engine/bad-date.ts', `${FIRST}export const a = new Date();\n`, 'pure-engine'],
    ['electron/engine/bad-random.ts', `${FIRST}export const a = Math.random();\n`, 'pure-engine'],
    ['electron/engine/bad-process.ts', `${FIRST}export const a = process.env;\n`, 'pure-engine'],
    ['electron/engine/bad-timer.ts', `${FIRST}setTimeout(() => {}, 1);\n`, 'pure-engine'],
    ['electron/engine/bad-fetch.ts', `${FIRST}export const a = fetch('x');\n`, 'pure-engine'],
    ['electron/main-two.ts', `${FIRST}export const a = new BrowserWindow({});\n`, 'one-wrapper'],
    ['electron/hosts/window/second-window.ts', `${FIRST}export const a = new WebContentsView();\n`, 'one-wrapper'],
    ['electron/hosts/window/third-window.ts', `${FIRST}export const a = new electron.BaseWindow();\n`, 'one-wrapper'],
    ['electron/bad-ipc.ts', `${FIRST}ipcMain.on('x', () => {});\n`, 'one-wrapper'],
    ['electron/bad-shell.ts', `${FIRST}void shell.openExternal('https://example.com');\n`, 'one-wrapper'],
    ['electron/bad-path.ts', `${FIRST}void electron.shell.openPath('/');\n`, 'one-wrapper'],
    ['electron/storage/bad-sql.ts', `${FIRST}database.query(\`SELECT \${name}\`);\n`, 'no-built-sql'],
    ['electron/storage/bad-sum.ts', `${FIRST}database.execute('SELECT ' + name);\n`, 'no-built-sql'],
    ['renderer/bad-html.tsx', `${FIRST}export const a = <p dangerouslySetInnerHTML={{ __html: text }} />;\n`, 'no-raw-html'],
    ['renderer/bad-inner.ts', `${FIRST}element.innerHTML = text;\n`, 'no-raw-html'],
    ['renderer/bad-eval.ts', `${FIRST}export const a = new Function('return 1');\n`, 'no-eval'],
    ['renderer/bad-style.css', 'body { background: url(https://example.com/a.png); }\n', 'no-remote-style'],
    ['electron/bad-security.ts', `${FIRST}export const a = { webPreferences: { webSecurity: false } };\n`, 'safe-window'],
    ['electron/bad-sandbox.ts', `${FIRST}export const a = { webPreferences: { sandbox: choice } };\n`, 'safe-window'],
    ['electron/bad-node.ts', `${FIRST}export const a = { nodeIntegration: true };\n`, 'safe-window'],
    ['electron/bad-blink.ts', `${FIRST}export const a = { enableBlinkFeatures: 'X' };\n`, 'safe-window'],
    ['electron/bad-switch.ts', `${FIRST}app.commandLine.appendSwitch('no-sandbox');\n`, 'safe-window'],
    ['electron/bad-certificate.ts', `${FIRST}app.on('certificate-error', () => {});\n`, 'safe-window'],
    ['electron/bad-length.ts', `${FIRST}${'export {};\n'.repeat(450)}`, 'file-length'],
    ['renderer/bad-length.css', 'a { color: red; }\n'.repeat(451), 'file-length'],
    ['electron/no-first-line.ts', 'export const a = 1;\n', 'first-line'],
    ['electron/utils.ts', `${FIRST}export const a = 1;\n`, 'file-name'],
    ['electron/bad-ignore.ts', `${FIRST}// @ts-ig${'nore'}\nexport const a = 1;\n`, 'no-escape'],
    ['tests/bad-skip.test.ts', "test.skip('x', () => {});\n", 'no-skipped-test'],
  ];
  let output = '';

  beforeAll(() => {
    const copy = copyOfTree('source');
    plant(copy, 'electron/hosts/window/first-window.ts', `${FIRST}export const a = new BrowserWindow({});\n`);
    for (const [file, text] of plants) plant(copy, file, text);
    const run = gate('source', copy);
    expect(run.code).toBe(1);
    output = run.output;
  });

  test.each(plants)('%s is refused', (file, _text, rule) => {
    expect(output.split('\n').filter((line) => line.startsWith(`${file}:`) && line.includes(` ${rule}: `))).not.toHaveLength(0);
  });

  test('words in comments, texts, types and names of fields are no findings', () => {
    const copy = copyOfTree('harmless');
    plant(
      copy,
      'electron/engine/harmless.ts',
      `${FIRST}// process, Date.now() and setTimeout\nexport interface Port { process: string; fetch(): void }\n` +
        "export const text = 'Math.random()';\nexport const day = (at: number) => new Date(at).toISOString();\n",
    );
    expect(gate('source', copy).output).not.toContain('harmless.ts');
  });
});

describe('packages', () => {
  test('a range, a host in the lock and a missing ignore-scripts are refused', () => {
    const copy = copyOfTree('packages');
    expect(gate('packages', copy).code).toBe(0);
    const manifest = JSON.parse(readFileSync(path.join(copy, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    manifest.dependencies['zod'] = '^4.0.0';
    plant(copy, 'package.json', JSON.stringify(manifest));
    const lock = JSON.parse(readFileSync(path.join(copy, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string }>;
    };
    lock.packages['node_modules/zod']!.resolved = 'https://registry.example/zod.tgz';
    plant(copy, 'package-lock.json', JSON.stringify(lock));
    plant(copy, '.npmrc', 'fund=false\n');
    const run = gate('packages', copy);
    expect(run.code).toBe(1);
    expect(run.output).toMatch(/zod \^4\.0\.0 is not an exact version/);
    expect(run.output).toMatch(/names a host \(registry\.example\)/);
    expect(run.output).toMatch(/ignore-scripts=true is missing/);
  });
});

test('npm run check runs every gate there is', () => {
  const check = readFileSync(path.join(root, 'scripts/check.mjs'), 'utf8');
  for (const name of ['imports', 'source', 'packages']) {
    expect(existsSync(path.join(root, 'scripts/gates', `${name}.mjs`))).toBe(true);
    expect(check).toContain(`gate('${name}'`);
  }
});
