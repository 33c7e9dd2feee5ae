// Which memories are shown, and in which order. Pure.
import type { Memory } from '../../shared/memories.ts';

export interface MemoryFilter {
  search: string;
  show: 'all' | 'pinned' | 'tenant';
  /** Those that a later fact took the place of, too. */
  superseded: boolean;
}

/** Pinned first, then the newest change; words are found in the fact and in the customer's name. */
export function shownMemories(memories: readonly Memory[], filter: MemoryFilter, nameOf: (customerId: string) => string): Memory[] {
  const wanted = filter.search.trim().toLowerCase();
  return memories
    .filter((memory) => {
      if (!filter.superseded && memory.supersededBy !== null) return false;
      if (filter.show === 'pinned' && !memory.pinned) return false;
      if (filter.show === 'tenant' && memory.scope !== 'tenant') return false;
      const name = memory.customerId === null ? '' : nameOf(memory.customerId);
      return `${memory.text}\n${name}\n${memory.tenant}`.toLowerCase().includes(wanted);
    })
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.changedAt - a.changedAt || a.id.localeCompare(b.id));
}

/** The memory that took the place of another, when it is there. */
export function successorOf(memory: Memory, memories: readonly Memory[]): Memory | undefined {
  return memory.supersededBy === null ? undefined : memories.find((one) => one.id === memory.supersededBy);
}
