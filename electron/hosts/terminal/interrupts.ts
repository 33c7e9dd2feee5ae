/** Does I/O: Ctrl-C and SIGTERM. The first Ctrl-C during a run stops the run, the next one quits. */

export interface Interrupts {
  /** Runs `work`; the first interrupt meanwhile calls `stop`. */
  during<T>(stop: () => void, work: () => Promise<T>): Promise<T>;
  /** As if Ctrl-C was pressed: for a terminal in raw mode, which gets no signal. */
  interrupt(): void;
  /** Aborts when the person wants to quit. */
  readonly quit: AbortSignal;
  dispose(): void;
}

export function createInterrupts(onQuit: () => void): Interrupts {
  const controller = new AbortController();
  let stop: (() => void) | null = null;
  const quit = (): void => {
    if (controller.signal.aborted) return;
    controller.abort();
    onQuit();
  };
  const interrupt = (): void => {
    if (stop === null) {
      quit();
      return;
    }
    const stopRun = stop;
    stop = null;
    stopRun();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', quit);
  process.on('SIGHUP', quit);
  return {
    async during(stopRun, work) {
      stop = stopRun;
      try {
        return await work();
      } finally {
        stop = null;
      }
    },
    interrupt,
    quit: controller.signal,
    dispose() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', quit);
      process.off('SIGHUP', quit);
    },
  };
}
