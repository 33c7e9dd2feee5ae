/** Pure data: requests to models as they left, kept in pieces. */
import type { UsagePurpose } from './usage.ts';

/** A request's body as it was sent: which adapter wrote it, in which of its forms, and the hash of the bytes. */
export interface WireForm {
  provider: string;
  model: string;
  /** What the adapter chose by itself, e.g. that a server takes no stream options; "" where there was nothing to choose. */
  variant: string;
  /** Hex SHA-256 of the body's bytes. */
  sha256: string;
  /** Length of the body in UTF-8 bytes. */
  bytes: number;
}

/** A request's body, written again from the archive. */
export interface RebuiltRequest {
  /** null: nothing was sent over a wire, e.g. to the demo model. */
  wire: WireForm | null;
  /** null: erased, never sent, or no longer written the same way. */
  body: string | null;
  state: 'same' | 'erased' | 'never-sent' | 'different';
}

/** One model call's request. */
export interface ArchivedRequest {
  /** The span of the model call. */
  spanId: string;
  conversationId: string;
  turn: number;
  /** UTC milliseconds. */
  sentAt: number;
  /** What it was sent for; anything but `answer` the console asked for itself. */
  purpose: UsagePurpose;
  /** null: it did not leave over a wire. Stays when the request is erased. */
  wire: WireForm | null;
  /** Hex SHA-256 of the request's bytes; stays when the request is erased. */
  sha256: string;
  /** Length of the request in UTF-8 bytes. */
  bytes: number;
  /** The request's text; null: erased. */
  text: string | null;
}

/** What the archive of a conversation takes. */
export interface ArchiveSize {
  requests: number;
  /** UTF-8 bytes of all segments, each counted once. */
  payloadBytes: number;
  /** Bytes of what says which segments make up which request, hashes included. */
  manifestBytes: number;
}
