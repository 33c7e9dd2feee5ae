/** Pure: what `summary` keeps for a conversation: every version of the summary with its watermark. JSON value. */
import type { Trust } from '../../../shared/conversation.ts';

export const SUMMARY_FORMAT = 1;
/** Older versions are forgotten; stored messages are not. */
export const MOST_VERSIONS = 20;

export interface SummaryVersion {
  /** From 1, never used twice in a conversation. */
  version: number;
  text: string;
  /** The watermark: the last turn it stands for. */
  throughTurn: number;
  /** The version it was made from; null: the first. */
  basedOn: number | null;
  /** `PROVIDER/MODEL` that wrote it. */
  model: string;
  /** UTC milliseconds. */
  at: number;
  trust: Trust;
}

export interface SummaryState {
  format: typeof SUMMARY_FORMAT;
  /** Oldest first. */
  versions: SummaryVersion[];
  /** The one in use; null: none, everything is sent as it is. */
  current: number | null;
  /** The number of the next version. */
  next: number;
}

export function emptySummaryState(): SummaryState {
  return { format: SUMMARY_FORMAT, versions: [], current: null, next: 1 };
}

/** The stored state, or an empty one where there is none or it has another form. */
export function readSummaryState(value: unknown): SummaryState {
  if (typeof value !== 'object' || value === null) return emptySummaryState();
  const state = value as Partial<SummaryState>;
  const sound = state.format === SUMMARY_FORMAT && Array.isArray(state.versions) && typeof state.next === 'number';
  return sound ? (state as SummaryState) : emptySummaryState();
}

export function currentSummary(state: SummaryState): SummaryVersion | null {
  return state.versions.find((version) => version.version === state.current) ?? null;
}

/** The state with one more version, which is the one in use. */
export function withVersion(state: SummaryState, made: Omit<SummaryVersion, 'version' | 'basedOn'>): SummaryState {
  const version: SummaryVersion = { ...made, version: state.next, basedOn: state.current };
  return { ...state, versions: [...state.versions, version].slice(-MOST_VERSIONS), current: version.version, next: state.next + 1 };
}

/** Uses an older version again (`null`: none); what came after its watermark is sent as it is until it is summarised anew. The same state where there is no such version. */
export function rollBack(state: SummaryState, version: number | null): SummaryState {
  if (version !== null && !state.versions.some((known) => known.version === version)) return state;
  return { ...state, current: version };
}
