/** Does I/O: reads and transactions that survive deadlocks, lost connections and the change of a host. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PoolConnection } from 'mysql2/promise';
import { ConsoleError } from '../../../shared/errors.ts';
import { sha256 } from '../rows.ts';
import { isDuplicate, kindOf, translated } from './mysql-errors.ts';
import type { MysqlPool, MysqlTimings } from './mysql-pool.ts';
import { MysqlSession } from './mysql-session.ts';
import type { SessionLimits } from './mysql-session.ts';

/** Deadlocks in a row after which a caller is told; each wait is up to this long times the try. */
const MOST_REDOS = 12;
const REDO_MS = 25;

export interface DatabaseOptions {
  timings: MysqlTimings;
  /** `max_allowed_packet`, in bytes. */
  packetBytes: number;
  /** Why nothing may be written; null: writing is allowed. */
  readOnlyReason: string | null;
  onStatement: SessionLimits['onStatement'];
}

/** A change of a console's outbox: made once, whoever sends it how often. */
export interface DatabaseOperation {
  id: string;
  consoleId: string;
  conversationId: string | null;
  sha256: string;
  /** Runs before the change in its transaction; throws when the change is not allowed any more. */
  guard?: (session: MysqlSession) => Promise<void>;
}

/** The id was used for another change before; nothing was done. */
export class OperationMismatch extends Error {}

type Outcome<T> = { kind: 'done'; result: T } | { kind: 'unknown'; result: T; error: unknown } | { kind: 'failed'; error: unknown };

export class MysqlDatabase {
  private readonly pool: MysqlPool;
  private readonly options: DatabaseOptions;
  private readonly consoleId = `direct-${randomUUID()}`;
  /** null: each write is an operation of its own. */
  private readonly operation: DatabaseOperation | null;

  constructor(pool: MysqlPool, options: DatabaseOptions, operation: DatabaseOperation | null = null) {
    this.pool = pool;
    this.options = options;
    this.operation = operation;
  }

  /** False also for a single operation, which makes its one write and no other. */
  get canWrite(): boolean {
    return this.options.readOnlyReason === null && this.operation === null;
  }

  /** Where the server is, for people. */
  get place(): string {
    return this.pool.place;
  }

  /** The same database for one write that carries this id. Its result is stored with it and given again when the id comes again. */
  forOperation(operation: DatabaseOperation): MysqlDatabase {
    return new MysqlDatabase(this.pool, this.options, operation);
  }

  /** The same database inside a transaction that is open already: reads and writes are statements of it, and end with it. */
  within(session: MysqlSession): MysqlDatabase {
    return new OpenTransaction(this.pool, this.options, session);
  }

  /** `max_allowed_packet` of the server, in bytes. */
  get packetBytes(): number {
    return this.options.packetBytes;
  }

  /** Why nothing may be written; null: writing is allowed. */
  get readOnlyReason(): string | null {
    return this.options.readOnlyReason;
  }

  /** Each statement sees what is committed. Repeated when the connection is lost. */
  async read<T>(work: (session: MysqlSession) => Promise<T>): Promise<T> {
    const until = Date.now() + this.options.timings.acquireMs;
    for (;;) {
      const connection = await this.pool.acquire();
      try {
        const result = await work(this.session(connection));
        connection.release();
        return result;
      } catch (error) {
        const isLost = kindOf(error) === 'lost';
        if (isLost) this.pool.discard(connection);
        else connection.release();
        if (!isLost || Date.now() > until) throw translated(error, 'read', this.pool.place);
      }
    }
  }

  /**
   * All or nothing, once. `work` may run several times and must not have effects outside the transaction.
   * A COMMIT whose answer was lost is looked up by its operation id, so that nothing is done twice.
   */
  async write<T>(work: (session: MysqlSession) => Promise<T>): Promise<T> {
    if (this.options.readOnlyReason !== null) throw new ConsoleError('read-only', this.options.readOnlyReason);
    const operation = this.operation ?? this.ownOperation();
    const until = Date.now() + this.options.timings.acquireMs;
    let committed: { result: T } | null = null;
    for (let redos = 0; ; ) {
      const outcome: Outcome<T> = await this.attempt(operation, committed, work);
      if (outcome.kind === 'done') return outcome.result;
      if (outcome.kind === 'unknown') committed = { result: outcome.result };
      const kind = kindOf(outcome.error);
      if (kind === 'redo' && redos < MOST_REDOS) {
        redos += 1;
        await wait(randomInt(1, REDO_MS * redos));
      } else if (kind !== 'lost' || Date.now() > until) {
        throw committed === null ? translated(outcome.error, 'write', this.pool.place) : outcomeUnknown(outcome.error);
      }
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private session(connection: PoolConnection): MysqlSession {
    const { timings, packetBytes, onStatement } = this.options;
    return new MysqlSession(connection, { statementMs: timings.statementMs, packetBytes, onStatement });
  }

  private async attempt<T>(
    operation: DatabaseOperation,
    committed: { result: T } | null,
    work: (session: MysqlSession) => Promise<T>,
  ): Promise<Outcome<T>> {
    let connection: PoolConnection;
    try {
      connection = await this.pool.acquire();
    } catch (error) {
      // The pool has waited as long as it may already.
      throw committed === null ? savingFailed(error) : outcomeUnknown(error);
    }
    let finished: { result: T } | null = null;
    try {
      const session = this.session(connection);
      await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
      await connection.beginTransaction();
      if (!(await this.claim(session, operation))) {
        const result = committed === null ? ((await this.storedResult(session, operation)) as T) : committed.result;
        await this.rolledBack(connection);
        return { kind: 'done', result };
      }
      await operation.guard?.(session);
      const result = await work(session);
      if (this.operation !== null) {
        const text = JSON.stringify(result ?? null);
        await session.run('UPDATE applied_ops SET result = ? WHERE op_id = ?', text, operation.id);
      }
      finished = { result };
      await connection.commit();
      connection.release();
      return { kind: 'done', result };
    } catch (error) {
      if (kindOf(error) === 'lost') {
        this.pool.discard(connection);
        return finished === null ? { kind: 'failed', error } : { kind: 'unknown', result: finished.result, error };
      }
      await this.rolledBack(connection);
      return { kind: 'failed', error };
    }
  }

  private ownOperation(): DatabaseOperation {
    const id = randomUUID();
    return { id, consoleId: this.consoleId, conversationId: null, sha256: sha256(id) };
  }

  /** False when the operation is there already; waits for an earlier try that the server is still busy with. */
  private async claim(session: MysqlSession, operation: DatabaseOperation): Promise<boolean> {
    try {
      await session.run(
        'INSERT INTO applied_ops (op_id, console_id, conversation_id, sha256, applied_at) VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3))',
        operation.id,
        operation.consoleId,
        operation.conversationId,
        operation.sha256,
      );
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  private async storedResult(session: MysqlSession, operation: DatabaseOperation): Promise<unknown> {
    const sql = 'SELECT sha256, result FROM applied_ops WHERE op_id = ?';
    const row = await session.one<{ sha256: string; result: string | null }>(sql, operation.id);
    if (row === null || row.sha256 !== operation.sha256) throw new OperationMismatch(`the id ${operation.id} stands for another change`);
    return row.result === null ? null : (JSON.parse(row.result) as unknown);
  }

  private async rolledBack(connection: PoolConnection): Promise<void> {
    try {
      await connection.rollback();
      connection.release();
    } catch {
      // The server rolls back what a closed connection leaves.
      this.pool.discard(connection);
    }
  }
}

class OpenTransaction extends MysqlDatabase {
  private readonly open: MysqlSession;

  constructor(pool: MysqlPool, options: DatabaseOptions, open: MysqlSession) {
    super(pool, options);
    this.open = open;
  }

  override get canWrite(): boolean {
    return false;
  }

  override read<T>(work: (session: MysqlSession) => Promise<T>): Promise<T> {
    return work(this.open);
  }

  override write<T>(work: (session: MysqlSession) => Promise<T>): Promise<T> {
    return work(this.open);
  }
}

function savingFailed(error: unknown): unknown {
  if (!(error instanceof ConsoleError) || error.code !== 'storage' || !error.retryable) return error;
  return new ConsoleError('not-saved', `Nothing was saved. ${error.message}`, { retryable: error.retryable, cause: error });
}

function outcomeUnknown(cause: unknown): ConsoleError {
  const message = 'The connection to MySQL broke while saving, so it is not known whether the change arrived. Look before doing it again.';
  return new ConsoleError('storage', message, { retryable: true, cause });
}
