/** Context plans, previews and traces: what a person can look at says exactly what was sent. */
import { describe, expect, it } from 'vitest';
import { readBackwards } from '../../electron/engine/agent/context-builder.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { createFaultyStore, PASS } from '../fakes/faulty-store.ts';
import { answer, call, calls, delta, end, failure, forever, SOME_USAGE } from '../fakes/scripted-model.ts';
import { settle } from '../fakes/virtual-clock.ts';
import { createEngine, send } from './engine-fixture.ts';

describe('the context plan', () => {
  it('loads 0, 2 and 4 earlier messages, and is the same in event, trace and stored plan', async () => {
    const engine = await createEngine({ script: [answer('One.'), answer('Two.'), answer('Three.')] });
    for (const text of ['a', 'b', 'c']) await engine.ask(text);
    const built = engine.ofType('context-built');
    expect(built.map((event) => [event.step, event.plan.messages.length])).toEqual([
      [0, 0],
      [0, 2],
      [0, 4],
    ]);
    expect(built[0]?.plan.characters).toBe(2);
    const { plan } = await engine.service.call('getTurnPlan', { conversationId: engine.conversationId, turn: 3 });
    expect(plan).toEqual(built[2]?.plan);
    const { trace } = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 3 });
    const event = trace?.events.find((one) => one.type === 'context-built');
    expect(event?.data).toMatchObject({ messages: 4, characters: plan?.characters, tokens: plan?.tokens });
    expect(engine.model.requests[2]?.messages.slice(0, 4)).toEqual(plan?.messages);
  });

  it('is made once per run, whatever the number of steps', async () => {
    const engine = await createEngine({
      script: [calls(call('list_orders')), calls(call('get_order', { order_id: 1042 })), answer('Done.')],
    });
    await engine.ask('Go');
    expect(engine.ofType('context-built')).toHaveLength(1);
    expect(engine.ofType('model-start')).toHaveLength(3);
  });

  it('a preview equals what the next request then holds, and changes nothing', async () => {
    const engine = await createEngine({ script: [answer('One.'), answer('Two.')] });
    await engine.ask('a');
    const preview = await engine.service.call('previewContext', { conversationId: engine.conversationId, next: 'b' });
    const again = await engine.service.call('previewContext', { conversationId: engine.conversationId, next: 'b' });
    expect(again).toEqual(preview);
    await engine.ask('b');
    expect(engine.ofType('context-built')[1]?.plan).toEqual(preview.plan);
    expect(preview.parts.map((part) => part.part)).toEqual(
      expect.arrayContaining(['system', 'tools', 'full', 'current', 'reserve', 'free']),
    );
    expect(preview).toMatchObject({ model: 'scripted/test-1', windowTokens: 32_000 });
  });

  it('a preview leaves the turn at work out, as the run at work does', async () => {
    const engine = await createEngine({ script: [answer('One.'), [forever()]] });
    await engine.ask('a');
    await engine.ask('b');
    const preview = await engine.service.call('previewContext', { conversationId: engine.conversationId });
    expect(preview.plan.entries.map((entry) => entry.turn)).toEqual([1]);
  });

  it('there is no plan of a turn whose request was never sent', async () => {
    const store = createFaultyStore(createInMemoryStore(), (name) =>
      name === 'conversations.readMemoryState' ? { kind: 'fail', error: new Error('unreadable') } : PASS,
    );
    const engine = await createEngine({ store });
    await engine.ask('a');
    expect(await engine.service.call('getTurnPlan', { conversationId: engine.conversationId, turn: 1 })).toEqual({ plan: null });
    expect(await engine.service.call('getTurnPlan', { conversationId: engine.conversationId, turn: 9 })).toEqual({ plan: null });
  });

  it('[MEM-6] reads backwards in batches, and only as far as asked', async () => {
    const reads: unknown[] = [];
    const inner = createInMemoryStore();
    const engine = await createEngine({ store: inner, script: Array.from({ length: 20 }, (_, n) => answer(`Answer ${n}.`)) });
    for (let turn = 1; turn <= 20; turn += 1) await engine.ask(`question ${turn}`);
    const counted = createFaultyStore(inner, (name, args) => {
      if (name === 'conversations.readTurns') reads.push(args[1]);
      return PASS;
    });
    const seen: number[] = [];
    for await (const turn of readBackwards(counted.conversations, engine.conversationId, 21)) {
      seen.push(turn.turn);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([20, 19, 18]);
    expect(reads).toHaveLength(1);
    const all: number[] = [];
    for await (const turn of readBackwards(counted.conversations, engine.conversationId, 21)) all.push(turn.turn);
    expect(all).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index));
  });

  it('what a strategy keeps is written once per run, and only after the request was really sent', async () => {
    const writes: unknown[] = [];
    const store = createFaultyStore(createInMemoryStore(), (name, args) => {
      if (name === 'conversations.writeMemoryState') writes.push(args[1]);
      return PASS;
    });
    const script = [failure('auth'), calls(call('list_orders')), [() => expect(writes).toHaveLength(1), ...answer('One.')]];
    const engine = await createEngine({ store, script, settings: { 'memory.strategy': 'stable' } });
    await engine.ask('a');
    expect(writes).toEqual([]);
    await engine.ask('b');
    expect(writes).toMatchObject([{ strategy: 'stable' }]);
    expect(engine.model.problems()).toEqual([]);
  });

  it("the conversation's strategy wins over the setting; one this version lacks fails the turn and says so", async () => {
    const engine = await createEngine({ script: [answer('One.')] });
    await engine.service.call('updateConversation', { conversationId: engine.conversationId, strategy: 'summary' });
    await engine.ask('a');
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    if (view.turns[0]?.state === 'answered') expect(engine.ofType('context-built')[0]?.plan.strategy).toBe('summary');
    else expect(view.turns[0]?.error?.code).toBe('unsupported');
  });
});

describe('the trace', () => {
  it('holds spans and events of a run with a tool, in a tree, with times, tokens and details', async () => {
    const made = call('get_order', { order_id: 1042 });
    const engine = await createEngine({
      script: [
        [() => engine.clock.advance(100), delta('Looking. '), end('tool-calls', { text: 'Looking. ', calls: [made] })],
        [() => engine.clock.advance(50), ...answer('It is on its way.')],
      ],
    });
    await send(engine.service, engine.conversationId, 'Where is 1042?');
    for (let round = 0; round < 20; round += 1) await settle();
    const { trace } = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 1 });
    expect(trace?.run).toMatchObject({ question: 'Where is 1042?', steps: 2, toolCalls: 1, state: 'answered', outcome: 'answered' });
    expect(trace?.run.usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
    const spans = trace?.spans ?? [];
    const kinds = spans.map((span) => span.kind);
    expect(new Set(kinds)).toEqual(new Set(['run', 'compaction', 'step', 'model-call', 'storage', 'tool-call']));
    const byId = new Map(spans.map((span) => [span.id, span]));
    for (const span of spans) {
      expect(span.endedAt).not.toBeNull();
      expect(span.status).toBe('ok');
      if (span.kind !== 'run') expect(byId.has(span.parentId ?? '')).toBe(true);
    }
    const models = spans.filter((span) => span.kind === 'model-call');
    expect(models.map((span) => (span.firstTokenAt ?? 0) - span.startedAt)).toEqual([100, 50]);
    expect(models[0]?.usage).toEqual(SOME_USAGE);
    const request = await engine.service.call('getSpanDetail', { spanId: models[1]?.id ?? '' });
    expect(request.detail?.request).toEqual(engine.model.requests[1]);
    expect(request.detail?.response).toMatchObject({ text: 'It is on its way.', outcome: 'answered' });
    const tool = spans.find((span) => span.kind === 'tool-call');
    expect(tool?.toolCallId).toBe(made.id);
    const toolDetail = await engine.service.call('getSpanDetail', { spanId: tool?.id ?? '' });
    expect(toolDetail.detail?.request).toEqual({ order_id: 1042 });
    expect(toolDetail.detail?.response).toMatchObject({ order_id: 1042 });
    expect(trace?.events.map((event) => event.type)).toEqual([
      'turn-start',
      'context-built',
      'model-start',
      'text-delta',
      'model-end',
      'tool-call',
      'tool-result',
      'step-end',
      'model-start',
      'text-delta',
      'model-end',
      'step-end',
      'turn-end',
    ]);
    expect(trace?.events.map((event) => event.seq)).toEqual(trace?.events.map((_, index) => index + 1));
    expect(await engine.store.usage.totals({ conversationId: engine.conversationId })).toMatchObject({
      calls: 2,
      inputTokens: 200,
      unpricedCalls: 2,
    });
  });

  it('shows a run that is still at work', async () => {
    const engine = await createEngine({ script: [[delta('Well'), forever()]] });
    await engine.ask('Hi');
    const { trace } = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 1 });
    expect(trace?.run.state).toBe('running');
    expect(trace?.spans.find((span) => span.kind === 'model-call')).toMatchObject({ status: 'running', endedAt: null });
    const live = engine.ofType('span-change').filter((event) => event.span.kind === 'model-call');
    expect(live.length).toBeGreaterThanOrEqual(2);
  });

  it('records waits before another try, and errors', async () => {
    const error = { code: 'model-rate-limited' as const, message: 'slow down', retryable: true };
    const engine = await createEngine({
      script: [
        [
          { type: 'retry-start', attempt: 1, delayMs: 500, reason: 'rate limited', error },
          () => engine.clock.advance(500),
          ...failure('rate-limited', error),
        ],
      ],
    });
    await engine.ask('Hi');
    for (let round = 0; round < 10; round += 1) await settle();
    const { trace } = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 1 });
    const wait = trace?.spans.find((span) => span.kind === 'retry-wait');
    expect((wait?.endedAt ?? 0) - (wait?.startedAt ?? 0)).toBe(500);
    expect(engine.ofType('retry-start')).toMatchObject([{ attempt: 1, delayMs: 500, reason: 'rate limited' }]);
    expect(trace?.events.map((event) => event.type)).toContain('api-error');
    expect(trace?.run).toMatchObject({ outcome: 'api-error', error: { code: 'model-rate-limited' }, usage: null });
  });

  it('runs of other turns, unknown runs and unknown spans', async () => {
    const engine = await createEngine({ script: [answer('One.'), answer('Two.')] });
    await engine.ask('a');
    await engine.ask('b');
    const { runs } = await engine.service.call('listRuns', { conversationId: engine.conversationId });
    expect(runs.map((run) => run.turn)).toEqual([2, 1]);
    expect(await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 7 })).toEqual({ trace: null, runIds: [] });
    const other = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 1, runId: runs[0]?.id ?? '' });
    expect(other.trace).toBeNull();
    expect(await engine.service.call('getSpanDetail', { spanId: 'none' })).toEqual({ detail: null });
  });
});
