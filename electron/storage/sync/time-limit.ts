/** Does I/O (timers): an answer or a failure, in time. */
import { ConsoleError } from '../../../shared/errors.ts';

/** Rejects with `storage`, retryable, when the work is not done after `ms`; the work itself goes on unseen. */
export function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ConsoleError('storage', `MySQL did not answer within ${Math.round(ms / 100) / 10} s.`, { retryable: true }));
    }, ms);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });
}
