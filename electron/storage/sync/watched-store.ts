/** Does I/O: the shared store without a cache, which tells what others change. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { Clock, Store } from '../../engine/ports.ts';
import { ConsoleLeases } from '../mysql/console-leases.ts';
import { forgetOldMarks } from '../mysql/forget-old.ts';
import { adopt } from '../mysql/mysql-conversations.ts';
import { mysqlStoreOn, openMysqlDatabase } from '../mysql/mysql-store.ts';
import type { MysqlStoreOptions } from '../mysql/mysql-store.ts';
import { DEFAULT_LEASE_MS } from '../mysql/turn-lease.ts';
import { createChangeFeed } from './change-feed.ts';
import { StatusBoard } from './status-board.ts';
import { DEFAULT_SYNC_TIMINGS } from './sync-options.ts';

const NO_ANSWER = 'MySQL does not answer.';

async function nothingWaits(): Promise<never> {
  throw new ConsoleError('not-found', 'Without an offline cache no change waits here.');
}

export interface WatchedOptions extends MysqlStoreOptions {
  console: NonNullable<MysqlStoreOptions['console']>;
  clock: Clock;
  /** Milliseconds between two looks. */
  pollMs?: number;
  /** A look that takes longer, in milliseconds, shows the server as away. */
  answerMs?: number;
}

/** Rejects as `openMysqlStore`. While looks fail the status says that the server is away; the store's own calls fail then, nothing waits here. */
export async function openWatchedStore(options: WatchedOptions): Promise<Store> {
  const database = await openMysqlDatabase(options);
  const leases = new ConsoleLeases(database, options.console, options.leaseMs ?? DEFAULT_LEASE_MS);
  const store = mysqlStoreOn(database, leases);
  const board = new StatusBoard({ hasCache: false, waiting: () => 0, readOnlyReason: () => database.readOnlyReason });
  const { clock } = options;
  const feed = createChangeFeed({ read: (work) => database.read(work), adopt: (id) => adopt(database, id), now: () => clock.now() }, true);
  let isClosed = false;
  let cancel: (() => void) | null = null;
  let looking: Promise<void> = Promise.resolve();
  let tidiedAt: number | null = null;
  const tidy = async (): Promise<void> => {
    if (database.readOnlyReason !== null || (tidiedAt !== null && clock.now() - tidiedAt < DEFAULT_SYNC_TIMINGS.compareMs)) return;
    tidiedAt = clock.now();
    await forgetOldMarks(database);
  };
  const look = async (): Promise<void> => {
    const stopWaiting = clock.after(options.answerMs ?? DEFAULT_SYNC_TIMINGS.answerMs, () => board.wentOffline(NO_ANSWER));
    try {
      const changes = await feed.look();
      board.wentOnline();
      board.heardAt(clock.now());
      board.measuredClock(changes.clockSkewMs);
      board.syncedAt(clock.now());
      board.tellStatus();
      for (const conversationId of changes.gone) board.tell({ type: 'conversation-gone', conversationId });
      for (const conversationId of changes.conversations.keys()) board.tell({ type: 'conversation', conversationId });
      for (const ticketId of changes.tickets) board.tell({ type: 'ticket', ticketId });
      for (const conversationId of changes.abandoned) board.tell({ type: 'turn-abandoned', conversationId });
      await tidy();
    } catch (error) {
      if (!(error instanceof ConsoleError)) throw error;
      board.wentOffline(error.message);
    } finally {
      stopWaiting();
    }
  };
  const schedule = (): void => {
    if (isClosed) return;
    cancel = clock.after(options.pollMs ?? DEFAULT_SYNC_TIMINGS.pollMs, () => {
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
      subscribe: (listener) => board.subscribe(listener),
      holder: (id) => leases.holder(id),
    },
    sync: {
      status: () => board.status(),
      listParked: async () => [],
      retry: nothingWaits,
      export: nothingWaits,
      discard: nothingWaits,
    },
    close: async () => {
      isClosed = true;
      cancel?.();
      await looking.catch(() => undefined);
      await store.close();
    },
  };
}
