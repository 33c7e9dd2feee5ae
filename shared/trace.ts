/** Pure data: runs, spans and events of a trace. */
import type { ErrorInfo } from './errors.ts';
import type { TurnOutcome, TurnState } from './conversation.ts';
import type { Usage } from './usage.ts';

export type SpanKind = 'run' | 'step' | 'model-call' | 'tool-call' | 'approval' | 'compaction' | 'storage' | 'retry-wait';
export type SpanStatus = 'running' | 'ok' | 'error' | 'cancelled';

/** A timed unit of a run with a parent. Small values only; large payloads live in the span's detail. */
export interface Span {
  id: string;
  runId: string;
  /** null for the run itself. */
  parentId: string | null;
  kind: SpanKind;
  name: string;
  /** From 1; null outside steps. */
  step: number | null;
  /** UTC milliseconds. */
  startedAt: number;
  /** null while running. */
  endedAt: number | null;
  status: SpanStatus;
  /** Model calls: when the first text or call arrived. */
  firstTokenAt: number | null;
  usage: Usage | null;
  costMicroUsd: number | null;
  /** One line for the row, e.g. "not eligible, 20 days". */
  note: string;
  error: ErrorInfo | null;
  /** Tool calls: the call's id, which links the span to its message. */
  toolCallId: string | null;
  /** Bytes of the stored detail; 0: there is none. */
  detailBytes: number;
}

/** What a span's detail holds, loaded on demand. Values are JSON. */
export interface SpanDetail {
  spanId: string;
  /** Model calls: the exact request in neutral form, keys never included. Tool calls: the arguments. */
  request: unknown;
  /** Model calls: text and calls. Tool calls: the result. */
  response: unknown;
}

/** One execution of the loop for a turn. */
export interface RunSummary {
  id: string;
  conversationId: string;
  turn: number;
  question: string;
  model: string;
  startedAt: number;
  endedAt: number | null;
  state: TurnState;
  outcome: TurnOutcome | null;
  steps: number;
  toolCalls: number;
  usage: Usage | null;
  costMicroUsd: number | null;
  error: ErrorInfo | null;
}

/** The pause before a model is asked once more. */
export interface RetryPause {
  /** 1 for the first retry. */
  attempt: number;
  delayMs: number;
  /** The model's outcome, e.g. `rate-limited`. */
  reason: string;
  /** When the model is asked again; UTC milliseconds. */
  until: number;
}

/** Names of the events a trace keeps; `text-delta` is kept as one count per model call, not per delta. */
export type TraceEventType =
  | 'turn-start'
  | 'context-built'
  | 'model-start'
  | 'text-delta'
  | 'tool-call'
  | 'tool-result'
  | 'model-end'
  | 'step-end'
  | 'step-limit'
  | 'time-limit'
  | 'api-error'
  | 'retry-start'
  | 'notice'
  | 'turn-end';

export interface TraceEvent {
  runId: string;
  /** Order within the run, from 1. */
  seq: number;
  type: TraceEventType;
  /** UTC milliseconds. */
  at: number;
  /** Milliseconds since the run started. */
  ms: number;
  step: number | null;
  /** Small JSON values: tokens, outcome, names. */
  data: Record<string, unknown>;
}

/** A run with everything a timeline draws. */
export interface Trace {
  run: RunSummary;
  spans: Span[];
  events: TraceEvent[];
}
