/** Electron's session, protocol and webRequest over Playwright's routing. An app scheme travels as https on a host that does not exist. */
import type { Page, Request as PageRequest, Route } from 'playwright-core';
import { activeContext, record, runtime, type KnownWindow } from './runtime.ts';
import { strict } from './strict.ts';

type SchemeHandler = (request: Request) => Response | Promise<Response>;
type PermissionRequestHandler = (contents: unknown, permission: string, done: (granted: boolean) => void, details: object) => void;
type PermissionCheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type Headers = Record<string, string | string[]>;
type BeforeRequest = (details: { url: string; method: string; resourceType: string }, done: (answer: { cancel?: boolean }) => void) => void;
type HeadersReceived = (
  details: { url: string; responseHeaders: Record<string, string[]> },
  done: (answer: { responseHeaders?: Headers }) => void,
) => void;

/** Electron's permission → what Chromium calls it. */
const PERMISSIONS: Record<string, string[]> = {
  notifications: ['notifications'],
  geolocation: ['geolocation'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
};

const handlers = new Map<string, SchemeHandler>();
const hooks: {
  permissionRequest: PermissionRequestHandler | null;
  permissionCheck: PermissionCheckHandler | null;
  beforeRequest: BeforeRequest | null;
  headersReceived: HeadersReceived | null;
} = { permissionRequest: null, permissionCheck: null, beforeRequest: null, headersReceived: null };

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(_schemes: unknown[]) {
    if (runtime.ready) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
  },
  handle(scheme: string, handler: SchemeHandler) {
    if (!runtime.ready) throw new Error('protocol.handle needs a ready app');
    if (handlers.has(scheme)) throw new Error(`The scheme ${scheme} is handled already`);
    handlers.set(scheme, handler);
  },
  unhandle: (scheme: string) => void handlers.delete(scheme),
  isProtocolHandled: (scheme: string) => handlers.has(scheme),
});

const defaultSession = strict('session', {
  protocol,
  setPermissionRequestHandler: (handler: PermissionRequestHandler | null) => void (hooks.permissionRequest = handler),
  setPermissionCheckHandler: (handler: PermissionCheckHandler | null) => void (hooks.permissionCheck = handler),
  setDevicePermissionHandler(_handler: unknown) {},
  setDisplayMediaRequestHandler(_handler: unknown) {},
  setUSBProtectedClassesHandler(_handler: unknown) {},
  setBluetoothPairingHandler(_handler: unknown) {},
  setSpellCheckerEnabled(_enabled: boolean) {},
  setSpellCheckerLanguages(_languages: string[]) {},
  setProxy: async (_config: unknown) => {},
  clearStorageData: async () => {},
  clearCache: async () => {},
  on(_event: string, _listener: unknown) {},
  webRequest: strict('session.webRequest', {
    onBeforeRequest: (...given: unknown[]) => void (hooks.beforeRequest = given.at(-1) as BeforeRequest | null),
    onHeadersReceived: (...given: unknown[]) => void (hooks.headersReceived = given.at(-1) as HeadersReceived | null),
  }),
});
export const session = strict('session', { defaultSession, fromPartition: (_partition: string) => defaultSession });

/** `app://console/x` → `https://console.app.standin/x`, for schemes that the app handles. */
export function toChromium(url: string): string {
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(url);
  const [, scheme = '', host = '', rest = ''] = parts ?? [];
  return handlers.has(scheme) ? `https://${host}.${scheme}.standin${rest || '/'}` : url;
}

/** The address as real Electron would report it. */
export function fromChromium(url: string): string {
  const parts = /^https:\/\/([^/?#]+)\.([a-z0-9+-]+)\.standin(.*)$/i.exec(url);
  return parts ? `${parts[2]}://${parts[1]}${parts[3]}` : url;
}

/** Grants Chromium what the app's handlers allow; without a handler Electron allows everything. */
export async function applyPermissions(contents: unknown, origin: string): Promise<void> {
  const granted: string[] = [];
  for (const [permission, names] of Object.entries(PERMISSIONS)) {
    const request = hooks.permissionRequest;
    const details = { requestingUrl: origin, isMainFrame: true };
    const asked = request ? await new Promise<boolean>((resolve) => request(contents, permission, resolve, details)) : true;
    const checked = hooks.permissionCheck?.(contents, permission, origin, details) ?? true;
    if (asked && checked) granted.push(...names);
  }
  record.permissions.push(...granted);
  const context = activeContext();
  await context.clearPermissions();
  await context.grantPermissions(granted, { origin: new URL(toChromium(origin)).origin }).catch((error: unknown) => {
    if (!String(error).includes('Unknown permission')) throw error;
  });
}

function pageOf(request: PageRequest): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null; // the first request of a popup comes before its page is known
  }
}

function windowOf(page: Page | null): KnownWindow | undefined {
  return runtime.windows.find((window) => page !== null && window.page === page);
}

/** Every request of every page comes through here. */
export async function routeRequest(route: Route): Promise<void> {
  const request = route.request();
  const url = fromChromium(request.url());
  const page = pageOf(request);
  const window = windowOf(page);
  if (!window) {
    await route.abort('aborted');
    runtime.windows.at(-1)?.openRequested(url);
    await page?.close();
    return;
  }
  record.requested.push(url);
  if (request.isNavigationRequest() && !allowsNavigation(window, request, url)) return route.abort('aborted');
  const before = hooks.beforeRequest;
  if (before) {
    const details = { url, method: request.method(), resourceType: request.resourceType() };
    const answer = await new Promise<{ cancel?: boolean }>((resolve) => before(details, resolve));
    if (answer.cancel) return route.abort('blockedbyclient');
  }
  const { protocol: scheme, hostname } = new URL(url);
  const handler = handlers.get(scheme.slice(0, -1));
  if (handler) return fulfil(route, url, handler);
  if (['data:', 'blob:'].includes(scheme) || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return route.continue();
  record.blocked.push(url);
  return route.abort('blockedbyclient');
}

function allowsNavigation(window: KnownWindow, request: PageRequest, url: string): boolean {
  const isMainFrame = request.frame() === window.page?.mainFrame();
  if (isMainFrame && window.takeOwnNavigation(url)) return true;
  return window.mayNavigate(url, isMainFrame);
}

async function fulfil(route: Route, url: string, handler: SchemeHandler): Promise<void> {
  const request = route.request();
  const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'));
  const body = request.postDataBuffer();
  const init: RequestInit = { method: request.method(), headers };
  if (body) init.body = new Uint8Array(body);
  const response = await handler(new Request(url, init));
  let sent: Record<string, string> = Object.fromEntries(response.headers);
  const received = hooks.headersReceived;
  if (received) {
    const responseHeaders = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]]));
    const answer = await new Promise<{ responseHeaders?: Headers }>((resolve) => received({ url, responseHeaders }, resolve));
    if (answer.responseHeaders)
      sent = Object.fromEntries(Object.entries(answer.responseHeaders).map(([name, value]) => [name, String(value)]));
  }
  await route.fulfill({ status: response.status, headers: sent, body: Buffer.from(await response.arrayBuffer()) });
}
