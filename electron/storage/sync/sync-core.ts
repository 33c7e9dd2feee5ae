/** Does I/O: decides for each call between the shared database and the cache, and brings what waited to MySQL. */
import { ConsoleError, fromErrorInfo, toErrorInfo } from '../../../shared/errors.ts';
import type { SyncStatus } from '../../../shared/sync.ts';
import type { StoreChange } from '../../engine/ports.ts';
import { awayFor, isAway, laneOfEntry, parametersOrNone, savedUnseen } from './entries.ts';
import type { Call } from './entries.ts';
import { createChangeFeed } from './change-feed.ts';
import type { ChangeFeed } from './change-feed.ts';
import { Copier } from './copier.ts';
import { NO_FAULTS } from './fault-points.ts';
import type { FaultPoints } from './fault-points.ts';
import type { ErasureSides } from './erased-customers.ts';
import { createLanes } from './lanes.ts';
import type { LocalSide } from './local-side.ts';
import { newOperation, parametersOf } from './operation.ts';
import type { ApplyOutcome, Operation, OperationKind, OutboxEntry } from './operation.ts';
import { isConversationLane, messageIdsOf } from './routes.ts';
import type { PartKey } from './routes.ts';
import { ServerWatch } from './server-watch.ts';
import type { SharedSide } from './shared-side.ts';
import { StatusBoard } from './status-board.ts';
import { DEFAULT_SYNC_TIMINGS } from './sync-options.ts';
import type { SyncOptions } from './sync-options.ts';
import { createUploader } from './uploader.ts';
import type { Uploader } from './uploader.ts';
import { createWaitingChanges } from './waiting-changes.ts';

const DEFAULT_CACHED = 500;
/** Turns that begin: the server compares the place where they began. */
const TURN_KINDS: readonly OperationKind[] = ['conversations.accept', 'conversations.startQueued', 'conversations.reopenTurn'];
/** Nor is a conversation deleted that went on without this console knowing. */
const BASED_KINDS: readonly OperationKind[] = [...TURN_KINDS, 'conversations.delete'];

export class SyncCore {
  readonly waiting = createWaitingChanges();
  readonly lanes = createLanes();
  readonly local: LocalSide;
  readonly shared: SharedSide;
  readonly feed: ChangeFeed;
  private readonly options: SyncOptions;
  private readonly faults: FaultPoints;
  private readonly consoleId: string;
  private readonly copier: Copier;
  private readonly board: StatusBoard;
  private readonly watch: ServerWatch;
  private isClosed = false;

  constructor(options: SyncOptions, local: LocalSide, shared: SharedSide, consoleId: string) {
    this.options = options;
    this.local = local;
    this.shared = shared;
    this.consoleId = consoleId;
    this.faults = options.faults ?? NO_FAULTS;
    this.board = new StatusBoard({ hasCache: true, waiting: () => this.waiting.count(), readOnlyReason: () => shared.readOnlyReason });
    const { clock } = options;
    this.feed = createChangeFeed({ read: (work) => shared.read(work), adopt: (id) => shared.adopt(id), now: () => clock.now() }, true);
    this.copier = new Copier({
      local,
      shared,
      lanes: this.lanes,
      isAhead: (lane) => this.waiting.has(lane),
      cachedConversations: options.cachedConversations ?? DEFAULT_CACHED,
      onAway: (error) => this.board.wentOffline(toErrorInfo(error).message),
    });
    this.watch = new ServerWatch({
      local,
      shared,
      feed: this.feed,
      copier: this.copier,
      board: this.board,
      waiting: this.waiting,
      uploader: this.createUploader(),
      folder: options.folder,
      clock,
      timings: { ...DEFAULT_SYNC_TIMINGS, ...options.timings },
      isManual: options.isManual === true,
    });
  }
  get isOnline(): boolean {
    return this.board.isOnline;
  }

  get erasureSides(): ErasureSides {
    return { local: this.local, shared: this.shared, waiting: this.waiting, folder: this.options.folder };
  }

  /** Why it is not online; "" when it is. */
  get awayReason(): string {
    return this.board.awayReason;
  }

  status(): SyncStatus {
    return this.board.status();
  }

  subscribe(listener: (change: StoreChange) => void): () => void {
    return this.board.subscribe(listener);
  }

  /** Answered by MySQL. */
  isDirect(lane: string): boolean {
    return this.board.isOnline && !this.waiting.has(lane);
  }

  /** Makes the cache what the outbox says, then connects. Rejects when there is neither a server nor a copy. */
  async start(): Promise<void> {
    const entries = await this.local.outbox.waiting();
    for (const entry of entries) this.waiting.add(laneOfEntry(entry), entry.id, messageIdsOf(entry.kind, parametersOrNone(entry)));
    await this.countParked();
    for (const entry of entries) await this.replay(entry);
    try {
      await this.watch.connect();
    } catch (error) {
      const isFirstStart = entries.length === 0 && Object.keys(await this.local.replica.versions()).length === 0;
      if (isFirstStart && (await this.local.outbox.readValue('connected')) === null) throw error;
      this.board.wentOffline(toErrorInfo(error).message);
    }
    this.watch.begin();
  }

  /** Rejects with a ConsoleError when nothing was saved. */
  write(call: Call, isSaved: boolean): Promise<unknown> {
    const refusal = this.shared.readOnlyReason;
    if (refusal !== null) return Promise.reject(new ConsoleError('read-only', refusal));
    return this.lanes.run(call.lane, () => this.writeInLane(call, isSaved));
  }

  /** From MySQL; when it does not answer, from the cache. */
  async read<T>(lane: string, fromShared: () => Promise<T>, fromCache: () => Promise<T>): Promise<T> {
    if (!this.isDirect(lane)) return fromCache();
    try {
      return await this.shared.inTime(fromShared());
    } catch (error) {
      if (!isAway(error)) throw error;
      this.board.wentOffline(toErrorInfo(error).message);
      return fromCache();
    }
  }

  /** Only while MySQL answers. */
  async online<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (!this.board.isOnline) throw awayFor(what, this.board.awayReason);
    try {
      return await this.shared.inTime(work());
    } catch (error) {
      if (!isAway(error)) throw error;
      this.board.wentOffline(toErrorInfo(error).message);
      throw awayFor(what, toErrorInfo(error).message);
    }
  }

  /** One look at the server, or one try to reach it. One at a time. */
  tick(): Promise<void> {
    return this.watch.tick();
  }

  /** Everything that was begun is done. */
  async settled(): Promise<void> {
    await this.lanes.idle();
    await this.copier.idle();
  }

  async retry(id: string): Promise<void> {
    await this.local.outbox.retry(id);
    const entry = await this.local.outbox.find(id);
    if (entry !== null) this.waiting.add(laneOfEntry(entry), id, messageIdsOf(entry.kind, parametersOrNone(entry)));
    await this.countParked();
    await this.tick();
  }

  async discard(id: string): Promise<void> {
    const entry = (await this.local.outbox.stopped()).find((each) => each.id === id);
    if (entry === undefined) throw new ConsoleError('not-found', 'This change does not wait any more.');
    await this.local.outbox.discard(id);
    await this.lanes.run(laneOfEntry(entry), () => this.settleInLane(laneOfEntry(entry), id));
    await this.countParked();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.watch.end();
    await this.lanes.idle();
    await this.local.close();
    await this.shared.inTime(this.shared.close()).catch(() => undefined);
  }

  private createUploader(): Uploader {
    const { outbox } = this.local;
    return createUploader({
      outbox: {
        ready: (now, limit) => outbox.ready(now, limit),
        acknowledge: (id, result) => this.acknowledge(id, result),
        reject: async (id, reason) => {
          await outbox.reject(id, reason);
          await this.settleEntry(id, reason);
        },
        park: async (id, reason, errno) => {
          await outbox.park(id, reason, errno);
          await this.countParked();
          this.board.tell({ type: 'sync-notice', level: 'warning', message: `A change waits for you: ${reason}`, conversationId: null });
        },
        postpone: (id, nextTryAt, reason, errno) => outbox.postpone(id, nextTryAt, reason, errno),
      },
      apply: (operation) => this.applyWaiting(operation),
      isReachable: () => this.shared.isReachable(),
      now: () => this.options.clock.now(),
      random: () => 0.5,
    });
  }

  private async writeInLane(call: Call, isSaved: boolean): Promise<unknown> {
    const operation = newOperation(
      {
        id: this.options.newId(),
        consoleId: this.consoleId,
        conversationId: call.lane,
        turn: null,
        kind: call.kind,
        at: this.options.clock.now(),
      },
      call.parameters,
    );
    const isDirect = this.isDirect(call.lane);
    if (isSaved) {
      await this.faults.reach('before-saved', call.kind);
      await this.local.outbox.add(operation);
      await this.faults.reach('saved', call.kind);
    }
    if (isDirect) {
      const outcome = await this.shared.apply(operation, null, false);
      if (outcome.kind === 'applied') return this.wasApplied(call, operation, outcome.result, isSaved);
      if (outcome.kind === 'rejected') {
        if (isSaved) await this.local.outbox.remove(operation.id);
        throw fromErrorInfo(outcome.error);
      }
      if (!isSaved) await this.local.outbox.add(operation);
      await this.couldNotApply(operation, outcome);
      return this.keepLocally(call, operation, true);
    }
    if (!isSaved) await this.local.outbox.add(operation);
    return this.keepLocally(call, operation, false);
  }

  private async wasApplied(call: Call, operation: Operation, result: string, isSaved: boolean): Promise<unknown> {
    if (isSaved) {
      await this.faults.reach('applied', call.kind);
      await this.local.outbox.acknowledge(operation.id, 'null');
      await this.faults.reach('acknowledged', call.kind);
    }
    this.board.takesChanges();
    // The copy is to know it even if the server goes away before the next look. It is asked after this call only.
    void this.local.call(call.part, call.method, call.parameters).then(
      (local) => {
        if (isConversationLane(call.lane) && TURN_KINDS.includes(call.kind) && JSON.stringify(local ?? null) !== result)
          this.copier.mark([call.lane]);
      },
      () => {
        if (isConversationLane(call.lane)) this.copier.mark([call.lane]);
      },
    );
    return JSON.parse(result) as unknown;
  }

  private async couldNotApply(operation: Operation, outcome: Extract<ApplyOutcome, { kind: 'later' | 'park' }>): Promise<void> {
    if (outcome.kind === 'park') {
      await this.local.outbox.park(operation.id, outcome.reason, outcome.errno);
      await this.countParked();
      this.board.tell({
        type: 'sync-notice',
        level: 'warning',
        message: `A change waits for you: ${outcome.reason}`,
        conversationId: null,
      });
      return;
    }
    if (outcome.error.code === 'read-only') {
      this.board.refuses(outcome.error.message);
    } else if (outcome.errno === null) this.board.wentOffline(outcome.error.message);
  }

  /** Saved already; now it is seen. A change that the copy refuses was never made. */
  private async keepLocally(call: Call, operation: Operation, wasSent: boolean): Promise<unknown> {
    const { outbox, cache } = this.local;
    try {
      if (BASED_KINDS.includes(call.kind)) {
        await outbox.setBase(operation.id, (await cache.conversations.get(call.lane))?.messageCount ?? 0);
      }
      const result = await this.local.call(call.part, call.method, call.parameters);
      this.waiting.add(call.lane, operation.id, messageIdsOf(call.kind, call.parameters));
      this.board.tellStatus();
      return result;
    } catch (error) {
      if (wasSent) {
        // MySQL may have it already, so it cannot be taken back.
        this.waiting.add(call.lane, operation.id, messageIdsOf(call.kind, call.parameters));
        this.board.tellStatus();
        throw savedUnseen(error);
      }
      await outbox.remove(operation.id);
      await this.countParked();
      throw error;
    }
  }

  /** After a restart the copy may lack what was Saved; what it refuses stays in the outbox all the same. */
  private async replay(entry: OutboxEntry): Promise<void> {
    const [part = '', method = ''] = entry.kind.split('.');
    try {
      await this.local.call(part as PartKey, method, parametersOf(entry));
    } catch (error) {
      this.options.logger.warn('a waiting change could not be shown from the cache', { kind: entry.kind, error: String(error) });
    }
  }

  private applyWaiting(operation: Operation): Promise<ApplyOutcome> {
    return this.lanes.run(operation.conversationId ?? '', async () => {
      const entry = await this.local.outbox.find(operation.id);
      // Taken back while it waited for its turn here.
      if (entry === null) return { kind: 'applied', result: 'null' };
      const outcome = await this.shared.apply(operation, entry.base, true);
      if (outcome.kind === 'applied') await this.faults.reach('applied', operation.kind);
      if (outcome.kind === 'later' && outcome.error.code === 'read-only') {
        this.board.refuses(outcome.error.message);
      } else if (outcome.kind === 'applied') this.board.takesChanges();
      return outcome;
    });
  }

  private async acknowledge(id: string, result: string): Promise<void> {
    await this.local.outbox.acknowledge(id, result);
    await this.settleEntry(id, null);
  }

  private async settleEntry(id: string, refusal: string | null): Promise<void> {
    const lane = this.waiting.laneOf(id);
    if (lane === null) return;
    await this.lanes.run(lane, () => this.settleInLane(lane, id));
    if (refusal === null) return;
    await this.countParked();
    const conversationId = isConversationLane(lane) ? lane : null;
    this.board.tell({ type: 'sync-notice', level: 'warning', message: `A change was not taken: ${refusal}`, conversationId });
  }

  /** The last one of its lane: the copy becomes what MySQL has, and the lane goes straight to MySQL again. */
  private async settleInLane(lane: string, id: string): Promise<void> {
    const { messageIds, isLast } = this.waiting.settle(lane, id);
    if (isLast) {
      if (isConversationLane(lane)) {
        try {
          await this.copier.copyNow(lane);
        } catch {
          await this.local.replica.forgetVersion(lane);
        }
      }
      this.waiting.clear(lane);
    }
    this.waiting.done(id);
    if (isConversationLane(lane)) {
      if (messageIds.length > 0) this.board.tell({ type: 'synced', conversationId: lane, messageIds });
      if (isLast) this.board.tell({ type: 'conversation', conversationId: lane });
    }
    if (this.waiting.count() === 0) this.board.syncedAt(this.options.clock.now());
    this.board.tellStatus();
  }

  private async countParked(): Promise<void> {
    this.board.countsParked(await this.local.outbox.counts());
  }
}
