/** Pure: one ConsoleApi for a host whose engine may be closed and started anew behind it. */
import type { ConsoleApi, ConsoleEvent } from '../shared/console-api.ts';

export interface OpenedConsole {
  api: ConsoleApi;
  /** Safe to call twice. */
  close(): Promise<void>;
}

export interface ConsoleSwitch extends OpenedConsole {
  /** Closes the engine and opens the next one. Calls meanwhile wait; afterwards listeners are told `console-restart`. Never rejects. */
  restart(open: () => Promise<OpenedConsole>): Promise<void>;
}

/** `open` of a restart must not reject: what fails there has to become a console that says so. */
export function createConsoleSwitch(first: OpenedConsole): ConsoleSwitch {
  const listeners = new Set<(event: ConsoleEvent) => void>();
  const tell = (event: ConsoleEvent): void => {
    for (const listener of listeners) listener(event);
  };
  let current = first;
  let stopListening = first.api.subscribe(tell);
  let changing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const change = async (open: () => Promise<OpenedConsole>): Promise<void> => {
    if (isClosed) return;
    stopListening();
    await current.close().catch(() => undefined);
    current = await open();
    stopListening = current.api.subscribe(tell);
    tell({ type: 'console-restart' });
  };

  return {
    api: {
      async call(method, params) {
        await changing;
        return current.api.call(method, params);
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    restart(open) {
      changing = changing.then(() => change(open));
      return changing;
    },
    async close() {
      isClosed = true;
      await changing;
      await current.close();
    },
  };
}
