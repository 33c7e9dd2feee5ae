/** Pure (state in memory): the reference implementation of `Store`. Nothing survives the process. */
import type { Store } from '../engine/ports.ts';
import { storeClosed } from './failures.ts';
import { memoryArchive } from './memory/memory-archive.ts';
import { memoryBranches } from './memory/memory-branches.ts';
import { memoryConversations } from './memory/memory-conversations.ts';
import { memoryErasure } from './memory/memory-erasure.ts';
import { memoryList } from './memory/memory-list.ts';
import { memoryPreferences, memoryShop, memoryTickets, memoryUsage } from './memory/memory-shop.ts';
import { memoryPrompts } from './memory/memory-prompts.ts';
import { memoryTraces } from './memory/memory-traces.ts';
import { memoryTurns } from './memory/memory-turns.ts';
import { memoryMemories, memoryUpkeep } from './memory/memory-upkeep.ts';
import { emptyTables } from './memory/records.ts';
import { LAST_SEEDED_TICKET } from './shop-rules.ts';

/** A new, empty store. Each method runs in one step, so writes are atomic. */
export function createInMemoryStore(): Store {
  const tables = emptyTables(LAST_SEEDED_TICKET);
  let isOpen = true;
  const check = (): void => {
    if (!isOpen) throw storeClosed();
  };
  return {
    kind: 'memory',
    conversations: guarded(
      { ...memoryConversations(tables), ...memoryList(tables), ...memoryTurns(tables), ...memoryUpkeep(tables) },
      check,
    ),
    traces: guarded(memoryTraces(tables), check),
    shop: guarded(memoryShop(tables), check),
    tickets: guarded(memoryTickets(tables), check),
    usage: guarded(memoryUsage(tables), check),
    preferences: guarded(memoryPreferences(tables), check),
    memories: guarded(memoryMemories(tables), check),
    erasure: guarded(memoryErasure(tables), check),
    prompts: guarded(memoryPrompts(tables), check),
    archive: guarded(memoryArchive(tables), check),
    branches: guarded(memoryBranches(tables), check),
    close: async () => {
      isOpen = false;
    },
  };
}

/** The same methods, each asking `check` first; a refusal is a rejection, never a throw. */
function guarded<T extends object>(part: T, check: () => void): T {
  return new Proxy(part, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]): Promise<unknown> => {
        check();
        return Reflect.apply(member, target, parameters) as unknown;
      };
    },
  });
}
