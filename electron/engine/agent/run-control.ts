/** Pure: one way to end a run early, with its cause, and waiting that never outlives it. */
import { ConsoleError } from '../../../shared/errors.ts';

/** Why a run was ended from outside; the first cause wins. */
export type StopCause = 'stopped' | 'time-limit' | 'shutdown' | 'deleted';

export interface RunControl {
  readonly signal: AbortSignal;
  /** null while the run may go on. */
  cause(): StopCause | null;
  end(cause: StopCause): void;
  /** Throws a ConsoleError `cancelled` once the run is ended: before anything that must not begin any more. */
  check(): void;
  /**
   * Settles as `work` does, or rejects with a ConsoleError `cancelled` as soon as the run is ended, whatever `work` does then.
   * A late failure of `work` is swallowed: nobody waits for it any more.
   */
  race<T>(work: Promise<T>): Promise<T>;
}

function cancelled(cause: StopCause): ConsoleError {
  return new ConsoleError('cancelled', `the run was ended: ${cause}`);
}

export function createRunControl(): RunControl {
  const controller = new AbortController();
  let ended: StopCause | null = null;
  const waiting = new Set<(error: ConsoleError) => void>();
  return {
    signal: controller.signal,
    cause: () => ended,
    end(cause) {
      if (ended !== null) return;
      ended = cause;
      controller.abort();
      for (const reject of waiting) reject(cancelled(cause));
      waiting.clear();
    },
    check() {
      if (ended !== null) throw cancelled(ended);
    },
    race(work) {
      return new Promise((resolve, reject) => {
        const leave = (error: ConsoleError) => reject(error);
        if (ended === null) waiting.add(leave);
        else leave(cancelled(ended));
        work.then(resolve, reject).finally(() => waiting.delete(leave));
      });
    },
  };
}
