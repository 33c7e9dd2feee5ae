/** Does I/O: the shared store with an offline cache before it: what is Saved here becomes Synced when MySQL is there. */
import type { StoredMessage } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { Ticket } from '../../../shared/shop.ts';
import type { ActionLedger, ConversationStore, ListQuery, PreferenceStore, Store } from '../../engine/ports.ts';
import { conversationMissing, storeClosed } from '../failures.ts';
import { cleaned } from '../clean.ts';
import { ticketRow } from '../trace-rows.ts';
import { serverTime } from '../mysql/server-time.ts';
import { NO_FAULTS } from './fault-points.ts';
import { syncedErasure } from './synced-erasure.ts';
import { openLocalSide } from './local-side.ts';
import type { LocalSide } from './local-side.ts';
import { syncControl } from './parked-ops.ts';
import { isConversationLane, kindOfCall, laneOf, methodsOf, routeOf } from './routes.ts';
import type { PartKey } from './routes.ts';
import { SharedSide } from './shared-side.ts';
import { SyncCore } from './sync-core.ts';
import { DEFAULT_SYNC_TIMINGS, SYNC_POOL_TIMINGS } from './sync-options.ts';
import type { SyncOptions } from './sync-options.ts';

export interface SyncedStore extends Store {
  /** A look at the server now, instead of by the clock. */
  tick(): Promise<void>;
  /** Everything that was begun is done. */
  settled(): Promise<void>;
}

const DRAFT = 'draft ';
const PREFERENCE = 'preference ';

/**
 * Rejects with `folder-in-use`, `invalid-input` (address), and where nothing was ever copied with what keeps it from the server
 * (`storage`, `unsupported`). With a copy it opens without a server and goes on alone.
 */
export async function openSyncedStore(options: SyncOptions): Promise<SyncedStore> {
  const local = await openLocalSide(options.folder);
  try {
    const consoleId = await ownId(local, options);
    const timings = { ...DEFAULT_SYNC_TIMINGS, ...options.timings };
    const shared = new SharedSide({
      url: options.url,
      identity: { id: consoleId, name: options.consoleName },
      leaseMs: timings.leaseMs,
      answerMs: timings.answerMs,
      timings: { ...SYNC_POOL_TIMINGS, ...options.poolTimings },
      faults: options.faults ?? NO_FAULTS,
      onSlowStatement: options.onSlowStatement ?? (() => undefined),
    });
    const core = new SyncCore(options, local, shared, consoleId);
    tellReport(local, options);
    try {
      await core.start();
    } catch (error) {
      await shared.close();
      throw error;
    }
    return storeOver(core);
  } catch (error) {
    await local.close();
    throw error;
  }
}

/** The same after a restart, so that a console finds its own interrupted turns at once. */
async function ownId(local: LocalSide, options: SyncOptions): Promise<string> {
  const known = await local.outbox.readValue('console id');
  if (known !== null) return known;
  const id = options.newId();
  await local.outbox.writeValue('console id', id);
  return id;
}

function tellReport(local: LocalSide, options: SyncOptions): void {
  const { salvaged, setAside } = local.report;
  if (setAside !== null) options.logger.warn('the offline copy was damaged and is made anew; the old file was kept', { file: setAside });
  if (salvaged !== null) {
    const { kept, damaged, file } = salvaged;
    options.logger.error('the outbox was damaged; what could be read was kept, and so was the old file', { kept, damaged, file });
  }
}

function storeOver(core: SyncCore): SyncedStore {
  const state = { isClosed: false };
  const routed = routedParts(core, state);
  return {
    kind: 'mysql+cache',
    conversations: { ...routed.conversations, ...mergedLists(core, state), ...streamedText(core, state), ...drafts(core, state) },
    traces: routed.traces,
    shop: guarded(state, { ...routed.shop, isSeeded: async () => !core.isOnline || core.shared.store.shop.isSeeded() }),
    tickets: routed.tickets,
    usage: routed.usage,
    preferences: guarded(state, preferences(core)),
    archive: routed.archive,
    memories: routed.memories,
    erasure: guarded(state, syncedErasure(core)),
    prompts: routed.prompts,
    changes: {
      subscribe: (listener) => core.subscribe(listener),
      holder: (id) => (core.isDirect(id) ? core.shared.inTime(core.shared.holder(id)).catch(() => null) : Promise.resolve(null)),
    },
    actions: guarded(state, actions(core)),
    sync: syncControl(core),
    serverNow: () => core.online('Asking the server for the time', () => core.shared.read(serverTime)),
    tick: () => core.tick(),
    settled: () => core.settled(),
    close: async () => {
      state.isClosed = true;
      await core.close();
    },
  };
}

interface OpenState {
  isClosed: boolean;
}

/** The same methods, refused once the store is closed. */
function guarded<T extends object>(state: OpenState, part: T): T {
  return new Proxy(part, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]): Promise<unknown> => {
        if (state.isClosed) throw storeClosed();
        return (await Reflect.apply(member, target, parameters)) as unknown;
      };
    },
  });
}

function routedParts(core: SyncCore, state: OpenState): Pick<Store, PartKey> {
  /** Conversations of runs, so that their spans wait behind them. */
  const runLanes = new Map<string, string>();
  const part = <P extends PartKey>(name: P): Store[P] => guarded(state, routedPart(core, name, runLanes));
  return {
    conversations: part('conversations'),
    traces: part('traces'),
    shop: part('shop'),
    tickets: part('tickets'),
    usage: part('usage'),
    preferences: part('preferences'),
    archive: part('archive'),
    memories: part('memories'),
    prompts: part('prompts'),
  };
}

type AnyMethod = (...parameters: unknown[]) => Promise<unknown>;

function routedPart<P extends PartKey>(core: SyncCore, part: P, runLanes: Map<string, string>): Store[P] {
  const methods: Record<string, AnyMethod> = {};
  for (const name of methodsOf(part)) methods[name] = (...parameters) => routed(core, { part, name, parameters }, runLanes);
  return methods as unknown as Store[P];
}

async function routed(
  core: SyncCore,
  call: { part: PartKey; name: string; parameters: unknown[] },
  runLanes: Map<string, string>,
): Promise<unknown> {
  const { part, name, parameters } = call;
  const route = routeOf(part, name);
  const lane = laneOf(part, name, parameters, runLanes);
  const fromShared = (): Promise<unknown> => core.shared.call(part, name, parameters);
  const fromCache = async (): Promise<unknown> => marked(core, lane, await core.local.call(part, name, parameters));
  switch (route) {
    case 'read':
      return core.read(lane, name === 'get' && part === 'tickets' ? () => seenTicket(core, fromShared) : fromShared, fromCache);
    case 'online':
      return core.online(ONLINE_WORDS[`${part}.${name}`] ?? 'This', fromShared);
    case 'saved':
    case 'record': {
      const kind = kindOfCall(part, name);
      if (kind === null) throw new ConsoleError('internal', `No change of kind ${part}.${name} is known.`);
      if (kind === 'traces.saveRun') rememberRun(runLanes, parameters[0]);
      const seen = kind === 'tickets.update' ? [await core.local.cache.tickets.get(Number(parameters[0]))] : [];
      const sent = { part, method: name, kind, lane, parameters: [...parameters, ...seen] };
      const result = marked(core, lane, await core.write(sent, route === 'saved'));
      if (kind === 'conversations.delete') await core.local.outbox.writeValue(DRAFT + lane, null);
      return result ?? undefinedFor(name, result);
    }
    case 'passing':
    case 'own':
    case null:
      throw new ConsoleError('internal', `${part}.${name} has a way of its own.`);
  }
}

/** What a person saw of a ticket is what a change of theirs is compared with, also when MySQL goes away in between. */
async function seenTicket(core: SyncCore, read: () => Promise<unknown>): Promise<unknown> {
  const ticket = await read();
  if (ticket !== null) await core.local.replica.putTickets([{ ...ticketRow(ticket as Ticket) }], false);
  return ticket;
}

const ONLINE_WORDS: Readonly<Record<string, string>> = {
  'tickets.create': 'Opening a ticket',
  'shop.seed': 'Storing the shop',
  'shop.changeArticles': 'Changing help articles',
  'prompts.add': 'Saving a system prompt',
  'prompts.activate': 'Activating a system prompt',
};

/** JSON has no `undefined`; only methods that may answer null do so. */
function undefinedFor(name: string, result: unknown): unknown {
  return name === 'startQueued' ? result : undefined;
}

function rememberRun(runLanes: Map<string, string>, run: unknown): void {
  const [id, conversationId]: unknown[] =
    typeof run === 'object' && run !== null ? [Reflect.get(run, 'id'), Reflect.get(run, 'conversationId')] : [];
  if (typeof id !== 'string' || typeof conversationId !== 'string') return;
  runLanes.set(id, conversationId);
  const [oldest] = runLanes.keys();
  if (runLanes.size > MOST_RUNS && oldest !== undefined) runLanes.delete(oldest);
}

const MOST_RUNS = 1_000;

/** Messages that are Saved and not yet Synced say so, wherever in an answer of the cache they stand. */
function marked(core: SyncCore, lane: string, result: unknown): unknown {
  if (!isConversationLane(lane) || !core.waiting.has(lane)) return result;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value) visit(each);
      return;
    }
    if (isStoredMessage(value)) {
      if (core.waiting.isUnsynced(lane, value.id)) value.unsynced = true;
      return;
    }
    for (const name of ['message', 'messages']) visit(Reflect.get(value, name));
  };
  visit(result);
  return result;
}

function isStoredMessage(value: object): value is StoredMessage {
  return 'phpChars' in value && 'seq' in value && 'id' in value;
}

/** Lists over all conversations: MySQL's, with the cache's word for conversations that are ahead of it. */
function mergedLists(
  core: SyncCore,
  state: OpenState,
): Pick<ConversationStore, 'list' | 'listOpenTurns' | 'listQueuedConversations' | 'listUndistilled'> {
  const { conversations: cached } = core.local.cache;
  const shared = (): ConversationStore => core.shared.store.conversations;
  const isAhead = (id: string): boolean => core.waiting.has(id);
  const list = async (query: ListQuery): ReturnType<ConversationStore['list']> => {
    const page = await core.read(
      '',
      () => shared().list(query),
      () => cached.list(query),
    );
    core.feed.watch(page.items.map((item) => item.id));
    const ahead = core.isOnline ? core.waiting.lanes().filter(isConversationLane) : [];
    if (ahead.length === 0) return page;
    const kept = page.items.filter((item) => !isAhead(item.id));
    const own =
      query.cursor === undefined && (query.offset ?? 0) === 0
        ? (await cached.list({ ...query, limit: query.limit + ahead.length })).items.filter((item) => isAhead(item.id))
        : [];
    const items = [...own, ...kept].sort((left, right) => right.updatedAt - left.updatedAt || (left.id < right.id ? -1 : 1));
    return { ...page, items: items.slice(0, query.limit + own.length) };
  };
  return guarded(state, {
    list,
    listOpenTurns: async () => {
      const own = await cached.listOpenTurns();
      const theirs = await core.read(
        '',
        () => shared().listOpenTurns(),
        () => Promise.resolve(own),
      );
      return [...theirs.filter((turn) => !isAhead(turn.conversationId)), ...own.filter((turn) => isAhead(turn.conversationId))];
    },
    listQueuedConversations: async () => {
      const own = await cached.listQueuedConversations();
      const theirs = await core.read(
        '',
        () => shared().listQueuedConversations(),
        () => Promise.resolve(own),
      );
      return [...theirs.filter((id) => !isAhead(id)), ...own.filter(isAhead)];
    },
    listUndistilled: (query: Parameters<ConversationStore['listUndistilled']>[0]) =>
      core.read(
        '',
        () => shared().listUndistilled(query),
        () => cached.listUndistilled(query),
      ),
  });
}

/** Kept on both sides: whichever is longer when a crash has to be made good. */
function streamedText(core: SyncCore, state: OpenState): Pick<ConversationStore, 'saveStreamedText' | 'readStreamedText'> {
  const { conversations: cached } = core.local.cache;
  return guarded(state, {
    saveStreamedText: async (id: string, turn: number, runId: string, text: string) => {
      const inCache = cached.saveStreamedText(id, turn, runId, text);
      await core.read(
        id,
        async () => {
          await inCache.catch(() => undefined);
          await core.shared.store.conversations.saveStreamedText(id, turn, runId, text);
        },
        () => inCache,
      );
    },
    readStreamedText: async (id: string, turn: number) => {
      const own = await cached.readStreamedText(id, turn);
      const theirs = await core.read(
        id,
        () => core.shared.store.conversations.readStreamedText(id, turn),
        () => Promise.resolve(''),
      );
      return theirs.length >= own.length ? theirs : own;
    },
  });
}

/** Effects need the shared ledger; a result that was found there may be read again later. */
function actions(core: SyncCore): ActionLedger {
  const ledger = async <T>(work: (own: ActionLedger) => Promise<T>): Promise<T> =>
    core.online('A tool that changes something', async () => {
      const own = core.shared.store.actions;
      if (own === undefined) throw new ConsoleError('internal', 'The shared store has no ledger.');
      return work(own);
    });
  return {
    begin: (action) => ledger((own) => own.begin(action)),
    finish: (key, state, result, at) => ledger((own) => own.finish(key, state, result, at)),
    find: (conversationId, toolCallId) => ledger((own) => own.find(conversationId, toolCallId)),
  };
}

/** What a person typed here and has not sent stays here. */
function drafts(core: SyncCore, state: OpenState): Pick<ConversationStore, 'saveDraft' | 'readDraft'> {
  const { outbox } = core.local;
  const exists = async (id: string): Promise<boolean> => {
    const cached = await core.local.cache.conversations.get(id);
    if (cached !== null) return true;
    return core.isDirect(id) && (await core.shared.inTime(core.shared.store.conversations.get(id))) !== null;
  };
  return guarded(state, {
    saveDraft: async (id: string, text: string) => {
      if (!(await exists(id))) throw conversationMissing(id);
      await outbox.writeValue(DRAFT + id, text === '' ? null : cleaned(text));
    },
    readDraft: async (id: string) => (await outbox.readValue(DRAFT + id)) ?? '',
  });
}

/** Settings and choices of this console. */
function preferences(core: SyncCore): PreferenceStore {
  const { outbox } = core.local;
  return {
    read: (name) => outbox.readValue(PREFERENCE + name),
    write: (name, json) => outbox.writeValue(PREFERENCE + cleaned(name), cleaned(json)),
    all: () => outbox.listValues(PREFERENCE),
  };
}
