/** The Traces and Context areas: rows, filters, zoom, aligned turns and why words are not seen. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../shared/trace.ts';
import { cachedShare, capViews } from '../../renderer/budget/caps.ts';
import { requestItems } from '../../renderer/trace/request-items.ts';
import { alignTurns, sentIn, sourceTurns } from '../../renderer/context/aligned-turns.ts';
import { leftOut } from '../../renderer/context/request-lines.ts';
import { messageState, syncWords } from '../../renderer/state/sync-words.ts';
import { syncFacts } from '../../renderer/sync/sync-facts.ts';
import { placeInWords } from '../../renderer/context/why-words.ts';
import { entriesByTurn, planInWords } from '../../renderer/turns/turn-parts.ts';
import { messagesByTurn } from '../../renderer/state/console-data.ts';
import { runRows, runsInWords } from '../../renderer/trace/run-rows.ts';
import { moveWindow, notePlace, throughWindow, timelineOf, WHOLE, zoomWindow } from '../../renderer/trace/timeline.ts';
import { entry, FIRST, message, plan, span } from './fakes/samples.ts';

function run(turn: number, change: Partial<RunSummary> = {}): RunSummary {
  return {
    id: `run-${turn}`,
    conversationId: FIRST,
    turn,
    question: `question ${turn}`,
    model: 'demo/scripted',
    startedAt: turn * 1000,
    endedAt: turn * 1000 + 500,
    state: 'answered',
    outcome: 'answered',
    steps: 1,
    toolCalls: 0,
    usage: null,
    costMicroUsd: null,
    error: null,
    ...change,
  };
}

describe('runs', () => {
  const runs = [
    run(1, { costMicroUsd: 100, toolCalls: 2 }),
    run(2, {
      state: 'failed',
      outcome: 'api-error',
      error: { code: 'model-overloaded', message: 'overloaded', retryable: true },
      endedAt: 3000,
    }),
    run(3, { costMicroUsd: 900, question: 'Ünïque' }),
    run(4, { state: 'running', outcome: null, endedAt: null }),
  ];
  test('newest first, with shares of the longest', () => {
    const rows = runRows(runs, 'all', '', 5000);
    expect(rows.map((row) => row.run.turn)).toEqual([4, 3, 2, 1]);
    expect(rows.every((row) => row.share >= 0 && row.share <= 1)).toBe(true);
    expect(rows[0]).toMatchObject({ running: true, words: 'running', durationMs: 1000, share: 1 });
    expect(rows[2]?.words).toBe('api error: overloaded');
  });
  test('filters and search', () => {
    expect(runRows(runs, 'problems', '', 0).map((row) => row.run.turn)).toEqual([2]);
    expect(runRows(runs, 'tools', '', 0).map((row) => row.run.turn)).toEqual([1]);
    expect(runRows(runs, 'costly', '', 0).map((row) => row.run.turn)).toEqual([3]);
    expect(runRows(runs, 'all', 'ünï', 0).map((row) => row.run.turn)).toEqual([3]);
    expect(runRows([], 'all', '', 0)).toEqual([]);
  });
  test('totals in words; money only where some is known', () => {
    expect(runsInWords(runs)).toBe('4 runs, 1 with a problem, 0.10 ¢');
    expect(runsInWords([run(1)])).toBe('1 run');
  });
});

describe('zoom', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  test('any zoom and move stays inside the run', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            factor: fc.double({ min: 0.1, max: 4, noNaN: true }),
            center: share,
            by: fc.double({ min: -2, max: 2, noNaN: true }),
          }),
          { maxLength: 12 },
        ),
        (steps) => {
          let window = WHOLE;
          for (const step of steps) window = moveWindow(zoomWindow(window, step.factor, step.center), step.by);
          expect(window.from).toBeGreaterThanOrEqual(0);
          expect(window.to).toBeLessThanOrEqual(1 + 1e-9);
          expect(window.to).toBeGreaterThan(window.from);
          const seen = throughWindow(
            timelineOf([span('run', { endedAt: 5000 }), span('late', { startedAt: 4000, endedAt: 4500 })], 0),
            window,
          );
          for (const bar of seen.rows.flatMap((row) => row.bars)) {
            expect(bar.from).toBeGreaterThanOrEqual(0);
            expect(bar.to).toBeLessThanOrEqual(1);
          }
          for (const tick of seen.ticks) expect(tick.at).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
  test('half of the run fills the width', () => {
    const timeline = timelineOf([span('run', { endedAt: 4000 }), span('late', { startedAt: 3000, endedAt: 3500 })], 0);
    const seen = throughWindow(timeline, { from: 0.5, to: 1 });
    expect(seen.rows[1]?.bars[0]).toMatchObject({ from: 0.5, to: 0.75 });
    expect(seen.ticks[0]?.label).toBe('2 s');
  });
  test('a note stands where there is room', () => {
    expect(notePlace([{ from: 0, to: 0.2, look: 'solid' }])).toEqual({ side: 'after', at: 0.2 });
    expect(notePlace([{ from: 0.8, to: 1, look: 'solid' }])).toEqual({ side: 'before', at: 0.8 });
    expect(notePlace([{ from: 0, to: 1, look: 'solid' }])).toBeNull();
    expect(notePlace([])).toBeNull();
  });
});

const stored = messagesByTurn([
  message(FIRST, 1, { content: 'Only a NEW box please' }),
  message(FIRST, 2, { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'get_order', arguments: { order_id: 1042 } }] }),
  message(FIRST, 3, { role: 'tool', toolCallId: 'c', toolName: 'get_order', content: '{"status":"shipped"}' }),
  message(FIRST, 4, { role: 'assistant', content: 'Noted.' }),
  message(FIRST, 5, { turn: 2, content: 'Thanks' }),
]);
const sent = plan({
  entries: [entry(1, { disposition: 'compacted', reason: 'older', characters: 60, setting: 'memory.recentTurns' })],
  messages: [
    { role: 'user', content: 'Only a NEW box please', turn: 1 },
    { role: 'assistant', content: 'Noted.', turn: 1 },
  ],
});

describe('stored beside sent', () => {
  test('what is not sent of a turn is marked, turn by turn', () => {
    const [first, second] = alignTurns(stored, sent);
    expect(first?.stored.map((line) => [line.who, line.lost])).toEqual([
      ['customer', false],
      ['tool', true],
      ['nimbus', false],
    ]);
    expect(first?.sent).toHaveLength(2);
    expect(first).toMatchObject({ storedCharacters: 165, sentCharacters: 60 });
    expect(second?.entry).toBeNull();
    expect(second?.stored[0]?.lost).toBe(false);
    expect(alignTurns({}, null)).toEqual([]);
  });

  test('a text sent shorter is known by what went in its place', () => {
    const shorter = { ...sent, messages: sent.messages.map((each) => (each.role === 'assistant' ? { ...each, content: 'Short.' } : each)) };
    const answer = alignTurns(stored, shorter)[0]?.stored.find(({ who }) => who === 'nimbus');
    expect(answer).toMatchObject({ lost: true, sentAs: 'Short.' });
  });

  test('a request that left: its own question is of its turn, notes are of none and name their sources', () => {
    const mark = { spanId: 's', turn: 2, runId: null, step: 1, model: '', promptVersion: null, sentAt: 0, sha256: '', bytes: 0 };
    const request = {
      mark: { ...mark, usage: null, costMicroUsd: null },
      messages: [
        { role: 'user' as const, content: 'earlier', kind: 'summary' as const },
        { role: 'user' as const, content: 'now' },
      ],
    };
    expect(sentIn(request, null).messages.map(({ turn }) => turn)).toEqual([undefined, 2]);
    const entries = [entry(1, { throughTurn: 3, disposition: 'summarised' }), entry(4)];
    expect(sourceTurns({ role: 'user', content: '', kind: 'summary' }, entries)).toEqual([1, 2, 3]);
    expect(sourceTurns({ role: 'user', content: '', kind: 'recalled', turns: [4] }, entries)).toEqual([4]);
    expect(sourceTurns({ role: 'user', content: '', kind: 'memory' }, entries)).toEqual([]);
  });

  test('where a text stands, in words', () => {
    expect(placeInWords({ where: 'history', turn: 3 })).toBe('Turn 3');
    expect(placeInWords({ where: 'prompt', turn: null })).toBe('System prompt');
    expect(placeInWords({ where: 'summary 2', turn: null })).toBe('Summary 2');
  });

  test('one entry that stands for many turns is found under each', () => {
    const far = plan({ entries: [entry(1, { throughTurn: 40, disposition: 'dropped', characters: 0, tokens: 0 }), entry(41)] });
    expect(entriesByTurn(far).get(17)?.disposition).toBe('dropped');
    expect(planInWords(far)).toBe('1 in full, 40 dropped');
    expect(leftOut(far)[0]).toMatchObject({ from: 1, to: 40 });
  });
});

describe('requests and caps', () => {
  test('a stored request as rows in wire order; any other value is left to the reader', () => {
    const items = requestItems({
      system: 'You are Nimbus.',
      tools: [{ name: 'get_order' }],
      messages: [
        { role: 'user', content: 'facts', kind: 'summary' },
        { role: 'user', content: 'hi', turn: 3 },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'get_order', arguments: { order_id: 1 } }], turn: 3 },
        { role: 'tool', toolName: 'get_order', content: '{"error":"not_found"}', turn: 3 },
      ],
    });
    expect(items?.map((item) => [item.number, item.label, item.text])).toEqual([
      [1, 'system', 'You are Nimbus.'],
      [2, '1 tools', 'get_order'],
      [3, 'summary', 'facts'],
      [4, 'user, turn 3', 'hi'],
      [5, 'assistant, turn 3', 'get_order({"order_id":1})'],
      [6, 'result, turn 3', 'get_order error: not_found'],
    ]);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const found = requestItems(value);
        expect(found === null || found.every((item) => item.number > 0)).toBe(true);
      }),
    );
    expect(requestItems('text')).toBeNull();
  });

  const totals = {
    calls: 2,
    unknownCalls: 0,
    inputTokens: 100,
    cacheReadTokens: 40,
    cacheWriteTokens: 0,
    outputTokens: 5,
    reasoningTokens: 0,
    costMicroUsd: 900,
    unpricedCalls: 0,
  };
  test('money against caps: quiet without either, loud at the cap, a dash without a price', () => {
    const free = { totals: { ...totals, costMicroUsd: 0, unpricedCalls: 2 }, capMicroUsd: null };
    expect(capViews({ turn: free, conversation: free, day: free, action: 'warn' })).toEqual([]);
    expect(capViews(null)).toEqual([]);
    const caps = capViews({ turn: null, conversation: { totals, capMicroUsd: 1000 }, day: { totals, capMicroUsd: 900 }, action: 'stop' });
    expect(caps).toMatchObject([
      { name: 'Conversation', spent: '0.09 ¢', of: 'of 0.10 ¢', level: 'close', percent: '90 %' },
      { name: 'Today', level: 'full', share: 1 },
    ]);
    const unpriced = { totals: { ...totals, costMicroUsd: 0, unpricedCalls: 2 }, capMicroUsd: 5 };
    expect(capViews({ turn: unpriced, conversation: null, day: unpriced, action: 'warn' })[0]).toMatchObject({ spent: '–', unknown: 2 });
    expect(
      cachedShare({ turn: null, conversation: { totals, capMicroUsd: null }, day: { totals, capMicroUsd: null }, action: 'warn' }),
    ).toBe(0.4);
    expect(cachedShare(null)).toBeNull();
  });
});

const SYNC = {
  state: 'online' as const,
  waiting: 0,
  parked: 0,
  lastSyncedAt: 1,
  lastContactAt: 1,
  reason: '',
  hasCache: true,
  clockSkewMs: 0,
};

test('the badge says online or offline, what waits and what is parked', () => {
  expect(syncWords(SYNC)).toEqual({ text: 'Online, synced', calm: true });
  expect(syncWords({ ...SYNC, waiting: 3 })).toEqual({ text: 'Online, 3 waiting', calm: true });
  expect(syncWords({ ...SYNC, state: 'offline', reason: 'MySQL does not answer' })).toEqual({ text: 'Offline', calm: false });
  expect(syncWords({ ...SYNC, state: 'offline', waiting: 2, parked: 1 })).toEqual({ text: 'Offline, 2 waiting, 1 parked', calm: false });
  expect(syncWords({ ...SYNC, parked: 1 })).toEqual({ text: 'Online, 1 parked', calm: false });
  expect(syncWords({ ...SYNC, state: 'read-only', waiting: 1 })).toEqual({ text: 'Read-only, 1 waiting', calm: false });
  expect(syncWords({ ...SYNC, state: 'offline', hasCache: false })).toEqual({ text: 'Offline, nothing can be saved', calm: false });
  expect(syncWords({ ...SYNC, clockSkewMs: 400_000 })).toEqual({ text: 'Online, synced', calm: false });
});

test('a message is Saved or Synced in exactly these meanings', () => {
  expect(messageState(false, 'sqlite')).toBe('saved');
  expect(messageState(true, 'mysql+cache')).toBe('saved');
  expect(messageState(false, 'mysql+cache')).toBe('synced');
  expect(messageState(false, 'mysql')).toBe('synced');
  expect(messageState(false, 'memory')).toBeNull();
});

test('the page about sync says since when, what waits, and that a wrong clock harms nothing', () => {
  const now = Date.UTC(2026, 10, 30, 12, 0, 0);
  const facts = (change: object) => Object.fromEntries(syncFacts({ ...SYNC, ...change }, now).map((fact) => [fact.name, fact.value]));
  expect(facts({ lastContactAt: now - 900, lastSyncedAt: now - 60_000 })).toEqual({
    State: 'Online. The shared database answers.',
    Waiting: 'Nothing waits',
    'Last contact': 'now',
    'Everything synced': 'now',
    Clock: 'agrees with the shared database',
  });
  const away = facts({ state: 'offline', reason: 'Gone.', waiting: 1, lastContactAt: now - 60_000, lastSyncedAt: null, clockSkewMs: null });
  expect(away['State']).toMatch(/^Offline since \d\d:\d\d:\d\d\. Gone\.$/);
  expect(away['Waiting']).toBe('1 change is Saved and not yet Synced');
  expect(away['Everything synced']).toBe('not since the start');
  expect(away['Clock']).toBe('not compared yet');
  expect(facts({ state: 'offline', lastContactAt: null })['State']).toBe('Offline since the start.');
  expect(facts({ clockSkewMs: -6 * 60_000 })['Clock']).toMatch(/^6 minutes behind .*order and sync are not affected/);
  expect(facts({ hasCache: false })).not.toHaveProperty('Everything synced');
});
