/** Does I/O through the store under test: runs, spans, events and details. */
import { expect, test } from 'vitest';
import type { TraceEvent } from '../../shared/trace.ts';
import { conversation, conversationWith, run, span, START } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

const USAGE = { inputTokens: 100, cacheReadTokens: 40, cacheWriteTokens: 0, outputTokens: 20, reasoningTokens: 5 };

function event(runId: string, seq: number): TraceEvent {
  return { runId, seq, type: 'tool-call', at: START + seq, ms: seq, step: 1, data: { name: 'get_order', nested: { a: [1] } } };
}

export function traceContract(getStore: GetStore): void {
  test('a run is saved when it starts and again when it ends; its spans stay', async () => {
    const { traces, conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const started = run(id);
    await traces.saveRun(started);
    expect(await traces.readRun(started.id)).toEqual(started);
    const each = span(started.id);
    await traces.save({ spans: [each], events: [event(started.id, 1)], details: [{ spanId: each.id, request: { a: 1 }, response: 'x' }] });
    const error = { code: 'model-overloaded', message: 'busy', retryable: true } as const;
    const finished = {
      ...started,
      endedAt: START + 9,
      state: 'failed',
      outcome: 'api-error',
      steps: 2,
      toolCalls: 1,
      usage: USAGE,
      error,
    } as const;
    await traces.saveRun({ ...finished, costMicroUsd: 42 });
    expect(await traces.readRun(started.id)).toEqual({ ...finished, costMicroUsd: 42 });
    expect(await traces.readSpans(started.id)).toEqual([each]);
    expect(await traces.readEvents(started.id)).toEqual([event(started.id, 1)]);
    expect(await traces.readDetail(each.id)).toEqual({ spanId: each.id, request: { a: 1 }, response: 'x' });
  });

  test('spans are replaced by id and read by start, then id; events by their order', async () => {
    const { traces, conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const started = run(id);
    await traces.saveRun(started);
    const late = span(started.id, { startedAt: START + 5, kind: 'tool-call', toolCallId: 'call-1', step: null, parentId: 'p' });
    const [first, second] = [span(started.id), span(started.id)];
    await traces.save({ spans: [late, second, first], events: [event(started.id, 2), event(started.id, 1)], details: [] });
    const ended = {
      ...late,
      endedAt: START + 8,
      status: 'ok',
      usage: USAGE,
      costMicroUsd: 7,
      firstTokenAt: START + 6,
      note: 'ok',
      detailBytes: 3,
    } as const;
    await traces.save({ spans: [ended], events: [event(started.id, 2)], details: [{ spanId: late.id, request: 1, response: null }] });
    await traces.save({ spans: [], events: [], details: [{ spanId: late.id, request: 2, response: false }] });
    expect(await traces.readSpans(started.id)).toEqual([first, second, ended]);
    expect((await traces.readEvents(started.id)).map((each) => each.seq)).toEqual([1, 2]);
    expect(await traces.readDetail(late.id)).toEqual({ spanId: late.id, request: 2, response: false });
    expect(await traces.readDetail(first.id)).toBeNull();
  });

  test('a batch for a run or span that is not stored is refused as a whole', async () => {
    const { traces, conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const started = run(id);
    await traces.saveRun(started);
    const each = span(started.id);
    await expect(traces.save({ spans: [each, span('unknown')], events: [], details: [] })).rejects.toMatchObject({ code: 'not-found' });
    await expect(traces.save({ spans: [each], events: [event('unknown', 1)], details: [] })).rejects.toMatchObject({ code: 'not-found' });
    const details = [{ spanId: 'unknown', request: 1, response: 1 }];
    await expect(traces.save({ spans: [each], events: [], details })).rejects.toMatchObject({ code: 'not-found' });
    expect(await traces.readSpans(started.id)).toEqual([]);
  });

  test('runs are listed newest first, by turn and before a turn', async () => {
    const store = getStore();
    const id = await conversationWith(store, [
      ['one', '1'],
      ['two', '2'],
    ]);
    const runs = [
      run(id, { turn: 1, startedAt: START }),
      run(id, { turn: 2, startedAt: START + 5 }),
      run(id, { turn: 2, startedAt: START + 9 }),
      run(id, { turn: 3, startedAt: START + 1 }),
    ];
    for (const each of runs) await store.traces.saveRun(each);
    const ids = async (query: { limit: number; beforeTurn?: number; turn?: number }) =>
      (await store.traces.listRuns(id, query)).map((each) => runs.findIndex((known) => known.id === each.id));
    expect(await ids({ limit: 9 })).toEqual([3, 2, 1, 0]);
    expect(await ids({ limit: 2 })).toEqual([3, 2]);
    expect(await ids({ limit: 9, beforeTurn: 3 })).toEqual([2, 1, 0]);
    expect(await ids({ limit: 9, turn: 2 })).toEqual([2, 1]);
    expect(await ids({ limit: 9, turn: 2, beforeTurn: 2 })).toEqual([]);
    expect(await store.traces.readRun('unknown')).toBeNull();
    expect(await store.traces.readSpans('unknown')).toEqual([]);
    expect(await store.traces.readEvents('unknown')).toEqual([]);
  });

  test('a detail of several megabytes comes back whole', async () => {
    const { traces, conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const started = run(id);
    await traces.saveRun(started);
    const each = span(started.id);
    const response = {
      rows: Array.from({ length: 6_000 }, (_, index) => ({ index, text: `row ${index} — ünïcode 🍣 ${'x'.repeat(100)}` })),
    };
    await traces.save({ spans: [each], events: [], details: [{ spanId: each.id, request: null, response }] });
    expect((await traces.readDetail(each.id))?.response).toEqual(response);
  });
}
