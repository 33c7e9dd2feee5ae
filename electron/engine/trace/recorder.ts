/** Records one run: spans, events and details. Writes through the trace store in batches; a failed write is logged and never fails the run. */
import type { TurnOutcome, TurnState } from '../../../shared/conversation.ts';
import type { ErrorInfo } from '../../../shared/errors.ts';
import type { RunSummary, Span, SpanDetail, SpanKind, SpanStatus, TraceEvent, TraceEventType } from '../../../shared/trace.ts';
import type { Usage } from '../../../shared/usage.ts';
import type { Clock, IdSource, Logger, TraceStore } from '../ports.ts';

export interface RecorderDeps {
  traces: TraceStore;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  /** Every change of a span, as a copy. */
  onSpan: (span: Span) => void;
}

export interface SpanStart {
  kind: SpanKind;
  name: string;
  step?: number;
  parent?: OpenSpan;
  toolCallId?: string;
  /** When the work began, where that was before the span was made. UTC milliseconds. */
  startedAt?: number;
  request?: unknown;
  /** UTF-8 bytes of a request that is kept elsewhere. */
  requestBytes?: number;
}

export interface SpanEnd {
  status: Exclude<SpanStatus, 'running'>;
  note?: string;
  error?: ErrorInfo | null;
  usage?: Usage | null;
  /** Integer micro-USD; null: unknown. */
  costMicroUsd?: number | null;
  response?: unknown;
}

export interface OpenSpan {
  readonly id: string;
  /** Model calls: the first text or call has arrived. */
  markFirstToken(): void;
  /** Ends the span once; later calls change nothing. Returns its milliseconds. */
  end(end: SpanEnd): number;
}

export interface TraceRecorder {
  readonly runId: string;
  open(start: SpanStart): OpenSpan;
  event(type: TraceEventType, step: number | null, data: Record<string, unknown>): void;
  /** Milliseconds since the run began. */
  elapsed(): number;
  /** One model call's usage and cost; unknown ones are left out of the sums. */
  addUsage(usage: Usage | null, costMicroUsd: number | null): void;
  /** Micro-USD of all priced calls so far; null: none had a price. */
  cost(): number | null;
  countStep(): void;
  countToolCall(): void;
  /** Writes what has gathered; resolves when all earlier writes are done. Never rejects. */
  flush(): Promise<void>;
  /** Ends every open span and the run. Never rejects. */
  close(end: { state: TurnState; outcome: TurnOutcome; error: ErrorInfo | null }): Promise<void>;
}

const encoder = new TextEncoder();

function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : encoder.encode(JSON.stringify(value) ?? '').length;
}

/** A JSON copy, so that later changes of the value do not reach the trace. */
function snapshot(value: unknown): unknown {
  return value === undefined ? null : structuredClone(value);
}

export function sumUsage(left: Usage | null, right: Usage | null): Usage | null {
  if (left === null || right === null) return left ?? right;
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    reasoningTokens: left.reasoningTokens + right.reasoningTokens,
  };
}

export interface RunStart {
  id: string;
  conversationId: string;
  turn: number;
  question: string;
  model: string;
}

/** Starts the run's record; its `run` span is the root of all others. */
export function createTraceRecorder(deps: RecorderDeps, start: RunStart): TraceRecorder {
  return new Recorder(deps, start);
}

class Recorder implements TraceRecorder {
  readonly runId: string;
  readonly #deps: RecorderDeps;
  readonly #run: RunSummary;
  readonly #root: OpenSpan;
  readonly #open = new Map<string, (end: SpanEnd) => number>();
  readonly #details = new Map<string, SpanDetail>();
  #spans = new Map<string, Span>();
  #events: TraceEvent[] = [];
  #changedDetails = new Set<string>();
  #sequence = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: RecorderDeps, start: RunStart) {
    this.#deps = deps;
    this.runId = start.id;
    this.#run = {
      ...start,
      startedAt: deps.clock.now(),
      endedAt: null,
      state: 'running',
      outcome: null,
      steps: 0,
      toolCalls: 0,
      usage: null,
      costMicroUsd: null,
      error: null,
    };
    this.#root = this.#begin({ kind: 'run', name: `turn ${start.turn}` }, null);
  }

  open(start: SpanStart): OpenSpan {
    return this.#begin(start, start.parent?.id ?? this.#root.id);
  }

  event(type: TraceEventType, step: number | null, data: Record<string, unknown>): void {
    this.#sequence += 1;
    const at = this.#deps.clock.now();
    this.#events.push({ runId: this.runId, seq: this.#sequence, type, at, ms: at - this.#run.startedAt, step, data });
  }

  elapsed(): number {
    return this.#deps.clock.now() - this.#run.startedAt;
  }

  addUsage(usage: Usage | null, costMicroUsd: number | null): void {
    this.#run.usage = sumUsage(this.#run.usage, usage);
    if (costMicroUsd !== null) this.#run.costMicroUsd = (this.#run.costMicroUsd ?? 0) + costMicroUsd;
  }

  cost(): number | null {
    return this.#run.costMicroUsd;
  }

  countStep(): void {
    this.#run.steps += 1;
  }

  countToolCall(): void {
    this.#run.toolCalls += 1;
  }

  flush(): Promise<void> {
    const run = { ...this.#run };
    const batch = {
      spans: [...this.#spans.values()].map((span) => ({ ...span })),
      events: this.#events,
      details: [...this.#changedDetails].flatMap((id) => this.#details.get(id) ?? []).map((detail) => ({ ...detail })),
    };
    this.#spans = new Map();
    this.#events = [];
    this.#changedDetails = new Set();
    this.#writing = this.#writing.then(() => this.#write(run, batch));
    return this.#writing;
  }

  close(end: { state: TurnState; outcome: TurnOutcome; error: ErrorInfo | null }): Promise<void> {
    const cutOff = end.state === 'stopped' || end.state === 'interrupted' || end.outcome === 'time-limit';
    for (const [id, finish] of this.#open) if (id !== this.#root.id) finish({ status: cutOff ? 'cancelled' : 'error' });
    const status = end.state === 'failed' ? 'error' : cutOff ? 'cancelled' : 'ok';
    this.#root.end({ status, note: end.outcome, error: end.error });
    Object.assign(this.#run, { ...end, endedAt: this.#deps.clock.now() });
    return this.flush();
  }

  async #write(run: RunSummary, batch: Parameters<TraceStore['save']>[0]): Promise<void> {
    try {
      await this.#deps.traces.saveRun(run);
      await this.#deps.traces.save(batch);
    } catch (error) {
      this.#deps.logger.warn('a part of the trace could not be stored', { runId: this.runId, error: String(error) });
    }
  }

  #begin(start: SpanStart, parentId: string | null): OpenSpan {
    const { clock, ids } = this.#deps;
    const span: Span = {
      id: ids.uuid(),
      runId: this.runId,
      parentId,
      kind: start.kind,
      name: start.name,
      step: start.step ?? null,
      startedAt: start.startedAt ?? clock.now(),
      endedAt: null,
      status: 'running',
      firstTokenAt: null,
      usage: null,
      costMicroUsd: null,
      note: '',
      error: null,
      toolCallId: start.toolCallId ?? null,
      detailBytes: start.requestBytes ?? 0,
    };
    if (start.request !== undefined) this.#keepDetail(span, { request: snapshot(start.request) });
    const end = (ending: SpanEnd): number => {
      if (span.endedAt === null) {
        this.#open.delete(span.id);
        span.endedAt = clock.now();
        span.status = ending.status;
        span.note = ending.note ?? '';
        span.error = ending.error ?? null;
        span.usage = ending.usage ?? null;
        span.costMicroUsd = ending.costMicroUsd ?? null;
        if (ending.response !== undefined) this.#keepDetail(span, { response: snapshot(ending.response) }, start.requestBytes);
        this.#changed(span);
      }
      return span.endedAt - span.startedAt;
    };
    this.#open.set(span.id, end);
    this.#changed(span);
    return {
      id: span.id,
      markFirstToken: () => {
        if (span.firstTokenAt !== null || span.endedAt !== null) return;
        span.firstTokenAt = clock.now();
        this.#changed(span);
      },
      end,
    };
  }

  #keepDetail(span: Span, part: Partial<Pick<SpanDetail, 'request' | 'response'>>, requestBytes?: number): void {
    const detail = { spanId: span.id, request: null, response: null, ...this.#details.get(span.id), ...part };
    this.#details.set(span.id, detail);
    this.#changedDetails.add(span.id);
    span.detailBytes = (requestBytes ?? jsonBytes(detail.request)) + jsonBytes(detail.response);
  }

  #changed(span: Span): void {
    this.#spans.set(span.id, span);
    this.#deps.onSpan({ ...span });
  }
}
