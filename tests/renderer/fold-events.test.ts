/** The reducer: events fold by id, late ones are dropped, conversations never mix. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConsoleEvent } from '../../shared/console-api.ts';
import { conversationFromView, type ConsoleData, emptyData, turnNumbers, withTurns } from '../../renderer/state/console-data.ts';
import { foldEvent, foldEvents, mergeSpan, sortSummaries } from '../../renderer/state/fold-events.ts';
import { FIRST, message, record, SECOND, span, summary, view } from './fakes/samples.ts';

function opened(...ids: string[]): ConsoleData {
  const data = emptyData();
  for (const id of ids) data.conversations[id] = conversationFromView(view(id), undefined);
  return data;
}

const scope = (conversationId: string, runId = 'run-1', turn = 1) => ({ conversationId, runId, turn });

function startOf(conversationId: string, runId = 'run-1', turn = 1): ConsoleEvent {
  return {
    type: 'turn-start',
    ...scope(conversationId, runId, turn),
    record: record(conversationId, turn, { state: 'running', outcome: null, runId, endedAt: null }),
    message: message(conversationId, turn * 10, { id: `question-${turn}`, turn }),
  };
}

function delta(conversationId: string, text: string, runId = 'run-1', step = 1, turn = 1): ConsoleEvent {
  return { type: 'text-delta', ...scope(conversationId, runId, turn), step, id: `${runId}-${step}`, delta: text };
}

function endOf(conversationId: string, runId = 'run-1', turn = 1, state: 'answered' | 'stopped' = 'answered'): ConsoleEvent {
  return {
    type: 'turn-end',
    ...scope(conversationId, runId, turn),
    state,
    outcome: state,
    record: record(conversationId, turn, { state, runId }),
  };
}

describe('streaming', () => {
  test('deltas add up, a stored answer takes their place, the end clears the run', () => {
    let data = foldEvents(opened(FIRST), [startOf(FIRST), delta(FIRST, 'Hel'), delta(FIRST, 'lo')]);
    expect(data.conversations[FIRST]?.live?.text).toBe('Hello');
    data = foldEvent(data, { type: 'message-add', ...scope(FIRST), message: message(FIRST, 11, { role: 'assistant', content: 'Hello' }) });
    expect(data.conversations[FIRST]?.live?.text).toBe('');
    data = foldEvent(data, endOf(FIRST));
    expect(data.conversations[FIRST]?.live).toBeNull();
    expect(data.conversations[FIRST]?.messages[1]?.map((entry) => entry.content)).toEqual(['text 10', 'Hello']);
  });

  test('P4 a wait for another try is shown until the model is heard from again', () => {
    const wait: ConsoleEvent = { type: 'retry-start', ...scope(FIRST), step: 1, attempt: 1, delayMs: 4000, reason: 'rate-limited' };
    const waiting = foldEvents(opened(FIRST), [startOf(FIRST), wait]);
    expect(waiting.conversations[FIRST]?.live?.retry).toEqual({ attempt: 1, delayMs: 4000, reason: 'rate-limited' });
    expect(foldEvent(waiting, delta(FIRST, 'Hi')).conversations[FIRST]?.live).toMatchObject({ retry: null, text: 'Hi' });
    const again = foldEvent(waiting, { ...wait, attempt: 2 });
    expect(again.conversations[FIRST]?.live?.retry?.attempt).toBe(2);
    const ended: ConsoleEvent = { type: 'model-end', ...scope(FIRST), step: 1, outcome: 'rate-limited', ms: 1, usage: null };
    expect(foldEvent(again, ended).conversations[FIRST]?.live?.retry).toBeNull();
  });

  test('a new step starts with empty text, text of an older step is dropped', () => {
    const data = foldEvents(opened(FIRST), [
      startOf(FIRST),
      delta(FIRST, 'one'),
      delta(FIRST, 'two', 'run-1', 2),
      delta(FIRST, 'late', 'run-1', 1),
    ]);
    expect(data.conversations[FIRST]?.live?.text).toBe('two');
  });

  test('late events of a stopped run change nothing, and do not reach the run after it', () => {
    const stopped = foldEvents(opened(FIRST), [startOf(FIRST), delta(FIRST, 'half'), endOf(FIRST, 'run-1', 1, 'stopped')]);
    expect(foldEvent(stopped, delta(FIRST, 'late'))).toBe(stopped);
    const next = foldEvents(stopped, [startOf(FIRST, 'run-2', 2), delta(FIRST, 'new', 'run-2', 1, 2), delta(FIRST, 'late')]);
    expect(next.conversations[FIRST]?.live).toMatchObject({ runId: 'run-2', text: 'new' });
    expect(foldEvent(next, endOf(FIRST, 'run-1', 1, 'stopped'))).toBe(next);
  });

  test('the late end of an older run of the same turn does not overwrite the newer run', () => {
    const retried = foldEvents(opened(FIRST), [startOf(FIRST), startOf(FIRST, 'run-2')]);
    const ended = foldEvent(retried, endOf(FIRST, 'run-1', 1, 'stopped'));
    expect(ended.conversations[FIRST]?.records[1]).toMatchObject({ state: 'running', runId: 'run-2' });
    expect(ended.conversations[FIRST]?.live?.runId).toBe('run-2');
  });

  test('a call is live until its message is stored, in either order', () => {
    const call = { id: 'call-1', name: 'get_order', arguments: {} };
    const announce: ConsoleEvent = { type: 'tool-call', ...scope(FIRST), step: 1, call };
    const store: ConsoleEvent = {
      type: 'message-add',
      ...scope(FIRST),
      message: message(FIRST, 11, { role: 'assistant', content: '', toolCalls: [call] }),
    };
    for (const order of [
      [announce, announce, store],
      [store, announce],
    ]) {
      const data = foldEvents(opened(FIRST), [startOf(FIRST), ...order]);
      expect(data.conversations[FIRST]?.live?.tools).toEqual([]);
    }
    const live = foldEvents(opened(FIRST), [startOf(FIRST), announce, announce]);
    expect(live.conversations[FIRST]?.live?.tools).toHaveLength(1);
    const done = foldEvent(live, {
      type: 'tool-result',
      ...scope(FIRST),
      step: 1,
      callId: 'call-1',
      name: 'get_order',
      result: '{}',
      failed: false,
      ms: 12,
    });
    expect(done.conversations[FIRST]?.live?.tools[0]?.result).toBe('{}');
    expect(done.conversations[FIRST]?.toolTimes['call-1']).toEqual({ ms: 12, failed: false });
  });

  test('a queued message leaves the queue when its turn starts', () => {
    const queued = { id: 'question-2', conversationId: FIRST, text: 'and?', at: 5 };
    const data = foldEvents(opened(FIRST), [{ type: 'queue-change', conversationId: FIRST, queued: [queued] }, startOf(FIRST, 'run-2', 2)]);
    expect(data.conversations[FIRST]?.queued).toEqual([]);
  });
});

const eventArbitrary = fc
  .record({
    conversation: fc.constantFrom(FIRST, SECOND),
    run: fc.integer({ min: 1, max: 3 }),
    kind: fc.constantFrom('start', 'delta', 'end', 'message', 'span'),
    text: fc.string({ maxLength: 5 }),
  })
  .map(({ conversation, run, kind, text }): ConsoleEvent => {
    const runId = `${conversation.slice(0, 1)}-run-${run}`;
    if (kind === 'start') return startOf(conversation, runId, run);
    if (kind === 'delta') return delta(conversation, text, runId, 1, run);
    if (kind === 'end') return endOf(conversation, runId, run);
    if (kind === 'span') return { type: 'span-change', ...scope(conversation, runId, run), span: span(`span-${run}`, { runId }) };
    return {
      type: 'message-add',
      ...scope(conversation, runId, run),
      message: message(conversation, run * 10 + 1, { id: `answer-${run}`, turn: run, role: 'assistant', content: text }),
    };
  });

describe('any order of events', () => {
  test('two conversations never mix: each ends as if the other had sent nothing', () => {
    fc.assert(
      fc.property(fc.array(eventArbitrary, { maxLength: 40 }), (events) => {
        const both = foldEvents(opened(FIRST, SECOND), events);
        for (const id of [FIRST, SECOND]) {
          const alone = foldEvents(
            opened(id),
            events.filter((event) => 'conversationId' in event && event.conversationId === id),
          );
          expect(both.conversations[id]).toEqual(alone.conversations[id]);
        }
      }),
    );
  });

  test('every message is there once, in order of seq, and nothing streams after the end', () => {
    fc.assert(
      fc.property(fc.array(eventArbitrary, { maxLength: 40 }), (events) => {
        const data = foldEvents(opened(FIRST, SECOND), [...events, ...events]);
        for (const conversation of Object.values(data.conversations)) {
          for (const group of Object.values(conversation.messages)) {
            expect(new Set(group.map((entry) => entry.id)).size).toBe(group.length);
            expect(group.map((entry) => entry.seq)).toEqual(group.map((entry) => entry.seq).toSorted((a, b) => a - b));
          }
          if (conversation.live !== null) expect(conversation.endedRuns).not.toContain(conversation.live.runId);
        }
      }),
    );
  });

  test('events of a conversation that is not open change no conversation', () => {
    fc.assert(
      fc.property(fc.array(eventArbitrary, { maxLength: 20 }), (events) => {
        const data = emptyData();
        expect(foldEvents(data, events)).toBe(data);
      }),
    );
  });
});

describe('the list', () => {
  test('a change moves its row to the top and counts a new one once', () => {
    let data = foldEvent(emptyData(), { type: 'conversation-change', conversation: summary(FIRST, { updatedAt: 1 }) });
    data = foldEvent(data, { type: 'conversation-change', conversation: summary(SECOND, { updatedAt: 2 }) });
    data = foldEvent(data, { type: 'conversation-change', conversation: summary(FIRST, { updatedAt: 3 }) });
    expect(data.items.map((item) => item.id)).toEqual([FIRST, SECOND]);
    expect(data.total).toBe(2);
    data = foldEvent(data, { type: 'conversation-delete', conversationId: FIRST });
    expect(data.items.map((item) => item.id)).toEqual([SECOND]);
    expect(data.total).toBe(1);
  });

  test('while searching, a row that was not found stays out', () => {
    const searching = { ...emptyData(), searching: true };
    expect(foldEvent(searching, { type: 'conversation-change', conversation: summary(FIRST) }).items).toEqual([]);
  });

  test('rows of the same time keep one order', () => {
    const rows = [summary(SECOND), summary(FIRST)];
    expect(sortSummaries(rows).map((row) => row.id)).toEqual(sortSummaries(rows.toReversed()).map((row) => row.id));
  });
});

describe('opening again and older pages', () => {
  test('what was streaming goes on from the text the engine had', () => {
    const data = opened(FIRST);
    data.conversations[FIRST] = conversationFromView(
      view(FIRST, {
        turns: [record(FIRST, 1, { state: 'running' })],
        streaming: { turn: 1, runId: 'run-1', step: 1, text: 'Hel', retry: null },
      }),
      undefined,
    );
    expect(foldEvent(data, delta(FIRST, 'lo')).conversations[FIRST]?.live?.text).toBe('Hello');
  });

  test('an older page comes before, and never over what events brought', () => {
    const before = conversationFromView(
      view(FIRST, { turns: [record(FIRST, 3)], messages: [message(FIRST, 30, { turn: 3 })], complete: false }),
      undefined,
    );
    const joined = withTurns(before, view(FIRST, { turns: [record(FIRST, 2)], messages: [message(FIRST, 20, { turn: 2 })] }));
    expect(turnNumbers(joined)).toEqual([2, 3]);
    expect(joined.complete).toBe(true);
    expect(joined.messages[3]).toBe(before.messages[3]);
  });
});

test('a span that ended is never replaced by its running form', () => {
  const ended = span('one', { endedAt: 5 });
  expect(mergeSpan([ended], span('one', { endedAt: null }))).toEqual([ended]);
  expect(mergeSpan([span('one', { endedAt: null })], ended)).toEqual([ended]);
  expect(mergeSpan(undefined, ended)).toEqual([ended]);
});
