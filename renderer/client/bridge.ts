// Chooses the transport: the bridge of the preload, else the WebSocket of the loopback host. I/O.
import type { ConsoleBridge } from '../../shared/rpc.ts';
import type { Bridge } from './connection.ts';
import { createSocketBridge } from './socket-bridge.ts';

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
