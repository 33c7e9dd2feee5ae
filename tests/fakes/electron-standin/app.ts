/** Electron's `app`: life cycle, paths, single instance. Ends the process as the real one does. */
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { record, runtime } from './runtime.ts';
import { strict, StandinEvent } from './strict.ts';

const paths: Record<string, string> = {
  userData: runtime.userData,
  sessionData: runtime.userData,
  appData: path.dirname(runtime.userData),
  logs: path.join(runtime.userData, 'logs'),
  downloads: path.join(runtime.userData, 'downloads'),
  temp: os.tmpdir(),
  home: os.homedir(),
  exe: process.execPath,
};
const lockFile = (): string => path.join(paths['userData'] ?? runtime.userData, 'standin-instance');

let markReady: () => void = () => {};
const readyPromise = new Promise<void>((resolve) => {
  markReady = resolve;
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

class App extends EventEmitter {
  name = runtime.name;
  isPackaged = process.env['STANDIN_PACKAGED'] === '1';
  commandLine = strict('app.commandLine', {
    appendSwitch(_name: string, _value?: string) {},
    appendArgument(_value: string) {},
    hasSwitch: (name: string) => process.argv.some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`)),
    getSwitchValue: (name: string) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '',
  });
  private holdsLock = false;

  whenReady(): Promise<void> {
    return readyPromise;
  }
  isReady(): boolean {
    return runtime.ready;
  }
  getName(): string {
    return this.name;
  }
  setName(name: string): void {
    this.name = name;
  }
  getVersion(): string {
    return runtime.version;
  }
  getAppPath(): string {
    return runtime.root;
  }
  getLocale(): string {
    return 'en-US';
  }
  getPath(name: string): string {
    const found = paths[name];
    if (found === undefined) throw new Error(`Failed to get '${name}' path`);
    return found;
  }
  setPath(name: string, value: string): void {
    paths[name] = value;
  }
  enableSandbox(): void {
    if (runtime.ready) throw new Error('app.enableSandbox() can only be called before app is ready');
    record.sandboxEnabled = true;
  }
  disableHardwareAcceleration(): void {
    if (runtime.ready) throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
  }
  setAppUserModelId(_id: string): void {}
  setAboutPanelOptions(_options: unknown): void {}
  focus(): void {}
  requestSingleInstanceLock(): boolean {
    mkdirSync(path.dirname(lockFile()), { recursive: true });
    try {
      writeFileSync(lockFile(), String(process.pid), { flag: 'wx' });
    } catch {
      const owner = Number(readFileSync(lockFile(), 'utf8'));
      if (owner !== process.pid && isAlive(owner)) return false;
      writeFileSync(lockFile(), String(process.pid));
    }
    this.holdsLock = true;
    return true;
  }
  hasSingleInstanceLock(): boolean {
    return this.holdsLock;
  }
  releaseSingleInstanceLock(): void {
    if (this.holdsLock) rmSync(lockFile(), { force: true });
    this.holdsLock = false;
  }
  quit(): void {
    if (runtime.quitting) return;
    if (this.isPrevented('before-quit')) return;
    runtime.quitting = true;
    void this.closeAndQuit();
  }
  exit(code = 0): void {
    // Closing Chromium asks for a quit, which would end with 0.
    runtime.quitting = true;
    this.releaseSingleInstanceLock();
    const closed = runtime.context?.close() ?? Promise.resolve();
    closed.catch(() => {}).finally(() => process.exit(code));
  }

  private isPrevented(name: string): boolean {
    const event = new StandinEvent();
    this.emit(name, event);
    return event.defaultPrevented;
  }
  private async closeAndQuit(): Promise<void> {
    for (const window of runtime.windows.slice()) {
      if (!(await window.tryClose())) {
        runtime.quitting = false;
        return;
      }
    }
    if (this.isPrevented('will-quit')) {
      runtime.quitting = false;
      return;
    }
    this.emit('quit', new StandinEvent(), 0);
    this.exit(0);
  }
}

export const app = strict('app', new App());

/** The first thing that happens after the main module has run. */
export function becomeReady(): void {
  runtime.ready = true;
  app.emit('will-finish-launching', new StandinEvent());
  app.emit('ready', new StandinEvent(), {});
  markReady();
}
