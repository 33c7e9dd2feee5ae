/** Keeps every request that leaves, behind the run's back. Writes through the store; a failed write is logged and never fails a run. */
import type { WireForm } from '../../../shared/requests.ts';
import type { UsagePurpose } from '../../../shared/usage.ts';
import type { ArchiveStore, Clock, LanguageModel, Logger, ModelRequest } from '../ports.ts';
import { requestSegments } from './request-text.ts';

export interface ArchivePlace {
  spanId: string;
  conversationId: string;
  turn: number;
  purpose: UsagePurpose;
}

/** The request of a call on its way out. */
export interface SentRequest {
  /** To be given to the model's stream. Another try with another body is kept beside the first, under its span with a number. */
  onSent: (wire: WireForm) => void;
  /** The call is over; a request that never left is kept as such. */
  close: () => void;
}

export interface RequestArchive {
  /** Keeps the request of one call as it leaves. Writes start at once and nobody waits for them. */
  watch(place: ArchivePlace, request: ModelRequest, model: LanguageModel): SentRequest;
  /** Resolves when everything given so far is written. Never rejects. */
  flush(): Promise<void>;
}

export function createRequestArchive(deps: { archive: ArchiveStore; clock: Clock; logger: Logger }): RequestArchive {
  const { archive, clock, logger } = deps;
  let writing: Promise<void> = Promise.resolve();
  const keepSegments = (place: ArchivePlace, segments: string[], wire: WireForm | null): void => {
    const at = clock.now();
    writing = writing.then(async () => {
      try {
        await archive.keep({ ...place, at, segments, wire });
      } catch (error) {
        logger.warn('a request could not be archived', { ...place, error: String(error) });
      }
    });
  };
  return {
    watch(place, request, model) {
      // Text of now: what happens to the request's objects later does not reach it.
      const segments = requestSegments(request);
      const bodies = new Set<string>();
      if (model.encode === undefined) keepSegments(place, segments, null);
      return {
        onSent(wire) {
          if (bodies.has(wire.sha256)) return;
          bodies.add(wire.sha256);
          const spanId = bodies.size === 1 ? place.spanId : `${place.spanId}-${bodies.size}`;
          keepSegments({ ...place, spanId }, segments, wire);
        },
        close() {
          if (bodies.size === 0 && model.encode !== undefined) keepSegments(place, segments, null);
        },
      };
    },
    flush: () => writing,
  };
}
