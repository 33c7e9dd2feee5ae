/** Forgetting a customer: who answers elsewhere is not interrupted, and what a missing database stopped goes on when it is back. */
import { expect, test } from 'vitest';
import type { Store, StoreChange } from '../../electron/engine/ports.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { SyncStatus } from '../../shared/sync.ts';
import { settle } from '../fakes/virtual-clock.ts';
import { conversationWith, START } from '../contract/store-builders.ts';
import { createEngine } from './engine-fixture.ts';

const SECRET = 'Zacharias Quellenbrunn wants his blue kettle back';
const ONLINE: SyncStatus = {
  state: 'online',
  waiting: 0,
  parked: 0,
  lastSyncedAt: START,
  lastContactAt: START,
  reason: '',
  hasCache: true,
  clockSkewMs: null,
};

/** A store whose shared part is away, and answered by another console, when the test says so. */
function sharedStore() {
  const inner = createInMemoryStore();
  const listeners = new Set<(change: StoreChange) => void>();
  const state = { isAway: false, holder: null as string | null };
  const erasure: Store['erasure'] = {
    ...inner.erasure,
    conversationsOf: async (id) => {
      if (state.isAway) throw new ConsoleError('storage', 'The shared database cannot be reached.');
      return inner.erasure.conversationsOf(id);
    },
  };
  const store: Store = {
    ...inner,
    erasure,
    changes: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      holder: async () => state.holder,
    },
  };
  const tell = (status: Partial<SyncStatus>): void => {
    for (const listener of listeners) listener({ type: 'sync', status: { ...ONLINE, ...status } });
  };
  return { store, state, tell };
}

test('rule 12: an erasure that was interrupted, and found no database at the start, goes on at the reconnect', async () => {
  const { store, state, tell } = sharedStore();
  const id = await conversationWith(store, [[SECRET, 'Certainly']], { customerId: 'c-gone' });
  const journal = { customer: { id: 'c-gone', texts: [SECRET] }, conversationIds: [], turns: [] };
  await store.preferences.write('erasure.journal', JSON.stringify(journal));
  state.isAway = true;
  const engine = await createEngine({ store, conversationId: 'none' });
  expect(engine.logs).toContain('an interrupted erasure goes on when the database is back');
  tell({ state: 'offline' });
  await settle();
  expect(await store.conversations.get(id)).not.toBeNull();
  // It answers, and is gone again before the erasure has asked.
  tell({});
  await settle();
  expect(await store.conversations.get(id)).not.toBeNull();
  state.isAway = false;
  tell({});
  await settle();
  expect(await store.conversations.get(id)).toBeNull();
  expect(await store.preferences.read('erasure.journal')).not.toContain('c-gone');
  await engine.service.stop();
});

test('rule 12: while another console answers the customer, or another erasure runs, it says busy and changes nothing', async () => {
  const { store, state } = sharedStore();
  const id = await conversationWith(store, [[SECRET, 'Certainly']], { customerId: 'c-gone' });
  const engine = await createEngine({ store, conversationId: 'none' });
  state.holder = 'Desk 2';
  await expect(engine.service.call('forgetCustomer', { customerId: 'c-gone' })).rejects.toMatchObject({
    code: 'busy',
    message: 'Desk 2 is answering this customer; stop it there, then try again.',
  });
  expect(await store.conversations.get(id)).not.toBeNull();
  state.holder = null;
  const first = engine.service.call('forgetCustomer', { customerId: 'c-gone' });
  await expect(engine.service.call('forgetCustomer', { customerId: 'c-other' })).rejects.toMatchObject({ code: 'busy' });
  expect((await first).proof.removed).toMatchObject({ conversations: 1 });
  await engine.service.stop();
});
