import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../../../electron/engine/ports.ts';
import { openMysqlStore } from '../../../electron/storage/mysql/mysql-store.ts';
import { answer, conversation, incoming, question, START } from '../../contract/store-builders.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';
import { startMariadb } from '../../fakes/mariadb-server.ts';

vi.setConfig({ testTimeout: 60_000 });

const LEASE_MS = 600;
const END = { state: 'answered', outcome: 'answered', error: null, at: START + 9 } as const;

let server: MariadbServer;
const stores: Store[] = [];

beforeAll(async () => {
  server = await startMariadb();
  await server.sql('CREATE DATABASE console');
  await server.sql(await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8'), 'console');
}, 120_000);

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

afterAll(async () => {
  await server?.stop();
});

async function desk(id: string): Promise<Store> {
  const store = await openMysqlStore({ url: server.url('console'), console: { id, name: `Desk ${id}` }, leaseMs: LEASE_MS });
  stores.push(store);
  return store;
}

/** A conversation whose turn 1 runs as `run` on this console. */
async function running(store: Store): Promise<string> {
  const { id } = await store.conversations.create(conversation());
  await store.conversations.accept(incoming(id, question('hello'), 'run'));
  return id;
}

const open = async (store: Store, id: string): Promise<number> =>
  (await store.conversations.listOpenTurns()).filter((turn) => turn.conversationId === id).length;

test('[SYN-5] a console that starts leaves the running turns of others alone, and writes nothing into them', async () => {
  const [one, two] = [await desk('one'), await desk('two')];
  const id = await running(one);
  expect([await open(one, id), await open(two, id)]).toEqual([1, 0]);
  const refused = { code: 'conflict', message: expect.stringContaining('Desk one') };
  await expect(two.conversations.append(id, 1, 'run', [answer('x')])).rejects.toMatchObject(refused);
  await expect(two.conversations.endTurn(id, 1, 'run', { ...END, messages: [] })).rejects.toMatchObject(refused);
  expect(await two.conversations.accept(incoming(id, question('more')))).toMatchObject({ kind: 'queued' });
  await one.conversations.endTurn(id, 1, 'run', { ...END, messages: [answer('done')] });
  expect((await two.conversations.startQueued(id, { runId: 'run-2', promptVersion: 'p' }))?.message.content).toBe('more');
  expect([await open(one, id), await open(two, id)]).toEqual([0, 1]);
});

test('a model may think longer than a lease lives: it is renewed', async () => {
  const [one, two] = [await desk('one'), await desk('two')];
  const id = await running(one);
  await wait(LEASE_MS * 2.5);
  expect(await open(two, id)).toBe(0);
  expect((await one.conversations.append(id, 1, 'run', [answer('at last')])).length).toBe(1);
});

test('a console that died: another finds its turn when the lease has run out, and the late one is refused', async () => {
  const [one, two] = [await desk('one'), await desk('two')];
  const id = await running(one);
  await one.close();
  expect(await open(two, id)).toBe(0);
  await wait(LEASE_MS + 200);
  expect(await open(two, id)).toBe(1);
  await two.conversations.append(id, 1, 'run', [answer('taken over')]);
  const back = await desk('one');
  await expect(back.conversations.append(id, 1, 'run', [answer('late')])).rejects.toMatchObject({ code: 'conflict' });
  await two.conversations.endTurn(id, 1, 'run', { ...END, state: 'interrupted', outcome: 'interrupted', messages: [] });
  expect((await back.conversations.readTurn(id, 1))?.messages.map((message) => message.content)).toEqual(['hello', 'taken over']);
  const fence = await server.sql(`SELECT fence FROM turn_leases WHERE conversation_id = '${id}'`, 'console');
  expect(fence.trim()).toBe('2');
});

test('a console that died and starts again finds its own turn at once', async () => {
  const one = await desk('one');
  const id = await running(one);
  await one.close();
  const again = await desk('one');
  expect(await open(again, id)).toBe(1);
  await again.conversations.endTurn(id, 1, 'run', { ...END, state: 'interrupted', outcome: 'interrupted', messages: [] });
});

test('a store opened for reading writes nothing', async () => {
  const one = await desk('one');
  const id = await running(one);
  const reader = await openMysqlStore({ url: server.url('console'), readOnly: true });
  stores.push(reader);
  expect((await reader.conversations.readTurn(id, 1))?.messages.length).toBe(1);
  await expect(reader.conversations.saveDraft(id, 'x', START)).rejects.toMatchObject({ code: 'read-only' });
});
