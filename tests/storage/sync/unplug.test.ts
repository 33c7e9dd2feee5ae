import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shopData } from '../../../electron/engine/shop/shop-data.ts';
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import { ask, engineOver } from './sync-engine.ts';
import { eventually, startSyncSetup } from './sync-setup.ts';
import type { SyncSetup } from './sync-setup.ts';

vi.setConfig({ testTimeout: 120_000 });

let setup: SyncSetup;

beforeAll(async () => {
  setup = await startSyncSetup();
}, 120_000);

afterAll(async () => {
  await setup?.stop();
});

test('[SYN-1] [SYN-2] [SYN-3] unplug: the server dies in mid-conversation, the work goes on, and afterwards every console has everything once', async () => {
  const database = await setup.database();
  const desk = await setup.open(database.directUrl, { consoleName: 'Desk' });
  await desk.shop.seed(shopData(Date.now()));
  const other = await setup.open(database.directUrl, { consoleName: 'Other desk' });
  const [service, elsewhere] = [engineOver(desk), engineOver(other)];
  const seenElsewhere: string[] = [];
  const states: string[] = [];
  elsewhere.subscribe((event: ConsoleEvent) => {
    if (event.type === 'message-add') seenElsewhere.push(event.message.content);
  });
  service.subscribe((event: ConsoleEvent) => {
    if (event.type === 'sync-change') states.push(event.status.state);
  });
  await service.start();
  await elsewhere.start();
  const { conversation } = await service.call('createConversation', { customerId: 'C-1001' });
  const { id } = conversation;
  await ask(service, id, 'Where is my order 1043?');
  await desk.settled();
  await setup.server.kill();
  await ask(service, id, 'And where is order 1042?');
  const offline = await service.call('openConversation', { conversationId: id });
  expect(offline.turns.map((turn) => turn.state)).toEqual(['answered', 'answered']);
  expect(offline.messages.at(-1)?.content).toContain('1042');
  expect(offline.messages.filter((message) => message.unsynced).length).toBeGreaterThan(1);
  expect((await service.call('getSyncState', {})).sync).toMatchObject({ state: 'offline' });
  await setup.server.start();
  await eventually(
    async () => expect((await service.call('getSyncState', {})).sync).toMatchObject({ state: 'online', waiting: 0, parked: 0 }),
    40_000,
  );
  const after = await service.call('openConversation', { conversationId: id });
  expect(after.messages.map((message) => message.id)).toEqual(offline.messages.map((message) => message.id));
  expect(after.messages.some((message) => message.unsynced)).toBe(false);
  await eventually(async () => {
    const there = await elsewhere.call('openConversation', { conversationId: id });
    expect(there.messages).toEqual(after.messages);
  }, 20_000);
  await eventually(() => expect(seenElsewhere).toContain(after.messages.at(-1)?.content), 20_000);
  expect(await database.sql(`SELECT COUNT(*), COUNT(DISTINCT uid) FROM messages WHERE conversation_id = '${id}'`)).toBe(
    `${after.messages.length}\t${after.messages.length}\n`,
  );
  expect(new Set(states)).toEqual(new Set(['offline', 'online']));
  await service.stop();
  await elsewhere.stop();
});
