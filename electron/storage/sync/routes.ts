/** Pure: where each call of the store goes when a local cache stands before the shared database. */
import type { Store } from '../../engine/ports.ts';
import { isOperationKind } from './operation.ts';
import type { OperationKind } from './operation.ts';

/**
 * `read`: the shared database, or the cache while it is away. `saved`: through the outbox, whose commit is what "Saved" means.
 * `record`: to the shared database at once, through the outbox only while it is away. `online`: refused while it is away.
 * `passing`: worth nothing later, so it never waits. `own`: belongs to this console alone and stays in its folder.
 */
export type Route = 'read' | 'saved' | 'record' | 'online' | 'passing' | 'own';

export type PartKey = 'conversations' | 'traces' | 'shop' | 'tickets' | 'usage' | 'preferences' | 'archive' | 'memories' | 'prompts';
type Routes = { readonly [P in PartKey]: { readonly [M in keyof Store[P]]-?: Route } };

/** A method that is missing here does not compile: nobody decided yet what it means while the server is away. */
export const ROUTES: Routes = {
  conversations: {
    create: 'saved',
    get: 'read',
    summary: 'read',
    list: 'read',
    listTurnMarks: 'read',
    markRead: 'record',
    update: 'saved',
    delete: 'saved',
    accept: 'saved',
    startQueued: 'saved',
    listQueued: 'read',
    listQueuedConversations: 'read',
    reopenTurn: 'saved',
    append: 'saved',
    saveStreamedText: 'passing',
    readStreamedText: 'read',
    endTurn: 'saved',
    listOpenTurns: 'read',
    readTurns: 'read',
    readTurn: 'read',
    setPinned: 'saved',
    readPinned: 'read',
    forgetTurn: 'saved',
    readDistilledTurn: 'read',
    writeDistilledTurn: 'record',
    listUndistilled: 'read',
    readMemoryState: 'read',
    writeMemoryState: 'record',
    insertWhole: 'saved',
    saveDraft: 'own',
    readDraft: 'own',
  },
  traces: {
    saveRun: 'record',
    save: 'record',
    listRuns: 'read',
    readRun: 'read',
    readSpans: 'read',
    readEvents: 'read',
    readDetail: 'read',
  },
  shop: {
    isSeeded: 'read',
    seed: 'online',
    customer: 'read',
    listCustomers: 'read',
    ordersOf: 'read',
    order: 'read',
    articles: 'read',
    articlesVersion: 'read',
    changeArticles: 'online',
  },
  // Tickets are numbered by the shared database alone.
  tickets: { create: 'online', get: 'read', list: 'read', update: 'saved' },
  usage: { record: 'record', totals: 'read', tenants: 'read' },
  preferences: { read: 'own', write: 'own', all: 'own' },
  archive: { keep: 'record', read: 'read', list: 'read', size: 'read' },
  // Versions are numbered and the standard is set by the shared database alone.
  prompts: { list: 'read', add: 'online', activate: 'online' },
  memories: { list: 'read', listAll: 'read', get: 'read', put: 'saved', delete: 'saved' },
};

export function methodsOf(part: PartKey): string[] {
  return Object.keys(ROUTES[part]);
}

export function routeOf(part: PartKey, method: string): Route | null {
  const routes: Readonly<Record<string, Route>> = ROUTES[part];
  return Object.hasOwn(routes, method) ? (routes[method] ?? null) : null;
}

/** The kind under which a write travels. */
export function kindOfCall(part: PartKey, method: string): OperationKind | null {
  const kind = `${part}.${method}`;
  return isOperationKind(kind) ? kind : null;
}

function field(value: unknown, name: string): string | null {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : null;
}

/**
 * The line in which a call waits for earlier ones: a conversation's id, or a name for what belongs to none. `runLanes` knows the conversations
 * of runs.
 */
export function laneOf(part: PartKey, method: string, parameters: readonly unknown[], runLanes: ReadonlyMap<string, string>): string {
  const [first] = parameters;
  switch (part) {
    case 'conversations':
      if (method === 'create' || method === 'insertWhole') return field(first, 'id') ?? part;
      // A mark must not hold back the conversation itself.
      if (method === 'markRead') return 'read marks';
      if (method === 'accept') return field(first, 'conversationId') ?? part;
      return typeof first === 'string' ? first : part;
    case 'tickets':
      return typeof first === 'number' ? `ticket ${first}` : part;
    case 'usage':
    case 'archive':
      return field(first, 'conversationId') ?? part;
    case 'traces':
      return field(first, 'conversationId') ?? laneOfBatch(first, runLanes) ?? part;
    case 'shop':
    case 'preferences':
    case 'memories':
    case 'prompts':
      return part;
  }
}

function laneOfBatch(batch: unknown, runLanes: ReadonlyMap<string, string>): string | null {
  if (typeof batch !== 'object' || batch === null) return null;
  for (const name of ['spans', 'events']) {
    const list: unknown = Reflect.get(batch, name);
    const runId = Array.isArray(list) ? field(list[0], 'runId') : null;
    const lane = runId === null ? undefined : runLanes.get(runId);
    if (lane !== undefined) return lane;
  }
  return null;
}

/** Ids of the messages that a waiting change holds; they are Saved and not yet Synced. */
export function messageIdsOf(kind: string, parameters: readonly unknown[]): string[] {
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap((message: unknown) => field(message, 'id') ?? []) : []);
  switch (kind) {
    case 'conversations.accept': {
      const [incoming] = parameters;
      const message: unknown = typeof incoming === 'object' && incoming !== null ? Reflect.get(incoming, 'message') : null;
      return list([message]);
    }
    case 'conversations.append':
      return list(parameters[3]);
    case 'conversations.endTurn': {
      const end = parameters[3];
      return typeof end === 'object' && end !== null ? list(Reflect.get(end, 'messages')) : [];
    }
    default:
      return [];
  }
}

/** True for the 32 hexadecimal characters of a conversation; other lanes belong to none. */
export function isConversationLane(lane: string): boolean {
  return /^[0-9a-f]{32}$/.test(lane);
}
