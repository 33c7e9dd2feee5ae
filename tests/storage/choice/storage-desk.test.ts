import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeyVault } from '../../../electron/engine/ports.ts';
import { CHOICE_FILE, readSavedChoice } from '../../../electron/storage/choice/saved-choice.ts';
import { createStorageDesk } from '../../../electron/storage/choice/storage-desk.ts';
import type { OpenedDesk, StorageDeskOptions } from '../../../electron/storage/choice/storage-desk.ts';
import { memoryVault } from '../../engine/provider-fixture.ts';

const PASSWORD = 'canary-:@/?# pässword';
const SERVER = { hosts: 'db1, db2', port: 3307, database: 'nimbus', user: 'console', caFile: '/etc/ca.pem' };
const NO_ENVIRONMENT: StorageDeskOptions['environment'] = { mode: 'sqlite', url: null, setBy: [] };

let folder = '';
let secrets: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nimbus-choice-'));
  secrets = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function desk(vault: KeyVault = memoryVault(), environment = NO_ENVIRONMENT): OpenedDesk {
  return createStorageDesk({
    dataFolder: folder,
    folderName: 'Nimbus',
    environment,
    vault,
    readSchema: () => '',
    onSecret: (password) => secrets.push(password),
    restart: null,
  });
}

describe('a saved choice', () => {
  test('without one the next start works on this computer', async () => {
    expect(await desk().target(false)).toEqual({ mode: 'sqlite', url: null });
    expect(await desk().view()).toMatchObject({ next: 'sqlite', server: null, password: 'none', fixedBy: [], problem: '' });
  });

  test('X2 X3 the next start finds the server in the file and the password in the key store; no file holds it and no view tells it', async () => {
    const vault = memoryVault();
    await desk(vault).save('mysql', { ...SERVER, password: PASSWORD }, 'keychain');
    const later = desk(vault);
    const password = encodeURIComponent(PASSWORD);
    expect(await later.target(false)).toEqual({
      mode: 'mysql',
      url: `mysql://console:${password}@db1:3307,db2:3307/nimbus?ca=%2Fetc%2Fca.pem`,
    });
    expect(await later.view()).toMatchObject({ next: 'mysql', server: SERVER, password: 'keychain' });
    expect(JSON.stringify(await later.view())).not.toContain('canary');
    expect(readFileSync(path.join(folder, CHOICE_FILE), 'utf8')).not.toContain('canary');
    expect(statSync(path.join(folder, CHOICE_FILE)).mode & 0o777).toBe(0o600);
    expect(secrets).toContain(PASSWORD);
  });

  test('an address is taken apart into the same fields', async () => {
    const vault = memoryVault();
    await desk(vault).save('mysql+cache', { url: 'mysql://console:se%40cret@db1:3307,[::1]:3308/nimbus' }, 'keychain');
    expect(await readSavedChoice(folder)).toEqual({
      choice: 'mysql+cache',
      server: { hosts: 'db1:3307,[::1]:3308', port: 3306, database: 'nimbus', user: 'console', caFile: '' },
    });
    expect(vault.kept.get('mysql')).toBe('se@cret');
    expect((await desk(vault).target(false)).url).toBe('mysql://console:se%40cret@db1:3307,[::1]:3308/nimbus');
  });

  test('going back to this computer keeps the server known', async () => {
    const own = desk();
    await own.save('mysql', { ...SERVER, password: PASSWORD }, 'session');
    await own.save('sqlite', null, 'session');
    expect(await own.target(false)).toEqual({ mode: 'sqlite', url: null });
    expect((await own.view()).server).toEqual(SERVER);
  });

  test('a person may leave the choice alone for one start', async () => {
    const own = desk();
    await own.save('mysql', { ...SERVER, password: PASSWORD }, 'session');
    expect(await own.target(true)).toEqual({ mode: 'sqlite', url: null });
    expect((await own.target(false)).mode).toBe('mysql');
  });

  test.each([
    ['no JSON', '{'],
    ['another version', '{"version":2,"choice":"sqlite","server":null}'],
    ['MySQL without a server', '{"version":1,"choice":"mysql","server":null}'],
    ['an unknown choice', '{"version":1,"choice":"oracle","server":null}'],
  ])('a damaged file is told and not passed over: %s', async (_name, text) => {
    writeFileSync(path.join(folder, CHOICE_FILE), text);
    const own = desk();
    await expect(own.target(false)).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('storage.json') });
    expect((await own.view()).problem).toContain('damaged');
    expect(readFileSync(path.join(folder, CHOICE_FILE), 'utf8')).toBe(text);
    await own.save('sqlite', null, 'session');
    expect(await own.target(false)).toEqual({ mode: 'sqlite', url: null });
  });
});

describe('a password where nothing can be kept', () => {
  test('holds for this session; the next one says that it must be typed again', async () => {
    const vault = memoryVault(false);
    const own = desk(vault);
    await expect(own.save('mysql', { ...SERVER, password: PASSWORD }, 'keychain')).rejects.toMatchObject({ code: 'unsupported' });
    await own.save('mysql', { ...SERVER, password: PASSWORD }, 'session');
    expect((await own.target(false)).url).toContain(encodeURIComponent(PASSWORD));
    expect((await own.view()).password).toBe('session');
    const later = desk(vault);
    await expect(later.target(false)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('Type it in the storage settings'),
    });
    expect(await later.view()).toMatchObject({ next: 'mysql', server: SERVER, password: 'none' });
  });

  test('choosing this session takes an older password out of the key store', async () => {
    const vault = memoryVault();
    await desk(vault).save('mysql', { ...SERVER, password: 'older' }, 'keychain');
    await desk(vault).save('mysql', { ...SERVER, password: PASSWORD }, 'session');
    expect(vault.kept.size).toBe(0);
  });
});

describe('a kept password', () => {
  test('is used for its own user and hosts only, so that no other server is ever sent it', async () => {
    const vault = memoryVault();
    await desk(vault).save('mysql', { ...SERVER, password: PASSWORD }, 'keychain');
    const own = desk(vault);
    for (const change of [{ hosts: 'evil.example' }, { hosts: 'db1' }, { port: 3308 }, { user: 'other' }]) {
      const wanted = { ...SERVER, ...change, password: null };
      await expect(own.save('mysql', wanted, 'keychain')).rejects.toMatchObject({ code: 'invalid-input' });
      await expect(own.test(wanted)).rejects.toMatchObject({ code: 'invalid-input' });
    }
    await own.save('mysql+cache', { ...SERVER, database: 'other', password: null }, 'keychain');
    expect(await own.target(false)).toMatchObject({ mode: 'mysql+cache', url: expect.stringContaining('/other?') });
  });
});

describe('the environment', () => {
  const environment: StorageDeskOptions['environment'] = {
    mode: 'mysql',
    url: 'mysql://console:canary@db:3306/nimbus',
    setBy: ['NIMBUS_STORAGE', 'NIMBUS_MYSQL_URL'],
  };

  test('wins over a saved choice, is named, and is shown without its password', async () => {
    const vault = memoryVault();
    await desk(vault).save('mysql+cache', { ...SERVER, password: PASSWORD }, 'keychain');
    const own = desk(vault, environment);
    expect(await own.target(false)).toMatchObject({ mode: 'mysql', url: environment.url });
    const view = await own.view();
    expect(view).toMatchObject({ next: 'mysql', fixedBy: environment.setBy, password: 'environment' });
    expect(view.server).toEqual({ hosts: 'db', port: 3306, database: 'nimbus', user: 'console', caFile: '' });
    expect(JSON.stringify(view)).not.toContain('canary');
  });

  test('cannot be overruled by saving', async () => {
    const refusal = { code: 'forbidden', message: expect.stringContaining('NIMBUS_STORAGE and NIMBUS_MYSQL_URL') };
    await expect(desk(memoryVault(), environment).save('sqlite', null, 'session')).rejects.toMatchObject(refusal);
    expect(await readSavedChoice(folder)).toBeNull();
  });
});

test('an address that cannot be read is a finding, without its password', async () => {
  const report = await desk().test({ url: 'mysql://console:canary@/nimbus' });
  expect(report).toMatchObject({ ok: false, findings: [{ problem: 'address', detail: expect.stringContaining('HOST:PORT') }] });
  expect(JSON.stringify(report)).not.toContain('canary');
});

test('a host that cannot start anew says what to do', () => {
  expect(() => desk().restart(false)).toThrow(/start it again/);
});
