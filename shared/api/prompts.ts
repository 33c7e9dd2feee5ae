/** Part of the console's contract: versions of the system prompt. Pure data. */
import { z } from 'zod';
import type { PromptVersionView } from '../prompts.ts';
import { conversation, noParams, result } from './schema.ts';

/** Longest system prompt, in UTF-16 units. */
export const MAX_PROMPT_LENGTH = 60_000;
const version = z.string().min(1).max(64);

export const PROMPTS_API = {
  /** Newest first; `active` is the standard of every conversation that chose none. */
  listPromptVersions: { params: noParams, result: result<{ versions: PromptVersionView[] }>() },
  /** A new version; it is sent nowhere until it is activated or chosen. `conflict` when its number was taken meanwhile. */
  addPromptVersion: {
    params: z.object({
      text: z.string().trim().min(1, 'write the prompt first').max(MAX_PROMPT_LENGTH),
      author: z.string().trim().min(1, 'say who wrote it').max(120),
      note: z.string().trim().max(500).default(''),
      basedOn: version.nullable().default(null),
    }),
    result: result<{ version: PromptVersionView }>(),
  },
  /** Makes a version the standard from the next question on; an older one rolls back. `not-found` without it. */
  activatePromptVersion: { params: z.object({ version }), result: result<{ versions: PromptVersionView[] }>() },
  /** The version of one conversation; null: the standard. `not-found` without it. */
  choosePromptVersion: { params: conversation.extend({ version: version.nullable() }), result: result<{ version: string | null }>() },
} as const;
