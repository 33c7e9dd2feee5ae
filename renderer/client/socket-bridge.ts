// The WebSocket transport of the loopback host: token from the fragment, session cookie, socket, reconnect. I/O.
import type { ErrorInfo } from '../../shared/errors.ts';
import type { RpcEvents, RpcReply, RpcRequest } from '../../shared/rpc.ts';
import type { Bridge, ConnectionState } from './bridge.ts';
import { parseFrame, reconnectDelay, tokenOfFragment, withoutToken } from './socket-rules.ts';

const LOST: ErrorInfo = {
  code: 'internal',
  message: 'The connection to Nimbus is lost. Your text is kept; it is sent when you press Send again.',
  retryable: true,
};

interface Waiting {
  text: string;
  resolve: (reply: RpcReply) => void;
}

/** Exchanges the one-time token of the link for a session cookie. True when a session may exist afterwards. */
async function openSession(location: Location, history: History): Promise<boolean> {
  const token = tokenOfFragment(location.hash);
  if (token === null) return true;
  const reply = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    credentials: 'same-origin',
  });
  // The token works once: it must not stay in the address bar, where a reload would send it again.
  history.replaceState(null, '', location.pathname + location.search + withoutToken(location.hash));
  return reply.ok;
}

/** 401 or 403 tell a used link from a host that is not there. */
async function sessionIsRefused(): Promise<boolean> {
  try {
    const reply = await fetch('/session', { credentials: 'same-origin' });
    return reply.status === 401 || reply.status === 403;
  } catch {
    return false;
  }
}

export function createSocketBridge(location: Location, history: History): Bridge {
  const eventListeners = new Set<(batch: RpcEvents) => void>();
  const stateListeners = new Set<(state: ConnectionState) => void>();
  const sent = new Map<number, Waiting>();
  const unsent = new Map<number, Waiting>();
  let socket: WebSocket | null = null;
  let state: ConnectionState = 'connecting';
  let attempt = 0;
  let nextId = 1;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const setState = (next: ConnectionState) => {
    if (state === next) return;
    state = next;
    for (const listener of stateListeners) listener(next);
  };

  const failAll = (waiting: Map<number, Waiting>) => {
    for (const [id, entry] of waiting) entry.resolve({ id, ok: false, error: LOST });
    waiting.clear();
  };

  const receive = (data: unknown) => {
    const frame = parseFrame(data);
    if (frame === null) return;
    if ('events' in frame) {
      for (const listener of eventListeners) listener(frame);
      return;
    }
    const entry = sent.get(frame.id);
    sent.delete(frame.id);
    entry?.resolve(frame);
  };

  const opened = (current: WebSocket) => {
    attempt = 0;
    for (const [id, entry] of unsent) {
      sent.set(id, entry);
      current.send(entry.text);
    }
    unsent.clear();
    setState('open');
  };

  const closed = (current: WebSocket) => {
    if (socket !== current) return;
    socket = null;
    failAll(sent);
    failAll(unsent);
    const again = () => {
      setState('lost');
      attempt += 1;
      timer = setTimeout(connect, reconnectDelay(attempt));
    };
    sessionIsRefused().then((refused) => (refused ? setState('refused') : again()), again);
  };

  function connect(): void {
    const current = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`);
    socket = current;
    current.addEventListener('open', () => opened(current));
    current.addEventListener('message', (message) => receive(message.data));
    current.addEventListener('close', () => closed(current));
  }

  openSession(location, history).then(
    (ok) => (ok ? connect() : setState('refused')),
    () => connect(),
  );

  return {
    call(method, params) {
      const id = nextId++;
      const request: RpcRequest = { id, method, params };
      return new Promise((resolve) => {
        const entry = { text: JSON.stringify(request), resolve };
        if (state === 'lost' || state === 'refused') return resolve({ id, ok: false, error: LOST });
        if (socket?.readyState !== WebSocket.OPEN) return void unsent.set(id, entry);
        sent.set(id, entry);
        socket.send(entry.text);
      });
    },
    onEvents(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    onConnection(listener) {
      stateListeners.add(listener);
      listener(state);
      return () => stateListeners.delete(listener);
    },
    reconnect() {
      if (socket !== null) return;
      clearTimeout(timer);
      connect();
    },
  };
}
