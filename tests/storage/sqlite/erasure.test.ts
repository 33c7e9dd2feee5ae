/** Does I/O: a customer forgotten from a data folder with copies; every byte is read afterwards. */
import { mkdtempSync, rmSync, writeFileSync, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDataFolder } from '../../../electron/storage/data-folder.ts';
import { backupFolder } from '../../../electron/storage/sqlite/backup.ts';
import { copyDaily } from '../../../electron/storage/sqlite/folder-copies.ts';
import { openSqliteStore } from '../../../electron/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../../electron/engine/ports.ts';
import { conversationWith, START } from '../../contract/store-builders.ts';
import { createEngine } from '../../engine/engine-fixture.ts';
import { startChildProgram } from '../child-program.ts';

const SECRET = 'Grüße von Zacharias Quellenbrunn, Hintertür "links" 7b';
let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'nimbus-erasure-'));
  store = await openSqliteStore({ folder });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function withCopies(): Promise<string> {
  const id = await conversationWith(store, [[SECRET, 'Guten Tag']], { customerId: 'c-gone' });
  await conversationWith(store, [['Somebody else asks about a kettle', 'Yes']], { customerId: 'c-stays' });
  expect(copyDaily(folder, START)).not.toBeNull();
  backupFolder(folder, 'by-hand');
  return id;
}

test('rule 12: after forgetting, no byte of any file holds the texts, copies included; what is no database any more is deleted', async () => {
  await withCopies();
  const damaged = path.join(folder, 'backups', 'broken.db');
  writeFileSync(damaged, `not a database: ${SECRET}`);
  const aside = path.join(folder, 'cache.db.damaged');
  writeFileSync(aside, SECRET);
  const files = createDataFolder(folder);
  const before = await files.scan([SECRET]);
  expect(before.matches.map((match) => match.place)).toEqual(
    expect.arrayContaining(['backups/broken.db', 'backups/by-hand/nimbus.db', 'cache.db.damaged']),
  );
  const engine = await createEngine({ store, dataFolder: files, conversationId: 'none' });
  const { proof } = await engine.service.call('forgetCustomer', { customerId: 'c-gone' });
  expect(proof.removed).toMatchObject({ conversations: 1, messages: 2 });
  expect(proof.copies).toEqual({ cleaned: 2, deleted: 2 });
  expect(proof.matches).toEqual([]);
  expect(proof.scanned.files).toBeGreaterThanOrEqual(4);
  expect(JSON.stringify(proof)).not.toContain('Quellenbrunn');
  expect((await files.scan([SECRET, 'Zacharias Quellenbrunn', 'c-gone'])).matches).toEqual([]);
  expect([existsSync(damaged), existsSync(aside)]).toEqual([false, false]);
  await engine.service.stop();
});

test('a scan sees UTF-8, UTF-16 and what JSON escapes, across the edge of a chunk', async () => {
  mkdirSync(path.join(folder, 'tapes'));
  const wide = Buffer.from(SECRET, 'utf16le');
  const forms: [string, Buffer | string][] = [
    ['plain', SECRET],
    ['json', JSON.stringify({ text: SECRET })],
    ['ascii', JSON.stringify(SECRET).replaceAll('ü', '\\u00fc').replaceAll('ß', '\\u00df')],
    ['wide', wide],
    ['wide-swapped', Buffer.from(wide).swap16()],
    ['edge', `${'x'.repeat(1024 * 1024 - 10)}${SECRET}`],
  ];
  for (const [name, text] of forms) writeFileSync(path.join(folder, 'tapes', name), text);
  const { matches } = await createDataFolder(folder).scan([SECRET]);
  expect(matches.map((match) => match.place).sort()).toEqual(forms.map(([name]) => `tapes/${name}`).sort());
});

test('the folder stays owned after a scan: a second store is refused', async () => {
  await createDataFolder(folder).scan(['anything']);
  await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code: 'folder-in-use' });
});

test('what was interrupted goes on at the next start until it is done', async () => {
  const id = await withCopies();
  await store.preferences.write(
    'erasure.journal',
    JSON.stringify({ customer: { id: 'c-gone', texts: [SECRET] }, conversationIds: [], turns: [] }),
  );
  await store.close();
  store = await openSqliteStore({ folder });
  const files = createDataFolder(folder);
  const engine = await createEngine({ store, dataFolder: files, conversationId: 'none' });
  expect(await store.conversations.get(id)).toBeNull();
  expect((await files.scan([SECRET])).matches).toEqual([]);
  await engine.service.stop();
});

test('a forgotten turn and an old conversation leave the copies too; the others stay in them', async () => {
  const id = await withCopies();
  const files = createDataFolder(folder);
  const engine = await createEngine({ store, dataFolder: files, conversationId: 'none' });
  await engine.service.call('forgetTurn', { conversationId: id, turn: 1 });
  expect((await files.scan(['Zacharias Quellenbrunn'])).matches).toEqual([]);
  const old = 'Somebody else asks about a kettle';
  expect((await files.scan([old])).matches.length).toBeGreaterThan(1);
  await engine.clock.advance(400 * 86_400_000);
  await engine.service.call('applyRetention', {});
  expect((await files.scan([old])).matches).toEqual([]);
  await engine.service.stop();
});

test.each([
  ['before the rows', true],
  ['before the copies', true],
  ['after the copies', false],
  ['before the proof', false],
])('rule 12: killed %s: the next start leaves nothing of the person, and no journal', { timeout: 60_000 }, async (place, isLeft) => {
  const id = await withCopies();
  await store.close();
  const child = startChildProgram(new URL('./children/forget.ts', import.meta.url), [folder, 'c-gone', place]);
  expect(await child.ended, child.problems()).toBe('SIGKILL');
  const files = createDataFolder(folder);
  const copies = (await files.scan([SECRET])).matches.filter((match) => match.place.startsWith('backups'));
  expect(copies.length > 0).toBe(isLeft);
  store = await openSqliteStore({ folder });
  const engine = await createEngine({ store, dataFolder: files, conversationId: 'none' });
  expect(await store.conversations.get(id)).toBeNull();
  expect(JSON.parse((await store.preferences.read('erasure.journal')) ?? '{}')).toMatchObject({ customer: null });
  expect((await files.scan([SECRET, 'c-gone'])).matches).toEqual([]);
  expect((await files.scan(['Somebody else asks about a kettle'])).matches.length).toBeGreaterThan(1);
  await engine.service.stop();
});

test('rule 12: an imported tape that holds a text of the customer is named in the proof as what is left, with the reason', async () => {
  await withCopies();
  await store.preferences.write('tape:x', JSON.stringify(JSON.stringify({ turns: [{ text: SECRET }] })));
  const engine = await createEngine({ store, dataFolder: createDataFolder(folder), conversationId: 'none' });
  const { proof } = await engine.service.call('forgetCustomer', { customerId: 'c-gone' });
  const reason = 'an imported tape or a setting holds the text';
  expect(proof.matches).toContainEqual({ place: 'preferences.value_json', count: 1, reason });
  expect(proof.matches.map((match) => match.place)).toContain('nimbus.db');
  await engine.service.stop();
});
