/** Does I/O: the shared database as the offline cache sees it: changes of the outbox go in, rows for the copy come out. */
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import type { Store } from '../../engine/ports.ts';
import { outcomeOf } from '../mysql/apply-operation.ts';
import { ConsoleLeases } from '../mysql/console-leases.ts';
import type { ConsoleIdentity } from '../mysql/console-leases.ts';
import { forgetOldMarks } from '../mysql/forget-old.ts';
import { adopt } from '../mysql/mysql-conversations.ts';
import type { MysqlDatabase } from '../mysql/mysql-database.ts';
import type { MysqlTimings } from '../mysql/mysql-pool.ts';
import type { MysqlSession } from '../mysql/mysql-session.ts';
import { mysqlStoreOn, openMysqlDatabase } from '../mysql/mysql-store.ts';
import { makeChange } from './apply-change.ts';
import type { FaultPoints } from './fault-points.ts';
import { parametersOf } from './operation.ts';
import type { ApplyOutcome, Operation } from './operation.ts';
import type { ReplicaRow, ShopTable, Snapshot } from './replica.ts';
import { isConversationLane } from './routes.ts';
import type { PartKey } from './routes.ts';
import { withinTime } from './time-limit.ts';

export interface SharedSideOptions {
  url: string;
  identity: ConsoleIdentity;
  leaseMs: number;
  /** Longest wait for any one answer. */
  answerMs: number;
  timings: MysqlTimings;
  faults: FaultPoints;
  onSlowStatement: (sql: string, ms: number) => void;
}

interface HowToApply {
  base: number | null;
  isLate: boolean;
  state: { isGivenUp: boolean };
}

/** Places compared to find out from where on a cached conversation differs. */
const COMPARED_MESSAGES = 200;
const IDS_PER_QUERY = 500;

export class SharedSide {
  private readonly options: SharedSideOptions;
  private database: MysqlDatabase | null = null;
  private leases: ConsoleLeases | null = null;
  private parts: Store | null = null;

  constructor(options: SharedSideOptions) {
    this.options = options;
  }

  /** Connects, or asks an open connection whether the server is there. Rejects with a ConsoleError. */
  async connect(): Promise<void> {
    const { url, timings, answerMs, identity, leaseMs, onSlowStatement } = this.options;
    if (this.database !== null) {
      await withinTime(
        answerMs,
        this.database.read((session) => session.one('SELECT 1 AS here')),
      );
      return;
    }
    const database = await withinTime(timings.connectMs + answerMs, openMysqlDatabase({ url, timings, onSlowStatement }));
    this.database = database;
    this.leases = new ConsoleLeases(database, identity, leaseMs);
    this.parts = mysqlStoreOn(database, this.leases);
  }

  /** Why nothing may be written; null: writing is allowed, or nobody knows yet. */
  get readOnlyReason(): string | null {
    return this.database?.readOnlyReason ?? null;
  }

  /** Only after `connect`. */
  get store(): Store {
    if (this.parts === null) throw new Error('not connected yet');
    return this.parts;
  }

  /** Any method of the store. */
  async call(part: PartKey, name: string, parameters: readonly unknown[]): Promise<unknown> {
    const method: unknown = Reflect.get(this.store[part], name);
    if (typeof method !== 'function') throw new Error(`the store has no method ${part}.${name}`);
    return (await Reflect.apply(method, this.store[part], parameters)) as unknown;
  }

  /** The work, or a failure by `answerMs`. */
  inTime<T>(work: Promise<T>): Promise<T> {
    return withinTime(this.options.answerMs, work);
  }

  async isReachable(): Promise<boolean> {
    try {
      await this.connect();
      return true;
    } catch {
      return false;
    }
  }

  /** Once, whatever happens. Never throws. `base`: see `OutboxEntry`; `isLate`: its caller has an answer already. */
  async apply(operation: Operation, base: number | null, isLate: boolean): Promise<ApplyOutcome> {
    const state = { isGivenUp: false };
    let parameters: unknown[];
    try {
      parameters = parametersOf(operation);
    } catch (error) {
      return { kind: 'park', reason: toErrorInfo(error).message, errno: null };
    }
    try {
      return await withinTime(this.options.answerMs, this.applied(operation, parameters, { base, isLate, state }));
    } catch (error) {
      state.isGivenUp = true;
      return outcomeOf(error);
    }
  }

  private async applied(operation: Operation, parameters: unknown[], how: HowToApply): Promise<ApplyOutcome> {
    const { base, isLate, state } = how;
    const database = this.opened();
    const { id, consoleId, conversationId, sha256, kind } = operation;
    const conversation = conversationId !== null && isConversationLane(conversationId) ? conversationId : null;
    if (conversation !== null) await adopt(database, conversation);
    const single = database.forOperation({ id, consoleId, conversationId: conversation, sha256 });
    const result = await single.write(async (session) => {
      // Its caller has gone on with the cache and sends it again, with what it knows by then.
      if (state.isGivenUp) throw new ConsoleError('storage', 'MySQL did not answer in time.');
      const store = mysqlStoreOn(database.within(session), this.leases);
      const made = await makeChange({ session, store, kind, parameters, base, isLate, consoleName: this.options.identity.name });
      await this.options.faults.reach('before-commit', kind);
      return made;
    });
    await this.options.faults.reach('committed', kind);
    return { kind: 'applied', result: JSON.stringify(result ?? null) };
  }

  /** What the copy lacks of a conversation; null: it is gone. `newest` are the copy's own newest messages. */
  async snapshot(id: string, newest: readonly { seq: number; uid: string }[]): Promise<Snapshot | null> {
    const database = this.opened();
    await adopt(database, id);
    return database.read((session) => readSnapshot(session, id, newest));
  }

  /** Versions of the conversations that changed last, newest first. */
  async newestVersions(limit: number): Promise<Map<string, number>> {
    const sql = 'SELECT id, version FROM conversations ORDER BY updated_at DESC LIMIT ?';
    const rows = await this.opened().read((session) => session.all<{ id: string; version: number | string }>(sql, limit));
    return new Map(rows.map((row) => [row.id, Number(row.version)]));
  }

  /** Which of these conversations are still there, with their versions. */
  async versionsOf(ids: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
      const part = ids.slice(start, start + IDS_PER_QUERY);
      const sql = `SELECT id, version FROM conversations WHERE id IN (${part.map(() => '?').join(', ')})`;
      const rows = await this.opened().read((session) => session.all<{ id: string; version: number | string }>(sql, ...part));
      for (const row of rows) found.set(row.id, Number(row.version));
    }
    return found;
  }

  /** See `forgetOldMarks`. */
  async forgetOld(): Promise<void> {
    await forgetOldMarks(this.opened());
  }

  async shopRows(): Promise<Record<ShopTable, ReplicaRow[]>> {
    return this.opened().read(async (session) => ({
      customers: await session.all<ReplicaRow>('SELECT * FROM customers'),
      products: await session.all<ReplicaRow>('SELECT * FROM products'),
      orders: await session.all<ReplicaRow>('SELECT * FROM orders'),
      articles: await session.all<ReplicaRow>('SELECT * FROM articles'),
      counters: await session.all<ReplicaRow>('SELECT * FROM counters'),
    }));
  }

  /** null: the newest ones. */
  async ticketRows(ids: readonly number[] | null, limit: number): Promise<ReplicaRow[]> {
    if (ids === null) {
      return this.opened().read((session) => session.all<ReplicaRow>('SELECT * FROM tickets ORDER BY id DESC LIMIT ?', limit));
    }
    if (ids.length === 0) return [];
    const sql = `SELECT * FROM tickets WHERE id IN (${ids.map(() => '?').join(', ')})`;
    return this.opened().read((session) => session.all<ReplicaRow>(sql, ...ids));
  }

  async memoryRows(): Promise<ReplicaRow[]> {
    return this.opened().read((session) => session.all<ReplicaRow>('SELECT * FROM memories'));
  }

  async promptRows(): Promise<ReplicaRow[]> {
    return this.opened().read((session) => session.all<ReplicaRow>('SELECT * FROM prompt_versions'));
  }

  /** The name of the other console that runs the conversation's turn; null: none does. */
  async holder(conversationId: string): Promise<string | null> {
    return (await this.leases?.holder(conversationId)) ?? null;
  }

  read<T>(work: (session: MysqlSession) => Promise<T>): Promise<T> {
    return withinTime(this.options.answerMs, this.opened().read(work));
  }

  async adopt(conversationId: string): Promise<void> {
    await adopt(this.opened(), conversationId);
  }

  async close(): Promise<void> {
    this.leases?.stop();
    await this.database?.close();
  }

  private opened(): MysqlDatabase {
    if (this.database === null) throw new Error('not connected yet');
    return this.database;
  }
}

async function readSnapshot(session: MysqlSession, id: string, newest: readonly { seq: number; uid: string }[]): Promise<Snapshot | null> {
  // Read first: should the conversation change meanwhile, its version differs at the next look and it is fetched again.
  const conversation = await session.one<ReplicaRow>('SELECT * FROM conversations WHERE id = ?', id);
  if (conversation === null) return null;
  const turns = await session.all<ReplicaRow>('SELECT * FROM turns WHERE conversation_id = ?', id);
  // A forgotten turn changes messages in their place.
  const isForgetful = turns.some((turn) => turn['forgotten_at'] !== null);
  const keepThrough = isForgetful ? 0 : await equalThrough(session, id, newest);
  return {
    id,
    version: Number(conversation['version']),
    conversation,
    turns,
    messages: await session.all<ReplicaRow>('SELECT * FROM messages WHERE conversation_id = ? AND seq > ? ORDER BY seq', id, keepThrough),
    keepThrough,
    queued: await session.all<ReplicaRow>('SELECT * FROM queued_messages WHERE conversation_id = ? ORDER BY id', id),
    memoryStates: await session.all<ReplicaRow>('SELECT * FROM memory_states WHERE conversation_id = ?', id),
  };
}

/** Only the newest turn is ever written again, so the newest place at which both have the same message decides. */
async function equalThrough(session: MysqlSession, id: string, newest: readonly { seq: number; uid: string }[]): Promise<number> {
  const local = newest.slice(0, COMPARED_MESSAGES);
  if (local.length === 0) return 0;
  const sql = `SELECT seq, uid FROM messages WHERE conversation_id = ? AND seq IN (${local.map(() => '?').join(', ')})`;
  const rows = await session.all<{ seq: number; uid: string }>(sql, id, ...local.map((place) => place.seq));
  const server = new Map(rows.map((row) => [row.seq, row.uid]));
  return local.find((place) => server.get(place.seq) === place.uid)?.seq ?? 0;
}
