/** Pure data: why a model did or did not see a text. */
import type { SettingKey } from './settings.ts';

/** What one request did with a text at one place. */
export type TextDisposition =
  | 'full' // sent as it is
  | 'compacted' // sent in a shorter form of its turn: question and answer
  | 'summarised' // its turn stands inside a summary
  | 'digest' // sent in the digest or ledger of earlier turns
  | 'recalled' // sent in a note found in the archive
  | 'memory' // sent as a memory
  | 'dropped' // left out
  | 'filtered' // its turn was sent without this part
  | 'redacted' // replaced by a placeholder
  | 'later' // not said yet when the request left
  | 'erased' // the request itself is no longer there
  | 'never'; // stands nowhere

/** One place where a text stands, and what the request did with it. */
export interface WhyFinding {
  /** `history`, `prompt`, `tools`, `memory`, `queued`, `summary N`, `digest`, `ledger`, `recalled`, `request` or `nowhere`. */
  where: string;
  /** The stored turn; null where it belongs to none. */
  turn: number | null;
  disposition: TextDisposition;
  /** A plain sentence part. */
  reason: string;
  /** The setting that did it; null: none did. */
  setting: SettingKey | null;
  /** Whether this place put the text into the request. */
  sent: boolean;
}

export interface WhyAnswer {
  findings: WhyFinding[];
  /** True when the exact request holds the text. */
  seen: boolean;
  /** The turn whose request was looked at; its last model call where there were several. */
  turn: number;
  /** False for the request that would be sent next. */
  past: boolean;
}
