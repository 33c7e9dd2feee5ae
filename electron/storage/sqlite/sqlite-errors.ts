/** Pure: SQLite's errors in the console's words. */
import { ConsoleError } from '../../../shared/errors.ts';

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A ConsoleError stays what it is. Errors of a write are `not-saved`, those of a read `storage`. */
export function translated(error: unknown, during: 'read' | 'write'): ConsoleError {
  if (error instanceof ConsoleError) return error;
  const code = codeOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  const general = during === 'write' ? 'not-saved' : 'storage';
  const made = (text: string, retryable: boolean, kind: 'not-saved' | 'storage' = general): ConsoleError =>
    new ConsoleError(kind, text, { retryable, cause: error });
  if (code === 'SQLITE_FULL') return made('Nothing was saved: the disk is full. Free some space, then try again.', true, 'not-saved');
  if (code.startsWith('SQLITE_READONLY')) return openedForReading(error);
  if (code.startsWith('SQLITE_IOERR')) return made(`The disk reported an error (${detail}). Check the disk, then try again.`, true);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return made('The database is locked by another program. Close it, then try again.', true);
  }
  if (isDamage(error)) return made(`The database is damaged (${detail}). Restore a backup from the data folder's "backups".`, false);
  if (code === 'SQLITE_CANTOPEN')
    return made(`The database cannot be opened (${detail}). Check that the data folder exists and may be written.`, false);
  return made(during === 'write' ? `Nothing was saved: ${detail}.` : `The database could not be read: ${detail}.`, false);
}

export function openedForReading(cause?: unknown): ConsoleError {
  return new ConsoleError('read-only', 'The data folder is open for reading only; nothing was changed.', { cause });
}

export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}
