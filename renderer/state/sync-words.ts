// The state of the shared database in the two words Saved and Synced. Pure.
import type { SyncStatus } from '../../shared/sync.ts';

export function syncWords(sync: SyncStatus): { text: string; calm: boolean } {
  const parked = sync.parked === 0 ? '' : `, ${sync.parked} ${sync.parked === 1 ? 'needs' : 'need'} a person`;
  if (sync.state === 'online' && sync.waiting === 0) return { text: `Saved. Synced${parked}`, calm: sync.parked === 0 };
  // Without a cache there is no place where a change could wait.
  if (!sync.hasCache && sync.state === 'offline')
    return { text: `${sync.reason === '' ? 'Offline.' : sync.reason} Nothing can be saved meanwhile`, calm: false };
  const waiting = sync.waiting === 0 ? 'Saved' : `Saved, ${sync.waiting} not synced yet`;
  if (sync.state === 'online') return { text: `${waiting}${parked}`, calm: sync.parked === 0 };
  const why = sync.reason === '' ? (sync.state === 'offline' ? 'Offline' : 'Shared database is read-only') : sync.reason;
  return { text: `${waiting}. ${why}${parked}`, calm: false };
}
