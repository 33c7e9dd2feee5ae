/** Does I/O: one WebSocket per page, each with its own dispatcher. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import type { ConsoleApi } from '../../../shared/console-api.ts';
import { MAX_REQUEST_BYTES } from '../../../shared/rpc.ts';
import { createDispatcher } from '../rpc-dispatcher.ts';

/** A page that stopped reading is cut off when this much waits for it; it connects anew and loads what it shows. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** Half-open connections are found by a ping that nobody answers. */
const PING_MS = 30_000;
/** After an error the other side has this long to take the reason. */
const CLOSE_MS = 2_000;
const WRONG_FRAME = 1003;
const TOO_FAR_BEHIND = 1013;
const GOING_AWAY = 1001;

export interface SocketServer {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function keepAlive(socket: WebSocket): () => void {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
  }, PING_MS);
  return () => clearInterval(timer);
}

function connect(api: ConsoleApi, socket: WebSocket): void {
  const dispatcher = createDispatcher(api);
  const send = (value: unknown): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MOST_WAITING_BYTES) socket.close(TOO_FAR_BEHIND);
    else socket.send(JSON.stringify(value));
  };
  const stopEvents = dispatcher.listen(send);
  const stopPings = keepAlive(socket);
  // The socket closes itself with the code that says what was wrong, such as 1009; cutting it at once could lose that code.
  socket.on('error', () => {
    const timer = setTimeout(() => socket.terminate(), CLOSE_MS);
    socket.once('close', () => clearTimeout(timer));
  });
  socket.on('close', () => {
    stopEvents();
    stopPings();
  });
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      socket.close(WRONG_FRAME);
      return;
    }
    void dispatcher.dispatch(parse(textOf(data))).then(send);
  });
}

export function createSocketServer(api: ConsoleApi): SocketServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST_BYTES, perMessageDeflate: false });
  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (webSocket) => connect(api, webSocket));
    },
    close() {
      for (const client of server.clients) {
        client.close(GOING_AWAY);
        client.terminate();
      }
      server.close();
    },
  };
}
