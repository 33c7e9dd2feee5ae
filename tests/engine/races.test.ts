/** What happens when things happen at the same time: stop, limits, messages during a run, the same message twice. */
import { describe, expect, it } from 'vitest';
import { CANNED_TEXT, INTERRUPTED_TEXT, STOPPED_TEXT } from '../../electron/engine/agent/turn-messages.ts';
import { createRunControl } from '../../electron/engine/agent/run-control.ts';
import { createSerial } from '../../electron/engine/agent/serial.ts';
import { checkHistory } from '../../electron/models/history-rules.ts';
import { answer, call, calls, delta, end, forever, untilAborted } from '../fakes/scripted-model.ts';
import type { ScriptStep } from '../fakes/scripted-model.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { createFaultyStore, PASS } from '../fakes/faulty-store.ts';
import { createManualTools } from '../fakes/manual-tools.ts';
import { settle } from '../fakes/virtual-clock.ts';
import { brief, createEngine, newMessageId, send } from './engine-fixture.ts';

/** A promise and its way to resolve. */
function gate() {
  return Promise.withResolvers<void>();
}

describe('stop', () => {
  it('keeps the partial text as stopped and drops late chunks', async () => {
    const late = gate();
    const engine = await createEngine({
      script: [[delta('You will '), late.promise, delta('get a refund'), end('answered', { text: 'You will get a refund' })]],
    });
    await engine.ask('Hi');
    expect(await engine.service.call('stopRun', { conversationId: engine.conversationId })).toEqual({ stopped: true });
    const before = engine.events.length;
    late.resolve();
    await settle();
    expect(engine.events.length).toBe(before);
    expect(brief(await engine.messages())).toEqual(['user: Hi', 'assistant[stopped]: You will ']);
    expect(engine.ofType('turn-end')[0]).toMatchObject({ state: 'stopped', outcome: 'stopped' });
  });

  it('aborts the adapter, and a model that ignores the signal is not waited for', async () => {
    let aborted = false;
    const engine = await createEngine({
      script: [
        (_, signal): ScriptStep[] => [
          () =>
            untilAborted(signal).catch((error: unknown) => {
              aborted = true;
              throw error;
            }),
        ],
        [forever()],
      ],
    });
    await engine.ask('one');
    await engine.service.call('stopRun', { conversationId: engine.conversationId });
    expect(aborted).toBe(true);
    await engine.ask('two');
    await engine.service.call('stopRun', { conversationId: engine.conversationId });
    expect(brief(await engine.messages())).toEqual([
      'user: one',
      `assistant[stopped]: ${STOPPED_TEXT}`,
      'user: two',
      `assistant[stopped]: ${STOPPED_TEXT}`,
    ]);
  });

  it('during tools: results that were there are kept, the others say unknown, in call order', async () => {
    const tools = createManualTools({ slow: 'read', quick: 'read' });
    const engine = await createEngine({ tools, script: [calls(call('slow', { n: 1 }), call('quick', { n: 2 }))] });
    await engine.ask('Hi');
    expect(tools.waiting.map((one) => one.call.name)).toEqual(['slow', 'quick']);
    tools.waiting[1]?.answer({ found: true });
    await settle();
    await engine.service.call('stopRun', { conversationId: engine.conversationId });
    expect(tools.waiting[0]?.signal.aborted).toBe(true);
    const messages = await engine.messages();
    expect(brief(messages)).toEqual([
      'user: Hi',
      'assistant→slow({"n":1})→quick({"n":2}): ',
      'tool[synthetic]: {"status":"unknown","reason":"stopped"}',
      'tool: {"found":true}',
      `assistant[stopped]: ${STOPPED_TEXT}`,
    ]);
    expect(checkHistory(messages)).toEqual([]);
  });

  it('without a run at work stops nothing', async () => {
    const engine = await createEngine({ script: [answer('Hello.')] });
    await engine.ask('Hi');
    expect(await engine.service.call('stopRun', { conversationId: engine.conversationId })).toEqual({ stopped: false });
  });

  it('retry asks the stopped question anew; an answered turn cannot be retried', async () => {
    const engine = await createEngine({ script: [[delta('Par'), forever()], answer('Whole.')] });
    await engine.ask('Hi');
    await engine.service.call('stopRun', { conversationId: engine.conversationId });
    const retried = await engine.service.call('retryTurn', { conversationId: engine.conversationId });
    await settle();
    expect(retried.turn).toBe(1);
    expect(brief(await engine.messages())).toEqual(['user: Hi', 'assistant: Whole.']);
    expect(engine.model.requests[1]?.messages.map((message) => message.content)).toEqual(['Hi']);
    const { runIds } = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 1 });
    expect(runIds).toHaveLength(2);
    expect(runIds[0]).toBe(retried.runId);
    await expect(engine.service.call('retryTurn', { conversationId: engine.conversationId })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  it('retry during a run is refused as busy', async () => {
    const engine = await createEngine({ script: [[forever()]] });
    await engine.ask('Hi');
    await expect(engine.service.call('retryTurn', { conversationId: engine.conversationId })).rejects.toMatchObject({ code: 'busy' });
  });
});

describe('stop at the seams', () => {
  /** Stops the run the moment an event of this type is emitted. */
  async function stopOn(type: 'model-end' | 'tool-call' | 'context-built') {
    const tools = createManualTools({ act: 'internal' });
    const engine = await createEngine({ tools, script: type === 'context-built' ? [] : [[delta('Let me see. '), ...calls(call('act'))]] });
    engine.service.subscribe((event) => {
      if (event.type === type) void engine.service.call('stopRun', { conversationId: engine.conversationId });
    });
    // The stop itself needs a moment of the store; a hanging tool waits for it.
    await engine.ask('Hi');
    expect(checkHistory(await engine.messages())).toEqual([]);
    expect(engine.ofType('turn-end')[0]).toMatchObject({ state: 'stopped' });
    expect(engine.model.problems()).toEqual([]);
    return { engine, tools };
  }

  it('after the context, before the model: nothing is asked', async () => {
    const control = createRunControl();
    control.end('stopped');
    control.end('time-limit');
    expect(control.cause()).toBe('stopped');
    expect(control.signal.aborted).toBe(true);
    expect(() => control.check()).toThrow(/stopped/u);
    await expect(control.race(forever())).rejects.toMatchObject({ code: 'cancelled' });
    const late = Promise.reject(new Error('late'));
    await expect(control.race(late)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each(['model-end', 'tool-call'] as const)('at %s: the history stays valid and the turn is stopped', async (type) => {
    const { engine } = await stopOn(type);
    expect((await engine.messages()).at(-1)?.state).toBe('stopped');
  });
});

describe('the order of things', () => {
  it('work on one key keeps its order and survives failures; other keys do not wait', async () => {
    const serial = createSerial();
    const seen: string[] = [];
    const hold = gate();
    const first = serial.run('a', () => hold.promise.then(() => seen.push('a1')));
    const failing = serial.run('a', () => Promise.reject(new Error('no')));
    const third = serial.run('a', async () => seen.push('a3'));
    await serial.run('b', async () => seen.push('b1'));
    expect(seen).toEqual(['b1']);
    hold.resolve();
    await first;
    await expect(failing).rejects.toThrow('no');
    await third;
    expect(seen).toEqual(['b1', 'a1', 'a3']);
  });

  it('a message that arrives while the end of a turn is being written is answered, once, after it', async () => {
    const written = gate();
    let slow = true;
    const store = createFaultyStore(createInMemoryStore(), (name) =>
      slow && name === 'conversations.endTurn' ? { kind: 'wait-after', until: written.promise } : PASS,
    );
    const engine = await createEngine({ store, script: [answer('One.'), answer('Two.')] });
    await engine.ask('first');
    let accepted = false;
    const sending = send(engine.service, engine.conversationId, 'second').then(() => {
      accepted = true;
    });
    await settle();
    expect(accepted).toBe(false);
    slow = false;
    written.resolve();
    await sending;
    await settle();
    expect(brief(await engine.messages())).toEqual(['user: first', 'assistant: One.', 'user: second', 'assistant: Two.']);
    expect(engine.ofType('turn-end').map((event) => [event.turn, event.state])).toEqual([
      [1, 'answered'],
      [2, 'answered'],
    ]);
  });

  it('a send whose acceptance is slow does not let a second one recover its turn', async () => {
    const accepted = gate();
    const store = createFaultyStore(createInMemoryStore(), (name, args) =>
      name === 'conversations.accept' && JSON.stringify(args).includes('slow one') ? { kind: 'wait-after', until: accepted.promise } : PASS,
    );
    const engine = await createEngine({ store, script: [answer('One.'), answer('Two.')] });
    const slow = send(engine.service, engine.conversationId, 'slow one');
    await settle();
    const quick = send(engine.service, engine.conversationId, 'quick one');
    await settle();
    accepted.resolve();
    await Promise.all([slow, quick]);
    await settle();
    expect(brief(await engine.messages())).toEqual(['user: slow one', 'assistant: One.', 'user: quick one', 'assistant: Two.']);
  });
});

describe('the wall clock', () => {
  it('ends a hanging model with a marked canned answer and keeps what was said', async () => {
    const engine = await createEngine({ settings: { 'agent.maxSeconds': 5 }, script: [[delta('Well, '), forever()]] });
    await engine.ask('Hi');
    await engine.clock.advance(4999);
    expect(engine.ofType('turn-end')).toEqual([]);
    await engine.clock.advance(1);
    expect(brief(await engine.messages())).toEqual([
      'user: Hi',
      'assistant[interrupted]: Well, ',
      `assistant[time-limit]: ${CANNED_TEXT['time-limit']}`,
    ]);
    expect(engine.ofType('time-limit')).toMatchObject([{ seconds: 5 }]);
    expect(engine.ofType('turn-end')[0]).toMatchObject({ state: 'failed', outcome: 'time-limit' });
    // The sweep for quiet conversations is the only one that goes on.
    expect(engine.clock.pending()).toBe(1);
  });

  it('ends a hanging tool: its call is answered as unknown', async () => {
    const tools = createManualTools({ slow: 'read' });
    const engine = await createEngine({ tools, settings: { 'agent.maxSeconds': 5 }, script: [calls(call('slow'))] });
    await engine.ask('Hi');
    await engine.clock.advance(5000);
    const messages = await engine.messages();
    expect(brief(messages)).toEqual([
      'user: Hi',
      'assistant→slow({}): ',
      'tool[synthetic]: {"status":"unknown","reason":"time-limit"}',
      `assistant[time-limit]: ${CANNED_TEXT['time-limit']}`,
    ]);
    expect(checkHistory(messages)).toEqual([]);
    tools.waiting[0]?.answer({ late: true });
    await settle();
    expect(await engine.messages()).toHaveLength(4);
  });
});

describe('a message during a run', () => {
  it('is queued, seen in queue-change, and answered by a follow-up run that knows the first answer', async () => {
    const hold = gate();
    const engine = await createEngine({ script: [[hold.promise, ...answer('One.')], answer('Two.')] });
    await engine.ask('first');
    expect(await send(engine.service, engine.conversationId, 'second')).toEqual({ turn: null, runId: null, queued: true });
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.queued.map((queued) => queued.text)).toEqual(['second']);
    expect(engine.ofType('queue-change').at(-1)?.queued).toHaveLength(1);
    hold.resolve();
    await settle();
    expect(brief(await engine.messages())).toEqual(['user: first', 'assistant: One.', 'user: second', 'assistant: Two.']);
    expect(engine.ofType('queue-change').at(-1)?.queued).toEqual([]);
    expect(engine.model.requests[1]?.messages.map((message) => message.content)).toEqual(['first', 'One.', 'second']);
  });

  it('is answered also when the running turn fails', async () => {
    const engine = await createEngine({ script: [[forever()], answer('Two.')], settings: { 'agent.maxSeconds': 5 } });
    await engine.ask('one');
    await send(engine.service, engine.conversationId, 'two');
    await engine.clock.advance(5000);
    expect(brief(await engine.messages())).toEqual([
      'user: one',
      `assistant[time-limit]: ${CANNED_TEXT['time-limit']}`,
      'user: two',
      'assistant: Two.',
    ]);
  });

  it('[SYN-4] holds back calls that act and have not started; calls that read go on', async () => {
    const tools = createManualTools({ look: 'read', act: 'internal' });
    const hold = gate();
    const engine = await createEngine({
      tools,
      script: [[hold.promise, ...calls(call('look'), call('act'))], answer('I waited.'), answer('Two.')],
    });
    await engine.ask('do it');
    await send(engine.service, engine.conversationId, 'no, wait!');
    hold.resolve();
    await settle();
    expect(tools.begun).toEqual(['look']);
    tools.waiting[0]?.answer({ ok: true });
    await settle();
    const results = (await engine.messages()).filter((message) => message.role === 'tool').map((message) => JSON.parse(message.content));
    expect(results).toEqual([{ ok: true }, { error: expect.stringContaining('another message') }]);
    expect(brief(await engine.messages()).at(-1)).toBe('assistant: Two.');
  });

  it('[SYN-2] two sends at once: one runs, one waits; both are answered in order, each once', async () => {
    const engine = await createEngine({ script: [answer('One.'), answer('Two.')] });
    const results = await Promise.all([send(engine.service, engine.conversationId, 'a'), send(engine.service, engine.conversationId, 'b')]);
    await settle();
    expect(results.map((result) => result.queued)).toEqual([false, true]);
    expect(brief(await engine.messages())).toEqual(['user: a', 'assistant: One.', 'user: b', 'assistant: Two.']);
  });

  it('[SYN-2] the same message id twice is one message, at any time', async () => {
    const hold = gate();
    const engine = await createEngine({ script: [[hold.promise, ...answer('One.')], answer('Two.')] });
    const [first, waiting] = [newMessageId(), newMessageId()];
    const both = await Promise.all([
      send(engine.service, engine.conversationId, 'a', first),
      send(engine.service, engine.conversationId, 'a', first),
    ]);
    expect(both[1]).toEqual(both[0]);
    await send(engine.service, engine.conversationId, 'b', waiting);
    expect(await send(engine.service, engine.conversationId, 'b', waiting)).toMatchObject({ queued: true });
    hold.resolve();
    await settle();
    expect(await send(engine.service, engine.conversationId, 'b', waiting)).toMatchObject({ turn: 2, queued: false });
    await settle();
    expect(brief(await engine.messages())).toEqual(['user: a', 'assistant: One.', 'user: b', 'assistant: Two.']);
    expect(engine.model.problems()).toEqual([]);
  });

  it('runs of two conversations do not mix', async () => {
    const engine = await createEngine({ script: [[delta('A '), forever()], answer('B answer.')] });
    const other = (await engine.service.call('createConversation', {})).conversation.id;
    await engine.ask('for A');
    await send(engine.service, other, 'for B');
    await settle();
    await engine.service.call('stopRun', { conversationId: engine.conversationId });
    const view = await engine.service.call('openConversation', { conversationId: other });
    expect(brief(view.messages)).toEqual(['user: for B', 'assistant: B answer.']);
    expect(brief(await engine.messages())).toEqual(['user: for A', 'assistant[stopped]: A ']);
  });
});

describe('deleting and closing', () => {
  it('deleting stops the run first and leaves nothing, not even a waiting message', async () => {
    const engine = await createEngine({ script: [[delta('Par'), forever()]] });
    await engine.ask('one');
    await send(engine.service, engine.conversationId, 'two');
    await engine.service.call('deleteConversation', { conversationId: engine.conversationId });
    await settle();
    expect(engine.ofType('conversation-delete')).toHaveLength(1);
    await expect(engine.messages()).rejects.toMatchObject({ code: 'not-found' });
    await expect(send(engine.service, engine.conversationId, 'x')).rejects.toMatchObject({ code: 'not-found' });
    expect(await engine.store.traces.listRuns(engine.conversationId, { limit: 10 })).toEqual([]);
    expect(engine.model.problems()).toEqual([]);
  });

  it('a message sent while the conversation is being deleted is refused', async () => {
    const engine = await createEngine({ script: [[forever()]] });
    await engine.ask('one');
    const [deleted, sent] = await Promise.allSettled([
      engine.service.call('deleteConversation', { conversationId: engine.conversationId }),
      send(engine.service, engine.conversationId, 'two'),
    ]);
    expect(deleted.status).toBe('fulfilled');
    await settle();
    await expect(engine.messages()).rejects.toMatchObject({ code: 'not-found' });
    if (sent.status === 'rejected') expect(sent.reason).toMatchObject({ code: 'not-found' });
  });

  it('closing marks the running turn as interrupted, keeps its text, and leaves waiting messages for the next start', async () => {
    const engine = await createEngine({ script: [[delta('Half an ans'), forever()]] });
    await engine.ask('one');
    await send(engine.service, engine.conversationId, 'two');
    await engine.service.stop();
    expect(brief(await engine.messages())).toEqual(['user: one', 'assistant[interrupted]: Half an ans']);
    await expect(send(engine.service, engine.conversationId, 'three')).rejects.toMatchObject({ code: 'cancelled' });
    const next = await createEngine({ store: engine.store, conversationId: engine.conversationId, script: [answer('Two.')] });
    await settle();
    expect(brief(await next.messages())).toEqual(['user: one', 'assistant[interrupted]: Half an ans', 'user: two', 'assistant: Two.']);
  });

  it('closing at the very end of a turn waits for what the turn still does, and reaches for no closed store', async () => {
    const inner = createInMemoryStore();
    let closed = false;
    const store = createFaultyStore(inner, () => (closed ? { kind: 'fail', error: new Error('the store is closed') } : PASS));
    const engine = await createEngine({ store, script: [answer('One.')] });
    const closing = new Promise<void>((resolve) => {
      engine.service.subscribe((event) => {
        if (event.type !== 'turn-end') return;
        void engine.service.stop().then(() => {
          closed = true;
          resolve();
        });
      });
    });
    await engine.ask('one');
    await closing;
    await settle();
    expect(engine.logs).toEqual([]);
    expect(engine.clock.pending()).toBe(0);
  });

  it('closing waits for a message that is just being accepted, and for 3 s at most', async () => {
    const accepted = gate();
    const store = createFaultyStore(createInMemoryStore(), (name) =>
      name === 'conversations.accept' ? { kind: 'wait-after', until: accepted.promise } : PASS,
    );
    const engine = await createEngine({ store, script: [[forever()]] });
    const sending = send(engine.service, engine.conversationId, 'one');
    await settle();
    const closing = engine.service.stop();
    accepted.resolve();
    await sending;
    await closing;
    expect(brief(await engine.messages())).toEqual(['user: one', `assistant[interrupted]: ${INTERRUPTED_TEXT}`]);

    const stuck = createFaultyStore(createInMemoryStore(), (name) => (name === 'conversations.endTurn' ? { kind: 'hang' } : PASS));
    const second = await createEngine({ store: stuck, script: [answer('One.')] });
    await second.ask('one');
    let stopped = false;
    void second.service.stop().then(() => {
      stopped = true;
    });
    await second.clock.advance(2999);
    expect(stopped).toBe(false);
    await second.clock.advance(1);
    expect(stopped).toBe(true);
  });
});
