/** Does I/O: looks at the shared database by the clock, tells what others changed, and brings what waited to it. */
import { toErrorInfo } from '../../../shared/errors.ts';
import type { Clock } from '../../engine/ports.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Copier } from './copier.ts';
import { followErasures } from './erased-customers.ts';
import type { LocalSide } from './local-side.ts';
import type { SharedSide } from './shared-side.ts';
import type { StatusBoard } from './status-board.ts';
import type { SyncTimings } from './sync-options.ts';
import type { Uploader } from './uploader.ts';
import type { WaitingChanges } from './waiting-changes.ts';

export interface ServerWatchDeps {
  local: LocalSide;
  shared: SharedSide;
  feed: ChangeFeed;
  copier: Copier;
  board: StatusBoard;
  waiting: WaitingChanges;
  uploader: Uploader;
  folder: string;
  clock: Clock;
  timings: SyncTimings;
  /** Only when `tick` is called. */
  isManual: boolean;
}

export class ServerWatch {
  private readonly deps: ServerWatchDeps;
  private lastCompareAt = 0;
  private isClosed = false;
  private cancelTimer: (() => void) | null = null;
  private ticking: Promise<void> | null = null;

  constructor(deps: ServerWatchDeps) {
    this.deps = deps;
  }

  /** Rejects when the server cannot be reached. */
  async connect(): Promise<void> {
    await this.deps.shared.connect();
    await this.goOnline();
  }

  /** From now on by the clock. */
  begin(): void {
    if (this.isClosed || this.deps.isManual) return;
    const { clock, board, timings } = this.deps;
    this.cancelTimer = clock.after(board.isOnline ? timings.pollMs : timings.reconnectMs, () => {
      void this.tick().then(
        () => this.begin(),
        () => this.begin(),
      );
    });
  }

  /** One look, or one try to reach the server. One at a time. */
  tick(): Promise<void> {
    this.ticking ??= this.look().finally(() => {
      this.ticking = null;
    });
    return this.ticking;
  }

  async end(): Promise<void> {
    this.isClosed = true;
    this.cancelTimer?.();
    await this.ticking?.catch(() => undefined);
  }

  private async look(): Promise<void> {
    if (this.isClosed) return;
    const { board, waiting } = this.deps;
    try {
      if (board.isOnline) await this.handleChanges();
      else await this.connect();
      if (waiting.count() > 0) await this.upload();
    } catch (error) {
      board.wentOffline(toErrorInfo(error).message);
    }
  }

  private async upload(): Promise<void> {
    const { board, uploader } = this.deps;
    const report = await uploader.run();
    if (report.isOffline) board.wentOffline('MySQL does not answer.');
    else this.noteSynced();
    board.tellStatus();
  }

  private noteSynced(): void {
    if (this.deps.waiting.count() === 0) this.deps.board.syncedAt(this.deps.clock.now());
  }

  private async goOnline(): Promise<void> {
    const { board, local, feed, waiting, clock } = this.deps;
    board.wentOnline();
    await local.outbox.writeValue('connected', 'yes');
    await this.compare();
    const { clockSkewMs } = await feed.look();
    board.heardAt(clock.now());
    board.measuredClock(clockSkewMs);
    this.noteSynced();
    board.tellStatus();
    if (waiting.count() > 0 && !this.isClosed) void this.upload().catch(() => undefined);
  }

  private async compare(): Promise<void> {
    const { copier, local, shared, board, clock } = this.deps;
    this.lastCompareAt = clock.now();
    await followErasures(this.deps);
    const { gone } = await copier.compare();
    await local.outbox.forgetAcknowledged(this.lastCompareAt);
    if (shared.readOnlyReason === null) await shared.forgetOld();
    const revision = await shared.store.shop.articlesVersion();
    await copier.copyShop(Number(revision));
    for (const id of gone) board.tell({ type: 'conversation-gone', conversationId: id });
  }

  private async handleChanges(): Promise<void> {
    const { feed, copier, local, waiting, board, clock, timings } = this.deps;
    const changes = await feed.look();
    board.heardAt(clock.now());
    board.measuredClock(changes.clockSkewMs);
    copier.mark(changes.conversations.keys());
    if (changes.gone.length > 0) await followErasures(this.deps);
    if (changes.gone.length > 0) await local.replica.remove(changes.gone.filter((id) => !waiting.has(id)));
    if (changes.tickets.length > 0) await copier.copyTickets(changes.tickets);
    if (changes.articlesRevision !== null) await copier.copyShop(changes.articlesRevision);
    for (const id of changes.gone) board.tell({ type: 'conversation-gone', conversationId: id });
    for (const id of changes.conversations.keys()) board.tell({ type: 'conversation', conversationId: id });
    for (const id of changes.tickets) board.tell({ type: 'ticket', ticketId: id });
    for (const id of changes.abandoned) board.tell({ type: 'turn-abandoned', conversationId: id });
    if (clock.now() - this.lastCompareAt > timings.compareMs) await this.compare();
  }
}
