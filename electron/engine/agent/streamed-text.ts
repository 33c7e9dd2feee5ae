/** Keeps the text of a running step in the store, at most every 300 ms, so that a crash loses little. Its failures never fail the run. */
import type { Clock, Logger } from '../ports.ts';

/** Least milliseconds between two writes. */
export const STREAM_SAVE_MS = 300;

export interface StreamedText {
  add(delta: string): void;
  /** What has arrived so far, well-formed. */
  text(): string;
  /** Stops saving and waits for a write that is under way, so that no write follows the message itself. Never rejects. */
  settle(): Promise<void>;
}

export function createStreamedText(deps: { clock: Clock; logger: Logger; save: (text: string) => Promise<void> }): StreamedText {
  let text = '';
  let saved = '';
  let lastStart: number | null = null;
  let timer: (() => void) | null = null;
  let writing: Promise<void> | null = null;
  let closed = false;

  const write = () => {
    timer = null;
    if (closed || text === saved) return;
    const piece = text;
    lastStart = deps.clock.now();
    writing = deps
      .save(piece.toWellFormed())
      .then(() => {
        saved = piece;
      })
      .catch((error: unknown) => deps.logger.warn('streamed text could not be kept', { error: String(error) }))
      .finally(() => {
        writing = null;
        schedule();
      });
  };

  const schedule = () => {
    if (closed || timer !== null || writing !== null || text === saved) return;
    const wait = lastStart === null ? 0 : lastStart + STREAM_SAVE_MS - deps.clock.now();
    if (wait <= 0) write();
    else timer = deps.clock.after(wait, write);
  };

  return {
    add(delta) {
      text += delta;
      schedule();
    },
    text: () => text.toWellFormed(),
    async settle() {
      closed = true;
      timer?.();
      timer = null;
      await writing;
    },
  };
}
