/** Pure: what an offline cache is opened with. */
import type { Clock, Logger } from '../../engine/ports.ts';
import type { MysqlTimings } from '../mysql/mysql-pool.ts';
import type { FaultPoints } from './fault-points.ts';

/** The copy: a database like the embedded store's, which may be made anew at any time. */
export const CACHE_FILE = 'cache.db';
/** Changes that are Saved and not yet Synced, and texts of this console alone; never made anew. */
export const OUTBOX_FILE = 'outbox.db';

/** All in milliseconds. */
export interface SyncTimings {
  /** Between two looks for what others changed; one small question to the server. */
  pollMs: number;
  /** Between two tries to reach a server that is away. */
  reconnectMs: number;
  /** Longest wait for an answer of MySQL; afterwards the server counts as away and the work goes on with the cache. */
  answerMs: number;
  /** How long a console that has stopped keeps others from its turns. */
  leaseMs: number;
  /** Between two comparisons of all cached conversations with the server. */
  compareMs: number;
}

export const DEFAULT_SYNC_TIMINGS: SyncTimings = {
  pollMs: 1_000,
  reconnectMs: 1_000,
  answerMs: 4_000,
  leaseMs: 45_000,
  compareMs: 600_000,
};

/** A lost server is noticed by `answerMs`; below it the pool's own waits, so that a try ends before its caller gives up. */
export const SYNC_POOL_TIMINGS: MysqlTimings = { connectMs: 3_000, acquireMs: 3_000, statementMs: 3_500, lockMs: 2_000 };

export interface SyncOptions {
  folder: string;
  /** `mysql://USER:PASS@H1:P1,H2:P2/DB?ca=FILE`. */
  url: string;
  /** What other consoles call this one. */
  consoleName: string;
  clock: Clock;
  /** A new unique id, in order of time. */
  newId: () => string;
  logger: Logger;
  timings?: Partial<SyncTimings>;
  poolTimings?: Partial<MysqlTimings>;
  /** Newest conversations kept in the cache. */
  cachedConversations?: number;
  /** No looks and no tries by the clock: only when `tick` is called. For tests. */
  isManual?: boolean;
  faults?: FaultPoints;
  onSlowStatement?: (sql: string, ms: number) => void;
}
