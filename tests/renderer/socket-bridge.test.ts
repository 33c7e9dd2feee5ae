/** The page's line to the loopback host: lost, refused, and back by itself. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Bridge, ConnectionState } from '../../renderer/client/connection.ts';
import { createSocketBridge } from '../../renderer/client/socket-bridge.ts';

/** A socket whose ends the test plays. */
class PlayedSocket extends EventTarget {
  static opened: PlayedSocket[] = [];
  static readonly OPEN = 1;
  readyState = 0;
  constructor() {
    super();
    PlayedSocket.opened.push(this);
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
}

const LOCATION = { protocol: 'http:', host: '127.0.0.1:9', hash: '', pathname: '/', search: '' } as Location;
const HISTORY = {} as History;

let sessionStatus: number | null;
let checks: number;
let page: EventTarget & { visibilityState: string };
let browser: EventTarget;
let states: ConnectionState[];

function start(): Bridge {
  const bridge = createSocketBridge(LOCATION, HISTORY);
  bridge.onConnection((state) => states.push(state));
  return bridge;
}

function newestSocket(): PlayedSocket {
  const socket = PlayedSocket.opened.at(-1);
  if (socket === undefined) throw new Error('no socket was opened');
  return socket;
}

/** A page whose host restarted: its session is unknown. */
async function refusedPage(): Promise<Bridge> {
  const bridge = start();
  await vi.advanceTimersByTimeAsync(0);
  newestSocket().open();
  sessionStatus = 401;
  newestSocket().close();
  await vi.advanceTimersByTimeAsync(0);
  expect(states).toEqual(['connecting', 'open', 'lost', 'refused']);
  return bridge;
}

beforeEach(() => {
  vi.useFakeTimers();
  PlayedSocket.opened = [];
  sessionStatus = 204;
  checks = 0;
  states = [];
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  browser = new EventTarget();
  vi.stubGlobal('WebSocket', PlayedSocket);
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('fetch', async () => {
    checks += 1;
    if (sessionStatus === null) throw new TypeError('Failed to fetch');
    return { ok: sessionStatus < 300, status: sessionStatus };
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a page whose session ended', () => {
  test('looks every 5 seconds and connects when another tab got a session', async () => {
    await refusedPage();
    const before = checks;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(checks - before).toBe(4);
    expect(PlayedSocket.opened).toHaveLength(1);
    sessionStatus = 204;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(PlayedSocket.opened).toHaveLength(2);
    newestSocket().open();
    expect(states.at(-1)).toBe('open');
    const settled = checks;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(checks).toBe(settled);
  });

  test.each(['focus', 'visibilitychange'])('looks at once on %s', async (name) => {
    await refusedPage();
    sessionStatus = 204;
    (name === 'focus' ? browser : page).dispatchEvent(new Event(name));
    await vi.advanceTimersByTimeAsync(0);
    expect(PlayedSocket.opened).toHaveLength(2);
  });

  test('a host that is away meanwhile ends nothing', async () => {
    await refusedPage();
    sessionStatus = null;
    await vi.advanceTimersByTimeAsync(15_000);
    sessionStatus = 204;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(PlayedSocket.opened).toHaveLength(2);
  });

  test('"Try again" of a person opens one line, not two', async () => {
    const bridge = await refusedPage();
    sessionStatus = 204;
    bridge.reconnect();
    browser.dispatchEvent(new Event('focus'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(PlayedSocket.opened).toHaveLength(2);
  });
});

describe('a page whose host is away', () => {
  test('tries at least every 5 seconds, and at once when somebody looks', async () => {
    start();
    await vi.advanceTimersByTimeAsync(0);
    newestSocket().open();
    sessionStatus = null;
    for (let lost = 1; lost <= 8; lost += 1) {
      newestSocket().close();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(PlayedSocket.opened).toHaveLength(lost + 1);
    }
    newestSocket().close();
    await vi.advanceTimersByTimeAsync(0);
    browser.dispatchEvent(new Event('focus'));
    expect(PlayedSocket.opened).toHaveLength(10);
    expect(states.at(-1)).toBe('lost');
  });
});
