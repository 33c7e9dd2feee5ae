import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startDailyCopy } from '../../../electron/storage/sqlite/daily-copy.ts';
import { copyDaily } from '../../../electron/storage/sqlite/folder-copies.ts';
import { lockFailure } from '../../../electron/storage/sqlite/folder-lock.ts';
import { openSqliteStore } from '../../../electron/storage/sqlite/sqlite-store.ts';
import { conversationWith } from '../../contract/store-builders.ts';

vi.setConfig({ testTimeout: 90_000 });

const DAY_MS = 24 * 60 * 60 * 1000;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nimbus-care-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const place = (...names: string[]): string => path.join(folder, ...names);

/** A store with as many conversations, closed again. */
async function used(conversations: number): Promise<void> {
  const store = await openSqliteStore({ folder });
  for (let count = 0; count < conversations; count += 1) await conversationWith(store, [[`Question ${count}?`, 'Answer.']]);
  await store.close();
}

async function refusal(): Promise<string> {
  const error: unknown = await openSqliteStore({ folder }).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'ConsoleError', code: 'storage' });
  return error instanceof Error ? error.message : '';
}

describe('an empty database', () => {
  test.each([
    ['a backup', ['backups', 'old.db']],
    ['the id of the console', ['console.id']],
    ['kept keys', ['keys.json']],
    ['a write-ahead log', ['nimbus.db-wal']],
  ])('beside %s is refused and everything stays as it is', async (_name, trace) => {
    await mkdir(place('backups'), { recursive: true });
    await writeFile(place('nimbus.db'), '');
    await writeFile(place(...trace), 'something');
    const message = await refusal();
    expect(message).toContain('is empty (0 bytes)');
    expect(message).toContain('There is no copy of it in "backups"');
    expect((await stat(place('nimbus.db'))).size).toBe(0);
    expect(await readFile(place(...trace), 'utf8')).toBe('something');
    await expect(openSqliteStore({ folder, readOnly: true })).rejects.toMatchObject({ code: 'storage' });
  });

  test('without traces of use is a new store', async () => {
    await writeFile(place('nimbus.db'), '');
    await (await openSqliteStore({ folder })).close();
    expect((await stat(place('nimbus.db'))).size).toBeGreaterThan(0);
  });

  test('the newest copy is named with its date and its conversations', async () => {
    await used(2);
    expect(copyDaily(folder, Date.UTC(2026, 0, 2, 3, 4, 5))).toBe(place('backups', 'daily-2026-01-02T030405Z.db'));
    await utimes(place('backups', 'daily-2026-01-02T030405Z.db'), new Date('2026-01-02T03:04:05Z'), new Date('2026-01-02T03:04:05Z'));
    await writeFile(place('backups', 'torn.db'), 'newer, but no database');
    await writeFile(place('nimbus.db'), '');
    const message = await refusal();
    expect(message).toContain(`${place('backups', 'daily-2026-01-02T030405Z.db')} (2026-01-02 03:04 UTC, 2 conversations)`);
  });
});

test('a damaged database: the advice names the copy to use, and following it works', async () => {
  await used(3);
  const copy = copyDaily(folder, Date.now()) ?? '';
  await writeFile(place('nimbus.db'), 'not a database, and long enough to be looked at as one'.repeat(20));
  const message = await refusal();
  expect(message).toMatch(/is damaged .*left as it is/);
  expect(message).toContain(copy);
  expect(message).toContain('3 conversations');
  await writeFile(place('nimbus.db'), await readFile(copy));
  const store = await openSqliteStore({ folder });
  expect((await store.conversations.list({ limit: 9 })).total).toBe(3);
  await store.close();
});

test('a first start makes no copy', async () => {
  await used(0);
  expect(copyDaily(folder, Date.now())).toBeNull();
  expect(await readdir(folder)).not.toContain('backups');
});

describe('the copy of the day', () => {
  test('is made once in 24 hours, for its owner only; the newest 7 stay, and so do other copies', async () => {
    await used(1);
    await mkdir(place('backups'));
    await writeFile(place('backups', 'schema-1.db'), 'another');
    const made: string[] = [];
    const start = Date.now() - 20 * DAY_MS;
    await utimes(place('backups', 'schema-1.db'), new Date(start - 3 * DAY_MS), new Date(start - 3 * DAY_MS));
    for (let day = 0; day < 9; day += 1) {
      const now = start + day * DAY_MS;
      const file = copyDaily(folder, now) ?? '';
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await utimes(file, new Date(now), new Date(now));
      expect(copyDaily(folder, now + DAY_MS - 1)).toBeNull();
      made.push(path.basename(file));
    }
    expect((await readdir(place('backups'))).sort()).toEqual([...made.slice(-7), 'schema-1.db'].sort());
  });

  test('beside an open store, in a thread of its own', async () => {
    const store = await openSqliteStore({ folder });
    await conversationWith(store, [['Where is it?', 'Here.']]);
    const warn = vi.fn<(message: string) => void>();
    await startDailyCopy({ folder, now: Date.now(), logger: { warn, error: warn } })();
    const copies = (): Promise<string[]> => readdir(place('backups')).catch(() => []);
    await expect.poll(copies, { timeout: 30_000 }).toEqual([expect.stringMatching(/^daily-.*\.db$/)]);
    expect(warn).not.toHaveBeenCalled();
    await store.close();
  });

  test('that cannot be made is logged', async () => {
    await used(1);
    await writeFile(place('backups'), 'a file in the way');
    const warn = vi.fn<(message: string) => void>();
    await startDailyCopy({ folder, now: Date.now(), logger: { warn, error: warn } })();
    await expect.poll(() => warn.mock.calls.length, { timeout: 30_000 }).toBe(1);
  });
});

describe('what is in the way is named', () => {
  test('a folder in the place of the database', async () => {
    await mkdir(place('nimbus.db'));
    expect(await refusal()).toContain('nimbus.db is a folder, where the database should be a file');
  });

  test.each(['SQLITE_READONLY', 'SQLITE_READONLY_DIRECTORY', 'SQLITE_CANTOPEN', 'EACCES', 'EROFS'])('%s: missing permission', (code) => {
    const error = lockFailure('/data', Object.assign(new Error('attempt to write a readonly database'), { code }));
    expect(error.message).toMatch(/cannot be written by this account .*write permission/);
    expect(error.message).not.toContain('local disk');
  });

  test('another failure of the lock', () => {
    expect(lockFailure('/data', Object.assign(new Error('no locks'), { code: 'SQLITE_IOERR_LOCK' })).message).toContain('local disk');
  });
});

test('the database and its side files are for their owner only, also in a folder that is there already', async () => {
  await used(1);
  await chmod(folder, 0o755);
  await chmod(place('nimbus.db'), 0o644);
  const store = await openSqliteStore({ folder });
  await conversationWith(store, [['Where is it?', 'Here.']]);
  const names = (await readdir(folder)).filter((name) => name.startsWith('nimbus.db'));
  expect(names.sort()).toEqual(['nimbus.db', 'nimbus.db-shm', 'nimbus.db-wal']);
  // Windows keeps no such modes; there the folder's own rights protect the files.
  const mode = process.platform === 'win32' ? 0o666 : 0o600;
  for (const name of names) expect([name, (await stat(place(name))).mode & 0o777]).toEqual([name, mode]);
  await store.close();
});
