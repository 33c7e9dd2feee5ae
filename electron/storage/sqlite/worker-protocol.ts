/** Pure: what the store and its worker say to each other. */
import type { ErrorInfo } from '../../../shared/errors.ts';
import type { CleaningOrder, Store } from '../../engine/ports.ts';

export const PARTS = [
  'conversations',
  'traces',
  'shop',
  'tickets',
  'usage',
  'preferences',
  'archive',
  'memories',
  'erasure',
  'prompts',
  'branches',
] as const satisfies (keyof Store)[];
export type PartName = (typeof PARTS)[number];

export interface WorkerOptions {
  folder: string;
  readOnly: boolean;
  /** Name of the database in the folder, for reading; default: the embedded store's. */
  file?: string;
  /** Hold the folder and open no database of it. */
  lockOnly?: boolean;
  /** Make the copy of the day as of this time and nothing else; takes no lock. Milliseconds since 1970. */
  copyAt?: number;
  /** Clean the copies of the folder and nothing else; takes no lock. */
  cleaning?: CleaningOrder;
}

/** The first message of the worker. */
export type WorkerStart = { type: 'open' } | { type: 'refused'; error: ErrorInfo };

export interface WorkerCall {
  type: 'call';
  id: number;
  part: string;
  method: string;
  parameters: unknown[];
}
export type WorkerRequest = WorkerCall | { type: 'close' };

/** `closed` answers `close`; nothing follows it. */
export type WorkerReply = { id: number; ok: true; result: unknown } | { id: number; ok: false; error: ErrorInfo } | { type: 'closed' };
