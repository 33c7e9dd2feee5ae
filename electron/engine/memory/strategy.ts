/** Pure: the form every memory strategy has. */
import type { ContextPlan } from '../../../shared/compaction.ts';
import type { StoredTurn, StrategyName, Trust } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { ToolEffect } from '../../../shared/tool.ts';
import type { TokenEstimator } from '../ports.ts';
import type { RecallHit, RecallQuery } from './archive-index.ts';

/** Reads stored turns backwards, newest first, a batch at a time; an ended iterator means the start of the conversation. */
export type TurnReader = AsyncIterable<StoredTurn>;

export interface MemoryInput {
  /** A suffix of all ended turns, oldest first, as loaded by `load`. */
  turns: StoredTurn[];
  /** All ended turns of the conversation; entries are made for each of them. */
  totalTurns: number;
  /** Turns pinned by a human that lie before the loaded suffix, in any order ([MEM-5]); their absence means there are none. */
  pinnedTurns?: StoredTurn[];
  /** What the archive found for the strategy's query, best first, with the turns of the hits; absent: nothing is recalled. */
  recall?: { hits: RecallHit[]; turns: StoredTurn[] };
  /** Which tools change something; a tool that is not named is judged by its name. */
  effects?: ReadonlyMap<string, ToolEffect>;
  /** What the strategy kept for this conversation; null at first. JSON value. */
  state: unknown;
  /** The question the context is for; null: a preview without one, nothing is recalled. */
  question: string | null;
  /** UTC milliseconds. */
  now: number;
  settings: Settings;
  estimator: TokenEstimator;
}

/** Older turns that want to be folded into a summary; `runMemoryWork` does it. */
export interface SummaryWork {
  kind: 'summarise';
  /** The version it continues; null: the first. */
  basedOn: number | null;
  previous: string;
  /** The new watermark. */
  throughTurn: number;
  /** Transcripts of the turns, in order, to be folded in one after the other. */
  pieces: string[];
  language: string;
  model: string;
  focus: string;
  /** Crossing the budget is when there is something worth remembering. */
  distil: boolean;
  trust: Trust;
}

export interface MemoryOutcome {
  plan: ContextPlan;
  /** To be stored once the request is really sent; the same value when nothing changed. */
  state: unknown;
  /** What should be summarised before the request is sent; when that fails the plan is sent as it is. */
  work?: SummaryWork;
}

/** A pure function from history to a context plan. Must not read clocks, make ids or do I/O, and never throws on any stored history. */
export interface MemoryStrategy {
  readonly name: StrategyName;
  plan(input: MemoryInput): MemoryOutcome;
  /** What to search the archive for before `plan`; null: nothing. Absent: the strategy recalls nothing. */
  query?(input: MemoryInput): RecallQuery | null;
  /** Takes turns from the reader until the strategy has what it needs ([MEM-6]); returns them oldest first. */
  load(reader: TurnReader, state: unknown, settings: Settings, estimator: TokenEstimator): Promise<StoredTurn[]>;
}
