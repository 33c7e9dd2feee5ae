/** Keeps every request that leaves, behind the run's back. Writes through the store; a failed write is logged and never fails a run. */
import type { ArchiveStore, Clock, Logger, ModelRequest } from '../ports.ts';
import { requestSegments } from './request-text.ts';

export interface RequestArchive {
  /** Starts the write and returns at once. */
  keep(place: { spanId: string; conversationId: string; turn: number }, request: ModelRequest): void;
  /** Resolves when everything given so far is written. Never rejects. */
  flush(): Promise<void>;
}

export function createRequestArchive(deps: { archive: ArchiveStore; clock: Clock; logger: Logger }): RequestArchive {
  const { archive, clock, logger } = deps;
  let writing: Promise<void> = Promise.resolve();
  return {
    keep(place, request) {
      // Text of now: what happens to the request's objects later does not reach it.
      const segments = requestSegments(request);
      const at = clock.now();
      writing = writing.then(async () => {
        try {
          await archive.keep({ ...place, at, segments });
        } catch (error) {
          logger.warn('a request could not be archived', { ...place, error: String(error) });
        }
      });
    },
    flush: () => writing,
  };
}
