/** Does I/O: changes made while MySQL is away, and how fast they go through when it is back. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSyncedStore } from '../../electron/storage/sync/synced-store.ts';
import { startFaultProxy } from '../../tests/fakes/fault-proxy.ts';
import type { MariadbServer } from '../../tests/fakes/mariadb-server.ts';
import { realClock } from './measures.ts';

/** One creation, then turns of two changes each. */
const CHANGES_PER_CONVERSATION = 21;
const LONGEST_MS = 600_000;

export interface WaitingResult {
  changes: number;
  /** Changes per second: Saved here, then Synced. */
  savedPerSecond: number;
  syncedPerSecond: number;
}

export async function measureWaiting(server: MariadbServer, database: string, changes: number): Promise<WaitingResult> {
  const proxy = await startFaultProxy(server.port);
  const folder = await mkdtemp(path.join(tmpdir(), 'nimbus-bench-sync-'));
  const store = await openSyncedStore({
    folder,
    url: server.url(database).replace(`:${server.port}/`, `:${proxy.port}/`),
    consoleName: 'Bench',
    clock: realClock,
    newId: randomUUID,
    logger: { warn: () => undefined, error: () => undefined },
    isManual: true,
  });
  try {
    await store.settled();
    await proxy.setDown(true);
    await store.tick();
    if (store.sync?.status().state !== 'offline') throw new Error('the console did not notice that MySQL is away');
    const startedAt = performance.now();
    let made = 0;
    while (made < changes) made += await makeConversation(store, Math.min(CHANGES_PER_CONVERSATION, changes - made));
    const savedMs = performance.now() - startedAt;
    await proxy.setDown(false);
    const upAt = performance.now();
    while (store.sync.status().waiting > 0 || store.sync.status().state !== 'online') {
      await store.tick();
      if (performance.now() - upAt > LONGEST_MS) throw new Error(`still waiting: ${JSON.stringify(store.sync.status())}`);
    }
    const syncedMs = performance.now() - upAt;
    return { changes: made, savedPerSecond: (made / savedMs) * 1000, syncedPerSecond: (made / syncedMs) * 1000 };
  } finally {
    await store.close();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns how many changes it made: at most `most`. */
async function makeConversation(store: Awaited<ReturnType<typeof openSyncedStore>>, most: number): Promise<number> {
  const id = randomUUID().replaceAll('-', '');
  const { conversations } = store;
  const base = { trust: 'untrusted', at: Date.now() } as const;
  const fields = { actor: null, subject: null, customerId: null, title: '', strategy: null };
  await conversations.create({ id, tenant: 'nimbus', ...fields, at: base.at });
  let made = 1;
  for (let turn = 1; made + 2 <= most; turn += 1, made += 2) {
    const runId = randomUUID();
    const question = { ...base, id: randomUUID(), role: 'user', content: `Question ${turn} asked offline`, origin: 'customer' } as const;
    await conversations.accept({ conversationId: id, message: question, runId, promptVersion: 'p' });
    const answer = { ...base, id: randomUUID(), role: 'assistant', content: `Answer ${turn} given offline`, origin: 'model' } as const;
    const end = { state: 'answered', outcome: 'answered', error: null, at: base.at } as const;
    await conversations.endTurn(id, turn, runId, { ...end, messages: [answer] });
  }
  return made;
}
