// The WebSocket transport of the loopback host: token from the fragment, session cookie, socket, reconnect. I/O.
import type { ErrorInfo } from '../../shared/errors.ts';
import { type RpcEvents, type RpcReply, type RpcRequest, SESSION_PATH, SOCKET_PATH } from '../../shared/rpc.ts';
import type { Bridge, ConnectionState } from './connection.ts';
import { parseFrame, reconnectDelay, tokenOfFragment, withoutToken } from './socket-rules.ts';

/** How often a page without a session looks whether its browser has one, in milliseconds. */
const SESSION_CHECK_MS = 5000;

const LOST: ErrorInfo = {
  code: 'internal',
  message: 'The connection to Nimbus is lost. Send again when it is back.',
  retryable: true,
};

/** Exchanges the one-time token of the link for a session cookie. True when a session may exist afterwards. */
async function openSession(location: Location, history: History): Promise<boolean> {
  const token = tokenOfFragment(location.hash);
  if (token === null) return true;
  const reply = await fetch(SESSION_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    credentials: 'same-origin',
  });
  // The token works once: it must not stay in the address bar, where a reload would send it again.
  history.replaceState(null, '', location.pathname + location.search + withoutToken(location.hash));
  return reply.ok || hasSession();
}

/** Tells a used or old link from a host that is not there. Throws when the host does not answer. */
async function hasSession(): Promise<boolean> {
  const reply = await fetch(SESSION_PATH, { credentials: 'same-origin' });
  return reply.status !== 401 && reply.status !== 403;
}

/** The present state of the line and who wants to know of it. */
function createConnection() {
  const listeners = new Set<(state: ConnectionState) => void>();
  let state: ConnectionState = 'connecting';
  return {
    state: () => state,
    set(next: ConnectionState) {
      if (state === next) return;
      state = next;
      for (const listener of listeners) listener(next);
    },
    listen(listener: (state: ConnectionState) => void) {
      listeners.add(listener);
      listener(state);
      return () => void listeners.delete(listener);
    },
  };
}

/** Calls on their way. What was not sent yet is sent when the line opens; what was sent fails when it drops. */
function createCalls() {
  const sent = new Map<number, (reply: RpcReply) => void>();
  let unsent: { request: RpcRequest; resolve: (reply: RpcReply) => void }[] = [];
  let nextId = 1;
  const send = (socket: WebSocket, request: RpcRequest, resolve: (reply: RpcReply) => void) => {
    sent.set(request.id, resolve);
    socket.send(JSON.stringify(request));
  };
  return {
    add(socket: WebSocket | null, lost: boolean, method: string, params: unknown): Promise<RpcReply> {
      const request = { id: nextId++, method, params };
      return new Promise((resolve) => {
        if (socket?.readyState === WebSocket.OPEN) send(socket, request, resolve);
        else if (lost) resolve({ id: request.id, ok: false, error: LOST });
        else unsent.push({ request, resolve });
      });
    },
    opened(socket: WebSocket) {
      for (const { request, resolve } of unsent) send(socket, request, resolve);
      unsent = [];
    },
    answer(reply: RpcReply) {
      sent.get(reply.id)?.(reply);
      sent.delete(reply.id);
    },
    failAll() {
      for (const [id, resolve] of sent) resolve({ id, ok: false, error: LOST });
      for (const { request, resolve } of unsent) resolve({ id: request.id, ok: false, error: LOST });
      sent.clear();
      unsent = [];
    },
  };
}

export function createSocketBridge(location: Location, history: History): Bridge {
  const connection = createConnection();
  const calls = createCalls();
  const eventListeners = new Set<(batch: RpcEvents) => void>();
  let socket: WebSocket | null = null;
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const connect = () => {
    clearTimeout(timer);
    const current = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${SOCKET_PATH}`);
    socket = current;
    current.addEventListener('open', () => {
      attempt = 0;
      calls.opened(current);
      connection.set('open');
    });
    current.addEventListener('message', ({ data }) => {
      const frame = parseFrame(data);
      if (frame === null) return;
      if ('events' in frame) for (const listener of eventListeners) listener(frame);
      else calls.answer(frame);
    });
    current.addEventListener('close', () => closed(current));
  };

  const closed = (current: WebSocket) => {
    if (socket !== current) return;
    socket = null;
    connection.set('lost');
    calls.failAll();
    void tryAgain();
  };

  /** The link is refused, but the browser may get a session by a fresh link in another tab: look for one again and again. */
  const refused = () => {
    connection.set('refused');
    clearTimeout(timer);
    timer = setTimeout(() => void lookForSession(), SESSION_CHECK_MS);
  };

  const connectLater = () => {
    clearTimeout(timer);
    attempt += 1;
    timer = setTimeout(connect, reconnectDelay(attempt));
  };

  const tryAgain = () => hasSession().then((has) => (has ? connectLater() : refused()), connectLater);

  /** A host that does not answer leaves the state as it is. */
  const lookForSession = () => hasSession().then((has) => (has && socket === null ? connect() : refused()), refused);

  /** Somebody looks at the page again: no reason to wait out the pause. */
  const onReturn = () => {
    if (socket !== null || document.visibilityState === 'hidden') return;
    if (connection.state() === 'refused') void lookForSession();
    else if (connection.state() === 'lost') connect();
  };
  addEventListener('focus', onReturn);
  document.addEventListener('visibilitychange', onReturn);

  openSession(location, history).then((ok) => (ok ? connect() : refused()), connect);

  return {
    call: (method, params) => {
      const lost = connection.state() === 'lost' || connection.state() === 'refused';
      return calls.add(socket, lost, method, params);
    },
    onEvents(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    onConnection: (listener) => connection.listen(listener),
    reconnect() {
      if (socket === null) connect();
    },
  };
}
