/** Does I/O: keeps the cache a copy of the newest conversations, the shop and the tickets of the shared database. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { Lanes } from './lanes.ts';
import type { LocalSide } from './local-side.ts';
import type { SharedSide } from './shared-side.ts';
import { isConversationLane } from './routes.ts';

const COMPARED_MESSAGES = 200;
const CACHED_TICKETS = 5_000;

export interface CopierDeps {
  local: LocalSide;
  shared: SharedSide;
  lanes: Lanes;
  /** True while changes made here wait: the copy is ahead of MySQL and stays. */
  isAhead: (lane: string) => boolean;
  cachedConversations: number;
  /** MySQL could not be asked. */
  onAway: (error: unknown) => void;
}

export class Copier {
  private readonly deps: CopierDeps;
  private readonly dirty = new Set<string>();
  private working: Promise<void> | null = null;

  constructor(deps: CopierDeps) {
    this.deps = deps;
  }

  /** To be fetched soon. */
  mark(conversationIds: Iterable<string>): void {
    for (const id of conversationIds) if (isConversationLane(id)) this.dirty.add(id);
    this.working ??= this.work().finally(() => {
      this.working = null;
    });
  }

  /** Fetches one now. Inside its lane only. False: it is gone from MySQL. */
  async copyNow(id: string): Promise<boolean> {
    const { local, shared } = this.deps;
    this.dirty.delete(id);
    const snapshot = await shared.snapshot(id, await local.replica.newest(id, COMPARED_MESSAGES));
    if (snapshot === null) {
      await local.replica.remove([id]);
      return false;
    }
    await local.replica.put(snapshot);
    return true;
  }

  /** After a connection was made: finds out what differs. Resolves when it is known, not when all is fetched. */
  async compare(): Promise<{ gone: string[] }> {
    const { local, shared, isAhead, cachedConversations } = this.deps;
    const cached = await local.replica.versions();
    const newest = await shared.newestVersions(cachedConversations);
    const others = Object.keys(cached).filter((id) => !newest.has(id));
    const present = new Map([...newest, ...(await shared.versionsOf(others))]);
    const gone = others.filter((id) => !present.has(id) && !isAhead(id));
    if (gone.length > 0) await local.replica.remove(gone);
    this.mark([...present].filter(([id, version]) => cached[id] !== version).map(([id]) => id));
    await local.replica.putTickets(await shared.ticketRows(null, CACHED_TICKETS), true);
    await local.replica.putMemories(await shared.memoryRows());
    await local.replica.putPrompts(await shared.promptRows());
    return { gone };
  }

  async copyTickets(ids: readonly number[]): Promise<void> {
    await this.deps.local.replica.putTickets(await this.deps.shared.ticketRows(ids, ids.length), false);
  }

  async copyShop(revision: number): Promise<void> {
    if ((await this.deps.local.replica.articlesRevision()) === revision) return;
    await this.deps.local.replica.putShop(await this.deps.shared.shopRows());
  }

  async idle(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  private async work(): Promise<void> {
    for (const id of this.dirty) {
      try {
        await this.deps.lanes.run(id, async () => {
          // Its own refresh comes when its changes are through.
          if (this.deps.isAhead(id)) this.dirty.delete(id);
          else await this.copyNow(id);
        });
      } catch (error) {
        this.dirty.add(id);
        if (!(error instanceof ConsoleError)) throw error;
        this.deps.onAway(error);
        return;
      }
    }
  }
}
