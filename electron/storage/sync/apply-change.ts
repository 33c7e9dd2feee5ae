/** Does I/O: one change of an outbox inside its transaction on MySQL. What cannot take its place in the main line becomes a branch for a human. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { NewMessage, StoredMessage, TurnRecord } from '../../../shared/conversation.ts';
import type { Ticket } from '../../../shared/shop.ts';
import type { AcceptResult, ConversationStore, IncomingMessage, Store } from '../../engine/ports.ts';
import { AT_WORK, sha256 } from '../rows.ts';
import { storedMessage } from '../stored-message.ts';
import type { MysqlSession } from '../mysql/mysql-session.ts';
import type { OperationKind } from './operation.ts';

export interface Change {
  session: MysqlSession;
  /** Writes in the same transaction. */
  store: Store;
  kind: OperationKind;
  parameters: unknown[];
  /** Messages of the conversation when the change was made in the cache; null: it was not made there. */
  base: number | null;
  /** Nobody waits for the answer: a refusal must not lose anything. */
  isLate: boolean;
  consoleName: string;
}

/** A ticket changed on both sides in the same fields; a human decides. */
export class TicketClash extends ConsoleError {}

const INTERRUPTED_TEXT = '[interrupted before an answer]';

const MOVED_TEXT = 'The conversation went on elsewhere after it was deleted here, so it was kept. Delete it again if it may go.';

type Parameters_<M extends keyof ConversationStore> = Parameters<ConversationStore[M]>;

/** The method's result. Throws ConsoleErrors: `conflict`, `not-found`, `invalid-input`. */
export async function makeChange(change: Change): Promise<unknown> {
  const kind: string = change.kind;
  switch (kind) {
    case 'conversations.accept':
      return accept(change, change.parameters[0] as IncomingMessage);
    case 'conversations.startQueued': {
      const [id, start] = change.parameters as Parameters_<'startQueued'>;
      if (await hasMoved(change, id)) return openBranch(change, { id, runId: start.runId, turn: 0 });
      return change.store.conversations.startQueued(id, start);
    }
    case 'conversations.reopenTurn': {
      const [id, turn, start] = change.parameters as Parameters_<'reopenTurn'>;
      if (await hasMoved(change, id)) return openBranch(change, { id, runId: start.runId, turn });
      return change.store.conversations.reopenTurn(id, turn, start);
    }
    case 'conversations.append': {
      const [id, made, runId, messages] = change.parameters as Parameters_<'append'>;
      const turn = await turnOfRun(change, { id, turn: made, runId });
      const branched = (): StoredMessage[] => placed(id, turn, messages);
      return orInBranch(
        change,
        { id, turn, runId },
        messages,
        () => change.store.conversations.append(id, turn, runId, messages),
        branched,
      );
    }
    case 'conversations.endTurn': {
      const [id, made, runId, end] = change.parameters as Parameters_<'endTurn'>;
      const turn = await turnOfRun(change, { id, turn: made, runId });
      const branched = () => ({ record: endedRecord({ id, turn, runId }, end), messages: placed(id, turn, end.messages) });
      return orInBranch(
        change,
        { id, turn, runId },
        end.messages,
        () => change.store.conversations.endTurn(id, turn, runId, end),
        branched,
      );
    }
    case 'conversations.delete': {
      const [id] = change.parameters as Parameters_<'delete'>;
      if (change.isLate && (await hasMoved(change, id))) throw new ConsoleError('conflict', MOVED_TEXT);
      return plainCall(change);
    }
    case 'tickets.update':
      return updateTicket(change);
    default:
      return plainCall(change);
  }
}

async function plainCall(change: Change): Promise<unknown> {
  const [part = '', method = ''] = change.kind.split('.');
  const target: unknown = Reflect.get(change.store, part);
  const call: unknown = typeof target === 'object' && target !== null ? Reflect.get(target, method) : undefined;
  if (typeof call !== 'function') throw new ConsoleError('internal', `No change of kind ${change.kind} is known.`);
  return (await Reflect.apply(call, target, change.parameters)) as unknown;
}

/** True when the conversation went on elsewhere since the change was made in the cache. Locks the conversation. */
async function hasMoved(change: Change, id: string): Promise<boolean> {
  if (change.base === null) return false;
  const { session } = change;
  const row = await session.one<{ count: number }>('SELECT message_count AS count FROM conversations WHERE id = ? FOR UPDATE', id);
  if (row === null) return false;
  return row.count !== change.base || (await isWorking(session, id));
}

async function isWorking(session: MysqlSession, id: string): Promise<boolean> {
  return (await session.one(`SELECT 1 AS found FROM turns WHERE ${AT_WORK} AND conversation_id = ? LIMIT 1`, id)) !== null;
}

/** The customer's message always finds its place; the answer that was made without knowing the rest does not stand in the main line. */
async function accept(change: Change, incoming: IncomingMessage): Promise<AcceptResult> {
  const { conversations } = change.store;
  const { conversationId: id, message, runId } = incoming;
  const isMoved = await hasMoved(change, id);
  const accepted = await conversations.accept(incoming);
  if (!isMoved || accepted.kind === 'known') return accepted;
  if (accepted.kind === 'started') {
    const { turn } = accepted.record;
    const closing: NewMessage = {
      id: sha256(`interrupted ${runId}`).slice(0, 32),
      role: 'assistant',
      content: INTERRUPTED_TEXT,
      state: 'interrupted',
      origin: 'system',
      trust: 'trusted',
      at: message.at,
    };
    const end = { state: 'interrupted', outcome: 'interrupted', error: null, at: message.at, messages: [closing] } as const;
    await conversations.endTurn(id, turn, runId, { ...end, messages: [closing] });
  }
  await openBranch(change, { id, runId, turn: accepted.kind === 'started' ? accepted.record.turn : 0 });
  return accepted;
}

interface Place {
  id: string;
  turn: number;
  runId: string;
}

/** The question may have got another number on the server than in the cache; the run is the same. */
async function turnOfRun(change: Change, { id, turn, runId }: Place): Promise<number> {
  if (!change.isLate) return turn;
  const sql = `SELECT turn FROM turns WHERE conversation_id = ? AND run_id = ? AND ${AT_WORK}`;
  return (await change.session.one<{ turn: number }>(sql, id, runId))?.turn ?? turn;
}

async function openBranch(change: Change, { id, runId, turn }: Place): Promise<null> {
  const row = { run_id: runId, conversation_id: id, turn, console_name: change.consoleName, messages_json: '[]', created_at: 0 };
  const now = await change.session.one<{ now_at: number }>('SELECT UTC_TIMESTAMP(3) AS now_at');
  await change.session.insert('offline_branches', [{ ...row, created_at: now?.now_at ?? 0 }], 'keep');
  return null;
}

/** In the main line; else, for a run that has a branch or whose caller is gone, in its branch. */
async function orInBranch<T>(
  change: Change,
  place: Place,
  messages: readonly NewMessage[],
  write: () => Promise<T>,
  branched: () => T,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ConsoleError) || error.code !== 'conflict') throw error;
    const known = await change.session.one('SELECT 1 AS found FROM offline_branches WHERE run_id = ?', place.runId);
    if (known === null && !change.isLate) throw error;
    await extendBranch(change, place, messages);
    return branched();
  }
}

async function extendBranch(change: Change, place: Place, messages: readonly NewMessage[]): Promise<void> {
  const { session } = change;
  await openBranch(change, place);
  const sql = 'SELECT messages_json AS text FROM offline_branches WHERE run_id = ? FOR UPDATE';
  const row = await session.one<{ text: string }>(sql, place.runId);
  const known = JSON.parse(row?.text ?? '[]') as NewMessage[];
  const fresh = messages.filter((message) => known.every((other) => other.id !== message.id));
  if (fresh.length === 0) return;
  await session.run('UPDATE offline_branches SET messages_json = ? WHERE run_id = ?', JSON.stringify([...known, ...fresh]), place.runId);
}

/** As the console that made them sees them; in the main line they have no place. */
function placed(conversationId: string, turn: number, messages: readonly NewMessage[]): StoredMessage[] {
  return messages.map((message, index) => storedMessage(message, { conversationId, turn, seq: index + 1 }));
}

function endedRecord({ id, turn, runId }: Place, end: Parameters_<'endTurn'>[3]): TurnRecord {
  const { state, outcome, error, at, recalledTurns } = end;
  const recalled = recalledTurns === undefined ? {} : { recalledTurns };
  return {
    conversationId: id,
    turn,
    state,
    outcome,
    runId,
    promptVersion: null,
    startedAt: at,
    endedAt: at,
    error,
    pinned: false,
    ...recalled,
  };
}

type TicketPatch = Partial<Pick<Ticket, 'status' | 'summary' | 'category'>>;
const TICKET_FIELDS = ['status', 'summary', 'category'] as const;

/** The fifth parameter is the ticket as this console saw it: changes of other fields stand beside each other. */
async function updateTicket(change: Change): Promise<Ticket> {
  const [id, version, patch, at, seen] = change.parameters as [number, number, TicketPatch, number, Ticket | null | undefined];
  const { tickets } = change.store;
  try {
    return await tickets.update(id, version, patch, at);
  } catch (error) {
    if (!(error instanceof ConsoleError) || error.code !== 'conflict') throw error;
    const theirs = await tickets.get(id);
    if (theirs === null || seen === null || seen === undefined || seen.version !== version) throw error;
    const clashing = TICKET_FIELDS.filter(
      (name) => patch[name] !== undefined && theirs[name] !== seen[name] && theirs[name] !== patch[name],
    );
    if (clashing.length === 0) return tickets.update(id, theirs.version, patch, at);
    const sides = clashing.map((name) => `${name}: here "${patch[name] ?? ''}", there "${theirs[name]}"`);
    throw new TicketClash('conflict', `Ticket ${id} was changed by someone else. ${sides.join('; ')}. Choose one.`);
  }
}
