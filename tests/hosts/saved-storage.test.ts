import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compose, composeForPage } from '../../electron/compose.ts';
import { parseConfig } from '../../electron/config.ts';
import { memoryVault } from '../engine/provider-fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nimbus-saved-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const quiet = { warn: () => undefined, error: () => undefined };

function config(env: Record<string, string> = {}) {
  return parseConfig({ argv: [`--data-dir=${folder}`], env, environmentFile: null, cwd: folder, platform: 'linux' });
}

function choose(choice: string): void {
  // Port 1 has no listener.
  const server = { hosts: '127.0.0.1', port: 1, database: 'nimbus', user: 'nimbus', caFile: '' };
  writeFileSync(path.join(folder, 'storage.json'), JSON.stringify({ version: 1, choice, server }));
}

test('the variables that chose the storage are named; empty ones did not', () => {
  expect(config().storageSetBy).toEqual([]);
  expect(config({ NIMBUS_STORAGE: 'sqlite', NIMBUS_MYSQL_URL: '' }).storageSetBy).toEqual(['NIMBUS_STORAGE']);
  expect(config({ NIMBUS_MYSQL_URL: 'mysql://a:b@h/d' }).storageSetBy).toEqual(['NIMBUS_MYSQL_URL']);
});

test('the terminal says what a saved choice needs, and the environment wins over it', async () => {
  choose('mysql');
  await expect(compose(config(), { host: 'terminal', logger: quiet })).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining('NIMBUS_MYSQL_URL'),
  });
  const opened = await compose(config({ NIMBUS_STORAGE: 'sqlite' }), { host: 'terminal', logger: quiet });
  expect((await opened.api.call('getAppInfo', {})).storage).toBe('sqlite');
  await opened.close();
});

test('a page without storage answers about the storage alone, and works on this computer when a person says so', async () => {
  choose('mysql');
  const keyVault = memoryVault();
  keyVault.kept.set('mysql', 'canary');
  const opened = await composeForPage(config(), { host: 'loopback', logger: quiet, keyVault });
  try {
    await expect(opened.api.call('getAppInfo', {})).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('cannot be reached'),
    });
    await expect(opened.api.call('listConversations', {})).rejects.toMatchObject({ code: 'storage' });
    const { storage } = await opened.api.call('getStorage', {});
    expect(storage).toMatchObject({
      inUse: null,
      next: 'mysql',
      password: 'keychain',
      problem: expect.stringContaining('cannot be reached'),
    });
    expect((await opened.api.call('testStorage', { connection: null })).report).toMatchObject({
      ok: false,
      findings: [{ problem: 'unreachable' }],
    });
    const restarted = new Promise<void>((resolve) => {
      opened.api.subscribe((event) => event.type === 'console-restart' && resolve());
    });
    await opened.api.call('restartConsole', { here: true });
    await restarted;
    expect((await opened.api.call('getAppInfo', {})).storage).toBe('sqlite');
    const after = (await opened.api.call('getStorage', {})).storage;
    expect(after).toMatchObject({ inUse: 'sqlite', next: 'mysql', isSetAside: true, problem: '' });
    expect(JSON.stringify(after)).not.toContain('canary');
  } finally {
    await opened.close();
  }
});

test('what no other choice would mend still ends the start', async () => {
  await expect(composeForPage(config({ NIMBUS_MYSQL_URL: 'mysql://nobody' }), { host: 'loopback', logger: quiet })).rejects.toMatchObject({
    code: 'invalid-input',
  });
});
