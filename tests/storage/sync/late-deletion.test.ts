import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { answer, conversation, incoming, question, START } from '../../contract/store-builders.ts';
import { eventually, startSyncSetup } from './sync-setup.ts';
import type { SyncSetup, TestDatabase } from './sync-setup.ts';

vi.setConfig({ testTimeout: 60_000 });

let setup: SyncSetup;
let database: TestDatabase;

beforeAll(async () => {
  setup = await startSyncSetup();
  database = await setup.database();
}, 120_000);

afterEach(async () => {
  await setup.proxy.setDown(false);
  await setup.closeAll();
});

afterAll(async () => {
  await setup?.stop();
});

const END = { state: 'answered', outcome: 'answered', error: null, at: START + 9 } as const;

test('[SYN-1] a deletion made offline does not take a conversation that went on elsewhere; an unchanged one goes', async () => {
  const first = await setup.open(database.url);
  const second = await setup.open(database.directUrl, { consoleName: 'Second desk' });
  const moved = await first.conversations.create(conversation());
  const quiet = await first.conversations.create(conversation());
  await first.settled();
  await setup.proxy.setDown(true);
  await eventually(() => expect(first.sync?.status().state).toBe('offline'));
  await expect(first.serverNow?.()).rejects.toMatchObject({ code: 'storage' });
  for (const { id } of [moved, quiet]) await first.conversations.delete(id);
  const accepted = await second.conversations.accept(incoming(moved.id, question('still here'), 'run-elsewhere'));
  expect(accepted.kind).toBe('started');
  await second.conversations.endTurn(moved.id, 1, 'run-elsewhere', { ...END, messages: [answer('yes')] });
  await setup.proxy.setDown(false);
  await eventually(async () =>
    expect(await first.sync?.listParked()).toEqual([
      expect.objectContaining({ conversationId: moved.id, reason: expect.stringContaining('went on elsewhere') }),
    ]),
  );
  await eventually(async () => expect(await first.conversations.get(moved.id)).toMatchObject({ messageCount: 2 }));
  await eventually(async () => expect(await second.conversations.get(quiet.id)).toBeNull());
});

test('rule 13: the time of deletions is the server’s, whatever this computer’s clock says', async () => {
  const ahead = 31 * 86_400_000;
  const clock = { now: () => Date.now() + ahead, sleep: async () => undefined, after: () => () => undefined };
  const store = await setup.open(database.directUrl, { clock });
  expect(Math.abs(((await store.serverNow?.()) ?? 0) - Date.now())).toBeLessThan(60_000);
  const { id } = await store.conversations.create(conversation());
  const real = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ahead);
  await store.conversations.delete(id).finally(() => real.mockRestore());
  const age = `SELECT ABS(TIMESTAMPDIFF(SECOND, deleted_at, UTC_TIMESTAMP(3))) < 60 AS is_now FROM tombstones WHERE conversation_id = '${id}'`;
  expect(await database.sql(age)).toContain('1');
});
