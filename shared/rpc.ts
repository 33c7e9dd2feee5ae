/** Pure data: what travels between a renderer and its host, the same over IPC and WebSocket. */
import type { ConsoleEvent } from './console-api.ts';
import type { ErrorInfo } from './errors.ts';
import type { MenuModel } from './menu.ts';

/** Electron channels; no others exist. */
export const IPC_CALL = 'console:call';
export const IPC_EVENTS = 'console:events';
/** Page to window: the menu it wants. Window to page: the command of a chosen entry. */
export const IPC_MENU = 'console:menu';
export const IPC_COMMAND = 'console:command';

/** Largest request a host takes, in bytes of its encoded form. */
export const MAX_REQUEST_BYTES = 1 << 20;

export interface RpcRequest {
  id: number;
  method: string;
  params: unknown;
}

export type RpcReply = { id: number; ok: true; result: unknown } | { id: number; ok: false; error: ErrorInfo };

/** Events are sent in batches: deltas are coalesced before they cross. */
export interface RpcEvents {
  events: ConsoleEvent[];
}

/** What the preload puts on `window.consoleBridge`; the browser host's transport has the same form. */
export interface ConsoleBridge {
  call(method: string, params: unknown): Promise<RpcReply>;
  onEvents(listener: (batch: RpcEvents) => void): () => void;
  /** Window host only: the menu in the page's language. What does not fit its form is left out by the host. */
  setMenu?(menu: MenuModel): void;
  /** Window host only: a menu entry was chosen. Returns the way to stop. */
  onCommand?(listener: (command: string) => void): () => void;
}

/**
 * Browser host. `POST` with JSON `{ token }` (the `#token=` of the page's address) sets the session cookie: 204, or 401 when the token is used or
 * old. `GET` says whether the cookie still holds: 204 or 401.
 */
export const SESSION_PATH = '/session';
/** Browser host, WebSocket: text frames of JSON. The page sends RpcRequest and gets RpcReply (has `id`) and RpcEvents (has `events`). */
export const SOCKET_PATH = '/socket';
