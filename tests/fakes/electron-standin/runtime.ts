/** State that the parts of the stand-in share, and what the app asked of the world outside it. Reads the environment once. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

/** What the other parts need of a window. */
export interface KnownWindow {
  readonly id: number;
  /** null until its page exists. */
  readonly page: Page | null;
  /** Takes the address that the app itself asked for; false for one that the page asked for. */
  takeOwnNavigation(url: string): boolean;
  /** Asks the app's will-navigate listeners. */
  mayNavigate(url: string, isMainFrame: boolean): boolean;
  /** Asks the app's window-open handler. */
  openRequested(url: string): void;
  /** Resolves to false when a close listener prevented it. */
  tryClose(): Promise<boolean>;
}

const root = path.resolve(process.env['STANDIN_APP'] ?? process.cwd());
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  name: string;
  productName?: string;
  version: string;
};
const userDataArgument = process.argv.find((argument) => argument.startsWith('--user-data-dir='));
const userData = userDataArgument?.slice('--user-data-dir='.length) ?? process.env['STANDIN_USER_DATA'] ?? '';
if (userData === '') throw new Error('stand-in: start it with --user-data-dir=FOLDER or STANDIN_USER_DATA');
mkdirSync(userData, { recursive: true });

export const runtime = {
  root,
  name: manifest.productName ?? manifest.name,
  version: manifest.version,
  userData,
  context: null as BrowserContext | null,
  ready: false,
  quitting: false,
  windows: [] as KnownWindow[],
  /** Pages that a window is about to open; every other new page is a popup. */
  expectedPages: 0,
};

/** What tests may look at through `evaluate(({ __standin }) => __standin.record)`. */
export const record = {
  /** Addresses and paths given to the desktop. */
  opened: [] as string[],
  /** Requests that were refused: nothing leaves the machine. */
  blocked: [] as string[],
  /** Every request a page made, as the app sees its address. */
  requested: [] as string[],
  notifications: [] as unknown[],
  dialogs: [] as { kind: string; options: unknown }[],
  /** app.enableSandbox() was called before ready. */
  sandboxEnabled: false,
  /** The permissions each origin was granted. */
  permissions: [] as string[],
};

export function activeContext(): BrowserContext {
  if (!runtime.context) throw new Error('stand-in: Chromium is not there before the app is ready');
  return runtime.context;
}
