/** I/O through ports only: runs tries of one model call with timeouts, retries and the one `model-end` every stream must have. */
import type { Clock, ModelEvent, ModelOutcome, ModelToolCall } from '../engine/ports.ts';
import type { ProviderRaw } from '../../shared/conversation.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { Usage } from '../../shared/usage.ts';
import type { ErrorContext, Failure } from './provider-errors.ts';
import { timeoutFailure } from './provider-errors.ts';
import { retryDelay } from './retry.ts';
import type { RetryPolicy } from './retry.ts';

export interface Timeouts {
  /** Longest silence of the connection, in milliseconds. */
  idleMs: number;
  /** Longest time of one try, in milliseconds. */
  totalMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { idleMs: 60_000, totalMs: 300_000 };

export interface TextDelta {
  type: 'text-delta';
  id: string;
  delta: string;
}

/** How one try ended. `failure` is null for answered, tool-calls and refused. */
export interface AttemptEnd {
  outcome: ModelOutcome;
  text: string;
  calls: ModelToolCall[];
  raw: ProviderRaw | null;
  usage: Usage | null;
  finishReason: string | null;
  failure: Failure | null;
}

/** What a try is given. */
export interface AttemptScope {
  /** Aborts on Stop, on a timeout and when the reader leaves. */
  signal: AbortSignal;
  /** To be called whenever bytes arrive; restarts the idle limit. */
  touch: () => void;
  /** Tries made before this one. */
  earlier: Failure[];
}

export interface StreamOptions {
  clock: Clock;
  signal: AbortSignal;
  timeouts: Timeouts;
  retry: RetryPolicy;
  context: ErrorContext;
  /** One try: streams text, returns its end, throws what the SDK throws. */
  attempt(scope: AttemptScope): AsyncGenerator<TextDelta, AttemptEnd>;
  /** Makes a failure of anything the try threw. Must not throw. */
  translate(error: unknown): Failure;
}

/** The end of a try that failed before it had an end of its own. */
export function failedEnd(failed: Failure, soFar: Partial<AttemptEnd> = {}): AttemptEnd {
  return {
    text: '',
    raw: null,
    usage: null,
    ...soFar,
    // A call of an incomplete message must never run.
    calls: [],
    outcome: failed.outcome,
    finishReason: failed.finishReason,
    failure: failed,
  };
}

/** Streams a model call: tries, waits between them, one `model-end`. Throws only ConsoleError `cancelled`. */
export async function* streamModel(options: StreamOptions): AsyncGenerator<ModelEvent> {
  const earlier: Failure[] = [];
  for (;;) {
    const run = yield* runAttempt(options, earlier);
    const failed = run.end.failure;
    const delayMs = failed === null || run.streamed ? null : retryDelay(failed, earlier.length + 1, options.retry);
    if (failed === null || delayMs === null) {
      yield modelEnd(run.end);
      return;
    }
    earlier.push(failed);
    yield { type: 'retry-start', attempt: earlier.length, delayMs, reason: failed.outcome, error: failed.error };
    await options.clock.sleep(delayMs, options.signal);
    throwIfStopped(options.signal);
  }
}

function modelEnd(end: AttemptEnd): ModelEvent {
  return {
    type: 'model-end',
    outcome: end.outcome,
    text: end.text.toWellFormed(),
    calls: end.calls,
    raw: end.raw,
    usage: end.usage,
    finishReason: end.finishReason,
    error: end.failure?.error ?? null,
  };
}

function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new ConsoleError('cancelled', 'The model call was stopped.');
}

async function* runAttempt(options: StreamOptions, earlier: Failure[]): AsyncGenerator<TextDelta, { end: AttemptEnd; streamed: boolean }> {
  throwIfStopped(options.signal);
  const limits = startLimits(options);
  let streamed = '';
  const tries = options.attempt({ signal: limits.signal, touch: limits.touch, earlier });
  try {
    for (;;) {
      limits.touch();
      const next = await limits.orStopped(tries.next());
      throwIfStopped(options.signal);
      if (next === 'stopped') return { end: failedEnd(limits.failure(), { text: streamed }), streamed: streamed !== '' };
      if (next.done === true) return { end: next.value, streamed: streamed !== '' };
      streamed += next.value.delta;
      yield next.value;
    }
  } catch (error) {
    throwIfStopped(options.signal);
    if (limits.signal.aborted) return { end: failedEnd(limits.failure(), { text: streamed }), streamed: streamed !== '' };
    return { end: failedEnd(options.translate(error), { text: streamed }), streamed: streamed !== '' };
  } finally {
    limits.close();
    // A stuck socket must not keep the caller waiting; what the abandoned try still throws is of no interest.
    tries.return(failedEnd(limits.failure())).catch(() => undefined);
  }
}

interface Limits {
  signal: AbortSignal;
  /** The step's own result, or `stopped` as soon as a limit or Stop ends the try. One step at a time. */
  orStopped: <T>(step: Promise<T>) => Promise<T | 'stopped'>;
  touch: () => void;
  failure(): Failure;
  close(): void;
}

function startLimits({ clock, timeouts, signal, context }: StreamOptions): Limits {
  const controller = new AbortController();
  let kind: 'idle' | 'total' = 'idle';
  let last = clock.now();
  let closed = false;
  // Racing every step against one promise would keep a reaction per step until the end of the stream.
  let wake: (result: 'stopped') => void = () => undefined;
  const stop = () => {
    controller.abort();
    wake('stopped');
  };
  const watchIdle = (): (() => void) =>
    clock.after(Math.max(1, last + timeouts.idleMs - clock.now()), () => {
      if (closed) return;
      if (clock.now() - last >= timeouts.idleMs) {
        kind = 'idle';
        stop();
      } else cancelIdle = watchIdle();
    });
  let cancelIdle = watchIdle();
  const cancelTotal = clock.after(timeouts.totalMs, () => {
    kind = 'total';
    stop();
  });
  signal.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    orStopped: <T>(step: Promise<T>) =>
      new Promise<T | 'stopped'>((resolve, reject) => {
        wake = resolve;
        if (controller.signal.aborted) resolve('stopped');
        step.then(resolve, reject);
      }),
    touch: () => {
      last = clock.now();
    },
    failure: () => timeoutFailure(context, kind, kind === 'idle' ? timeouts.idleMs : timeouts.totalMs),
    close: () => {
      closed = true;
      cancelIdle();
      cancelTotal();
      signal.removeEventListener('abort', stop);
      controller.abort();
    },
  };
}
