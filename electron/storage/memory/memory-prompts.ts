/** Pure (state in memory): versions of the system prompt. */
import type { PromptStore } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { promptExists, promptMissing } from '../failures.ts';
import type { MemoryTables } from './records.ts';

export function memoryPrompts(tables: MemoryTables): PromptStore {
  return {
    list: async () =>
      [...tables.prompts.values()]
        .sort((left, right) => right.createdAt - left.createdAt || (left.version < right.version ? 1 : -1))
        .map((prompt) => structuredClone(prompt)),
    add: async (prompt) => {
      const clean = cleaned(prompt);
      if (tables.prompts.has(clean.version)) throw promptExists(clean.version);
      tables.prompts.set(clean.version, clean);
    },
    activate: async (version, at) => {
      const known = tables.prompts.get(version);
      if (known === undefined) throw promptMissing(version);
      tables.prompts.set(version, { ...known, activatedAt: at });
    },
  };
}
