/** Pure data: requests laid open, and two of them compared. */
import type { ContextMessage } from './compaction.ts';
import type { ToolSpec } from './tool.ts';
import type { Usage } from './usage.ts';

/** A request that left, without its text. */
export interface RequestMark {
  /** The span of its model call. */
  spanId: string;
  turn: number;
  /** null where the trace is gone. */
  runId: string | null;
  step: number | null;
  model: string;
  promptVersion: string | null;
  /** UTC milliseconds. */
  sentAt: number;
  sha256: string;
  bytes: number;
  usage: Usage | null;
  costMicroUsd: number | null;
}

/** A request in the neutral form that every adapter is given. */
export interface InspectedRequest {
  /** null: the one that would leave next. */
  mark: RequestMark | null;
  /** Erased: only `mark.sha256` is left. */
  erased: boolean;
  system: string;
  tools: ToolSpec[];
  messages: ContextMessage[];
  model: string;
  promptVersion: string;
  /** Estimate over all parts. */
  tokens: number;
  /** Estimate of the part that an exact-prefix cache holds from the request before it; null: nothing was sent before. */
  cachedTokens: number | null;
  /** Integer micro-USD of the input at the model's price, cached part counted so; null: no price known. */
  inputMicroUsd: number | null;
}

/** A part of a request, in wire order. */
export interface RequestPart {
  kind: 'system' | 'tool' | 'message';
  /** `system`, a tool's name, or what the message is: `turn 3, user`, `summary` … */
  label: string;
  /** As text: what a model reads of it. */
  text: string;
  /** Of the stored turn; null: of none. */
  turn: number | null;
  /** Estimate. */
  tokens: number;
}

export type DiffRow =
  | { kind: 'same'; before: RequestPart; after: RequestPart }
  | { kind: 'changed'; before: RequestPart; after: RequestPart }
  | { kind: 'removed'; before: RequestPart; after: null }
  | { kind: 'added'; before: null; after: RequestPart };

/** What made two requests differ first. */
export type DiffCause =
  | 'none'
  | 'prompt'
  | 'tools'
  | 'new-turn'
  | 'new-step'
  | 'compaction'
  | 'recalled'
  | 'memories'
  | 'other-question'
  | 'message';

export interface FirstDifference {
  /** Position among all parts, from 1. */
  part: number;
  /** Position among the messages, from 1; null: before them. */
  message: number | null;
  /** Position in the part's text, from 1, in UTF-16 units. */
  character: number;
  label: string;
}

export interface RequestDiff {
  cause: DiffCause;
  /** null: the two are the same. */
  first: FirstDifference | null;
  rows: DiffRow[];
  tokensBefore: number;
  tokensAfter: number;
  /** Estimated tokens that both begin with. */
  sharedTokens: number;
  /** Whole blocks of it that an exact-prefix cache can serve. */
  cacheableTokens: number;
  /** What stood in the first request after the shared beginning: tokens whose cached copy is of no use to the second. */
  lostTokens: number;
}
