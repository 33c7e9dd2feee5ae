/** Pure: what is read out of waiting changes, and the words for a server that is away. */
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import { parametersOf } from './operation.ts';
import type { Operation, OperationKind } from './operation.ts';
import type { PartKey } from './routes.ts';

/** A write of the store on its way. */
export interface Call {
  part: PartKey;
  method: string;
  kind: OperationKind;
  lane: string;
  parameters: unknown[];
}

/** True when the server did not answer; false when it did and refused. */
export function isAway(error: unknown): boolean {
  const info = toErrorInfo(error);
  return info.retryable && (info.code === 'storage' || info.code === 'not-saved');
}

export function laneOfEntry(entry: Operation): string {
  return entry.conversationId ?? '';
}

export function parametersOrNone(entry: Operation): unknown[] {
  try {
    return parametersOf(entry);
  } catch {
    return [];
  }
}

export function awayFor(what: string, reason: string): ConsoleError {
  return new ConsoleError('storage', `${what} needs the shared database, which cannot be reached at present. ${reason}`.trim(), {
    retryable: true,
  });
}

export function savedUnseen(cause: unknown): ConsoleError {
  const message =
    'The connection to MySQL broke. The change is Saved here and will be sent, but it cannot be shown before MySQL answers again.';
  return new ConsoleError('storage', message, { cause });
}
