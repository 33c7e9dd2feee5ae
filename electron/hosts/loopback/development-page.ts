/** Does I/O: development only. Hands requests for the page to a development server on this machine. */
import { request as ask } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageHandler } from './loopback-server.ts';

const BAD_GATEWAY = 502;

/** Forwards to `origin` (http://127.0.0.1:PORT) without our cookie; its answers come back with the headers given. */
export function developmentPage(origin: string, headers: Record<string, string>): PageHandler {
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { cookie: _cookie, host: _host, ...sent } = incoming.headers;
    const forwarded = ask(new URL(incoming.url ?? '/', origin), { method: incoming.method, headers: sent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? BAD_GATEWAY, { ...answer.headers, ...headers });
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => {
      outgoing.writeHead(BAD_GATEWAY, headers);
      outgoing.end('the development server does not answer');
    });
    forwarded.end();
  };
}

/** The policy with a development server: it injects styles and a start script and has a WebSocket of its own. */
export function developmentPolicy(port: number): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ws://127.0.0.1:* ws://localhost:* http://127.0.0.1:${port}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
