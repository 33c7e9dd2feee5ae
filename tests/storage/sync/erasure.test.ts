/** Does I/O: a customer forgotten on one console leaves MySQL, and every other console's cache, outbox and copies when it next connects. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDataFolder } from '../../../electron/storage/data-folder.ts';
import { backupFolder } from '../../../electron/storage/sqlite/backup.ts';
import { conversation, conversationWith, incoming, question, START } from '../../contract/store-builders.ts';
import { startSyncSetup } from './sync-setup.ts';
import type { SyncSetup } from './sync-setup.ts';

const SECRET = 'Zacharias Quellenbrunn wants his blue kettle back';
const OFFLINE = 'Zacharias Quellenbrunn wrote this while the line was cut';
let setup: SyncSetup;

beforeAll(async () => {
  setup = await startSyncSetup();
}, 120_000);
afterAll(async () => {
  await setup.stop();
});

test('rule 12: forgotten on one console, gone from MySQL and from the other console that was away, what waited there included', async () => {
  const database = await setup.database();
  const { url } = database;
  const [hereFolder, thereFolder] = [await setup.folder(), await setup.folder()];
  const here = await setup.open(url, { folder: hereFolder, isManual: true });
  const id = await conversationWith(here, [[SECRET, 'Certainly']], { customerId: 'c-gone' });
  const there = await setup.open(url, { folder: thereFolder, isManual: true });
  await there.tick();
  await there.settled();
  backupFolder(thereFolder, 'by-hand');
  expect((await createDataFolder(thereFolder).scan([SECRET])).matches).not.toEqual([]);
  await there.close();

  // The other console works on without a server: what it saved waits in its outbox.
  await setup.proxy.setDown(true);
  const alone = await setup.open(url, { folder: thereFolder, isManual: true });
  await alone.conversations.accept(incoming(id, question(OFFLINE)));
  const made = conversation({ customerId: 'c-gone' });
  await alone.conversations.create(made);
  expect((await createDataFolder(thereFolder).scan([OFFLINE])).matches.map((match) => match.place).join()).toContain('outbox.db');
  await setup.proxy.setDown(false);

  await here.tick();
  expect(await here.erasure.textsOf('c-gone')).toEqual([SECRET]);
  expect(await here.erasure.forget('c-gone', START)).toMatchObject({ conversations: 1, messages: 2 });
  expect((await here.erasure.search([SECRET])).matches).toEqual([]);
  expect((await createDataFolder(hereFolder).scan([SECRET])).matches).toEqual([]);

  await alone.tick();
  await alone.settled();
  await alone.tick();
  expect((await createDataFolder(thereFolder).scan([SECRET, OFFLINE])).matches).toEqual([]);
  expect(await alone.conversations.get(id)).toBeNull();
  expect(await database.sql(`SELECT COUNT(*) FROM conversations WHERE id IN ('${id}', '${made.id}')`)).toContain('0');
  expect(alone.sync?.status()).toMatchObject({ waiting: 0, parked: 0 });
}, 60_000);
