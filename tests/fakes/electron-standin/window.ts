/** Electron's `BrowserWindow` over a Chromium page; the preload runs in an isolated world. Refuses preferences that weaken the sandbox. */
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';
import { app } from './app.ts';
import { invoke, ipcMain } from './ipc.ts';
import { BINDING, ISOLATED_WORLD, isolatedWorldScript, mainWorldScript } from './page-scripts.ts';
import { activeContext, runtime, type KnownWindow } from './runtime.ts';
import { applyPermissions, fromChromium, toChromium } from './session.ts';
import { strict, StandinEvent } from './strict.ts';
import { NavigationEvent, StandinWebContents } from './web-contents.ts';
import { createWire } from './wire.ts';

interface WebPreferences {
  preload?: string;
  sandbox?: boolean;
  contextIsolation?: boolean;
  nodeIntegration?: boolean;
  nodeIntegrationInWorker?: boolean;
  nodeIntegrationInSubFrames?: boolean;
  webSecurity?: boolean;
  allowRunningInsecureContent?: boolean;
  experimentalFeatures?: boolean;
  enableBlinkFeatures?: string;
  webviewTag?: boolean;
  additionalArguments?: string[];
}
interface WindowOptions {
  width?: number;
  height?: number;
  x?: number;
  y?: number;
  title?: string;
  show?: boolean;
  webPreferences?: WebPreferences;
  [option: string]: unknown;
}
interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

const wire = createWire();
const known: BrowserWindow[] = [];

function refuseUnsafe(preferences: WebPreferences): void {
  const unsafe = [
    preferences.sandbox === false && 'sandbox: false',
    preferences.contextIsolation === false && 'contextIsolation: false',
    preferences.webSecurity === false && 'webSecurity: false',
    preferences.nodeIntegration && 'nodeIntegration',
    preferences.nodeIntegrationInWorker && 'nodeIntegrationInWorker',
    preferences.nodeIntegrationInSubFrames && 'nodeIntegrationInSubFrames',
    preferences.allowRunningInsecureContent && 'allowRunningInsecureContent',
    preferences.experimentalFeatures && 'experimentalFeatures',
    preferences.enableBlinkFeatures && 'enableBlinkFeatures',
    preferences.webviewTag && 'webviewTag',
  ].filter(Boolean);
  if (unsafe.length > 0) throw new Error(`stand-in: webPreferences that weaken the sandbox are refused: ${unsafe.join(', ')}`);
}

export class BrowserWindow extends EventEmitter implements KnownWindow {
  static getAllWindows(): BrowserWindow[] {
    return [...known];
  }
  static getFocusedWindow(): BrowserWindow | null {
    return known.at(-1) ?? null;
  }
  static fromWebContents(contents: { id: number }): BrowserWindow | null {
    return known.find((window) => window.webContents.id === contents.id) ?? null;
  }
  static fromId(id: number): BrowserWindow | null {
    return known.find((window) => window.id === id) ?? null;
  }
  private static count = 0;

  readonly id = ++BrowserWindow.count;
  readonly webContents: StandinWebContents;
  page: Page | null = null;
  destroyed = false;
  loading = false;
  private readonly self: BrowserWindow;
  private readonly opened: Promise<void>;
  private visible: boolean;
  private title: string;
  private bounds: Bounds;
  private ownNavigation: string | null = null;
  private session: CDPSession | null = null;
  private world: number | null = null;

  constructor(options: WindowOptions = {}) {
    super();
    if (!runtime.ready) throw new Error('Cannot create BrowserWindow before app is ready');
    const preferences = options.webPreferences ?? {};
    refuseUnsafe(preferences);
    const { width = 800, height = 600, x = 0, y = 0 } = options;
    this.bounds = { x, y, width, height };
    this.visible = options.show !== false;
    this.title = options.title ?? runtime.name;
    this.self = strict('BrowserWindow', this);
    this.webContents = strict('webContents', new StandinWebContents(this));
    known.push(this.self);
    runtime.windows.push(this);
    app.emit('web-contents-created', new StandinEvent(), this.webContents);
    app.emit('browser-window-created', new StandinEvent(), this.self);
    this.opened = this.openPage(preferences);
    this.opened.catch((error: unknown) => {
      if (!this.destroyed) console.error('stand-in: the window did not open:', error);
    });
    return this.self;
  }

  // ---- navigation
  async loadURL(url: string): Promise<void> {
    await this.opened;
    const page = this.livePage();
    this.loading = true;
    const address = toChromium(url);
    this.ownNavigation = fromChromium(new URL(address).href);
    const { protocol, host } = new URL(url);
    await applyPermissions(this.webContents, `${protocol}//${host}/`);
    await page.goto(address, { waitUntil: 'load' });
  }
  takeOwnNavigation(url: string): boolean {
    if (this.ownNavigation !== url) return false;
    this.ownNavigation = null;
    return true;
  }
  mayNavigate(url: string, isMainFrame: boolean): boolean {
    const event = new NavigationEvent(url, isMainFrame);
    this.webContents.emit('will-frame-navigate', event);
    if (isMainFrame) this.webContents.emit('will-navigate', event, url);
    return !event.defaultPrevented;
  }
  openRequested(url: string): void {
    const details = { url, frameName: '', features: '', disposition: 'foreground-tab', referrer: { url: '', policy: 'no-referrer' } };
    const answer = this.webContents.openHandler?.(details) ?? { action: 'allow' };
    if (answer.action === 'deny') return;
    const opened = new BrowserWindow(
      'overrideBrowserWindowOptions' in answer ? (answer.overrideBrowserWindowOptions as WindowOptions) : {},
    );
    void opened.loadURL(url);
  }

  // ---- messages to the page
  deliver(message: object, world = this.world): void {
    if (world === null) return;
    const expression = `globalThis.standinReceive(${JSON.stringify(wire.encode(message))})`;
    this.session?.send('Runtime.evaluate', { expression, contextId: world }).catch((error: unknown) => {
      if (!this.destroyed && !/context|closed/i.test(String(error))) console.error('stand-in: a message did not arrive:', error);
    });
  }

  // ---- life
  async tryClose(): Promise<boolean> {
    if (this.destroyed) return true;
    const event = new StandinEvent();
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    await this.opened;
    await this.page?.close();
    this.gone();
    return true;
  }
  close(): void {
    void this.tryClose();
  }
  destroy(): void {
    void this.opened.then(() => this.page?.close()).then(() => this.gone());
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }

  // ---- state of the frame around the page
  show(): void {
    this.visible = true;
    this.emit('show');
  }
  showInactive(): void {
    this.show();
  }
  hide(): void {
    this.visible = false;
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.visible;
  }
  focus(): void {
    void this.page?.bringToFront();
    this.emit('focus');
  }
  isFocused(): boolean {
    return known.at(-1)?.id === this.id;
  }
  isMinimized(): boolean {
    return false;
  }
  isMaximized(): boolean {
    return false;
  }
  isFullScreen(): boolean {
    return false;
  }
  minimize(): void {}
  maximize(): void {}
  restore(): void {}
  setMenuBarVisibility(_visible: boolean): void {}
  setMenu(_menu: unknown): void {}
  removeMenu(): void {}
  setBackgroundColor(_color: string): void {}
  setTitleBarOverlay(_options: unknown): void {}
  setTitle(title: string): void {
    this.title = title;
  }
  getTitle(): string {
    return this.title;
  }
  getBounds(): Bounds {
    return { ...this.bounds };
  }
  getNormalBounds(): Bounds {
    return this.getBounds();
  }
  getContentBounds(): Bounds {
    return this.getBounds();
  }
  getSize(): number[] {
    return [this.bounds.width, this.bounds.height];
  }
  setBounds(bounds: Partial<Bounds>): void {
    this.bounds = { ...this.bounds, ...bounds };
    const { width, height } = this.bounds;
    void this.opened.then(() => this.page?.setViewportSize({ width, height }));
    this.emit('resize');
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }

  // ---- inside
  private livePage(): Page {
    if (!this.page || this.destroyed) throw new TypeError('Object has been destroyed');
    return this.page;
  }
  private async openPage(preferences: WebPreferences): Promise<void> {
    const context = activeContext();
    runtime.expectedPages += 1;
    const page = await context.newPage();
    this.page = page;
    await page.setViewportSize({ width: this.bounds.width, height: this.bounds.height });
    page.on('close', () => this.gone());
    page.on('crash', () => this.webContents.emit('render-process-gone', new StandinEvent(), { reason: 'crashed', exitCode: 1 }));
    page.on('console', (message) => {
      const level = message.type();
      this.webContents.emit('console-message', Object.assign(new StandinEvent(), { level, message: message.text() }));
    });
    page.on('domcontentloaded', () => this.webContents.emit('dom-ready', new StandinEvent()));
    page.on('load', () => this.loaded(page));
    page.once('domcontentloaded', () => this.emit('ready-to-show'));
    this.session = await context.newCDPSession(page);
    await this.watchWorlds(this.session);
    if (preferences.preload) await this.installPreload(this.session, preferences.preload, preferences.additionalArguments ?? []);
  }
  private loaded(page: Page): void {
    this.loading = false;
    page.title().then(
      (title) => {
        if (title !== '') this.title = title;
      },
      () => {},
    );
    this.webContents.emit('did-finish-load', new StandinEvent());
  }
  private async watchWorlds(session: CDPSession): Promise<void> {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === ISOLATED_WORLD) this.world = context.id;
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      if (this.world === executionContextId) this.world = null;
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === BINDING) void this.received(payload, executionContextId);
    });
    await session.send('Runtime.enable');
    await session.send('Page.enable');
  }
  private async installPreload(session: CDPSession, file: string, extraArguments: string[]): Promise<void> {
    const secret = `standin-${randomBytes(12).toString('hex')}`;
    const processInfo = {
      platform: process.platform,
      arch: process.arch,
      type: 'renderer',
      sandboxed: true,
      contextIsolated: true,
      argv: ['electron', ...extraArguments],
      env: {},
      versions: { electron: 'stand-in', node: process.versions.node },
    };
    await session.send('Runtime.addBinding', { name: BINDING, executionContextName: ISOLATED_WORLD });
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldScript(secret) });
    const source = isolatedWorldScript(secret, readFileSync(file, 'utf8'), processInfo);
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: ISOLATED_WORLD });
  }
  private async received(payload: string, world: number): Promise<void> {
    const message = wire.decode(payload) as { op: 'invoke' | 'send'; id: number; channel: string; values: unknown[] };
    const event = {
      sender: this.webContents,
      senderFrame: this.webContents.mainFrame,
      frameId: this.id,
      processId: this.id,
      type: 'frame',
    };
    if (message.op === 'send') {
      const reply = (channel: string, ...values: unknown[]) => this.webContents.send(channel, ...values);
      ipcMain.emit(message.channel, { ...event, reply }, ...message.values);
      return;
    }
    try {
      this.deliver({ op: 'reply', id: message.id, value: await invoke(message.channel, event, message.values) }, world);
    } catch (error) {
      this.deliver({ op: 'reply', id: message.id, error: String(error) }, world);
    }
  }
  private gone(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    known.splice(known.indexOf(this.self), 1);
    runtime.windows.splice(runtime.windows.indexOf(this), 1);
    this.webContents.forget();
    this.webContents.emit('destroyed');
    this.emit('closed');
    if (known.length > 0 || runtime.quitting) return;
    if (app.listenerCount('window-all-closed') > 0) app.emit('window-all-closed');
    else app.quit();
  }
}
