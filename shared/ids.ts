/** Pure data: the ids of the console and their forms. */
import { z } from 'zod';

/** 32 lower-case hex characters from a secure random source; never guessable, never sequential. */
export const conversationIdSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'a conversation id is 32 hexadecimal characters, as printed by "conversations"');

/** A reference on one of the axes of a conversation, written `TYPE:ID` in the terminal. */
export interface Reference {
  type: string;
  id: string;
}

export const referenceSchema = z.object({ type: z.string().min(1).max(64), id: z.string().min(1).max(190) });

/** Parses `TYPE:ID`, split at the first colon. Returns null when either half is missing. */
export function parseReference(text: string): Reference | null {
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) return null;
  return { type: text.slice(0, colon), id: text.slice(colon + 1) };
}

export function formatReference(reference: Reference): string {
  return `${reference.type}:${reference.id}`;
}
