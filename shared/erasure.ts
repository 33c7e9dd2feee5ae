/** Pure data: what "Forget this customer" would remove, and the proof of what it did. Holds no text about the person. */

/** Rows by table. */
export type ErasureCounts = Record<string, number>;

/** A place in which a text about the person still stands; never the text itself. */
export interface ErasureMatch {
  /** A file below the data folder, or TABLE.COLUMN. */
  place: string;
  count: number;
  reason: string;
}

export interface ErasureProof {
  /** Server-independent label, UTC milliseconds. */
  at: number;
  removed: ErasureCounts;
  copies: { cleaned: number; deleted: number };
  /** `texts`: how many were looked for; `columns`: text columns of the database asked. */
  scanned: { files: number; bytes: number; columns: number; texts: number };
  matches: ErasureMatch[];
}

export interface ErasurePreview {
  /** null: no such customer record; conversations may still name the id. */
  name: string | null;
  counts: ErasureCounts;
  /** Conversations in which Nimbus works now; forgetting stops it first. */
  running: number;
}
