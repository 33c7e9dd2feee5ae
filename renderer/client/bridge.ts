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

/** What the desktop window's preload gave the page; undefined in a browser. */
export function preloadBridge(): ConsoleBridge | undefined {
  return typeof window === 'undefined' ? undefined : window.consoleBridge;
}

export function createBridge(): Bridge {
  return window.consoleBridge ? fromPreload(window.consoleBridge) : createSocketBridge(window.location, window.history);
}
