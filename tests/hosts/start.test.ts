import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from './program.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

// A build may come first.
vi.setConfig({ testTimeout: 180_000 });

let folder: { path: string; remove(): void };
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function script(name: string, argv: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [path.join(PROJECT, 'scripts', name), ...argv], {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, NIMBUS_DATA_DIR: path.join(folder.path, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code));
  });
  return { child, said, ended };
}

describe('npm start', () => {
  test('without a display: one line why, one line with the link, a clean end on SIGTERM', async () => {
    // Elsewhere than on Linux a display is taken for granted, so there the browser is asked for.
    const isLinux = process.platform === 'linux';
    const { child, said, ended } = script('start.mjs', ['--no-open', '--port=0', ...(isLinux ? [] : ['--browser'])]);
    await expect.poll(() => said.stdout, { timeout: 120_000 }).toMatch(/^Nimbus Console: http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n$/);
    const why = said.stderr.split('\n').filter((line) => line.startsWith('No window:'));
    expect(why).toEqual(isLinux ? ['No window: there is no display. Nimbus Console runs in the browser instead.'] : []);
    const page = await fetch(/http:[^#]+/.exec(said.stdout)?.[0] ?? '');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Nimbus Console');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(said.stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  test('a wrong flag ends it before anything opens', async () => {
    const { said, ended } = script('start.mjs', ['--nope']);
    expect(await ended).toBe(2);
    expect(said.stderr).toContain('"--nope"');
    expect(said.stdout).toBe('');
  });

  test('build takes no other flag', async () => {
    const { said, ended } = script('build.mjs', ['--all']);
    expect(await ended).toBe(2);
    expect(said.stderr).toContain('--if-needed');
  });
});

describe("fetching Electron's binary", () => {
  let mirror: Server;
  let requested: string[];
  beforeEach(async () => {
    requested = [];
    mirror = createServer((request, response) => {
      requested.push(request.url ?? '');
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => {
      mirror.listen(0, '127.0.0.1', resolve);
    });
  });
  afterEach(() => mirror.close());

  test('a no comes back at once, as one line that says why', async () => {
    const address = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`;
    const { said, ended } = script('electron-binary.mjs', [], { ELECTRON_MIRROR: address, electron_config_cache: folder.path });
    expect(await ended).toBe(1);
    expect(requested.some((url) => url.includes('electron-v'))).toBe(true);
    expect(said.stdout).toContain('404');
    expect(said.stdout.split('\n')).toHaveLength(1);
    expect(said.stderr).toMatch(/^Fetching Electron \d+\.\d+\.\d+ \(once\) …\n$/);
  });
});
