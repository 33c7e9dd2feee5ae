/** Does I/O: applies an operation of an outbox to the shared database, once. */
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import { LEASED_KINDS, parametersOf } from '../sync/operation.ts';
import type { ApplyOutcome, Operation } from '../sync/operation.ts';
import { adopt, mysqlConversations } from './mysql-conversations.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import { OperationMismatch } from './mysql-database.ts';
import { kindOf } from './mysql-errors.ts';
import { mysqlTickets, mysqlUsage } from './mysql-shop.ts';
import { mysqlTraces } from './mysql-traces.ts';
import { mysqlTurns } from './mysql-turns.ts';
import { assertLease } from './turn-lease.ts';
import type { TurnLease } from './turn-lease.ts';

/**
 * Effects and the mark that they are done are one transaction, so sending an operation again gives the first answer again.
 * Kinds that add messages of Nimbus need the lease. Never throws: every failure is an outcome.
 */
export async function applyOperation(database: MysqlDatabase, operation: Operation, lease: TurnLease | null): Promise<ApplyOutcome> {
  let parameters: unknown[];
  try {
    parameters = parametersOf(operation);
  } catch (error) {
    return { kind: 'park', reason: toErrorInfo(error).message, errno: null };
  }
  if (LEASED_KINDS.includes(operation.kind) && lease === null) {
    return { kind: 'rejected', error: { code: 'conflict', message: 'Answers are added under a lease only.', retryable: false } };
  }
  try {
    if (operation.conversationId !== null) await adopt(database, operation.conversationId);
    const { id, consoleId, conversationId, sha256 } = operation;
    const guard = lease === null ? {} : { guard: (session: Parameters<typeof assertLease>[0]) => assertLease(session, lease) };
    const single = database.forOperation({ id, consoleId, conversationId, sha256, ...guard });
    const result = await methodOf(single, operation)(...parameters);
    return { kind: 'applied', result: JSON.stringify(result ?? null) };
  } catch (error) {
    return outcomeOf(error);
  }
}

function methodOf(database: MysqlDatabase, operation: Operation): (...parameters: unknown[]) => Promise<unknown> {
  const parts: Record<string, object> = {
    conversations: { ...mysqlConversations(database), ...mysqlTurns(database) },
    tickets: mysqlTickets(database),
    traces: mysqlTraces(database),
    usage: mysqlUsage(database),
  };
  const [part = '', name = ''] = operation.kind.split('.');
  const method: unknown = Reflect.get(parts[part] ?? {}, name);
  if (typeof method !== 'function') throw new ConsoleError('internal', `No change of kind ${operation.kind} is known.`);
  return async (...parameters) => (await Reflect.apply(method, undefined, parameters)) as unknown;
}

/** What can be done about a failure. */
export function outcomeOf(error: unknown): ApplyOutcome {
  const info = toErrorInfo(error);
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (error instanceof OperationMismatch || cause instanceof OperationMismatch) {
    return { kind: 'park', reason: `The same change was sent before with other content: ${info.message}`, errno: null };
  }
  const errno = errnoOf(cause);
  if (info.retryable) return { kind: 'later', error: info, errno };
  if (info.code === 'not-saved' && cause === undefined) return { kind: 'park', reason: info.message, errno };
  if (info.code === 'read-only' || kindOf(cause) === 'access' || kindOf(cause) === 'schema') return { kind: 'later', error: info, errno };
  return { kind: 'rejected', error: info };
}

function errnoOf(cause: unknown): number | null {
  const errno: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'errno') : null;
  return typeof errno === 'number' ? errno : null;
}
