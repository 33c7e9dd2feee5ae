/** Pure: work in lines, one thing at a time in each. */

export interface Lanes {
  /** Runs after everything that was given to the lane before, whatever became of it. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is at work or waits. */
  idle(): Promise<void>;
}

export function createLanes(): Lanes {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run: (lane, work) => {
      const before = tails.get(lane) ?? Promise.resolve();
      const result = before.then(work, work);
      const tail = result.then(
        () => undefined,
        () => undefined,
      );
      tails.set(lane, tail);
      void tail.then(() => {
        if (tails.get(lane) === tail) tails.delete(lane);
      });
      return result;
    },
    idle: async () => {
      while (tails.size > 0) await Promise.all(tails.values());
    },
  };
}
