/** Pure data: requests to models as they left, kept in pieces. */

/** One model call's request. */
export interface ArchivedRequest {
  /** The span of the model call. */
  spanId: string;
  conversationId: string;
  turn: number;
  /** UTC milliseconds. */
  sentAt: number;
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
