/** Part of the console's contract: finding one's way in conversations: filters, read marks, turn marks, find. Pure data. */
import { z } from 'zod';
import type { TurnMark } from '../conversation-list.ts';
import { conversationIdSchema } from '../ids.ts';
import { conversation, result } from './schema.ts';

/** Most rows one call for snippets may ask about. */
export const MAX_SNIPPETS = 50;
/** Longest text to find, in UTF-16 units. */
export const MAX_FIND_LENGTH = 200;

const moment = z.number().int().nonnegative();

export const LIST_NARROWING = {
  /** Rows to leave out; not together with `cursor`. */
  offset: z.number().int().nonnegative().optional(),
  filter: z
    .object({
      state: z.enum(['needs-human', 'failed', 'running']).optional(),
      unread: z.boolean().optional(),
      ticket: z.boolean().optional(),
      since: moment.optional(),
      until: moment.optional(),
      tenant: z.string().min(1).max(190).optional(),
      strategy: z.enum(['recent-turns', 'summary', 'stable']).nullable().optional(),
    })
    .optional(),
};

/** Where a text stands: how often it stands in one message. */
export interface FoundMessage {
  turn: number;
  messageId: string;
  count: number;
}

/** What a row shows of the message that was found. */
export interface SearchSnippet {
  conversationId: string;
  turn: number;
  text: string;
  /** Places of the words in `text`, in UTF-16 units. */
  marks: { start: number; end: number }[];
}

export const READING_API = {
  /** Number, time and state of all turns, oldest first: cheap at any length. */
  getTurnMarks: { params: conversation, result: result<{ turns: TurnMark[] }>() },
  /** Every place of a text in the stored turns, oldest first; case and accents make no difference. `total` counts places. */
  findInConversation: {
    params: conversation.extend({ text: z.string().min(1, 'say what to find').max(MAX_FIND_LENGTH) }),
    result: result<{ found: FoundMessage[]; total: number }>(),
  },
  /** For rows of a searched list: the newest message that holds one of the words. Rows found by name or title have none. */
  getSearchSnippets: {
    params: z.object({
      conversationIds: z.array(conversationIdSchema).min(1).max(MAX_SNIPPETS),
      search: z.string().trim().min(1, 'say what to find').max(200),
    }),
    result: result<{ snippets: SearchSnippet[] }>(),
  },
  /** `false`: the conversation counts as unread until it is opened again. */
  markRead: { params: conversation.extend({ read: z.boolean() }), result: result<Record<string, never>>() },
} as const;
