/** Part of the console's contract: large payloads of spans piece by piece, and which tools the turns used. Pure data. */
import { z } from 'zod';
import { conversation, result } from './schema.ts';

export const PAYLOAD_PARTS = ['request', 'response'] as const;
export type PayloadPart = (typeof PAYLOAD_PARTS)[number];

/** Most characters of one piece. */
export const MAX_PIECE_CHARACTERS = 1_048_576;

export const TRACES_API = {
  /**
   * A piece of one half of a span's detail: a text as it is, anything else as indented JSON. Offsets count UTF-16 units and never
   * part a pair. `next`: where the following piece begins; null after the last. `not-found` where nothing is stored.
   */
  readSpanText: {
    params: z.object({
      spanId: z.string().min(1).max(64),
      part: z.enum(PAYLOAD_PARTS),
      offset: z.number().int().min(0).default(0),
      characters: z.number().int().min(2).max(MAX_PIECE_CHARACTERS).default(65_536),
    }),
    result: result<{ offset: number; text: string; total: number; next: number | null }>(),
  },
  /** Names of the tools that each of the newest turns called, in order of first use; turns without any are left out. */
  listToolsOfTurns: {
    params: conversation.extend({ limit: z.number().int().min(1).max(500).default(200) }),
    result: result<{ turns: { turn: number; tools: string[] }[] }>(),
  },
} as const;
