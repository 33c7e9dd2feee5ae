/** The module that stands in for `electron`: the main-process API over the system's Chromium. Runs in the process of the compiled main bundle. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { chromium } from 'playwright-core';
import { app, becomeReady } from './app.ts';
import { CHROMIUM_ARGUMENTS } from './chromium.ts';
import {
  clipboard,
  crashReporter,
  dialog,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  safeStorage,
  screen,
  shell,
} from './desktop.ts';
import { ipcMain } from './ipc.ts';
import { record, runtime } from './runtime.ts';
import { protocol, routeRequest, session } from './session.ts';
import { strict } from './strict.ts';
import { webContents } from './web-contents.ts';
import { BrowserWindow } from './window.ts';
import { createWire } from './wire.ts';

/** Only here, not in Electron. */
const __standin = { record };

export {
  __standin,
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  webContents,
};
const electron = strict('electron', {
  __standin,
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  webContents,
});
export default electron;

/** A request that ends with the page needs no word. */
const ENDED = /closed|Target page|Request context disposed|already handled/i;
const START_FAILED = 70;

async function boot(): Promise<void> {
  const profile = path.join(runtime.userData, 'standin-chromium');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    headless: true,
    viewport: null,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--remote-debugging-port=0', ...CHROMIUM_ARGUMENTS],
  });
  runtime.context = context;
  const blank = context.pages();
  await context.route('**/*', (route) =>
    routeRequest(route).catch(async (error: unknown) => {
      if (!ENDED.test(String(error))) console.error('stand-in: a request failed:', error);
      await route.abort().catch(() => {});
    }),
  );
  context.on('page', (page) => {
    if (runtime.expectedPages > 0) runtime.expectedPages -= 1;
    else if (page.url() === 'about:blank' || page.url() === '')
      void page.waitForTimeout(500).then(
        () => page.close(),
        () => {},
      );
  });
  context.on('close', () => app.quit());
  const [port] = readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  process.send?.({ op: 'up', endpoint: `http://127.0.0.1:${port}` });
  becomeReady();
  // Chromium's first page goes once a window is there: without any page it would end.
  app.once('browser-window-created', () => setTimeout(() => void Promise.all(blank.map((page) => page.close())), 500));
}

const wire = createWire();
interface Order {
  op: 'quit' | 'evaluate';
  id: number;
  source: string;
  argument: string;
}

async function evaluate(order: Order): Promise<void> {
  try {
    const work = vm.runInThisContext(`(${order.source})`) as (electronModule: unknown, argument: unknown) => unknown;
    const value = await work(electron, wire.decode(order.argument));
    process.send?.({ op: 'result', id: order.id, value: wire.encode(value) });
  } catch (error) {
    process.send?.({ op: 'result', id: order.id, error: String(error) });
  }
}

process.on('message', (order: Order) => {
  if (order.op === 'quit') app.quit();
  else void evaluate(order);
});
// The test that started the app is gone.
process.on('disconnect', () => app.exit(0));

// A packaged app is not given its own folder as an argument.
if (app.isPackaged) process.argv.splice(1, 1);

// As in Electron, the app becomes ready after its main module has run.
setImmediate(() => {
  boot().catch((error: unknown) => {
    console.error('stand-in: Chromium did not start:', error);
    process.exit(START_FAILED);
  });
});
