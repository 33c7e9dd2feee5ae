/** A clock that moves only when a test moves it. */
import { setImmediate as nextTask } from 'node:timers/promises';
import type { Clock } from '../../electron/engine/ports.ts';
import { ConsoleError } from '../../shared/errors.ts';

interface Timer {
  at: number;
  order: number;
  fire: () => void;
}

export interface VirtualClock extends Clock {
  /** Moves time on, firing timers in order and letting what they start settle in between. */
  advance(ms: number): Promise<void>;
  /** Timers nobody has cancelled and that have not fired. */
  pending(): number;
}

/** Lets everything that does not wait for time run to its next wait. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 12; round += 1) await nextTask();
}

export function createVirtualClock(start = Date.UTC(2026, 10, 30, 12)): VirtualClock {
  let now = start;
  let order = 0;
  const timers = new Set<Timer>();
  const after = (ms: number, fire: () => void) => {
    order += 1;
    const timer: Timer = { at: now + Math.max(0, ms), order, fire };
    timers.add(timer);
    return () => {
      timers.delete(timer);
    };
  };
  return {
    now: () => now,
    after,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        const stop = () => {
          cancel();
          reject(new ConsoleError('cancelled', 'the wait was cancelled'));
        };
        const cancel = after(ms, () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        });
        if (signal?.aborted) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      });
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= end).sort((left, right) => left.at - right.at || left.order - right.order)[0];
        if (due === undefined) break;
        timers.delete(due);
        now = Math.max(now, due.at);
        due.fire();
        await settle();
      }
      now = end;
      await settle();
    },
    pending: () => timers.size,
  };
}
