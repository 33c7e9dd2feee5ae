/** Pure: work on one key at a time, in the order it was asked for; different keys do not wait for each other. */

export interface Serial {
  /** Settles as `work` does; a failure does not stop what waits behind it. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when all work asked for so far has settled. */
  idle(): Promise<void>;
}

export function createSerial(): Serial {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const before = tails.get(key) ?? Promise.resolve();
      const result = before.then(work, work);
      const tail = result.catch(() => undefined);
      tails.set(key, tail);
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      return result;
    },
    async idle() {
      await Promise.all(tails.values());
    },
  };
}
