import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const CANARY = 'sk-canary-vault-0123456789';

/** Electron's key store: a cipher that is none, but that does not leave the text readable. */
const fake = vi.hoisted(() => {
  const state = { backend: 'gnome_libsecret', available: true, fails: false };
  return {
    state,
    electron: {
      safeStorage: {
        getSelectedStorageBackend: () => state.backend,
        isAsyncEncryptionAvailable: async () => state.available,
        encryptStringAsync: async (text: string) => {
          if (state.fails) throw new Error(`cannot seal ${text}`);
          return Buffer.from([...Buffer.from(text)].map((byte) => byte ^ 0x5a));
        },
        decryptStringAsync: async (sealed: Buffer) => {
          if (state.fails) throw new Error('cannot open');
          return { shouldReEncrypt: false, result: Buffer.from(sealed.map((byte) => byte ^ 0x5a)).toString() };
        },
      },
    },
  };
});
vi.mock('electron', () => fake.electron);
const { createKeychainVault } = await import('../../electron/hosts/window/key-vault.ts');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nimbus-vault-'));
  Object.assign(fake.state, { backend: 'gnome_libsecret', available: true, fails: false });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const vault = (platform = 'linux') => createKeychainVault({ dataFolder: folder, platform });
const refusal = (work: Promise<unknown>) => work.then(() => null).catch((error: Error & { code?: string }) => error);

describe('X2 keys in the key store of the system', () => {
  test('a key comes back in a later session, and its file is the owner’s alone and holds no readable key', async () => {
    await vault().write('openai', CANARY);
    expect(await vault().read('openai')).toBe(CANARY);
    expect(await vault().read('gemini')).toBeNull();
    expect(statSync(path.join(folder, 'keys.json')).mode & 0o777).toBe(0o600);
    for (const file of readdirSync(folder)) expect(readFileSync(path.join(folder, file), 'latin1')).not.toContain(CANARY);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  test.each([
    ['basic_text', true, false],
    ['basic_text', false, false],
    ['unknown', true, false],
    ['unknown', false, false],
    ['gnome_libsecret', true, true],
    ['gnome_libsecret', false, false],
    ['kwallet6', true, true],
    ['kwallet6', false, false],
  ])('on Linux with %s, available %s: may persist %s', async (backend, available, canPersist) => {
    Object.assign(fake.state, { backend, available });
    const storage = await vault().storage();
    expect(storage.canPersist).toBe(canPersist);
    expect(storage.reason === '').toBe(canPersist);
    const failed = await refusal(vault().write('openai', CANARY));
    expect(failed === null).toBe(canPersist);
    expect(readdirSync(folder)).toEqual(canPersist ? ['keys.json'] : []);
    if (failed !== null) expect(failed).toMatchObject({ code: 'unsupported', message: expect.not.stringContaining(CANARY) });
  });

  test('macOS and Windows have no backends to look at', async () => {
    fake.state.backend = 'basic_text';
    expect(await vault('darwin').storage()).toEqual({ canPersist: true, reason: '' });
    expect(await vault('win32').storage()).toEqual({ canPersist: true, reason: '' });
  });

  test('a key stored safely is not opened where the key store is unsafe now', async () => {
    await vault().write('openai', CANARY);
    fake.state.backend = 'basic_text';
    expect(await vault().read('openai')).toBeNull();
  });

  test('forgetting removes one key and leaves the others', async () => {
    const one = vault();
    await Promise.all([one.write('openai', CANARY), one.write('gemini', 'AIzaCanary'), one.write('openai-chat', 'other')]);
    await one.forget('openai');
    expect([await one.read('openai'), await one.read('gemini'), await one.read('openai-chat')]).toEqual([null, 'AIzaCanary', 'other']);
  });

  test('a failing key store says so without the key, and nothing is written', async () => {
    fake.state.fails = true;
    expect(await refusal(vault().write('openai', CANARY))).toMatchObject({ code: 'storage', message: expect.not.stringContaining(CANARY) });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a damaged file is told and never overwritten', async () => {
    writeFileSync(path.join(folder, 'keys.json'), '{"version":7}');
    expect(await refusal(vault().read('openai'))).toMatchObject({ code: 'storage' });
    expect(await refusal(vault().write('openai', CANARY))).toMatchObject({ code: 'storage' });
    expect(readFileSync(path.join(folder, 'keys.json'), 'utf8')).toBe('{"version":7}');
  });

  test('a file that others may read is closed by the next write', async () => {
    await vault().write('gemini', 'AIzaCanary');
    chmodSync(path.join(folder, 'keys.json'), 0o644);
    await vault().write('openai', CANARY);
    expect(statSync(path.join(folder, 'keys.json')).mode & 0o777).toBe(0o600);
  });
});
