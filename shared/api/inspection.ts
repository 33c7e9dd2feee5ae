/** Part of the console's contract: looking into requests, past and next, comparing two of them, and their exact bodies. Pure data. */
import { z } from 'zod';
import type { ContextPlan } from '../compaction.ts';
import type { InspectedRequest, RequestDiff, RequestMark } from '../inspection.ts';
import type { ArchivedRequest, RebuiltRequest } from '../requests.ts';
import { conversation, result } from './schema.ts';

const MOST_QUESTION = 100_000;

/** What a preview may try without changing anything. */
export const PREVIEW_TRIALS = {
  next: z.string().max(MOST_QUESTION).optional(),
  strategy: z.enum(['recent-turns', 'summary', 'stable']).optional(),
  /** Memory settings instead of those in force. */
  settings: z.record(z.string().max(60), z.unknown()).optional(),
  /** Another version of the system prompt. */
  promptVersion: z.string().max(64).optional(),
};

/** A request that left, by its span, or the one that would leave next. With `promptVersion` as it were under that prompt. */
const requestName = z.union([
  z.object({ spanId: z.string().min(1).max(64), promptVersion: z.string().max(64).optional() }),
  z.object({ trial: z.object(PREVIEW_TRIALS) }),
]);

export const INSPECTION_API = {
  /** Requests of one turn, or of the newest ones, in the order they left. */
  listRequests: {
    params: conversation.extend({ turn: z.number().int().positive().optional(), limit: z.number().int().min(1).max(500).default(100) }),
    result: result<{ requests: RequestMark[] }>(),
  },
  /** `not-found` without such a request. An erased one has no parts, only its hash. */
  inspectRequest: {
    params: conversation.extend({ request: requestName }),
    result: result<{ request: InspectedRequest; plan: ContextPlan | null }>(),
  },
  /** `not-found` without one of the two; `invalid-input` when one is erased. */
  diffRequests: {
    params: conversation.extend({ from: requestName, to: requestName }),
    result: result<{ diff: RequestDiff }>(),
  },
  /** Everything that left for this conversation, newest first: requests for answers and those the console made for itself. */
  listArchived: {
    params: conversation.extend({ limit: z.number().int().min(1).max(500).default(100) }),
    result: result<{ requests: Omit<ArchivedRequest, 'text'>[] }>(),
  },
  /** The body of a request as it was sent, byte for byte, checked against the hash taken when it left. `not-found` without such a request. */
  rebuildRequest: { params: conversation.extend({ spanId: z.string().min(1).max(64) }), result: result<{ rebuilt: RebuiltRequest }>() },
} as const;
