/** Pure: hands console events to listeners, in order of emission, whatever a listener does. */
import type { ConsoleEvent } from '../../../shared/console-api.ts';
import type { Logger } from '../ports.ts';

export interface EventHub {
  emit(event: ConsoleEvent): void;
  subscribe(listener: (event: ConsoleEvent) => void): () => void;
}

/** An event emitted by a listener is delivered after the current one has reached everybody. A listener that throws is logged and kept. */
export function createEventHub(logger: Logger): EventHub {
  const listeners = new Map<symbol, (event: ConsoleEvent) => void>();
  const pending: ConsoleEvent[] = [];
  let delivering = false;

  const deliver = (event: ConsoleEvent) => {
    for (const [key, listener] of Array.from(listeners)) {
      if (!listeners.has(key)) continue;
      try {
        listener(event);
      } catch (error) {
        logger.error('an event listener failed', { event: event.type, error: String(error) });
      }
    }
  };

  return {
    emit(event) {
      pending.push(event);
      if (delivering) return;
      delivering = true;
      try {
        for (let next = pending.shift(); next !== undefined; next = pending.shift()) deliver(next);
      } finally {
        delivering = false;
      }
    },
    subscribe(listener) {
      const key = Symbol('listener');
      listeners.set(key, listener);
      return () => {
        listeners.delete(key);
      };
    },
  };
}
