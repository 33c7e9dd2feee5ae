import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { IPC_CALL, IPC_COMMAND, IPC_MENU } from '../../shared/rpc.ts';
import type { ConsoleApi, ConsoleEvent } from '../../shared/console-api.ts';

/** The parts of Electron that the window host touches; each records what it was told. */
const fake = vi.hoisted(() => {
  const handlers = new Map<string, (event: unknown, ...values: unknown[]) => unknown>();
  const appListeners = new Map<string, (...given: unknown[]) => void>();
  const opened: string[] = [];
  const dialogs: { message?: string; detail?: string }[] = [];
  const answers = { open: 1 };
  return {
    handlers,
    appListeners,
    opened,
    dialogs,
    answers,
    electron: {
      app: { isPackaged: false, on: (name: string, listener: (...given: unknown[]) => void) => void appListeners.set(name, listener) },
      ipcMain: {
        handle: (channel: string, handler: (event: unknown, ...values: unknown[]) => unknown) => void handlers.set(channel, handler),
        removeHandler: (channel: string) => void handlers.delete(channel),
      },
      dialog: {
        showMessageBox: async (_window: unknown, options: { message?: string; detail?: string }) => {
          dialogs.push(options);
          return { response: answers.open, checkboxChecked: false };
        },
      },
      shell: { openExternal: async (url: string) => void opened.push(url) },
      protocol: { registerSchemesAsPrivileged: () => undefined, handle: () => undefined },
      session: { defaultSession: {} },
      BrowserWindow: { fromWebContents: () => ({ isDestroyed: () => false }) },
    },
  };
});
vi.mock('electron', () => fake.electron);

const { answerPageRequest } = await import('../../electron/hosts/window/app-protocol.ts');
const { openExternalLink, parseExternalLink } = await import('../../electron/hosts/window/external-links.ts');
const { guardAllContents, guardSession, mayLoad, mayUse } = await import('../../electron/hosts/window/guards.ts');
const { isOurPage } = await import('../../electron/hosts/window/page-address.ts');
const { createValidatedIpc } = await import('../../electron/hosts/window/validated-ipc.ts');
const { parseWindowState, readWindowState, writeWindowState } = await import('../../electron/hosts/window/window-state.ts');

const PAGE = 'app://console/';
const FOREIGN = [
  'app://other/',
  'app://console.evil.test/',
  'app://user@console/',
  'https://console/',
  'http://app//console',
  'about:blank',
  'file:///etc/passwd',
  'data:text/html,x',
  'javascript:alert(1)',
  '',
  'app:console',
];

function fakeApi() {
  const calls: string[] = [];
  const listeners = new Set<(event: ConsoleEvent) => void>();
  const api: ConsoleApi = {
    async call(method) {
      calls.push(method);
      return { method } as never;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { api, calls, listeners };
}

function fakeContents(url = PAGE) {
  const once = new Map<string, () => void>();
  const sent: { channel: string; value: unknown }[] = [];
  return {
    sent,
    destroyed: false,
    isDestroyed() {
      return this.destroyed;
    },
    getURL: () => url,
    send: (channel: string, value: unknown) => void sent.push({ channel, value }),
    once: (name: string, listener: () => void) => void once.set(name, listener),
    end() {
      this.destroyed = true;
      once.get('destroyed')?.();
    },
  };
}

beforeEach(() => {
  fake.handlers.clear();
  fake.opened.length = 0;
  fake.dialogs.length = 0;
  fake.answers.open = 1;
});

describe('E17 who may call', () => {
  const request = { id: 1, method: 'getAppInfo', params: {} };

  async function callAs(senderFrame: unknown, attached = true): Promise<{ reply: unknown; calls: string[] }> {
    const { api, calls } = fakeApi();
    const ipc = createValidatedIpc(api);
    const contents = fakeContents();
    if (attached) ipc.attach(contents as never);
    const reply = await fake.handlers.get(IPC_CALL)?.({ sender: contents, senderFrame }, request);
    return { reply, calls };
  }

  test('the top frame of our page is answered', async () => {
    const { reply, calls } = await callAs({ url: PAGE, parent: null });
    expect(reply).toEqual({ id: 1, ok: true, result: { method: 'getAppInfo' } });
    expect(calls).toEqual(['getAppInfo']);
  });

  const STRANGERS: [string, unknown][] = [
    ['a frame inside the page', { url: PAGE, parent: { url: PAGE } }],
    ['a frame that is gone', null],
    ...FOREIGN.map((url): [string, unknown] => [`a page at "${url}"`, { url, parent: null }]),
  ];
  test.each(STRANGERS)('%s is refused', async (_name, frame) => {
    const { reply, calls } = await callAs(frame);
    expect(reply).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(calls).toEqual([]);
  });

  test('contents that are no window of ours are refused', async () => {
    expect((await callAs({ url: PAGE, parent: null }, false)).calls).toEqual([]);
  });

  test('a menu of the right form arrives and its entry is told to the page; any other, or a stranger, is dropped', async () => {
    const names = { file: 'Datei', edit: 'Bearbeiten', view: 'Ansicht', conversation: 'Unterhaltung', window: 'Fenster', help: 'Hilfe' };
    const entry = { command: 'show-settings', label: 'Einstellungen …', enabled: true };
    const menu = { names, file: [entry], view: [], conversation: [], help: [] };
    const seen: { label: string; choose: (command: string) => void }[] = [];
    const ipc = createValidatedIpc(fakeApi().api, (found, choose) => void seen.push({ label: found.names.file, choose }));
    const contents = fakeContents();
    ipc.attach(contents as never);
    const set = (value: unknown, senderFrame: unknown = { url: PAGE, parent: null }) =>
      fake.handlers.get(IPC_MENU)?.({ sender: contents, senderFrame }, value as never);
    const malformed: unknown[] = [
      null,
      {},
      { ...menu, extra: 1 },
      { ...menu, names: { ...names, file: '' } },
      { ...menu, file: [{ ...entry, command: '../rm' }] },
      { ...menu, file: [{ ...entry, accelerator: 'Alt+F4' }] },
      { ...menu, file: Array.from({ length: 21 }, () => entry) },
    ];
    for (const value of malformed) await set(value);
    await set(menu, { url: 'https://elsewhere.invalid/', parent: null });
    expect(seen).toEqual([]);
    await set(menu);
    expect(seen.map(({ label }) => label)).toEqual(['Datei']);
    seen[0]?.choose('show-settings');
    expect(contents.sent).toEqual([{ channel: IPC_COMMAND, value: 'show-settings' }]);
  });

  test('two channels are open, and none after dispose', () => {
    const ipc = createValidatedIpc(fakeApi().api);
    expect([...fake.handlers.keys()]).toEqual([IPC_CALL, IPC_MENU]);
    ipc.dispose();
    expect(fake.handlers.size).toBe(0);
  });

  test('events go to our page only and stop with the window', async () => {
    vi.useFakeTimers();
    try {
      const { api, listeners } = fakeApi();
      const ipc = createValidatedIpc(api);
      const ours = fakeContents();
      const strayed = fakeContents('about:blank');
      ipc.attach(ours as never);
      ipc.attach(strayed as never);
      const emit = () => listeners.forEach((listener) => listener({ type: 'conversation-delete', conversationId: 'x' }));
      emit();
      await vi.advanceTimersByTimeAsync(50);
      expect(ours.sent).toEqual([{ channel: 'console:events', value: { events: [{ type: 'conversation-delete', conversationId: 'x' }] } }]);
      expect(strayed.sent).toEqual([]);
      ours.end();
      emit();
      await vi.advanceTimersByTimeAsync(50);
      expect(ours.sent).toHaveLength(1);
      expect(listeners.size).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('E13 E14 E5 guards', () => {
  function guarded() {
    const listeners = new Map<string, (event: { url: string; preventDefault(): void }) => void>();
    let openHandler: ((details: { url: string }) => { action: string }) | undefined;
    guardAllContents();
    fake.appListeners.get('web-contents-created')?.(
      {},
      {
        on: (name: string, listener: (event: { url: string; preventDefault(): void }) => void) => void listeners.set(name, listener),
        setWindowOpenHandler: (handler: (details: { url: string }) => { action: string }) => {
          openHandler = handler;
        },
      },
    );
    const isPrevented = (name: string, url: string): boolean => {
      let prevented = false;
      listeners.get(name)?.({ url, preventDefault: () => (prevented = true) });
      return prevented;
    };
    return { isPrevented, open: (url: string) => openHandler?.({ url }) };
  }

  test('no page leaves our address, by whatever way', () => {
    const { isPrevented } = guarded();
    for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
      for (const url of FOREIGN) expect(isPrevented(name, url), `${name} ${url}`).toBe(true);
      expect(isPrevented(name, `${PAGE}?x#y`)).toBe(false);
    }
    expect(isPrevented('will-attach-webview', PAGE)).toBe(true);
  });

  test('no window is ever opened; an https link asks first', async () => {
    const { open } = guarded();
    for (const url of [...FOREIGN, PAGE].filter((each) => !each.startsWith('https:'))) expect(open(url)).toEqual({ action: 'deny' });
    expect(fake.dialogs).toEqual([]);
    expect(open('https://shop.example/a')).toEqual({ action: 'deny' });
    await expect.poll(() => fake.opened).toEqual(['https://shop.example/a']);
    expect(fake.dialogs[0]).toMatchObject({ message: 'Open shop.example outside Nimbus Console?', detail: 'https://shop.example/a' });
  });

  test('copying and notifications are the only permissions, and only for our page', () => {
    const names = ['media', 'geolocation', 'midi', 'clipboard-read', 'openExternal', 'fullscreen', 'hid', 'usb', 'unknown'];
    for (const name of names) expect(mayUse(name, PAGE), name).toBe(false);
    for (const name of ['clipboard-sanitized-write', 'notifications']) {
      expect(mayUse(name, PAGE), name).toBe(true);
      for (const url of FOREIGN) expect(mayUse(name, url), `${name} ${url}`).toBe(false);
    }
  });

  test('every handler of a session is set and says no', () => {
    const set: Record<string, (...given: never[]) => unknown> = {};
    const record = (name: string) => (handler: (...given: never[]) => unknown) => {
      set[name] = handler;
    };
    guardSession({
      setPermissionRequestHandler: record('request'),
      setPermissionCheckHandler: record('check'),
      setDevicePermissionHandler: record('device'),
      setDisplayMediaRequestHandler: record('display'),
      webRequest: { onBeforeRequest: record('load') },
    } as never);
    const call = (name: string, ...given: unknown[]) => set[name]?.(...(given as never[]));
    const said: unknown[] = [];
    call('request', {}, 'media', (granted: boolean) => said.push(granted), { requestingUrl: PAGE });
    call('display', {}, (streams: unknown) => said.push(streams));
    call('load', { url: 'https://evil.test/x.png' }, (answer: unknown) => said.push(answer));
    call('load', { url: `${PAGE}assets/a.js` }, (answer: unknown) => said.push(answer));
    expect(said).toEqual([false, null, { cancel: true }, { cancel: false }]);
    expect(call('check', {}, 'media', PAGE)).toBe(false);
    expect(call('device', {})).toBe(false);
  });

  test('E1 nothing is loaded from elsewhere', () => {
    for (const url of ['http://127.0.0.1/', 'https://evil.test/', 'file:///etc/passwd', 'ws://evil.test', 'app://other/x', 'ftp://x']) {
      expect(mayLoad(url), url).toBe(false);
    }
  });

  test('isOurPage takes any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isOurPage(text)).toBe(false);
      }),
    );
    expect(isOurPage('app://console/index.html')).toBe(true);
  });
});

describe('E15 links to the outside', () => {
  test.each([
    ['https://shop.example/refunds?a=1#b', 'shop.example'],
    ['HTTPS://Shop.Example', 'shop.example'],
    ['https://shop.example:8443/', 'shop.example:8443'],
    ['https://еxample.com/', 'xn--xample-2of.com'],
    ['mailto:help@shop.example', 'help@shop.example'],
  ])('%s may be offered as %s', (text, target) => {
    expect(parseExternalLink(text)?.target).toBe(target);
  });

  test.each([
    'http://shop.example/',
    'JaVaScRiPt:alert(1)',
    'jav&#x61;script:alert(1)',
    'data:text/html;base64,PHNjcmlwdD4=',
    'file:///etc/passwd',
    'ms-msdt:/id%20PCWDiagnostic',
    'nimbus://callback?token=1',
    'tel:+1900',
    'https://user@shop.example/',
    'https://shop.example@evil.test/',
    'https://shop.example/\u202egnp.exe',
    'https://shop.example/a b',
    'https://shop.example/\n',
    `https://shop.example/${'a'.repeat(2_048)}`,
    'mailto:help@shop.example?body=x',
    'mailto:a@b,c@d',
    'mailto:',
    'https://',
    '',
  ])('%s opens nothing and asks nothing', async (text) => {
    expect(parseExternalLink(text)).toBeNull();
    expect(await openExternalLink({ isDestroyed: () => false } as never, text)).toBe(false);
    expect(fake.dialogs).toEqual([]);
    expect(fake.opened).toEqual([]);
  });

  test('nothing opens without a yes', async () => {
    fake.answers.open = 0;
    expect(await openExternalLink({ isDestroyed: () => false } as never, 'https://shop.example/')).toBe(false);
    expect(fake.dialogs).toHaveLength(1);
    expect(fake.opened).toEqual([]);
  });
});

describe('E18 E7 app://console', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nimbus-app-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>');

  test.each([
    [PAGE, 'GET', 200],
    ['app://console/index.html', 'GET', 200],
    ['app://console/none.js', 'GET', 404],
    ['app://console/assets/..%2f..%2fetc/passwd', 'GET', 400],
    ['app://console/..%5cindex.html', 'GET', 400],
    ['app://bundle/index.html', 'GET', 404],
    [PAGE, 'POST', 405],
  ])('%s %s → %i, always with the policy', async (url, method, status) => {
    const answer = await answerPageRequest(folder, new Request(url, { method }));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
    expect(answer.headers.get('content-security-policy')).not.toContain('ws:');
  });
});

describe('window state', () => {
  const SCREEN = { x: 0, y: 0, width: 1_920, height: 1_040 };

  test('comes back where it was', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'nimbus-state-'));
    writeWindowState(folder, { x: 10, y: 20, width: 1_200, height: 800 }, true);
    expect(readWindowState(folder, [SCREEN])).toEqual({ place: { x: 10, y: 20 }, width: 1_200, height: 800, maximized: true });
    rmSync(folder, { recursive: true });
    expect(readWindowState(folder, [SCREEN]).place).toBeNull();
  });

  test('a screen that is gone, or too small a size, is mended', () => {
    const text = JSON.stringify({ x: 5_000, y: 0, width: 10, height: 10, maximized: false });
    expect(parseWindowState(text, [SCREEN])).toEqual({ place: null, width: 900, height: 600, maximized: false });
  });

  test('any text gives a window', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const state = parseWindowState(text, [SCREEN]);
        expect(state.width).toBeGreaterThanOrEqual(900);
        expect(state.height).toBeGreaterThanOrEqual(600);
      }),
    );
  });
});

describe('E2 E4 E20 sources', () => {
  const source = (file: string) => readFileSync(new URL(`../../electron/${file}`, import.meta.url), 'utf8');

  test('the sandbox is switched on before anything waits for the app', () => {
    const main = source('main.ts');
    expect(main.indexOf('app.enableSandbox()')).toBeGreaterThan(0);
    expect(main.indexOf('app.enableSandbox()')).toBeLessThan(main.indexOf('runWindow('));
    expect(main).not.toContain('await');
    expect(main.split('\n').length).toBeLessThanOrEqual(60);
  });

  test('the preload gives the page four functions and no event', async () => {
    const exposed: Record<string, Record<string, (...given: never[]) => unknown>> = {};
    const listeners: ((event: unknown, value: unknown) => void)[] = [];
    const invoked: unknown[] = [];
    vi.doMock('electron', () => ({
      contextBridge: {
        exposeInMainWorld: (name: string, value: Record<string, (...given: never[]) => unknown>) => void (exposed[name] = value),
      },
      ipcRenderer: {
        invoke: async (...given: unknown[]) => void invoked.push(given),
        on: (_channel: string, listener: (event: unknown, value: unknown) => void) => void listeners.push(listener),
        off: (_channel: string, listener: (event: unknown, value: unknown) => void) =>
          void listeners.splice(listeners.indexOf(listener), 1),
      },
    }));
    await import('../../electron/preload.ts');
    expect(Object.keys(exposed)).toEqual(['consoleBridge']);
    const bridge = exposed['consoleBridge'] ?? {};
    expect(Object.keys(bridge)).toEqual(['call', 'onEvents', 'setMenu', 'onCommand']);
    await bridge['call']?.(...(['getAppInfo', {}] as never[]));
    expect(invoked).toEqual([['console:call', { id: 1, method: 'getAppInfo', params: {} }]]);
    const seen: unknown[][] = [];
    const stop = bridge['onEvents']?.(...([(...given: unknown[]) => seen.push(given)] as never[])) as () => void;
    listeners[0]?.({ sender: 'secret' }, { events: [] });
    expect(seen).toEqual([[{ events: [] }]]);
    stop();
    expect(listeners).toEqual([]);
  });
});
