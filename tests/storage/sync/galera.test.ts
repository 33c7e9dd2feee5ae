import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSyncedStore } from '../../../electron/storage/sync/synced-store.ts';
import type { SyncedStore } from '../../../electron/storage/sync/synced-store.ts';
import { answer as scripted, createScriptedModel } from '../../fakes/scripted-model.ts';
import { startGalera } from '../../fakes/galera-cluster.ts';
import type { GaleraCluster } from '../../fakes/galera-cluster.ts';
import { ask, engineOver } from './sync-engine.ts';
import { eventually, quietLogger, realClock } from './sync-setup.ts';

vi.setConfig({ testTimeout: 240_000 });

let cluster: GaleraCluster;
const folders: string[] = [];
const stores: SyncedStore[] = [];

beforeAll(async () => {
  cluster = await startGalera(3);
  await cluster.sql(0, 'CREATE DATABASE console');
  await cluster.sql(0, await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8'), 'console');
}, 240_000);

afterAll(async () => {
  for (const store of stores) await store.close();
  await cluster?.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}, 60_000);

async function desk(name: string): Promise<SyncedStore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nimbus-galera-desk-'));
  folders.push(folder);
  const store = await openSyncedStore({
    folder,
    url: cluster.url('console'),
    consoleName: name,
    clock: realClock,
    newId: randomUUID,
    logger: quietLogger,
    timings: { pollMs: 300, reconnectMs: 300, leaseMs: 4_000 },
  });
  stores.push(store);
  return store;
}

test('[SYN-1] [SYN-2] [SYN-3] one of three Galera nodes killed mid-turn: the turn ends, nothing lost or doubled, one order', async () => {
  const [first, second] = [await desk('First'), await desk('Second')];
  let isMidTurn: () => void = () => undefined;
  const midTurn = new Promise<void>((resolve) => {
    isMidTurn = resolve;
  });
  let killed: Promise<void> | null = null;
  const killInTurn = (): Promise<void> => {
    isMidTurn();
    killed ??= cluster.kill(0);
    return killed;
  };
  const answers = ['First answer.', 'Second answer.', 'Third answer.', 'Fourth answer.'];
  const script = answers.map((text, index) => (index === 1 ? [killInTurn, ...scripted(text)] : scripted(text)));
  const one = engineOver(first, createScriptedModel(...script));
  await one.start();
  const { conversation } = await one.call('createConversation', {});
  const { id } = conversation;
  await ask(one, id, 'Question 1');
  await ask(one, id, 'Question 2');
  await midTurn;
  await ask(one, id, 'Question 3');
  await ask(one, id, 'Question 4');
  await eventually(() => expect(first.sync?.status()).toMatchObject({ state: 'online', waiting: 0 }), 60_000);
  const expected = answers.flatMap((text, index) => [`Question ${index + 1}`, text]);
  const read = async (store: SyncedStore): Promise<string[]> => {
    const turns = await store.conversations.readTurns(id, { limit: 99 });
    return turns.toReversed().flatMap((turn) => turn.messages.map((message) => message.content));
  };
  expect(await read(first)).toEqual(expected);
  await eventually(async () => expect(await read(second)).toEqual(expected), 30_000);
  for (const node of [1, 2]) {
    const rows = await cluster.sql(node, `SELECT content FROM messages WHERE conversation_id = '${id}' ORDER BY seq`, 'console');
    expect(rows.split('\n').filter((line) => line !== '')).toEqual(expected);
  }
  await one.stop();
});
