// The state of the shared database as the badge says it: where it stands, what waits, what needs a person. Pure.
import type { SyncStatus } from '../../shared/sync.ts';
import { isClockWrong } from '../../shared/sync.ts';
import { words } from '../language/language.ts';

/** `calm`: nobody has to do anything. */
export function syncWords(sync: SyncStatus): { text: string; calm: boolean } {
  const text = words().sync;
  const parts = [{ online: text.online, offline: text.offline, 'read-only': text.readOnly }[sync.state]];
  // Without a cache there is no place where a change could wait.
  if (!sync.hasCache && sync.state !== 'online') parts.push(text.nothingSaved);
  else if (sync.waiting > 0) parts.push(text.waiting(sync.waiting));
  else if (sync.state === 'online' && sync.parked === 0) parts.push(text.synced);
  if (sync.parked > 0) parts.push(text.parked(sync.parked));
  return { text: parts.join(', '), calm: sync.state === 'online' && sync.parked === 0 && !isClockWrong(sync) };
}

/** What a stored message is: only a message that is not in the shared database yet is Saved alone. null: it is nowhere. */
export function messageState(unsynced: boolean, storage: 'sqlite' | 'mysql' | 'mysql+cache' | 'memory'): 'saved' | 'synced' | null {
  if (storage === 'memory') return null;
  return storage === 'sqlite' || unsynced ? 'saved' : 'synced';
}
