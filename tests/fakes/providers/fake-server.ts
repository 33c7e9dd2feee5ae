/** I/O: the HTTP server under every fake provider: records requests, refuses what the rules refuse, plays scripted replies in order. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Framing, SseEvent } from './framing.ts';
import { pieces, PLAIN } from './framing.ts';

/** One scripted answer. With `events` it is a stream, else one body. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  events?: SseEvent[];
  framing?: Partial<Framing>;
  /** After the events: `end` cleanly (default), `reset` the socket, `stall` until the client leaves. */
  finish?: 'end' | 'reset' | 'stall';
  /** Cuts the stream after so many bytes. */
  bytes?: number;
}

export interface Refusal {
  status: number;
  body: unknown;
}

export interface RecordedRequest {
  method: string;
  /** Path with query. */
  url: string;
  headers: Record<string, string>;
  bodyText: string;
  body: Record<string, unknown>;
  /** What the rules refused it with; null when they accepted it. */
  refusal: Refusal | null;
}

/** What one provider adds to the server. */
export interface FakeApi {
  /** Answers without using up a reply: lists of models and refusals. null: play the next reply. */
  judge(request: RecordedRequest): { refusal: Refusal } | { answer: Reply } | null;
}

export interface FakeServer {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  requests: RecordedRequest[];
  /** Requests that played a reply or were refused, model lists left out. */
  modelRequests(): RecordedRequest[];
  /** Appends to the script; a function makes the reply from the request it answers. */
  script(...replies: (Reply | ((request: RecordedRequest) => Reply))[]): void;
  /** Replies not yet used. */
  remaining(): number;
  /** Drops the next reply. */
  skip(): void;
  /** Answers still being written. */
  openConnections(): number;
  close(): Promise<void>;
}

export async function startFakeServer(api: FakeApi): Promise<FakeServer> {
  const requests: RecordedRequest[] = [];
  const queue: (Reply | ((request: RecordedRequest) => Reply))[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer((incoming, outgoing) => {
    open.add(outgoing);
    outgoing.on('close', () => open.delete(outgoing));
    handle(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await record(incoming);
    requests.push(request);
    const judged = api.judge(request);
    if (judged !== null && 'refusal' in judged) {
      request.refusal = judged.refusal;
      return play({ status: judged.refusal.status, body: judged.refusal.body }, outgoing);
    }
    if (judged !== null) return play(judged.answer, outgoing);
    const next = queue.shift();
    if (next === undefined)
      return play({ status: 501, body: { error: { message: 'the fake has no reply left: unexpected request' } } }, outgoing);
    return play(typeof next === 'function' ? next(request) : next, outgoing);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    modelRequests: () => requests.filter((request) => request.method === 'POST'),
    script: (...replies) => {
      queue.push(...replies);
    },
    remaining: () => queue.length,
    skip: () => {
      queue.shift();
    },
    openConnections: () => open.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bodyText = Buffer.concat(chunks).toString('utf8');
  let body: Record<string, unknown> = {};
  try {
    body = bodyText === '' ? {} : (JSON.parse(bodyText) as Record<string, unknown>);
  } catch {
    body = { $unreadable: true };
  }
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  return { method: incoming.method ?? '', url: incoming.url ?? '', headers, bodyText, body, refusal: null };
}

async function play(reply: Reply, outgoing: ServerResponse): Promise<void> {
  outgoing.on('error', () => undefined);
  if (reply.events === undefined) {
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
    const type = typeof reply.body === 'string' ? 'text/html' : 'application/json';
    outgoing.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers });
    outgoing.end(text);
    return;
  }
  outgoing.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream; charset=utf-8', ...reply.headers });
  outgoing.flushHeaders();
  let left = reply.bytes ?? Number.POSITIVE_INFINITY;
  for (const piece of pieces(reply.events, { ...PLAIN, ...reply.framing })) {
    if (outgoing.destroyed || left <= 0) break;
    const part = piece.subarray(0, Math.min(piece.length, left));
    left -= part.length;
    await write(outgoing, part);
  }
  if (reply.finish === 'stall') return;
  if (reply.finish === 'reset') {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  outgoing.end();
}

/** Each piece is handed to the network before the next one, so that it arrives by itself as far as the system allows. */
function write(outgoing: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    outgoing.write(piece, () => setImmediate(resolve));
  });
}

/** True when JSON text holds the escape of half a surrogate pair: real servers cannot decode it. */
export function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, inner]) => !key.isWellFormed() || hasLoneSurrogate(inner));
}
