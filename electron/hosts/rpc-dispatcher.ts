/** The boundary between a page and the engine: one dispatcher per page. Checks size, form, method, parameters and rate; coalesces events. Uses timers. */
import { z } from 'zod';
import type { ConsoleApi, ConsoleEvent } from '../../shared/console-api.ts';
import { ConsoleError, toErrorInfo } from '../../shared/errors.ts';
import { MAX_REQUEST_BYTES } from '../../shared/rpc.ts';
import type { RpcEvents, RpcReply } from '../../shared/rpc.ts';
import { redact } from '../compose.ts';
import { parseMethod, parseParams } from './request-validation.ts';

/** Events wait at most this long before they cross the boundary, in milliseconds. */
export const COALESCE_MS = 24;
/** A page may make this many calls at once … */
const BURST_CALLS = 300;
/** … and this many per second in the long run. */
const CALLS_PER_SECOND = 100;

const requestSchema = z.object({ id: z.number().int().min(0), method: z.string().max(60), params: z.unknown() });

export interface Dispatcher {
  /** Always resolves; whatever goes wrong is in the reply. A request without a usable id is answered with id -1. */
  dispatch(request: unknown): Promise<RpcReply>;
  /** Hands on events in batches. Returns the way to stop. */
  listen(send: (batch: RpcEvents) => void): () => void;
}

export interface DispatcherOptions {
  coalesceMs?: number;
  /** Milliseconds that only go forward. */
  monotonicNow?: () => number;
}

/** Bytes of the value's JSON; Infinity for what JSON cannot carry. */
function encodedBytes(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function idOf(request: unknown): number {
  if (typeof request !== 'object' || request === null || !('id' in request)) return -1;
  return typeof request.id === 'number' && Number.isSafeInteger(request.id) && request.id >= 0 ? request.id : -1;
}

/** Calls in stock: filled up to BURST_CALLS at CALLS_PER_SECOND. Returns false when none is left. */
function createTokenBucket(now: () => number): () => boolean {
  let tokens = BURST_CALLS;
  let filledAt = now();
  return () => {
    const at = now();
    tokens = Math.min(BURST_CALLS, tokens + (Math.max(0, at - filledAt) / 1000) * CALLS_PER_SECOND);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Adds an event to a batch; text that follows its own stream directly is joined to it. */
export function pushCoalesced(batch: ConsoleEvent[], event: ConsoleEvent): void {
  const last = batch.at(-1);
  if (
    last?.type === 'text-delta' &&
    event.type === 'text-delta' &&
    last.id === event.id &&
    last.runId === event.runId &&
    last.step === event.step &&
    last.conversationId === event.conversationId
  ) {
    batch[batch.length - 1] = { ...last, delta: last.delta + event.delta };
    return;
  }
  batch.push(event);
}

export function createDispatcher(api: ConsoleApi, options: DispatcherOptions = {}): Dispatcher {
  const coalesceMs = options.coalesceMs ?? COALESCE_MS;
  const takeToken = createTokenBucket(options.monotonicNow ?? (() => performance.now()));
  const flushes = new Set<() => void>();
  /** A reply may already hold what waiting events say: they cross before it, or the page would count them twice. */
  const flushWaiting = (): void => {
    for (const flush of flushes) flush();
  };

  const answer = async (request: unknown): Promise<unknown> => {
    if (!takeToken()) throw new ConsoleError('busy', 'too many calls at once; try again in a moment', { retryable: true });
    const bytes = encodedBytes(request);
    if (bytes === Number.POSITIVE_INFINITY) throw new ConsoleError('invalid-input', 'the request holds something JSON cannot carry');
    if (bytes > MAX_REQUEST_BYTES) throw new ConsoleError('invalid-input', 'the request is larger than 1 MiB; send it in smaller pieces');
    const parsed = requestSchema.safeParse(request);
    if (!parsed.success) throw new ConsoleError('invalid-input', 'a request has the form { id, method, params }');
    const method = parseMethod(parsed.data.method);
    return api.call(method, parseParams(method, parsed.data.params));
  };

  return {
    async dispatch(request) {
      let id = -1;
      try {
        id = idOf(request);
        const result = await answer(request);
        flushWaiting();
        return { id, ok: true, result };
      } catch (error) {
        flushWaiting();
        const info = toErrorInfo(error);
        // Messages of unforeseen errors were written by others and may quote a key.
        return { id, ok: false, error: { ...info, message: redact(info.message) } };
      }
    },
    listen(send) {
      let batch: ConsoleEvent[] = [];
      let timer: ReturnType<typeof setTimeout> | undefined;
      const flush = (): void => {
        clearTimeout(timer);
        timer = undefined;
        if (batch.length === 0) return;
        const events = batch;
        batch = [];
        try {
          send({ events });
        } catch {
          // A page that went away loses its events; it loads anew when it comes back.
        }
      };
      flushes.add(flush);
      const unsubscribe = api.subscribe((event) => {
        pushCoalesced(batch, event);
        timer ??= setTimeout(flush, coalesceMs);
      });
      return () => {
        unsubscribe();
        flushes.delete(flush);
        clearTimeout(timer);
      };
    },
  };
}
