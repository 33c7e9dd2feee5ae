/** Starts the compiled hosts as programs of their own, with a data folder of their own. I/O. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanEnvironment } from '../../fakes/electron-standin/launch.ts';

export const PROJECT = path.resolve(import.meta.dirname, '../../..');
const RUNNER = path.join(import.meta.dirname, 'run-host.mjs');
const START_LIMIT_MS = 30_000;
const END_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

export interface HostOptions {
  dataFolder: string;
  args?: string[];
  env?: Record<string, string>;
  /** Pause per word of the demo model, in milliseconds; default 0. */
  delayMs?: number;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Loopback {
  /** One-time link, as the host printed it. */
  link: string;
  origin: string;
  child: ChildProcess;
  output(): string;
  /** A fresh one-time link, as Enter in the terminal prints it. */
  freshLink(): Promise<string>;
  /** `SIGTERM` waits for a clean end, `SIGKILL` does not ask. Resolves with the exit code. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

export function temporaryFolder(): { path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'nimbus-e2e-'));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

export function hostEnvironment(options: HostOptions): Record<string, string> {
  return cleanEnvironment({ NIMBUS_DATA_DIR: options.dataFolder, NIMBUS_DEMO_DELAY_MS: String(options.delayMs ?? 0), ...options.env });
}

function start(host: 'terminal' | 'loopback', options: HostOptions): ChildProcess {
  return spawn(process.execPath, [RUNNER, host, ...(options.args ?? [])], {
    cwd: options.dataFolder,
    env: hostEnvironment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function ended(child: ChildProcess, limitMs: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`a host did not end within ${limitMs / 1000} s`));
    }, limitMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}

/** Runs one terminal command to its end; `input` is piped. */
export async function terminal(options: HostOptions, input = ''): Promise<Finished> {
  const child = start('terminal', options);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const code = await ended(child, END_LIMIT_MS);
  await closed;
  return { code, stdout, stderr };
}

/** Starts the browser host and resolves once it has printed its link. */
export async function startLoopback(options: HostOptions): Promise<Loopback> {
  const child = start('loopback', { ...options, args: ['--no-open', ...(options.args ?? [])] });
  let output = '';
  let watch: () => void = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      watch();
    });
  }
  /** Waits for a link printed after `from` characters of output. */
  const linkAfter = (from: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no link within ${START_LIMIT_MS / 1000} s:\n${output}`)), START_LIMIT_MS);
      const gone = (code: number | null): void => {
        clearTimeout(timer);
        reject(new Error(`the browser host ended with ${code}:\n${output}`));
      };
      watch = () => {
        const found = /Nimbus Console: (http:\/\/127\.0\.0\.1:\d+\/#token=\S+)/.exec(output.slice(from));
        if (!found?.[1]) return;
        clearTimeout(timer);
        child.off('exit', gone);
        resolve(found[1]);
      };
      child.once('exit', gone);
      watch();
    });
  const link = await linkAfter(0).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    link,
    origin: new URL(link).origin,
    child,
    output: () => output,
    freshLink() {
      const from = output.length;
      child.stdin?.write('\n');
      return linkAfter(from);
    },
    stop(signal = 'SIGTERM') {
      const end = ended(child, STOP_LIMIT_MS);
      child.kill(signal);
      return end;
    },
  };
}
