/** Does I/O: runs, spans, events and details in SQLite. Worker only. */
import type { SpanDetail } from '../../../shared/trace.ts';
import type { TraceStore } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { runMissing, spanMissing } from '../failures.ts';
import { eventOf, eventRow, runOf, runRow, spanOf, spanRow } from '../trace-rows.ts';
import type { EventRow, RunRow, SpanRow } from '../trace-rows.ts';
import type { Connection, SqlValue } from './connection.ts';
import { conversationRowOf } from './sqlite-conversations.ts';
import { upsert } from './upsert.ts';
import type { SyncPart } from './sync-part.ts';

export function sqliteTraces(connection: Connection): SyncPart<TraceStore> {
  return {
    saveRun: (run) =>
      connection.write(() => {
        conversationRowOf(connection, run.conversationId);
        upsert(connection, 'runs', ['id'], runRow(cleaned(run)));
      }),
    save: (batch) => connection.write(() => save(connection, batch)),
    listRuns: (conversationId, query) => {
      const parameters: SqlValue[] = [conversationId];
      let where = 'conversation_id = ?';
      if (query.beforeTurn !== undefined) {
        where += ' AND turn < ?';
        parameters.push(query.beforeTurn);
      }
      if (query.turn !== undefined) {
        where += ' AND turn = ?';
        parameters.push(query.turn);
      }
      const order = 'ORDER BY turn DESC, started_at DESC, id DESC LIMIT ?';
      return connection.all<RunRow>(`SELECT * FROM runs WHERE ${where} ${order}`, ...parameters, query.limit).map(runOf);
    },
    readRun: (runId) => {
      const row = connection.one<RunRow>('SELECT * FROM runs WHERE id = ?', runId);
      return row === null ? null : runOf(row);
    },
    readSpans: (runId) => connection.all<SpanRow>('SELECT * FROM spans WHERE run_id = ? ORDER BY started_at, id', runId).map(spanOf),
    readEvents: (runId) => connection.all<EventRow>('SELECT * FROM trace_events WHERE run_id = ? ORDER BY seq', runId).map(eventOf),
    readDetail: (spanId) => {
      const row = connection.one<{ request: string; response: string }>(
        'SELECT request, response FROM span_details WHERE span_id = ?',
        spanId,
      );
      return row === null ? null : { spanId, request: JSON.parse(row.request) as unknown, response: JSON.parse(row.response) as unknown };
    },
  };
}

function save(connection: Connection, batch: Parameters<TraceStore['save']>[0]): void {
  const { spans, events, details } = cleaned(batch);
  for (const runId of new Set([...spans, ...events].map((item) => item.runId))) {
    if (connection.one('SELECT 1 FROM runs WHERE id = ?', runId) === null) throw runMissing(runId);
  }
  for (const span of spans) upsert(connection, 'spans', ['id'], spanRow(span));
  for (const event of events) upsert(connection, 'trace_events', ['run_id', 'seq'], eventRow(event));
  for (const detail of details) {
    if (connection.one('SELECT 1 FROM spans WHERE id = ?', detail.spanId) === null) throw spanMissing(detail.spanId);
    upsert(connection, 'span_details', ['span_id'], detailRow(detail));
  }
}

function detailRow(detail: SpanDetail): { span_id: string; request: string; response: string } {
  return { span_id: detail.spanId, request: JSON.stringify(detail.request ?? null), response: JSON.stringify(detail.response ?? null) };
}
