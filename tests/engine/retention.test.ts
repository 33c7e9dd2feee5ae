import { expect, test } from 'vitest';
import type { Store, StoreChange } from '../../electron/engine/ports.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { Memory } from '../../shared/memories.ts';
import type { SyncStatus } from '../../shared/sync.ts';
import { createEngine } from './engine-fixture.ts';

const DAY_MS = 86_400_000;
const AXES = { tenant: 't', actor: null, subject: null, customerId: null, title: 'x', strategy: null } as const;

async function engineWithOldOnes() {
  const store = createInMemoryStore();
  const engine = await createEngine({ store, start: false });
  const now = engine.clock.now();
  const id = (n: number): string => `f${n.toString(16).padStart(31, '0')}`;
  for (const [n, days] of [29, 31, 40, 60].entries()) await store.conversations.create({ ...AXES, id: id(n), at: now - days * DAY_MS });
  const ticket = { customerId: null, conversationId: id(3), orderId: null, category: 'c', summary: 's' } as const;
  await store.tickets.create({ ...ticket, status: 'pending', at: now });
  await store.tickets.create({ ...ticket, conversationId: id(2), status: 'closed', at: now });
  return { store, engine, id };
}

test('retention asks first: it tells what would go and deletes nothing', async () => {
  const { store, engine } = await engineWithOldOnes();
  await engine.service.start();
  expect(engine.ofType('notice').map((event) => event.message)).toEqual([expect.stringContaining('2 conversations unchanged for 30 days')]);
  expect(await engine.service.call('previewRetention', {})).toEqual({ days: 30, conversations: 2, kept: 1, agreed: false });
  expect((await store.conversations.list({ limit: 9 })).total).toBe(5);
});

test('once agreed it deletes at once and then daily, never what has a ticket that is worked on', async () => {
  const { store, engine, id } = await engineWithOldOnes();
  await engine.service.start();
  expect(await engine.service.call('applyRetention', {})).toEqual({ deleted: 2 });
  expect(await store.conversations.get(id(1))).toBeNull();
  expect(await store.conversations.get(id(3))).not.toBeNull();
  expect(engine.ofType('conversation-delete').length).toBe(2);
  await engine.clock.advance(2 * DAY_MS);
  expect(await store.conversations.get(id(0))).toBeNull();
  await engine.service.stop();
});

test('0 days keep everything', async () => {
  const { store, engine } = await engineWithOldOnes();
  await engine.service.call('changeSettings', { values: { retentionDays: 0 } });
  await engine.service.start();
  expect(await engine.service.call('applyRetention', {})).toEqual({ deleted: 0 });
  expect((await store.conversations.list({ limit: 9 })).total).toBe(5);
});

test('rule 13: a console clock a month ahead deletes nothing; without the server no sweep, at its return there is one', async () => {
  const memory = createInMemoryStore();
  const listeners = new Set<(change: StoreChange) => void>();
  let status: SyncStatus = { ...OFFLINE };
  let serverTime: number | null = null;
  const store: Store = {
    ...memory,
    changes: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      holder: async () => null,
    },
    sync: {
      status: () => status,
      listParked: async () => [],
      retry: async () => undefined,
      export: async () => '',
      discard: async () => undefined,
    },
    serverNow: async () => {
      if (serverTime === null) throw new ConsoleError('storage', 'away');
      return serverTime;
    },
  };
  const engine = await createEngine({ store, start: false });
  const now = engine.clock.now();
  const id = 'f'.repeat(32);
  await store.conversations.create({ ...AXES, id, at: now - 31 * DAY_MS });
  await store.preferences.write('retention.agreed', 'true');
  await engine.service.start();
  expect(await store.conversations.get(id)).not.toBeNull();
  await expect(engine.service.call('applyRetention', {})).rejects.toMatchObject({ code: 'storage' });
  const back = (): void => {
    status = { ...OFFLINE, state: 'online' };
    for (const listener of listeners) listener({ type: 'sync', status });
  };
  serverTime = now - 31 * DAY_MS;
  back();
  expect(await engine.service.call('applyRetention', {})).toEqual({ deleted: 0 });
  expect(await store.conversations.get(id)).not.toBeNull();
  status = { ...OFFLINE };
  serverTime = null;
  await engine.clock.advance(DAY_MS);
  serverTime = now;
  back();
  await expect.poll(() => store.conversations.get(id)).toBeNull();
  await engine.service.stop();
});

const OFFLINE: SyncStatus = {
  state: 'offline',
  waiting: 0,
  parked: 0,
  lastSyncedAt: null,
  lastContactAt: null,
  reason: 'away',
  hasCache: true,
  clockSkewMs: null,
};

test('rule 12: what holds a parked change is kept; while changes wait there is no sweep, and one follows when they are through', async () => {
  const memory = createInMemoryStore();
  const listeners = new Set<(change: StoreChange) => void>();
  const [parked, old] = ['a'.repeat(32), 'b'.repeat(32)];
  let status: SyncStatus = { ...OFFLINE, state: 'online', waiting: 2, parked: 1 };
  const op = { id: 'op', kind: 'parked', conversationId: parked, what: 'message', reason: 'refused', text: 'x', at: 1 } as const;
  const store: Store = {
    ...memory,
    changes: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      holder: async () => null,
    },
    sync: {
      status: () => status,
      listParked: async () => [op],
      retry: async () => undefined,
      export: async () => '',
      discard: async () => undefined,
    },
  };
  const engine = await createEngine({ store, start: false });
  const now = engine.clock.now();
  for (const id of [parked, old]) await store.conversations.create({ ...AXES, id, at: now - 31 * DAY_MS });
  await store.preferences.write('retention.agreed', 'true');
  await engine.service.start();
  expect(await store.conversations.get(old)).not.toBeNull();
  expect(await engine.service.call('previewRetention', {})).toMatchObject({ conversations: 1, kept: 1 });

  status = { ...status, waiting: 0 };
  for (const listener of listeners) listener({ type: 'sync', status });
  await expect.poll(() => store.conversations.get(old)).toBeNull();
  expect(await store.conversations.get(parked)).not.toBeNull();
  await engine.service.stop();
});

test('facts distilled from a conversation go with it; pinned ones and those a person wrote stay', async () => {
  const { store, engine, id } = await engineWithOldOnes();
  const fact = (name: string, part: Partial<Memory>): Memory => ({
    id: name,
    tenant: 't',
    scope: 'tenant',
    customerId: null,
    text: name,
    slot: null,
    trust: 'untrusted',
    origin: 'distilled',
    pinned: false,
    supersededBy: null,
    conversationId: id(1),
    turn: 1,
    createdAt: 1,
    changedAt: 1,
    ...part,
  });
  await store.memories.put([
    fact('gone', {}),
    fact('pinned', { pinned: true }),
    fact('written', { origin: 'human' }),
    fact('elsewhere', { conversationId: id(0) }),
  ]);
  await engine.service.start();
  await engine.service.call('applyRetention', {});
  const left = await store.memories.listAll({ limit: 9, superseded: true });
  expect(left.map((one) => one.id).toSorted()).toEqual(['elsewhere', 'pinned', 'written']);
  await engine.service.stop();
});
