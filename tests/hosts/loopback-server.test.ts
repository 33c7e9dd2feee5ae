import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { compose } from '../../electron/compose.ts';
import type { Console } from '../../electron/compose.ts';
import { parseConfig } from '../../electron/config.ts';
import { startLoopback } from '../../electron/hosts/loopback/loopback-server.ts';
import type { LoopbackHost } from '../../electron/hosts/loopback/loopback-server.ts';
import { openCommand } from '../../electron/hosts/loopback/open-browser.ts';
import type { RpcEvents, RpcReply } from '../../shared/rpc.ts';

const SHARED_CASES = new URL('../../../shared/cases/loopback-requests.json', import.meta.url);

let pageFolder = '';
let opened: Console;
let host: LoopbackHost;
let cookie = '';
let now = Date.now();

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** One request with exactly these headers, over a connection of its own. */
function ask(options: { method?: string; path?: string; headers?: Record<string, string>; body?: string | Buffer }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: host.port,
        method: options.method ?? 'GET',
        path: options.path ?? '/',
        agent: false,
        setHost: false,
        headers: { host: `127.0.0.1:${host.port}`, ...options.headers },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    outgoing.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: '' });
    });
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

const ownOrigin = () => `http://127.0.0.1:${host.port}`;
const tokenOf = (link: string) => new URL(link).hash.replace('#token=', '');

function openSession(token: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask({
    method: 'POST',
    path: '/session',
    headers: { origin: ownOrigin(), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
}

function cookieOf(answer: Answer): string {
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

function upgrade(headers: Record<string, string>, urlPath = '/socket'): Promise<Answer> {
  return ask({
    path: urlPath,
    headers: {
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-key': 'x3JJHMbDL1EzLkh9GBhXDw==',
      'sec-websocket-version': '13',
      ...headers,
    },
  });
}

beforeAll(async () => {
  pageFolder = mkdtempSync(path.join(os.tmpdir(), 'nimbus-loopback-'));
  mkdirSync(path.join(pageFolder, 'assets'));
  writeFileSync(path.join(pageFolder, 'index.html'), '<!doctype html><title>Nimbus Console</title>');
  writeFileSync(path.join(pageFolder, 'assets', 'page.js'), 'export {};');
  const env = { NIMBUS_STORAGE: 'memory', NIMBUS_DATA_DIR: pageFolder, NIMBUS_DEMO_DELAY_MS: '0' };
  opened = await compose(parseConfig({ argv: [], env, environmentFile: null, cwd: pageFolder, platform: process.platform }), {
    host: 'loopback',
  });
  host = await startLoopback({ api: opened.api, pageFolder, port: 0, now: () => now });
  cookie = cookieOf(await openSession(tokenOf(host.freshLink())));
});

afterAll(async () => {
  await host.close();
  await opened.close();
  rmSync(pageFolder, { recursive: true });
});

describe('X7 links and sessions', () => {
  test('a link has the printed form, 256 random bits, and works once', async () => {
    const link = host.freshLink();
    expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${host.port}/#token=[A-Za-z0-9_-]{43}$`));
    const first = await openSession(tokenOf(link));
    expect(first.status).toBe(204);
    expect(first.headers['set-cookie']?.[0]).toMatch(/^session=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await openSession(tokenOf(link))).status).toBe(401);
  });

  test('a link is good for 5 minutes', async () => {
    const inTime = tokenOf(host.freshLink());
    now += 5 * 60_000;
    expect((await openSession(inTime)).status).toBe(204);
    const late = tokenOf(host.freshLink());
    now += 5 * 60_000 + 1;
    expect((await openSession(late)).status).toBe(401);
  });

  test('a fresh link ends the one before; wrong tokens use nothing up', async () => {
    const old = tokenOf(host.freshLink());
    const fresh = tokenOf(host.freshLink());
    for (const wrong of [old, '', `${fresh}x`, fresh.slice(1)]) expect((await openSession(wrong)).status).toBe(401);
    expect((await openSession(fresh)).status).toBe(204);
  });

  test('the session survives reloads: the cookie alone is enough', async () => {
    for (let reload = 0; reload < 3; reload += 1) {
      expect((await ask({})).status).toBe(200);
      expect((await ask({ path: '/session', headers: { cookie } })).status).toBe(204);
    }
    expect((await ask({ path: '/session' })).status).toBe(401);
    expect((await ask({ path: '/session', headers: { cookie: `other=1; ${cookie}; session=wrong` } })).status).toBe(204);
  });

  test('opening a session needs our origin and JSON', async () => {
    const token = tokenOf(host.freshLink());
    expect((await openSession(token, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await openSession(token, { origin: 'null' })).status).toBe(403);
    expect((await openSession(token, { origin: `http://localhost:${host.port}` })).status).toBe(403);
    expect((await openSession(token, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await openSession(token, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
    const noOrigin = await ask({
      method: 'POST',
      path: '/session',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(noOrigin.status).toBe(403);
    expect((await openSession(token)).status).toBe(204);
  });
});

describe('X7 requests', () => {
  test.each(['evil.test', 'localhost.evil.test:PORT', '127.0.0.1', '127.0.0.1:1', '[::1]:PORT', 'LOCALHOST.:PORT', ''])(
    'Host %s is refused before anything else',
    async (name) => {
      const answer = await ask({ headers: { host: name.replace('PORT', String(host.port)), cookie } });
      expect([400, 403]).toContain(answer.status);
      expect(answer.body).not.toContain('<!doctype');
    },
  );

  test('both names of this machine serve the page and its assets without a session', async () => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const headers = { host: `${name}:${host.port}` };
      expect((await ask({ headers })).status).toBe(200);
      expect((await ask({ headers, path: '/assets/page.js' })).headers['content-type']).toContain('javascript');
    }
  });

  test('everything else is 401 without a session, 404 with one', async () => {
    for (const unknown of ['/api/conversations', '/rpc', '/assets/none.js', '/.env', '/index.htm', '//evil.test/', '/socket']) {
      expect((await ask({ path: unknown })).status, unknown).toBe(401);
      expect((await ask({ path: unknown, headers: { cookie } })).status, unknown).toBe(404);
    }
    expect((await ask({ path: '/api/x', headers: { cookie: 'session=wrong' } })).status).toBe(401);
    expect((await ask({ method: 'DELETE', path: '/api/x' })).status).toBe(401);
  });

  test('1 MiB is the limit, also for bodies without a length', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024, 'x');
    expect((await ask({ method: 'POST', path: '/api/messages', headers: { authorization: 'Bearer x' }, body })).status).toBe(413);
    const chunked = { 'transfer-encoding': 'chunked', origin: ownOrigin(), 'content-type': 'application/json', cookie };
    expect((await ask({ method: 'POST', path: '/session', headers: chunked, body })).status).toBe(413);
  });

  test('every answer carries the policy and allows no other origin', async () => {
    const answers = await Promise.all([
      ask({}),
      ask({ path: '/none' }),
      ask({ path: '/none', headers: { cookie } }),
      ask({ headers: { host: 'evil.test' } }),
      ask({ path: '/..%2fetc' }),
      ask({ method: 'OPTIONS', path: '/session', headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' } }),
      openSession('wrong'),
      upgrade({ origin: 'https://evil.test', cookie }),
      upgrade({ origin: ownOrigin() }),
    ]);
    for (const answer of answers) {
      expect(answer.headers['content-security-policy'], String(answer.status)).toContain("default-src 'none'");
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('only 127.0.0.1 answers', async () => {
    const others = Object.values(os.networkInterfaces())
      .flat()
      .filter((each) => each !== undefined && each.address !== '127.0.0.1' && !each.address.startsWith('fe80'))
      .map((each) => each?.address ?? '');
    for (const address of [...others, '::1', '127.0.0.2']) {
      const reached = await new Promise<boolean>((resolve) => {
        const socket = net.connect({ host: address, port: host.port, timeout: 1_000 });
        socket.on('connect', () => resolve(true));
        socket.on('error', () => resolve(false));
        socket.on('timeout', () => resolve(false));
      });
      expect(reached, address).toBe(false);
    }
  });

  test('what is no HTTP at all gets an answer too', async () => {
    const text = await new Promise<string>((resolve) => {
      const socket = net.connect(host.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      let said = '';
      socket.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      socket.on('close', () => resolve(said));
    });
    expect(text).toContain('400 Bad Request');
    expect(text).toContain('content-security-policy');
  });

  test('a port that is taken is said plainly', async () => {
    await expect(startLoopback({ api: opened.api, pageFolder, port: host.port })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('--port=N'),
    });
  });
});

describe('X7 WebSocket', () => {
  test.each([
    ['foreign origin', { origin: 'https://evil.test' }, 403],
    ['no origin', {}, 403],
    ['foreign host', { host: 'evil.test', origin: 'http://evil.test' }, 403],
    ['other site', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s is refused although the cookie is good', async (_name, headers, status) => {
    expect((await upgrade({ ...headers, cookie })).status).toBe(status);
  });

  test('no session is 401, another path 404, all in order 101', async () => {
    const origin = ownOrigin();
    expect((await upgrade({ origin })).status).toBe(401);
    expect((await upgrade({ origin, cookie }, '/events')).status).toBe(404);
    expect((await upgrade({ origin, cookie })).status).toBe(101);
  });

  test('calls, refusals and events cross it', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${host.port}/socket`, { headers: { origin: ownOrigin(), cookie } });
    const replies = new Map<number, RpcReply>();
    let text = '';
    let ended = false;
    socket.on('message', (data) => {
      const frame = JSON.parse((data as Buffer).toString('utf8')) as RpcReply | RpcEvents;
      if ('id' in frame) replies.set(frame.id, frame);
      else {
        for (const event of frame.events) {
          if (event.type === 'text-delta') text += event.delta;
          if (event.type === 'turn-end') ended = true;
        }
      }
    });
    await new Promise((resolve) => socket.once('open', resolve));
    const call = async (id: number, method: string, params: unknown): Promise<RpcReply> => {
      socket.send(JSON.stringify({ id, method, params }));
      await expect.poll(() => replies.has(id)).toBe(true);
      return replies.get(id) as RpcReply;
    };
    const created = await call(1, 'createConversation', {});
    if (!created.ok) throw new Error(created.error.message);
    const conversationId = (created.result as { conversation: { id: string } }).conversation.id;
    await call(2, 'sendMessage', { conversationId, messageId: 'message-1', text: 'Can I get a refund for order #1043?' });
    await expect.poll(() => ended, { timeout: 10_000 }).toBe(true);
    expect(text).toContain('14 days');
    expect(await call(3, 'stopRun', { conversationId: '../etc' })).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
    socket.send('no json');
    await expect.poll(() => replies.get(-1)).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.send('x'.repeat((1 << 20) + 1));
    expect(await closed).toBe(1009);
  });
});

test('a browser is opened only where there is a screen', () => {
  expect(openCommand('linux', {})).toBeNull();
  expect(openCommand('linux', { DISPLAY: ':0' })).toEqual({ command: 'xdg-open', args: [] });
  expect(openCommand('darwin', {})?.command).toBe('open');
  expect(openCommand('win32', {})?.command).toBe('rundll32');
});

interface SharedCase {
  id: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body_bytes?: number;
  expect?: number | string;
}

const sharedCases: SharedCase[] = existsSync(SHARED_CASES)
  ? (JSON.parse(readFileSync(SHARED_CASES, 'utf8')) as { requests: SharedCase[] }).requests.filter((each) => each.path !== undefined)
  : [];

test('the shared list of hostile requests, where it is at hand', async () => {
  for (const each of sharedCases) {
    const fill = (value: string) => value.replace('PORT', String(host.port)).replace('VALID', cookie.replace('session=', ''));
    const headers = Object.fromEntries(Object.entries(each.headers ?? {}).map(([name, value]) => [name.toLowerCase(), fill(value)]));
    const answer = await ask({
      method: each.method ?? 'GET',
      path: each.path ?? '/',
      headers,
      ...(each.body_bytes === undefined ? {} : { body: Buffer.alloc(each.body_bytes, 'x') }),
    });
    if (typeof each.expect === 'string' && each.expect.startsWith('no ')) {
      expect(answer.headers['access-control-allow-origin'], each.id).toBeUndefined();
    } else {
      expect(String(each.expect).split('|'), each.id).toContain(String(answer.status));
    }
  }
});
