/** Does I/O: the system's clock and random source behind the engine's ports. */
import { randomBytes } from 'node:crypto';
import { ConsoleError } from '../shared/errors.ts';
import type { Clock, IdSource } from './engine/ports.ts';

/** setTimeout fires at once for longer delays. */
const LONGEST_TIMER_MS = 2_147_483_647;

function cancelled(): ConsoleError {
  return new ConsoleError('cancelled', 'stopped');
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(cancelled());
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(cancelled());
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(Math.max(0, ms), LONGEST_TIMER_MS),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  },
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Twelve bits behind the milliseconds of a UUIDv7 count within one millisecond, so that ids of one process sort as they were made. */
const MOST_PER_MILLISECOND = 0xfff;

/** UUIDv7 (RFC 9562) and 32-hex ids from the system's secure random source. */
export function createSystemIds(now: () => number = Date.now): IdSource {
  let lastMs = 0;
  let counter = 0;
  return {
    uuid() {
      const ms = now();
      if (ms > lastMs) {
        lastMs = ms;
        counter = 0;
      } else if (counter < MOST_PER_MILLISECOND) {
        counter += 1;
      } else {
        // More ids than the counter holds, or the clock went back: run ahead of the clock rather than repeat an order.
        lastMs += 1;
        counter = 0;
      }
      const time = lastMs.toString(16).padStart(12, '0');
      const random = randomBytes(8);
      random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
      const tail = random.toString('hex');
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`;
    },
    conversationId: () => randomBytes(16).toString('hex'),
  };
}
