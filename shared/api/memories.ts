/** Part of the console's contract: what is remembered about customers. Pure data. */
import { z } from 'zod';
import type { Memory } from '../memories.ts';
import { MAX_PAGE, result } from './schema.ts';

const memory = z.object({ memoryId: z.string().min(1).max(64) });
const memoryText = z.string().trim().min(1, 'write the fact first').max(1000);

export const MEMORY_API = {
  /** With `customerId` those that conversations of this customer may see; without, all of them. */
  listMemories: {
    params: z.object({
      limit: z.number().int().min(1).max(MAX_PAGE).default(200),
      superseded: z.boolean().default(false),
      tenant: z.string().min(1).max(190).optional(),
      customerId: z.string().max(190).nullable().optional(),
      search: z.string().max(200).optional(),
    }),
    result: result<{ memories: Memory[] }>(),
  },
  addMemory: {
    params: z.object({
      tenant: z.string().min(1).max(190).optional(),
      /** null: of the tenant, for all its customers. */
      customerId: z.string().max(190).nullable(),
      text: memoryText,
    }),
    result: result<{ memory: Memory }>(),
  },
  editMemory: { params: memory.extend({ text: memoryText }), result: result<{ memory: Memory }>() },
  pinMemory: { params: memory.extend({ pinned: z.boolean() }), result: result<{ memory: Memory }>() },
  deleteMemory: { params: memory, result: result<Record<string, never>>() },
} as const;
