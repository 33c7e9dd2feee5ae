/** Does I/O: what every page in every window may not do: navigate away, open windows, get permissions, load from elsewhere. */
import { app, BrowserWindow, session } from 'electron';
import type { Session, WebContents } from 'electron';
import { openExternalLink } from './external-links.ts';
import { isOurPage } from './page-address.ts';

/** Copying text, and saying that a person is needed, are all the page does beyond itself. */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'notifications']);

/** Pure: the answer to a permission, for a page at `origin`. */
export function mayUse(permission: string, origin: string): boolean {
  return ALLOWED_PERMISSIONS.has(permission) && isOurPage(origin);
}

/** Pure: what may be loaded at all. Developer tools load themselves. */
export function mayLoad(address: string): boolean {
  return isOurPage(address) || address.startsWith('devtools:') || address.startsWith('data:') || address.startsWith('blob:app://');
}

function guardContents(contents: WebContents): void {
  const stay = (event: { url: string; preventDefault(): void }): void => {
    if (!isOurPage(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const window = BrowserWindow.fromWebContents(contents);
    if (window !== null) void openExternalLink(window, url).catch(() => undefined);
    return { action: 'deny' };
  });
}

/** Must run before the first window is made. */
export function guardAllContents(): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

/** Electron grants everything unless it is told otherwise. Must run once the app is ready. */
export function guardSession(target: Session = session.defaultSession): void {
  target.setPermissionRequestHandler((_contents, permission, done, details) => done(mayUse(permission, details.requestingUrl)));
  target.setPermissionCheckHandler((_contents, permission, origin) => mayUse(permission, origin));
  target.setDevicePermissionHandler(() => false);
  target.setDisplayMediaRequestHandler((_request, done) => done(null));
  target.webRequest.onBeforeRequest((details, done) => done({ cancel: !mayLoad(details.url) }));
}
