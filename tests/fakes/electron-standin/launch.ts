/** Test side: starts the compiled app and gives the part of Playwright's ElectronApplication that tests use. ELECTRON_REAL=1 starts real Electron. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type * as Electron from 'electron';
import { _electron, chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/system-parts.mjs';
import type { record } from './runtime.ts';
import { createWire } from './wire.ts';

type ElectronModule = typeof Electron & { __standin: { record: typeof record } };

/** An ElectronApplication of Playwright has this form too. */
export interface LaunchedApp {
  firstWindow(): Promise<Page>;
  windows(): Page[];
  /** Runs in the main process; the function may use nothing from outside itself. */
  evaluate<Result, Argument>(
    work: (electron: ElectronModule, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>;
  process(): ChildProcess;
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** Folder with package.json and dist/; default: this project. */
  appFolder?: string;
  userData: string;
  args?: string[];
  env?: Record<string, string>;
  /** Gets everything that the app prints. */
  onOutput?: (text: string) => void;
  packaged?: boolean;
}

const project = path.resolve(import.meta.dirname, '../../..');
const START_LIMIT_MS = 30_000;
const WINDOW_LIMIT_MS = 20_000;
const QUIT_LIMIT_MS = 8_000;
const POLL_MS = 25;
const wire = createWire();

/** Environment without what a developer's machine may hold. */
export function cleanEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(NIMBUS_|OPENAI_|GEMINI_|GOOGLE_|STANDIN_)/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...extra };
}

export async function launch(options: LaunchOptions): Promise<LaunchedApp> {
  const folder = options.appFolder ?? project;
  const args = [...(options.args ?? []), `--user-data-dir=${options.userData}`];
  if (process.env['ELECTRON_REAL'] === '1') {
    const app = await _electron.launch({ args: [folder, ...args], env: cleanEnvironment(options.env) });
    return app as unknown as LaunchedApp;
  }
  const main = path.join(folder, 'dist/main/main.js');
  if (!existsSync(main)) throw new Error(`${main} is missing: run "npm run build" first`);
  const child = spawn(process.execPath, ['--import', path.join(import.meta.dirname, 'register.ts'), main, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: cleanEnvironment({
      ...options.env,
      CHROMIUM: findChromium() ?? '/usr/bin/chromium',
      NODE_COMPILE_CACHE: path.join(project, 'node_modules/.cache/node'),
      NODE_NO_WARNINGS: '1',
      STANDIN_APP: folder,
      ...(options.packaged ? { STANDIN_PACKAGED: '1' } : {}),
    }),
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
    options.onOutput?.(chunk.toString('utf8'));
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const endpoint = await started(child, () => output);
  const browser = await chromium.connectOverCDP(endpoint);
  return new StandinApp(child, browser);
}

/** Resolves to the address of the app's Chromium; rejects with what the app printed when it ends before. */
function started(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(`was not ready within ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
    const fail = (what: string): void => {
      clearTimeout(timer);
      if (child.exitCode === null) child.kill('SIGKILL');
      reject(new Error(`the app ${what}\n${output()}`));
    };
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal} before it was ready`));
    child.on('message', (message: { op: string; endpoint: string }) => {
      if (message.op !== 'up') return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(message.endpoint);
    });
  });
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class StandinApp implements LaunchedApp {
  private readonly child: ChildProcess;
  private readonly browser: Browser;
  private count = 0;

  constructor(child: ChildProcess, browser: Browser) {
    this.child = child;
    this.browser = browser;
  }
  process(): ChildProcess {
    return this.child;
  }
  windows(): Page[] {
    const pages = this.browser.contexts().flatMap((context) => context.pages());
    return pages.filter((page) => page.url().startsWith('https://') || page.url().startsWith('http://'));
  }
  async firstWindow(): Promise<Page> {
    for (let waited = 0; waited < WINDOW_LIMIT_MS; waited += POLL_MS) {
      const [window] = this.windows();
      if (window) {
        await window.waitForLoadState('domcontentloaded');
        return window;
      }
      await wait(POLL_MS);
    }
    throw new Error(`no window within ${WINDOW_LIMIT_MS / 1000} s`);
  }
  evaluate<Result, Argument>(
    work: (electron: ElectronModule, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result> {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      const listener = (message: { op: string; id: number; value: string; error?: string }): void => {
        if (message.op !== 'result' || message.id !== id) return;
        this.child.off('message', listener);
        if (message.error === undefined) resolve(wire.decode(message.value) as Result);
        else reject(new Error(message.error));
      };
      this.child.on('message', listener);
      this.child.send({ op: 'evaluate', id, source: work.toString(), argument: wire.encode(argument) });
    });
  }
  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) resolve();
      else this.child.once('exit', () => resolve());
    });
    if (this.child.connected) this.child.send({ op: 'quit' });
    await Promise.race([ended, wait(QUIT_LIMIT_MS)]);
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.browser.close().catch(() => {});
  }
}
