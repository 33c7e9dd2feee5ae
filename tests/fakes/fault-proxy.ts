/** Does I/O: a TCP proxy on 127.0.0.1 in front of a MySQL server that fails on purpose, at exact places of the protocol. */
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** First payload byte of a query, and the place of the sequence number in a packet header. */
const COM_QUERY = 0x03;
const HEADER_BYTES = 4;

export interface FaultProxy {
  port: number;
  /** New connections since the start. */
  connections: number;
  /** The next query whose text matches is not sent on: the connection is cut instead. */
  cutBefore(pattern: RegExp): void;
  /** The next query whose text matches reaches the server, its answer does not come back: the connection is cut. */
  cutAfter(pattern: RegExp): void;
  /** From the next matching query on, the connection stays open and nothing is passed any more: a half-open socket. */
  freezeAt(pattern: RegExp): void;
  /** The server's clock, as consoles see it, runs so many milliseconds ahead of the real one; 0 ends it. */
  moveServerTime(ms: number): void;
  /** New connections are refused, present ones cut; `false` ends it. */
  setDown(isDown: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Fault {
  kind: 'cut-before' | 'cut-after' | 'freeze';
  pattern: RegExp;
}

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let fault: Fault | null = null;
  let isDown = false;
  let movedBy = 0;

  const takeFault = (text: string): Fault['kind'] | null => {
    if (fault === null || !fault.pattern.test(text)) return null;
    const { kind } = fault;
    fault = null;
    return kind;
  };

  const server = createServer((client) => {
    proxy.connections += 1;
    if (isDown) {
      client.destroy();
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1');
    const pair = [client, upstream];
    const cut = (): void => {
      for (const socket of pair) socket.destroy();
    };
    let isFrozen = false;
    let dropsAnswers = false;
    for (const socket of pair) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        if (!isFrozen) cut();
      });
    }
    client.on('data', (chunk) => {
      if (isFrozen) return;
      const kind = takeFault(queryOf(chunk));
      if (kind === 'cut-before') cut();
      else if (kind === 'freeze') isFrozen = true;
      else {
        dropsAnswers ||= kind === 'cut-after';
        upstream.write(movedBy === 0 ? chunk : withServerTime(chunk, Date.now() + movedBy));
      }
    });
    upstream.on('data', (chunk) => {
      if (isFrozen) return;
      // The answer is there, so the server has done its work.
      if (dropsAnswers) cut();
      else client.write(chunk);
    });
  });

  const listening = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  await listening(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  const proxy: FaultProxy = {
    port: address.port,
    connections: 0,
    cutBefore: (pattern) => {
      fault = { kind: 'cut-before', pattern };
    },
    cutAfter: (pattern) => {
      fault = { kind: 'cut-after', pattern };
    },
    freezeAt: (pattern) => {
      fault = { kind: 'freeze', pattern };
    },
    moveServerTime: (ms) => {
      movedBy = ms;
    },
    setDown: async (down) => {
      if (isDown === down) return;
      isDown = down;
      if (down) {
        await new Promise((resolve) => {
          server.close(resolve);
          for (const socket of sockets) socket.destroy();
        });
      } else await listening(proxy.port);
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        if (isDown) resolve();
        else server.close(() => resolve());
      }),
  };
  return proxy;
}

/** The text of a query that starts in this chunk; empty for anything else. */
function queryOf(chunk: Buffer): string {
  return chunk[HEADER_BYTES] === COM_QUERY ? chunk.toString('utf8', HEADER_BYTES + 1) : '';
}

/** Consoles begin each loan of a connection with this; the clock of the session is set along with it. */
const LOAN = /^SET NAMES /;
const LENGTH_BYTES = 3;

function withServerTime(chunk: Buffer, ms: number): Buffer {
  if (!LOAN.test(queryOf(chunk))) return chunk;
  const more = Buffer.from(`, timestamp = ${(ms / 1000).toFixed(3)}`);
  const moved = Buffer.concat([chunk, more]);
  moved.writeUIntLE(chunk.readUIntLE(0, LENGTH_BYTES) + more.length, 0, LENGTH_BYTES);
  return moved;
}
