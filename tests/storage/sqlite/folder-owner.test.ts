import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownFolder } from '../../../electron/storage/sqlite/folder-owner.ts';
import { openSqliteStore } from '../../../electron/storage/sqlite/sqlite-store.ts';

vi.setConfig({ testTimeout: 60_000 });

let folder = '';

beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'nimbus-owner-')), 'data');
});

afterEach(async () => {
  await rm(path.dirname(folder), { recursive: true });
});

const IN_USE = { name: 'ConsoleError', code: 'folder-in-use', message: `Nimbus is already running on ${'FOLDER'} (pid ${process.pid})` };

test('one owner at a time, with or without a database in the folder; the id stays', async () => {
  const inUse = { ...IN_USE, message: IN_USE.message.replace('FOLDER', folder) };
  const owner = await ownFolder(folder);
  expect(owner.consoleId).toMatch(/^[0-9a-f-]{36}$/);
  await expect(ownFolder(folder)).rejects.toMatchObject(inUse);
  await expect(openSqliteStore({ folder })).rejects.toMatchObject(inUse);
  expect((await readdir(folder)).includes('nimbus.db')).toBe(false);
  await owner.close();
  const store = await openSqliteStore({ folder });
  await expect(ownFolder(folder)).rejects.toMatchObject(inUse);
  await store.close();
  const again = await ownFolder(folder);
  expect(again.consoleId).toBe(owner.consoleId);
  await again.close();
});

test('an id file that holds none is replaced', async () => {
  await (await ownFolder(folder)).close();
  await writeFile(path.join(folder, 'console.id'), 'half an i');
  const owner = await ownFolder(folder);
  expect(owner.consoleId).toMatch(/^[0-9a-f-]{36}$/);
  await owner.close();
  const again = await ownFolder(folder);
  expect(again.consoleId).toBe(owner.consoleId);
  await again.close();
});
