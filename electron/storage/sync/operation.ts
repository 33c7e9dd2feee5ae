/** Pure: one change on its way from a console to the shared database. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { ErrorInfo } from '../../../shared/errors.ts';
import { sha256 } from '../rows.ts';

/** Version of the payloads' form; an older console's waiting operations are applied too. */
export const OPERATION_VERSION = 1;

/** Writes of `Store` that travel, as PART.METHOD; a payload is the JSON list of the method's parameters. */
export const OPERATION_KINDS = [
  'conversations.create',
  'conversations.update',
  'conversations.delete',
  'conversations.accept',
  'conversations.startQueued',
  'conversations.reopenTurn',
  'conversations.append',
  'conversations.saveStreamedText',
  'conversations.endTurn',
  'conversations.setPinned',
  'conversations.writeMemoryState',
  'conversations.insertWhole',
  'conversations.saveDraft',
  'conversations.forgetTurn',
  'conversations.writeDistilledTurn',
  'conversations.markRead',
  'memories.put',
  'memories.delete',
  'archive.keep',
  'tickets.update',
  'traces.saveRun',
  'traces.save',
  'usage.record',
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** These add rows of Nimbus, so they need the lease of the turn. */
export const LEASED_KINDS: readonly OperationKind[] = ['conversations.append', 'conversations.saveStreamedText', 'conversations.endTurn'];

/** `parked`: stopped until a person decides; it holds back later operations of its conversation, and only those. */
export type OperationState = 'pending' | 'acked' | 'rejected' | 'parked';

export interface Operation {
  id: string;
  consoleId: string;
  /** null: it belongs to no conversation and waits for none. */
  conversationId: string | null;
  turn: number | null;
  kind: OperationKind;
  /** Complete: nothing else is needed to apply it. */
  payload: string;
  sha256: string;
  version: number;
  /** The console's clock, UTC milliseconds; a label only. */
  at: number;
}

/** An operation as the outbox keeps it. */
export interface OutboxEntry extends Operation {
  /** The console's own order. */
  number: number;
  state: OperationState;
  attempts: number;
  /** UTC milliseconds. */
  nextTryAt: number;
  lastErrno: number | null;
  /** Why it was rejected or parked, or the last failure. */
  reason: string | null;
  /** JSON text of MySQL's answer; null until it is acknowledged. */
  result: string | null;
  /** Messages of the conversation when the change was made in the cache first; null: it was not. */
  base: number | null;
}

export interface OutboxCounts {
  pending: number;
  parked: number;
  rejected: number;
}

/** What the shared database said to an operation. */
export type ApplyOutcome =
  /** In MySQL, now or from an earlier try. `result` is JSON text of what the method gave back. */
  | { kind: 'applied'; result: string }
  /** Understood and refused; the same again would be refused again. */
  | { kind: 'rejected'; error: ErrorInfo }
  /** A person has to look: the same id with another payload, a payload that is no longer whole, or one too large. */
  | { kind: 'park'; reason: string; errno: number | null }
  /** Not now: the server is away or too busy. */
  | { kind: 'later'; error: ErrorInfo; errno: number | null };

export function isOperationKind(text: string): text is OperationKind {
  return (OPERATION_KINDS as readonly string[]).includes(text);
}

export function newOperation(
  source: Pick<Operation, 'id' | 'consoleId' | 'conversationId' | 'turn' | 'kind' | 'at'>,
  parameters: unknown[],
): Operation {
  const payload = JSON.stringify(parameters);
  return { ...source, payload, sha256: sha256(payload), version: OPERATION_VERSION };
}

/** The method's parameters. Throws `storage` when the payload is not the one that was saved. */
export function parametersOf(operation: Operation): unknown[] {
  if (sha256(operation.payload) !== operation.sha256) throw damaged(operation);
  const parameters: unknown = JSON.parse(operation.payload);
  if (!Array.isArray(parameters)) throw damaged(operation);
  return parameters;
}

function damaged(operation: Operation): ConsoleError {
  return new ConsoleError('storage', `The waiting change ${operation.id} (${operation.kind}) is damaged and was not sent.`);
}
