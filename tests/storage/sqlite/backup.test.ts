import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupFolder, restoreFolder } from '../../../electron/storage/sqlite/backup.ts';
import { openSqliteStore } from '../../../electron/storage/sqlite/sqlite-store.ts';
import { conversationWith } from '../../contract/store-builders.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nimbus-backup-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('[SYN-1] a backup is made beside a running console and brings everything back; what it replaces is kept', async () => {
  const store = await openSqliteStore({ folder });
  const first = await conversationWith(store, [['one', '1']]);
  const backup = backupFolder(folder, 'monday');
  expect(backup.files).toEqual(['nimbus.db']);
  const second = await conversationWith(store, [['two', '2']]);
  expect(() => restoreFolder(folder, backup.folder, 'replaced')).toThrow(/already running/);
  await store.close();
  const restored = restoreFolder(folder, backup.folder, 'replaced');
  expect(await readdir(restored.folder)).toContain('nimbus.db');
  const again = await openSqliteStore({ folder });
  expect(await again.conversations.get(first)).toMatchObject({ messageCount: 2 });
  expect(await again.conversations.get(second)).toBeNull();
  await again.close();
});

test('what is no backup, or a damaged one, changes nothing', async () => {
  const store = await openSqliteStore({ folder });
  const id = await conversationWith(store, [['one', '1']]);
  await store.close();
  const empty = path.join(folder, 'empty');
  expect(() => restoreFolder(folder, empty, 'replaced')).toThrow(/is no backup/);
  const backup = backupFolder(folder, 'monday');
  expect(() => backupFolder(folder, 'monday')).toThrow(/already/);
  await writeFile(path.join(backup.folder, 'nimbus.db'), 'not a database');
  expect(() => restoreFolder(folder, backup.folder, 'replaced')).toThrow(/damaged|not a database/);
  const again = await openSqliteStore({ folder });
  expect(await again.conversations.get(id)).not.toBeNull();
  await again.close();
});
