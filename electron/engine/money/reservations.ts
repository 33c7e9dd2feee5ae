/** Pure: what steps that are under way may still cost, so that runs side by side do not pass a shared cap together. */

export interface Reservations {
  /** Micro-USD that steps under way may cost at most. */
  total(): number;
  /** Sets an amount aside until the returned function is called; calling it again changes nothing. */
  reserve(microUsd: number): () => void;
  /** Resolves when the next amount is given back. */
  change(): Promise<void>;
}

export function createReservations(): Reservations {
  let total = 0;
  let waiting: (() => void)[] = [];
  return {
    total: () => total,
    reserve(microUsd) {
      let held = true;
      total += microUsd;
      return () => {
        if (!held) return;
        held = false;
        total -= microUsd;
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake();
      };
    },
    change: () => new Promise((resolve) => waiting.push(resolve)),
  };
}
