/** Pure data: the forms that the parts of the console's contract are made of. */
import { z } from 'zod';
import { conversationIdSchema } from '../ids.ts';

/** Most rows one list call returns. */
export const MAX_PAGE = 500;

/** Results come from our own engine and are trusted; the schema only carries the type. */
export const result = <T>() => z.custom<T>(() => true);
export const noParams = z.object({}).optional().default({});
export const conversation = z.object({ conversationId: conversationIdSchema });
export const page = { limit: z.number().int().min(1).max(MAX_PAGE).default(50) };
