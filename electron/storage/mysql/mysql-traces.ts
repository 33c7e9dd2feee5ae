/** Does I/O: runs, spans, events and details in MySQL. */
import type { TraceStore } from '../../engine/ports.ts';
import { cleaned } from '../clean.ts';
import { conversationMissing, runMissing, spanMissing } from '../failures.ts';
import { eventOf, eventRow, runOf, runRow, spanOf, spanRow } from '../trace-rows.ts';
import type { EventRow, RunRow, SpanRow } from '../trace-rows.ts';
import type { MysqlDatabase } from './mysql-database.ts';
import type { MysqlSession, SqlValue } from './mysql-session.ts';

export function mysqlTraces(database: MysqlDatabase): TraceStore {
  return {
    saveRun: (run) =>
      database.write(async (session) => {
        const known = await session.one('SELECT 1 AS found FROM conversations WHERE id = ?', run.conversationId);
        if (known === null) throw conversationMissing(run.conversationId);
        await session.insert('runs', [runRow(cleaned(run))], 'update');
      }),
    save: (batch) => database.write((session) => save(session, batch)),
    listRuns: async (conversationId, query) => {
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
      const sql = `SELECT * FROM runs WHERE ${where} ORDER BY turn DESC, started_at DESC, id DESC LIMIT ?`;
      return (await database.read((session) => session.all<RunRow>(sql, ...parameters, query.limit))).map(runOf);
    },
    readRun: async (runId) => {
      const row = await database.read((session) => session.one<RunRow>('SELECT * FROM runs WHERE id = ?', runId));
      return row === null ? null : runOf(row);
    },
    readSpans: async (runId) => {
      const sql = 'SELECT * FROM spans WHERE run_id = ? ORDER BY started_at, id';
      return (await database.read((session) => session.all<SpanRow>(sql, runId))).map(spanOf);
    },
    readEvents: async (runId) => {
      const sql = 'SELECT * FROM trace_events WHERE run_id = ? ORDER BY seq';
      return (await database.read((session) => session.all<EventRow>(sql, runId))).map(eventOf);
    },
    readDetail: async (spanId) => {
      const sql = 'SELECT request, response FROM span_details WHERE span_id = ?';
      const row = await database.read((session) => session.one<{ request: string; response: string }>(sql, spanId));
      return row === null ? null : { spanId, request: JSON.parse(row.request) as unknown, response: JSON.parse(row.response) as unknown };
    },
  };
}

async function save(session: MysqlSession, batch: Parameters<TraceStore['save']>[0]): Promise<void> {
  const { spans, events, details } = cleaned(batch);
  for (const runId of new Set([...spans, ...events].map((item) => item.runId))) {
    if ((await session.one('SELECT 1 AS found FROM runs WHERE id = ?', runId)) === null) throw runMissing(runId);
  }
  await session.insert('spans', spans.map(spanRow), 'update');
  await session.insert('trace_events', events.map(eventRow), 'update');
  for (const detail of details) {
    if ((await session.one('SELECT 1 AS found FROM spans WHERE id = ?', detail.spanId)) === null) throw spanMissing(detail.spanId);
  }
  const rows = details.map((detail) => ({
    span_id: detail.spanId,
    request: JSON.stringify(detail.request ?? null),
    response: JSON.stringify(detail.response ?? null),
  }));
  await session.insert('span_details', rows, 'update');
}
