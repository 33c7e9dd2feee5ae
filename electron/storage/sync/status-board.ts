/** Pure (state in memory): how it stands with the shared database, and who is told. */
import { isClockWrong } from '../../../shared/sync.ts';
import type { SyncConnection, SyncStatus } from '../../../shared/sync.ts';
import type { StoreChange } from '../../engine/ports.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface BoardSource {
  hasCache: boolean;
  /** Changes that are not Synced, parked ones included. */
  waiting(): number;
  /** Why the schema or a setting forbids writing; null: it does not. */
  readOnlyReason(): string | null;
}

export class StatusBoard {
  private readonly source: BoardSource;
  private readonly listeners = new Set<(change: StoreChange) => void>();
  private isUp = false;
  /** The server takes no changes at present. */
  private isRefusing = false;
  private reason = '';
  private parked = 0;
  /** Refused ones do not wait any more, but a person has to know. */
  private rejected = 0;
  private lastSyncedAt: number | null = null;
  private lastContactAt: number | null = null;
  private clockSkewMs: number | null = null;
  private told = '';

  constructor(source: BoardSource) {
    this.source = source;
  }

  get isOnline(): boolean {
    return this.isUp;
  }

  /** Why it is not online; "" when it is. */
  get awayReason(): string {
    return this.reason;
  }

  status(): SyncStatus {
    const forbidden = this.source.readOnlyReason();
    const state: SyncConnection = !this.isUp ? 'offline' : this.isRefusing || forbidden !== null ? 'read-only' : 'online';
    return {
      state,
      waiting: Math.max(0, this.source.waiting() - this.parked),
      parked: this.parked + this.rejected,
      lastSyncedAt: this.lastSyncedAt,
      lastContactAt: this.lastContactAt,
      reason: forbidden ?? (state === 'online' ? '' : this.reason),
      hasCache: this.source.hasCache,
      clockSkewMs: this.clockSkewMs,
    };
  }

  /** Listeners must not throw. Returns the way to stop. */
  subscribe(listener: (change: StoreChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(change: StoreChange): void {
    for (const listener of this.listeners) listener(change);
  }

  /** Tells the status when it is another one than was told. */
  tellStatus(): void {
    const status = this.status();
    // A clock drifts all the time; only whether it is wrong is news.
    const text = JSON.stringify({ ...status, lastSyncedAt: null, lastContactAt: null, clockSkewMs: isClockWrong(status) });
    if (text === this.told) return;
    this.told = text;
    this.tell({ type: 'sync', status });
  }

  /** Told by `tellStatus`. */
  wentOnline(): void {
    this.isUp = true;
    this.reason = '';
  }

  wentOffline(reason: string): void {
    this.isUp = false;
    this.reason = reason;
    this.tellStatus();
  }

  /** The server answers and takes no changes. */
  refuses(reason: string): void {
    this.isRefusing = true;
    this.reason = reason;
  }

  takesChanges(): void {
    this.isRefusing = false;
  }

  countsParked({ parked, rejected }: { parked: number; rejected: number }): void {
    this.parked = parked;
    this.rejected = rejected;
    this.tellStatus();
  }

  /** Nothing waits any more. UTC milliseconds. */
  syncedAt(at: number): void {
    this.lastSyncedAt = at;
  }

  /** The server answered. UTC milliseconds. */
  heardAt(at: number): void {
    this.lastContactAt = at;
  }

  /** This computer's clock minus the server's, in milliseconds. People are told once when it goes wrong, and again after it was right. */
  measuredClock(skewMs: number): void {
    const wasWrong = isClockWrong({ clockSkewMs: this.clockSkewMs });
    this.clockSkewMs = skewMs;
    const isWrong = isClockWrong({ clockSkewMs: skewMs });
    if (isWrong && !wasWrong) this.tell({ type: 'sync-notice', level: 'warning', message: clockNotice(skewMs), conversationId: null });
    if (isWrong !== wasWrong) this.tellStatus();
  }
}

/** One sentence for a person. `skewMs`: this clock minus the server's. */
export function clockNotice(skewMs: number): string {
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return `The clock of this computer is ${roughly(Math.abs(skewMs))} ${side} the shared database's. Set it right: until then the times of what is written here are wrong. Nothing is lost, and the order of messages is right.`;
}

function roughly(ms: number): string {
  const isAbout = (unit: number): boolean => Math.round(ms / unit) >= 2;
  const [unit, name]: [number, string] = isAbout(DAY_MS) ? [DAY_MS, 'day'] : isAbout(HOUR_MS) ? [HOUR_MS, 'hour'] : [MINUTE_MS, 'minute'];
  const count = Math.round(ms / unit);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
