import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../../../electron/engine/ports.ts';
import { openWatchedStore } from '../../../electron/storage/sync/watched-store.ts';
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import { answer, conversation, incoming, question } from '../../contract/store-builders.ts';
import { ask, engineOver } from './sync-engine.ts';
import { eventually, realClock, startSyncSetup } from './sync-setup.ts';
import type { SyncSetup, TestDatabase } from './sync-setup.ts';

vi.setConfig({ testTimeout: 90_000 });

const LEASE_MS = 2_000;

let setup: SyncSetup;
let database: TestDatabase;
const stores: Store[] = [];

beforeAll(async () => {
  setup = await startSyncSetup();
  database = await setup.database();
}, 120_000);

afterEach(async () => {
  await setup.proxy.setDown(false);
  for (const store of stores.splice(0)) await store.close();
  await setup.closeAll();
});

afterAll(async () => {
  await setup?.stop();
});

async function watched(name: string): Promise<Store> {
  const store = await openWatchedStore({
    url: database.url,
    console: { id: randomUUID(), name },
    clock: realClock,
    pollMs: 200,
    answerMs: 1_000,
    leaseMs: LEASE_MS,
    timings: { acquireMs: 1_500 },
  });
  stores.push(store);
  return store;
}

test('[SYN-1] without a cache an outage is shown by itself, and its end; the engine passes both on', async () => {
  const store = await watched('Desk');
  const service = engineOver(store);
  const states: string[] = [];
  service.subscribe((event: ConsoleEvent) => {
    if (event.type === 'sync-change') states.push(event.status.state);
  });
  await service.start();
  const state = async () => (await service.call('getSyncState', {})).sync;
  expect(await state()).toMatchObject({ state: 'online', hasCache: false, waiting: 0, parked: 0, reason: '' });
  await setup.proxy.setDown(true);
  await eventually(async () => expect(await state()).toMatchObject({ state: 'offline' }), 10_000);
  expect((await state())?.reason).not.toBe('');
  await setup.proxy.setDown(false);
  await eventually(async () => expect(await state()).toMatchObject({ state: 'online', reason: '' }), 10_000);
  expect(states).toEqual(['offline', 'online']);
  expect(await service.call('listParkedOps', {})).toEqual({ ops: [] });
  await expect(service.call('retryParkedOp', { id: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  await service.stop();
});

test('[SYN-1] without a cache a server that accepts and does not answer is shown as away', async () => {
  const store = await watched('Desk');
  setup.proxy.freezeAt(/AS kind/);
  await eventually(() => expect(store.sync?.status()).toMatchObject({ state: 'offline', reason: 'MySQL does not answer.' }), 10_000);
  await eventually(() => expect(store.sync?.status().state).toBe('online'), 30_000);
});

test('[SYN-3] without a cache what others changed during an outage is told after it, however long it was', async () => {
  const store = await watched('Desk');
  const { id } = await store.conversations.create(conversation());
  await eventually(async () => expect((await store.conversations.list({ limit: 5 })).items.length).toBeGreaterThan(0));
  let shift = 0;
  const late = await openWatchedStore({
    url: database.url,
    console: { id: randomUUID(), name: 'Late' },
    clock: { ...realClock, now: () => Date.now() + shift },
    pollMs: 200,
    timings: { acquireMs: 500 },
  });
  stores.push(late);
  const seen: string[] = [];
  late.changes?.subscribe((change) => {
    if (change.type === 'conversation') seen.push(change.conversationId);
  });
  await setup.proxy.setDown(true);
  await eventually(() => expect(late.sync?.status().state).toBe('offline'));
  // Changed ten minutes ago, as the server and this console measure it.
  await database.sql(`UPDATE conversations SET version = version + 5, updated_at = NOW() - INTERVAL 10 MINUTE WHERE id = '${id}'`);
  shift = 15 * 60_000;
  await setup.proxy.setDown(false);
  await eventually(() => expect(seen).toContain(id), 10_000);
});

test.each([
  ['with a cache', (name: string) => setup.open(database.url, { consoleName: name, timings: { leaseMs: LEASE_MS } })],
  ['without a cache', watched],
])('[SYN-5] rule 10: a turn whose console died is closed by one that runs, %s, and its queue answered', async (_how, open) => {
  const dead = await open('Dead desk');
  const service = engineOver(await open('Living desk'));
  await service.start();
  const { id } = await dead.conversations.create(conversation());
  const accepted = await dead.conversations.accept(incoming(id, question('first'), 'run of the dead'));
  expect(accepted).toMatchObject({ kind: 'started' });
  await dead.conversations.append(id, 1, 'run of the dead', [
    answer('', { toolCalls: [{ id: 'call-1', name: 'get_order', arguments: { order_id: 1042 } }] }),
  ]);
  expect(await dead.conversations.accept(incoming(id, question('second')))).toMatchObject({ kind: 'queued' });
  // Nobody renews the lease any more.
  await dead.close();
  const turns = async () => (await service.call('openConversation', { conversationId: id })).turns.map((turn) => turn.state);
  await eventually(async () => expect(await turns()).toEqual(['interrupted', 'answered']), 20_000);
  const { messages } = await service.call('openConversation', { conversationId: id });
  expect(messages.slice(0, 5)).toMatchObject([
    { content: 'first' },
    { role: 'assistant', toolCalls: [{ id: 'call-1' }] },
    { role: 'tool', toolCallId: 'call-1', content: expect.stringContaining('interrupted') },
    { role: 'assistant', state: 'interrupted' },
    { content: 'second' },
  ]);
  await ask(service, id, 'third');
  await service.stop();
});

test.each([
  ['with a cache', (name: string) => setup.open(database.url, { consoleName: name })],
  ['without a cache', watched],
])('[SYN-2] rule 12: marks of changes and tombstones are kept 90 days, older ones go, %s', async (_how, open) => {
  const mark = (name: string, days: number): string =>
    `INSERT INTO applied_ops (op_id, console_id, sha256, applied_at) VALUES ('${name}', 'c', REPEAT('0', 64), UTC_TIMESTAMP(3) - INTERVAL ${days} DAY);
     INSERT INTO tombstones (conversation_id, deleted_at) VALUES ('${name.padStart(32, '0')}', UTC_TIMESTAMP(3) - INTERVAL ${days} DAY);`;
  await database.sql(
    `DELETE FROM applied_ops; DELETE FROM tombstones; ${mark('a1', 91)} ${mark('a2', 89)} ${mark('a3', 0)} ${mark('a4', 400)}`,
  );
  await open('Desk');
  const marks = "SELECT op_id FROM applied_ops WHERE op_id LIKE 'a_' ORDER BY op_id";
  await eventually(async () => expect(await database.sql(marks)).toBe('a2\na3\n'));
  const tombs = 'SELECT TRIM(LEADING 0 FROM conversation_id) FROM tombstones ORDER BY 1';
  await eventually(async () => expect(await database.sql(tombs)).toBe('a2\na3\n'));
});
