/** Does I/O: starts a child program of these tests and reads its lines. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Longest wait for a line. */
const LINE_MS = 40_000;

export interface Child {
  process: ChildProcess;
  lines: string[];
  /** The first line, said already or yet to come, that starts with the text. */
  line(start: string): Promise<string>;
  /** Ends it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  /** Closes its input and waits until it has ended by itself. */
  finish(): Promise<number | null>;
}

export function startChild(name: string, parameters: string[]): Child {
  const file = fileURLToPath(new URL(`./children/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...parameters], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const check of waiting) check();
  };
  let problems = '';
  child.stderr.on('data', (chunk: Buffer) => {
    problems += chunk.toString();
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    changed();
  });
  return {
    process: child,
    lines,
    line: (start) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`no line "${start}…" within ${LINE_MS} ms; lines: ${lines.slice(-5).join(' | ')}; stderr: ${problems}`));
        }, LINE_MS);
        const check = (): void => {
          const found = lines.find((line) => line.startsWith(start));
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    finish: async () => {
      child.stdin.end();
      return ended;
    },
  };
}
