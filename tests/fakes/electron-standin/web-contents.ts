/** Electron's `webContents` and its main frame over a Playwright page. */
import { EventEmitter } from 'node:events';
import type { Page } from 'playwright-core';
import { session, fromChromium } from './session.ts';
import { strict, StandinEvent } from './strict.ts';

export interface OpenRequest {
  url: string;
  frameName: string;
  features: string;
  disposition: string;
  referrer: unknown;
}
export type OpenAnswer = { action: 'deny' } | { action: 'allow'; overrideBrowserWindowOptions?: object };

/** What contents need of the window that holds them. */
export interface Holder {
  readonly page: Page | null;
  readonly destroyed: boolean;
  readonly loading: boolean;
  loadURL(url: string): Promise<void>;
  deliver(message: object): void;
  close(): void;
}

const all = new Map<number, StandinWebContents>();
let count = 0;

export class StandinWebContents extends EventEmitter {
  readonly id = ++count;
  readonly session = session.defaultSession;
  readonly mainFrame: object;
  openHandler: ((details: OpenRequest) => OpenAnswer) | null = null;
  private readonly holder: Holder;

  constructor(holder: Holder) {
    super();
    this.holder = holder;
    const current = () => this.getURL();
    this.mainFrame = strict('frame', {
      get url() {
        return current();
      },
      get origin() {
        return URL.canParse(current()) ? originOf(current()) : 'null';
      },
      parent: null,
      detached: false,
      routingId: this.id,
      processId: this.id,
      frameTreeNodeId: this.id,
      isDestroyed: () => this.isDestroyed(),
    });
    all.set(this.id, strict('webContents', this));
  }
  getURL(): string {
    return this.holder.page ? fromChromium(this.holder.page.url()) : '';
  }
  getType(): string {
    return 'window';
  }
  isDestroyed(): boolean {
    return this.holder.destroyed;
  }
  isLoading(): boolean {
    return this.holder.loading;
  }
  isFocused(): boolean {
    return true;
  }
  setWindowOpenHandler(handler: (details: OpenRequest) => OpenAnswer): void {
    this.openHandler = handler;
  }
  send(channel: string, ...values: unknown[]): void {
    if (this.isDestroyed()) throw new TypeError('Object has been destroyed');
    this.holder.deliver({ op: 'event', channel, values });
  }
  loadURL(url: string): Promise<void> {
    return this.holder.loadURL(url);
  }
  reload(): void {
    void this.holder.page?.reload();
  }
  close(): void {
    this.holder.close();
  }
  focus(): void {}
  setZoomLevel(_level: number): void {}
  setZoomFactor(_factor: number): void {}
  setVisualZoomLevelLimits(_least: number, _most: number): Promise<void> {
    return Promise.resolve();
  }
  setBackgroundThrottling(_allowed: boolean): void {}
  openDevTools(): void {}
  closeDevTools(): void {}
  toggleDevTools(): void {}
  isDevToolsOpened(): boolean {
    return false;
  }
  forget(): void {
    all.delete(this.id);
  }
}

/** `new URL` gives "null" for the origin of an app scheme; Electron gives scheme and host. */
function originOf(url: string): string {
  const { origin, protocol, host } = new URL(url);
  return origin === 'null' && host !== '' ? `${protocol}//${host}` : origin;
}

export const webContents = strict('webContents', {
  getAllWebContents: () => [...all.values()],
  getFocusedWebContents: () => [...all.values()].at(-1) ?? null,
  fromId: (id: number) => all.get(id),
});

/** The event that will-navigate listeners get. */
export class NavigationEvent extends StandinEvent {
  readonly url: string;
  readonly isMainFrame: boolean;
  readonly isSameDocument = false;
  constructor(url: string, isMainFrame: boolean) {
    super();
    this.url = url;
    this.isMainFrame = isMainFrame;
  }
}
