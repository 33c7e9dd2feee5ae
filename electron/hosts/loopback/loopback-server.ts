/** Does I/O: the browser host. HTTP for page and session, one WebSocket per page for calls and events; on 127.0.0.1 only. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConsoleApi } from '../../../shared/console-api.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { MAX_REQUEST_BYTES, SESSION_PATH, SOCKET_PATH } from '../../../shared/rpc.ts';
import { readPageFile } from '../page-files.ts';
import { contentSecurityPolicy, securityHeaders } from '../page-security.ts';
import { readBody } from './request-body.ts';
import { allowedHosts, refuseChange, refuseRequest, refuseSocket } from './request-rules.ts';
import { createSessions, SESSION_COOKIE } from './sessions.ts';
import type { Sessions } from './sessions.ts';
import { createSocketServer } from './socket-server.ts';

const ADDRESS = '127.0.0.1';

/** Takes over the page's own files, e.g. to hand them to a development server. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface LoopbackOptions {
  api: ConsoleApi;
  /** Folder of the built page. */
  pageFolder: string;
  /** 0: any free port. */
  port: number;
  /** UTC milliseconds. */
  now?: () => number;
  /** Development only: another source of the page with its own policy, and a session that outlives a restart. */
  development?: { page: PageHandler; policy: string; session: string };
}

export interface LoopbackHost {
  port: number;
  /** A new link with a one-time token; the link before stops working. */
  freshLink(): string;
  close(): Promise<void>;
}

interface Scope {
  options: LoopbackOptions;
  sessions: Sessions;
  port: number;
}

function policyFor(scope: Scope): string {
  return scope.options.development?.policy ?? contentSecurityPolicy(allowedHosts(scope.port).map((host) => `ws://${host}`));
}

function reply(
  scope: Scope,
  response: ServerResponse,
  status: number,
  body: string | Buffer = '',
  headers: Record<string, string> = {},
): void {
  const type = typeof body === 'string' && body !== '' ? { 'content-type': 'text/plain; charset=utf-8' } : {};
  response.writeHead(status, { ...securityHeaders(policyFor(scope)), ...type, ...headers });
  response.end(body);
}

function tokenOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string') return value.token;
  } catch {
    // Not JSON: no token.
  }
  return '';
}

function openSession(scope: Scope, response: ServerResponse, body: string): void {
  const session = scope.sessions.open(tokenOf(body));
  if (session === null) {
    reply(scope, response, 401, 'this link was used or is older than 5 minutes; press Enter in the terminal for a fresh one');
    return;
  }
  reply(scope, response, 204, '', { 'set-cookie': `${SESSION_COOKIE}=${session}; HttpOnly; SameSite=Strict; Path=/` });
}

async function servePage(scope: Scope, request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
  const file = await readPageFile(scope.options.pageFolder, pathname);
  if (file.kind === 'file') reply(scope, response, 200, request.method === 'HEAD' ? '' : file.body, { 'content-type': file.type });
  else if (file.kind === 'refused') reply(scope, response, 400, 'no such path');
  else if (!scope.sessions.accepts(request.headers.cookie)) reply(scope, response, 401, 'open the link from the terminal first');
  else reply(scope, response, 404, 'not found');
}

async function handleRequest(scope: Scope, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? 'GET';
  const refusal = refuseRequest(method, request.headers, scope.port);
  // What was sent is read to its end, within bounds: a browser that is still sending would not see the answer otherwise.
  const body = await readBody(request, MAX_REQUEST_BYTES);
  if (refusal !== null) return reply(scope, response, refusal.status, refusal.reason);
  if (body === null) return reply(scope, response, 413, 'larger than 1 MiB');
  // Not through URL: parsing would resolve the `..` that must be seen.
  const pathname = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
  const reading = method === 'GET' || method === 'HEAD';
  if (pathname === SESSION_PATH && reading) return reply(scope, response, scope.sessions.accepts(request.headers.cookie) ? 204 : 401);
  if (pathname === SESSION_PATH && method === 'POST') {
    const wrong = refuseChange(request.headers);
    return wrong === null ? openSession(scope, response, body) : reply(scope, response, wrong.status, wrong.reason);
  }
  if (reading) {
    if (scope.options.development !== undefined) return scope.options.development.page(request, response);
    return servePage(scope, request, response, pathname);
  }
  if (!scope.sessions.accepts(request.headers.cookie)) return reply(scope, response, 401, 'open the link from the terminal first');
  const wrong = refuseChange(request.headers);
  return wrong === null ? reply(scope, response, 404, 'not found') : reply(scope, response, wrong.status, wrong.reason);
}

/** An answer where there is no ServerResponse: upgrades and requests that are no HTTP. */
function endRaw(scope: Scope, socket: Duplex, status: number, reason: string): void {
  if (!socket.writable) return;
  const headers = Object.entries({ ...securityHeaders(policyFor(scope)), connection: 'close', 'content-length': '0' });
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
}

function acceptUpgrade(scope: Scope, request: IncomingMessage): { status: number; reason: string } | null {
  const refusal = refuseSocket(request.headers, scope.port);
  if (refusal !== null) return { status: refusal.status, reason: 'Forbidden' };
  if (!scope.sessions.accepts(request.headers.cookie)) return { status: 401, reason: 'Unauthorized' };
  if (request.url !== SOCKET_PATH) return { status: 404, reason: 'Not Found' };
  return null;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(
        taken ? new ConsoleError('invalid-input', `port ${port} cannot be used (${error.code}); choose another with --port=N`) : error,
      );
    });
    server.listen(port, ADDRESS, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Starts to serve. Throws ConsoleError `invalid-input` when the port is taken. */
export async function startLoopback(options: LoopbackOptions): Promise<LoopbackHost> {
  const sessions = createSessions(options.now ?? Date.now, options.development?.session);
  const scope: Scope = { options, sessions, port: 0 };
  const sockets = createSocketServer(options.api);
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 30_000 }, (request, response) => {
    handleRequest(scope, request, response).catch(() => response.destroy());
  });
  server.on('clientError', (_error, socket) => endRaw(scope, socket, 400, 'Bad Request'));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = acceptUpgrade(scope, request);
    if (refusal === null) sockets.accept(request, socket, head);
    else endRaw(scope, socket, refusal.status, refusal.reason);
  });
  scope.port = await listen(server, options.port);
  return {
    port: scope.port,
    freshLink: () => `http://${ADDRESS}:${scope.port}/#token=${sessions.freshToken()}`,
    close: () =>
      new Promise((resolve) => {
        sockets.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
