// Chooses the transport: the bridge of the preload, else the WebSocket of the loopback host. I/O.
import type { ConsoleBridge } from '../../shared/rpc.ts';
import { createSocketBridge } from './socket-bridge.ts';

/** `lost`: trying again by itself. `refused`: the link was used or is too old, a person must open a fresh one. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Bridge extends ConsoleBridge {
  /** Called with the present state at once, then on every change. `open` after `lost` asks for a resync. */
  onConnection(listener: (state: ConnectionState) => void): () => void;
  /** Tries to connect now instead of at the end of the pause. */
  reconnect(): void;
}

declare global {
  interface Window {
    consoleBridge?: ConsoleBridge;
  }
}

function fromPreload(bridge: ConsoleBridge): Bridge {
  return {
    call: (method, params) => bridge.call(method, params),
    onEvents: (listener) => bridge.onEvents(listener),
    onConnection(listener) {
      listener('open');
      return () => undefined;
    },
    reconnect: () => undefined,
  };
}

export function createBridge(): Bridge {
  return window.consoleBridge ? fromPreload(window.consoleBridge) : createSocketBridge(window.location, window.history);
}
