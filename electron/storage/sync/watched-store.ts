/** Does I/O: the shared store without a cache, which tells what others change. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { Clock, Store, StoreChange } from '../../engine/ports.ts';
import { ConsoleLeases } from '../mysql/console-leases.ts';
import { adopt } from '../mysql/mysql-conversations.ts';
import { mysqlStoreOn, openMysqlDatabase } from '../mysql/mysql-store.ts';
import type { MysqlStoreOptions } from '../mysql/mysql-store.ts';
import { DEFAULT_LEASE_MS } from '../mysql/turn-lease.ts';
import { createChangeFeed } from './change-feed.ts';
import { DEFAULT_SYNC_TIMINGS } from './sync-options.ts';

export interface WatchedOptions extends MysqlStoreOptions {
  console: NonNullable<MysqlStoreOptions['console']>;
  clock: Clock;
  /** Milliseconds between two looks. */
  pollMs?: number;
}

/** Rejects as `openMysqlStore`. A look that fails is made again; the store's own calls tell people about a server that is away. */
export async function openWatchedStore(options: WatchedOptions): Promise<Store> {
  const database = await openMysqlDatabase(options);
  const leases = new ConsoleLeases(database, options.console, options.leaseMs ?? DEFAULT_LEASE_MS);
  const store = mysqlStoreOn(database, leases);
  const listeners = new Set<(change: StoreChange) => void>();
  const feed = createChangeFeed({ read: (work) => database.read(work), adopt: (id) => adopt(database, id) }, true);
  let isClosed = false;
  let cancel: (() => void) | null = null;
  let looking: Promise<void> = Promise.resolve();
  const tell = (change: StoreChange): void => {
    for (const listener of listeners) listener(change);
  };
  const look = async (): Promise<void> => {
    try {
      const changes = await feed.look();
      for (const conversationId of changes.gone) tell({ type: 'conversation-gone', conversationId });
      for (const conversationId of changes.conversations.keys()) tell({ type: 'conversation', conversationId });
      for (const ticketId of changes.tickets) tell({ type: 'ticket', ticketId });
      for (const conversationId of changes.abandoned) tell({ type: 'turn-abandoned', conversationId });
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error;
    }
  };
  const schedule = (): void => {
    if (isClosed) return;
    cancel = options.clock.after(options.pollMs ?? DEFAULT_SYNC_TIMINGS.pollMs, () => {
      looking = look().finally(schedule);
    });
  };
  await look();
  schedule();
  return {
    ...store,
    conversations: {
      ...store.conversations,
      list: async (query) => {
        const page = await store.conversations.list(query);
        feed.watch(page.items.map((item) => item.id));
        return page;
      },
    },
    changes: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      holder: (id) => leases.holder(id),
    },
    close: async () => {
      isClosed = true;
      cancel?.();
      await looking.catch(() => undefined);
      await store.close();
    },
  };
}
