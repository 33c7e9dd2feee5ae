// The typed way to the engine: calls become RPC requests, events are handed on at most once per animation frame. I/O through a bridge.
import type { ConsoleApi, ConsoleEvent, Method, Params, Result } from '../../shared/console-api.ts';
import { fromErrorInfo } from '../../shared/errors.ts';
import type { Bridge } from './connection.ts';

export type EventListener = (events: ConsoleEvent[]) => void;

export interface ConsoleClient {
  /** Rejects with a ConsoleError; never with anything else. */
  call: ConsoleApi['call'];
  /** Batches in order of emission, at most one per frame. Returns the way to stop. */
  subscribe(listener: EventListener): () => void;
}

/** Hidden pages get no frames; their events wait at most this long. */
const HIDDEN_FLUSH_MS = 250;

export interface FrameBatcher<T> {
  push(items: readonly T[]): void;
  /** Hands on what waits, now. */
  flush(): void;
}

/** Collects what is pushed and hands it on in one batch per frame. */
export function createFrameBatcher<T>(deliver: (items: T[]) => void, schedule: (run: () => void) => void): FrameBatcher<T> {
  let waiting: T[] = [];
  let scheduled = false;
  const flush = () => {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    deliver(batch);
  };
  return {
    flush,
    push(items) {
      for (const item of items) waiting.push(item);
      if (scheduled || waiting.length === 0) return;
      scheduled = true;
      schedule(() => {
        scheduled = false;
        flush();
      });
    },
  };
}

/** The next frame where the page is visible, else a timer. Runs once. */
export function onNextFrame(run: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_FLUSH_MS);
}

export function createConsoleClient(bridge: Bridge, schedule: (run: () => void) => void = onNextFrame): ConsoleClient {
  const batchers = new Set<FrameBatcher<ConsoleEvent>>();
  return {
    async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
      const reply = await bridge.call(method, params);
      // Events that came before the answer are part of what the answer describes: they must not be applied after it.
      for (const batcher of batchers) batcher.flush();
      if (!reply.ok) throw fromErrorInfo(reply.error);
      return reply.result as Result<M>;
    },
    subscribe(listener) {
      const batcher = createFrameBatcher<ConsoleEvent>(listener, schedule);
      batchers.add(batcher);
      const stop = bridge.onEvents((batch) => batcher.push(batch.events));
      return () => {
        stop();
        batchers.delete(batcher);
      };
    },
  };
}
