import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../../../electron/engine/ports.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { answer, conversation, incoming, nextId, question, START } from '../../contract/store-builders.ts';
import { makeSmallDisk } from '../../fakes/small-disk.ts';
import type { SmallDisk } from '../../fakes/small-disk.ts';
import { eventually, startSyncSetup } from './sync-setup.ts';
import type { SyncSetup, TestDatabase } from './sync-setup.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Room for an empty server, and for a console's folder. */
const SERVER_MEGABYTES = 320;
const FOLDER_MEGABYTES = 12;
const LARGE = 'x'.repeat(400_000);
const END = { state: 'answered', outcome: 'answered', error: null, at: START + 9 } as const;

/** null: none can be mounted here, and the fault is injected. */
let serverDisk: SmallDisk | null = null;
let folderDisk: SmallDisk | null = null;
let setup: SyncSetup;
let database: TestDatabase;

beforeAll(async () => {
  serverDisk = makeSmallDisk(SERVER_MEGABYTES);
  folderDisk = makeSmallDisk(FOLDER_MEGABYTES);
  setup = await startSyncSetup([], serverDisk?.folder);
  database = await setup.database();
}, 120_000);

afterEach(async () => {
  await serverDisk?.empty();
  await folderDisk?.empty();
  await setup.closeAll();
});

afterAll(async () => {
  await setup?.stop();
  serverDisk?.remove();
  folderDisk?.remove();
});

async function turn(store: Store, id: string, asked: string, answered: string): Promise<void> {
  const runId = nextId('run');
  const accepted = await store.conversations.accept(incoming(id, question(asked), runId));
  if (accepted.kind !== 'started') throw new Error(`not started but ${accepted.kind}`);
  await store.conversations.endTurn(id, accepted.record.turn, runId, { ...END, messages: [answer(answered)] });
}

async function contents(store: Store, id: string): Promise<string[]> {
  const turns = await store.conversations.readTurns(id, { limit: 99 });
  return turns.toReversed().flatMap((each) => each.messages.map((message) => message.content));
}

/** The server's word for a full disk, from a trigger that stands for it. */
const FULL_TRIGGER =
  "CREATE TRIGGER full_disk BEFORE INSERT ON messages FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full';";

test('[SYN-1] [SYN-2] disk full on MySQL: what is Saved waits, goes through once when space returns', async () => {
  const store = await setup.open(database.directUrl);
  const { id } = await store.conversations.create(conversation());
  await turn(store, id, 'one', '1');
  await store.settled();
  if (serverDisk === null) await database.sql(FULL_TRIGGER);
  else await serverDisk.fill();
  const said = ['one', '1'];
  // Files of the server have some room left inside.
  for (let count = 0; count < 30 && store.sync?.status().waiting === 0; count += 1) {
    await turn(store, id, `${count} ${LARGE}`, `answer ${count}`);
    said.push(`${count} ${LARGE}`, `answer ${count}`);
  }
  expect(store.sync?.status().waiting).toBeGreaterThan(0);
  expect(await contents(store, id)).toEqual(said);
  if (serverDisk === null) await database.sql('DROP TRIGGER full_disk');
  else await serverDisk.empty();
  await eventually(() => expect(store.sync?.status()).toMatchObject({ state: 'online', waiting: 0, parked: 0 }), 60_000);
  const stored = await database.sql(`SELECT MD5(content) FROM messages WHERE conversation_id = '${id}' ORDER BY seq`);
  expect(stored.trim().split('\n')).toEqual(said.map((text) => createHash('md5').update(text).digest('hex')));
});

test('[SYN-1] disk full here: "not saved" is said, nothing is kept, and it works again when space returns', async () => {
  let isFull = false;
  const full = new ConsoleError('not-saved', 'Nothing was saved: the disk is full. Free some space, then try again.', { retryable: true });
  const reach = (point: string): void => {
    if (folderDisk === null && isFull && point === 'before-saved') throw full;
  };
  const folder = folderDisk === null ? {} : { folder: `${folderDisk.folder}/console` };
  const store = await setup.open(database.url, { ...folder, faults: { reach } });
  const { id } = await store.conversations.create(conversation());
  await store.settled();
  const message = question(`one ${LARGE}`);
  isFull = true;
  await folderDisk?.fill();
  await expect(store.conversations.accept(incoming(id, message))).rejects.toMatchObject({
    code: 'not-saved',
    message: expect.stringMatching(/disk is full/),
  });
  expect(await contents(store, id)).toEqual([]);
  expect(await database.sql(`SELECT COUNT(*) FROM messages WHERE conversation_id = '${id}'`)).toBe('0\n');
  isFull = false;
  await folderDisk?.empty();
  expect(await store.conversations.accept(incoming(id, message))).toMatchObject({ kind: 'started' });
  expect(await contents(store, id)).toEqual([message.content]);
});
