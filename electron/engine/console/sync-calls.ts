/** The calls about changes on their way to the shared database, and the events for what other consoles and programs change. */
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import type { StoredTurn, TurnRecord } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { SyncConnection } from '../../../shared/sync.ts';
import type { StoreChange, SyncControl } from '../ports.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';

type SyncCalls = Pick<Handlers, 'getSyncState' | 'listParkedOps' | 'retryParkedOp' | 'exportParkedOp' | 'discardParkedOp'>;

export function syncCalls({ store }: ServiceParts): SyncCalls {
  const control = (): SyncControl => {
    if (store.sync !== undefined) return store.sync;
    throw new ConsoleError('unsupported', 'This console has no offline cache, so no change waits here.');
  };
  return {
    getSyncState: async () => ({ sync: store.sync?.status() ?? null }),
    listParkedOps: async () => ({ ops: (await store.sync?.listParked()) ?? [] }),
    async retryParkedOp({ id }) {
      await control().retry(id);
      return {};
    },
    exportParkedOp: async ({ id }) => ({ text: await control().export(id) }),
    async discardParkedOp({ id }) {
      await control().discard(id);
      return {};
    },
  };
}

/** Turns told again when another console wrote; a poll is never further behind. */
const TURNS_TOLD = 2;

/** Tells listeners what others change, and takes over turns whose console has stopped. Returns the way to stop. */
export function watchStore(parts: ServiceParts): () => void {
  const { store, logger, emit } = parts;
  if (store.changes === undefined) return () => undefined;
  const goOn = erasureAtReturn(parts);
  goOn(store.sync?.status().state ?? 'offline');
  return store.changes.subscribe((change) => {
    if (change.type === 'sync') goOn(change.status.state);
    handle(parts, change).catch((error: unknown) => {
      logger.warn('a change of another console could not be shown', { change: change.type, error: String(error) });
      emit({ type: 'notice', level: 'warning', message: 'A change made elsewhere could not be read yet.', conversationId: null });
    });
  });
}

/** Each time the shared database is back, an erasure that needs it goes on. Told the state of the connection. */
function erasureAtReturn({ eraser, logger }: ServiceParts): (state: SyncConnection) => void {
  let isDue = true;
  return (state) => {
    if (state !== 'online') isDue = true;
    if (state !== 'online' || !isDue) return;
    isDue = false;
    eraser.resume().catch((error: unknown) => {
      isDue = true;
      logger.warn('an interrupted erasure goes on when the database is back', { error: String(error) });
    });
  };
}

async function handle(parts: ServiceParts, change: StoreChange): Promise<void> {
  const { store, emit, supervisor } = parts;
  switch (change.type) {
    case 'conversation':
      parts.recall.doubt(change.conversationId);
      return tellConversation(parts, change.conversationId);
    case 'conversation-gone':
      parts.recall.drop(change.conversationId);
      emit({ type: 'conversation-delete', conversationId: change.conversationId });
      return;
    case 'ticket': {
      const ticket = await store.tickets.get(change.ticketId);
      if (ticket !== null) emit({ type: 'ticket-change', ticket });
      return;
    }
    case 'turn-abandoned':
      if (supervisor.active(change.conversationId) === null) await supervisor.recover(change.conversationId);
      return;
    case 'sync':
      emit({ type: 'sync-change', status: change.status });
      return;
    case 'synced':
      emit({ type: 'message-sync', conversationId: change.conversationId, messageIds: change.messageIds });
      return;
    case 'sync-notice':
      emit({ type: 'notice', level: change.level, message: change.message, conversationId: change.conversationId });
      return;
  }
}

/** A run of this console tells its own story. */
async function tellConversation(parts: ServiceParts, conversationId: string): Promise<void> {
  const { store, emit, supervisor } = parts;
  if (supervisor.active(conversationId) !== null) return;
  const newest = await store.conversations.readTurns(conversationId, { limit: TURNS_TOLD });
  const queued = await store.conversations.listQueued(conversationId);
  if (supervisor.active(conversationId) !== null) return;
  for (const turn of newest.toReversed()) for (const event of eventsOf(turn)) emit(event);
  emit({ type: 'queue-change', conversationId, queued });
  await supervisor.announce(conversationId);
}

function eventsOf(stored: StoredTurn): ConsoleEvent[] {
  const { messages, ...record } = stored;
  const { conversationId, turn, state } = record;
  const scope = { conversationId, turn, runId: record.runId ?? '' };
  const events: ConsoleEvent[] = [];
  const [question] = messages;
  if (state === 'running' && question !== undefined) events.push({ type: 'turn-start', ...scope, record, message: question });
  for (const message of messages) events.push({ type: 'message-add', ...scope, message });
  if (isEnded(record)) events.push({ type: 'turn-end', ...scope, state, outcome: record.outcome ?? 'interrupted', record });
  return events;
}

function isEnded(record: TurnRecord): boolean {
  return record.state !== 'running' && record.state !== 'waiting-approval';
}
