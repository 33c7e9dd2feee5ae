/** Does I/O: results to stdout, everything else to stderr. A reader that goes away (`| head`) is no error. */
import type { Writable } from 'node:stream';
import { cleanForTerminal } from './text-cleaning.ts';

export interface Output {
  /** One result, cleaned, with a line break. */
  result(text: string): void;
  /** A result that is safe already, e.g. JSON. */
  raw(text: string): void;
  /** A step line, banner or notice, cleaned. */
  note(text: string): void;
  /** True once nobody reads stdout any more. */
  readonly closed: boolean;
  /** Resolves when what was written has been taken by the system. */
  flush(): Promise<void>;
}

function isGone(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || error.code === 'ECONNRESET';
}

/** Writes lines until the reader is gone. */
function createLineWriter(stream: Writable): { write(text: string): void; readonly closed: boolean; flush(): Promise<void> } {
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = true;
    if (!isGone(error)) throw error;
  });
  return {
    write(text) {
      if (!closed) stream.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    get closed() {
      return closed;
    },
    flush() {
      if (closed || stream.writableLength === 0) return Promise.resolve();
      return new Promise((resolve) => {
        stream.once('error', () => resolve());
        stream.write('', () => resolve());
      });
    },
  };
}

export function createOutput(stdout: Writable, stderr: Writable): Output {
  const results = createLineWriter(stdout);
  const notes = createLineWriter(stderr);
  return {
    result: (text) => results.write(cleanForTerminal(text)),
    raw: (text) => results.write(text),
    note: (text) => notes.write(cleanForTerminal(text)),
    get closed() {
      return results.closed;
    },
    async flush() {
      await Promise.all([results.flush(), notes.flush()]);
    },
  };
}
