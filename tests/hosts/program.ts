/** Starts hosts as programs of their own, from source, on a data folder of their own. I/O. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const RUNNER = path.join(import.meta.dirname, 'run-from-source.mjs');
const COMPILE_CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache/nimbus-compile');
const LIMIT_MS = 60_000;

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  child: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
  finished: Promise<Finished>;
}

export interface ProgramOptions {
  host?: 'terminal' | 'loopback';
  /** What stdin says; null leaves it open. */
  input?: string | null;
  env?: Record<string, string>;
  cwd?: string;
}

export function temporaryFolder(): { path: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nimbus-hosts-'));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Ends by itself, or is killed after LIMIT_MS. */
export function start(dataFolder: string, argv: readonly string[], options: ProgramOptions = {}): Program {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: dataFolder,
    NIMBUS_DATA_DIR: dataFolder,
    NIMBUS_DEMO_DELAY_MS: '0',
    NODE_NO_WARNINGS: '1',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...options.env,
  };
  const child = spawn(process.execPath, [RUNNER, options.host ?? 'terminal', ...argv], {
    env,
    cwd: options.cwd ?? dataFolder,
    timeout: LIMIT_MS,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => undefined);
  if (options.input !== null) child.stdin.end(options.input ?? '');
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    finished,
  };
}

export function run(dataFolder: string, argv: readonly string[], options: ProgramOptions = {}): Promise<Finished> {
  return start(dataFolder, argv, options).finished;
}
