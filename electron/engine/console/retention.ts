/** Deletes conversations that nobody needs any more: at start and once a day, after a person has agreed once. I/O through the ports. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { SyncStatus } from '../../../shared/sync.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';

const DAY_MS = 86_400_000;
const PAGE = 200;
const MOST_FACTS = 10_000;
/** Preference: a person has seen what goes and agreed. */
const AGREED_KEY = 'retention.agreed';

export interface Retention {
  /** Where a person has agreed: a sweep now and one each day. Else a word about what would go. Never rejects. */
  start(): Promise<void>;
  stop(): void;
}

/** What a sweep would delete now. */
interface Due {
  days: number;
  ids: string[];
  /** Kept although they are old: a ticket is still worked on, a turn runs, or a change of them needs a person. */
  kept: number;
}

type RetentionCalls = Pick<Handlers, 'previewRetention' | 'applyRetention'>;

export function retentionCalls(parts: ServiceParts, retention: Retention): RetentionCalls {
  return {
    async previewRetention() {
      const { days, ids, kept } = await due(parts);
      return { days, conversations: ids.length, kept, agreed: await isAgreed(parts) };
    },
    async applyRetention() {
      await parts.store.preferences.write(AGREED_KEY, 'true');
      const deleted = await sweep(parts);
      await retention.start();
      return { deleted };
    },
  };
}

export function createRetention(parts: ServiceParts): Retention {
  let cancel: (() => void) | null = null;
  let isStopped = false;
  /** The shared database was away, or changes waited for it: the sweep comes when both have passed. */
  let isMissed = false;
  let unsubscribe: (() => void) | null = null;
  const watch = (): void => {
    unsubscribe ??=
      parts.store.changes?.subscribe((change) => {
        if (change.type === 'sync' && isInStep(change.status) && isMissed && !isStopped) void run();
      }) ?? null;
  };
  const run = async (): Promise<void> => {
    let isDaily = true;
    isMissed = false;
    watch();
    try {
      isDaily = await isAgreed(parts);
      if (!isDaily) await ask(parts);
      else if (isAway(parts) || isInStep(parts.store.sync?.status())) await sweep(parts);
      else isMissed = true;
    } catch (error) {
      isMissed = isAway(parts);
      if (!isMissed && !(error instanceof ConsoleError && error.code === 'read-only'))
        parts.logger.warn('old conversations could not be deleted', { error: String(error) });
    }
    cancel?.();
    if (isStopped || !isDaily) return;
    cancel = parts.clock.after(DAY_MS, () => {
      void run();
    });
  };
  return {
    start: run,
    stop: () => {
      isStopped = true;
      unsubscribe?.();
      cancel?.();
    },
  };
}

function isAway({ store }: ServiceParts): boolean {
  return store.sync?.status().state === 'offline';
}

/** Nothing that was changed here is still on its way; without a shared database always. */
function isInStep(status: SyncStatus | undefined): boolean {
  return status === undefined || (status.state === 'online' && status.waiting === 0);
}

async function isAgreed({ store }: ServiceParts): Promise<boolean> {
  return (await store.preferences.read(AGREED_KEY)) === 'true';
}

/** The first time nothing is deleted: a person is told what would be. */
async function ask(parts: ServiceParts): Promise<void> {
  const { days, ids } = await due(parts);
  if (ids.length === 0) return;
  const what = `${ids.length} conversation${ids.length === 1 ? '' : 's'} unchanged for ${days} days`;
  const message = `${what} would be deleted by the setting retentionDays. Nothing is deleted before you agree once; 0 keeps everything.`;
  parts.emit({ type: 'notice', level: 'warning', message, conversationId: null });
}

async function due(parts: ServiceParts): Promise<Due> {
  const { store, clock, settings, supervisor } = parts;
  const days = (await settings.read()).retentionDays;
  const result: Due = { days, ids: [], kept: 0 };
  if (days === 0) return result;
  // Age goes by the server's clock: one that is wrong here must not delete what others use.
  const now = store.serverNow === undefined ? clock.now() : await store.serverNow();
  const before = now - days * DAY_MS;
  const parked = new Set((await store.sync?.listParked())?.map((op) => op.conversationId));
  let cursor: string | undefined;
  for (;;) {
    const page = await store.conversations.list({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    for (const item of page.items) {
      if (item.updatedAt >= before) continue;
      const isAtWork = item.turnState === 'running' || item.turnState === 'waiting-approval' || supervisor.active(item.id) !== null;
      if (isAtWork || parked.has(item.id) || (await hasOpenTicket(parts, item.id))) result.kept += 1;
      else result.ids.push(item.id);
    }
    if (page.nextCursor === null) return result;
    cursor = page.nextCursor;
  }
}

async function hasOpenTicket({ store }: ServiceParts, conversationId: string): Promise<boolean> {
  for (const status of ['open', 'pending'] as const) {
    if ((await store.tickets.list({ conversationId, status, limit: 1 })).length > 0) return true;
  }
  return false;
}

/** With messages, traces, requests, search index and copies. Returns how many. */
async function sweep(parts: ServiceParts): Promise<number> {
  const { ids } = await due(parts);
  if (ids.length === 0) return 0;
  return parts.eraser.withCopies({ conversationIds: ids, turns: [] }, () => deleteAll(parts, ids));
}

async function deleteAll(parts: ServiceParts, ids: readonly string[]): Promise<number> {
  let deleted = 0;
  for (const id of ids) {
    // A deletion that waits could meet a conversation that went on meanwhile.
    if (isAway(parts)) throw new ConsoleError('storage', 'The shared database is away; old conversations are deleted when it is back.');
    try {
      parts.recall.drop(id);
      const facts = await distilledFrom(parts, id);
      await parts.supervisor.withoutRun(id, () => parts.store.conversations.delete(id));
      for (const fact of facts) await parts.store.memories.delete(fact).catch(ignoreMissing);
      parts.emit({ type: 'conversation-delete', conversationId: id });
      deleted += 1;
    } catch (error) {
      // Another console was faster.
      ignoreMissing(error);
    }
  }
  return deleted;
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof ConsoleError) || error.code !== 'not-found') throw error;
}

/** Facts that were distilled from the conversation and that nobody pinned. */
async function distilledFrom({ store }: ServiceParts, conversationId: string): Promise<string[]> {
  const conversation = await store.conversations.get(conversationId);
  if (conversation === null) return [];
  const { tenant, customerId } = conversation;
  const memories = await store.memories.list({ tenant, customerId, limit: MOST_FACTS, superseded: true });
  return memories.filter((one) => one.conversationId === conversationId && one.origin === 'distilled' && !one.pinned).map((one) => one.id);
}
