/** Pure: the failures all stores share, so that they read the same everywhere. */
import { ConsoleError } from '../../shared/errors.ts';
import type { TicketStatus } from '../../shared/shop.ts';

export function conversationMissing(id: string): ConsoleError {
  return new ConsoleError('not-found', `There is no conversation ${id}; "conversations" lists them.`);
}

export function conversationExists(id: string): ConsoleError {
  return new ConsoleError('conflict', `A conversation ${id} exists already.`);
}

export function turnMissing(turn: number): ConsoleError {
  return new ConsoleError('not-found', `The conversation has no turn ${turn}.`);
}

/** Another run, or none, works on the turn. */
export function turnTaken(turn: number): ConsoleError {
  return new ConsoleError('conflict', `Turn ${turn} is not at work under this run; nothing was written.`);
}

export function turnAtWork(turn: number): ConsoleError {
  return new ConsoleError('conflict', `Turn ${turn} is still at work; stop it first.`);
}

/** Somebody works on the conversation or changed it since the caller looked. */
export function lineMoved(): ConsoleError {
  return new ConsoleError('busy', 'The conversation is at work or went on meanwhile; wait for the answer and try again.');
}

export function branchMissing(id: string): ConsoleError {
  return new ConsoleError('not-found', `There is no branch ${id} that leaves the line shown now; load the conversation again.`);
}

export function memoryMissing(id: string): ConsoleError {
  return new ConsoleError('not-found', `There is no memory ${id}.`);
}

export function promptExists(version: string): ConsoleError {
  return new ConsoleError(
    'conflict',
    `There is a system prompt ${version} already; somebody saved one meanwhile. Look at it and save again.`,
  );
}

export function promptMissing(version: string): ConsoleError {
  return new ConsoleError('not-found', `There is no system prompt ${version}.`);
}

export function turnNotReopenable(turn: number, reason: 'not-newest' | 'at-work'): ConsoleError {
  const why = reason === 'at-work' ? 'it is still at work' : 'only the newest turn can be run again';
  return new ConsoleError('conflict', `Turn ${turn} cannot be run again: ${why}.`);
}

export function notAnEnd(state: string): ConsoleError {
  return new ConsoleError('invalid-input', `A turn cannot end in state "${state}".`);
}

export function runMissing(id: string): ConsoleError {
  return new ConsoleError('not-found', `Run ${id} is not stored; a run is saved before its spans, events and details.`);
}

export function ticketMissing(id: number): ConsoleError {
  return new ConsoleError('not-found', `There is no ticket ${id}.`);
}

export function ticketChanged(id: number): ConsoleError {
  return new ConsoleError('conflict', `Ticket ${id} was changed by someone else; load it again before changing it.`);
}

/** The state machine of tickets has no such step. */
export function ticketMoveRefused(id: number, from: TicketStatus, to: TicketStatus): ConsoleError {
  return new ConsoleError('invalid-input', `Ticket ${id} is ${from} and cannot become ${to}; open it again first.`);
}

export function badCursor(): ConsoleError {
  return new ConsoleError('invalid-input', 'The page cursor is not one that the list gave out; start from the first page.');
}

export function storeClosed(): ConsoleError {
  return new ConsoleError('storage', 'The store is closed.');
}

export function duplicateMessage(id: string): ConsoleError {
  return new ConsoleError('invalid-input', `Two messages have the id ${id}; nothing was stored.`);
}

export function spanMissing(id: string): ConsoleError {
  return new ConsoleError('not-found', `Span ${id} is not stored; a span is saved before or with its detail.`);
}
