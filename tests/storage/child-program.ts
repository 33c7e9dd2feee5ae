/** Does I/O: a child program that says lines and may be killed. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const LINE_MS = 40_000;

export interface Child {
  /** The first line that starts with the text. */
  line(start: string): Promise<string>;
  /** The signal it ended by; null: by itself. */
  ended: Promise<NodeJS.Signals | null>;
  problems(): string;
  kill(signal?: NodeJS.Signals): void;
}

export function startChildProgram(file: URL, parameters: string[]): Child {
  const child = spawn(process.execPath, [fileURLToPath(file), ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const checks = new Set<() => void>();
  let problems = '';
  child.stderr.on('data', (chunk: Buffer) => {
    problems += chunk.toString();
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const check of checks) check();
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  return {
    ended,
    problems: () => problems,
    kill: (signal = 'SIGKILL') => child.kill(signal),
    line: (start) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          checks.delete(check);
        };
        const check = (): void => {
          const found = lines.find((line) => line.startsWith(start));
          if (found === undefined) return;
          stop();
          resolve(found);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`no line "${start}" within ${LINE_MS} ms: ${lines.slice(-5).join(' | ')} ${problems}`));
        }, LINE_MS);
        void ended.then(() => {
          check();
          if (!checks.has(check)) return;
          stop();
          reject(new Error(`it ended before the line "${start}": ${problems}`));
        });
        checks.add(check);
        check();
      }),
  };
}
