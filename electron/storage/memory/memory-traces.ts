/** Pure (state in memory): runs, spans, events and details. */
import type { Span } from '../../../shared/trace.ts';
import type { TraceStore } from '../../engine/ports.ts';
import { cleaned, compareText } from '../clean.ts';
import { runMissing, spanMissing } from '../failures.ts';
import { recordOf } from './memory-conversations.ts';
import type { MemoryTables, RunRecord } from './records.ts';

export function memoryTraces(tables: MemoryTables): TraceStore {
  return {
    saveRun: async (source) => {
      const run = cleaned(source);
      recordOf(tables, run.conversationId);
      const known = tables.runs.get(run.id);
      if (known === undefined) tables.runs.set(run.id, { run, spans: new Map(), events: new Map(), details: new Map() });
      else known.run = run;
    },
    save: async (batch) => {
      const { spans, events, details } = cleaned(batch);
      const spanRuns = new Map(spans.map((span) => [span.id, runOf(tables, span.runId)]));
      const eventRuns = events.map((event) => ({ event, run: runOf(tables, event.runId) }));
      const detailRuns = details.map((detail) => ({ detail, run: spanRuns.get(detail.spanId) ?? runOfSpan(tables, detail.spanId) }));
      for (const span of spans) spanRuns.get(span.id)?.spans.set(span.id, span);
      for (const { event, run } of eventRuns) run.events.set(event.seq, event);
      for (const { detail, run } of detailRuns) run.details.set(detail.spanId, detail);
    },
    listRuns: async (conversationId, query) => {
      const before = query.beforeTurn ?? Number.POSITIVE_INFINITY;
      const runs = [...tables.runs.values()]
        .map((record) => record.run)
        .filter((run) => run.conversationId === conversationId && run.turn < before && (query.turn ?? run.turn) === run.turn)
        .sort((left, right) => right.turn - left.turn || right.startedAt - left.startedAt || compareText(right.id, left.id));
      return structuredClone(runs.slice(0, query.limit));
    },
    readRun: async (runId) => structuredClone(tables.runs.get(runId)?.run ?? null),
    readSpans: async (runId) => structuredClone([...(tables.runs.get(runId)?.spans.values() ?? [])].sort(byStart)),
    readEvents: async (runId) =>
      structuredClone([...(tables.runs.get(runId)?.events.values() ?? [])].sort((left, right) => left.seq - right.seq)),
    readDetail: async (spanId) => {
      for (const record of tables.runs.values()) {
        const detail = record.details.get(spanId);
        if (detail !== undefined) return structuredClone(detail);
      }
      return null;
    },
  };
}

function byStart(left: Span, right: Span): number {
  return left.startedAt - right.startedAt || compareText(left.id, right.id);
}

function runOf(tables: MemoryTables, runId: string): RunRecord {
  const record = tables.runs.get(runId);
  if (record === undefined) throw runMissing(runId);
  return record;
}

function runOfSpan(tables: MemoryTables, spanId: string): RunRecord {
  for (const record of tables.runs.values()) if (record.spans.has(spanId)) return record;
  throw spanMissing(spanId);
}
