/** Strategy `summary`: what it sends, what it summarises, and what every failure leaves behind. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factSurvival, withLostFacts } from '../../../electron/engine/memory/fact-survival.ts';
import { runMemoryWork, type Summariser, type SummaryReply } from '../../../electron/engine/memory/summarise.ts';
import { readSummaryState, rollBack, type SummaryState } from '../../../electron/engine/memory/summary-state.ts';
import { summary, summaryWork } from '../../../electron/engine/memory/summary.ts';
import type { Clock } from '../../../electron/engine/ports.ts';
import { checkHistory } from '../../../electron/models/history-rules.ts';
import {
  assistant,
  calls,
  historyArbitrary,
  inputFor,
  loadAndPlan,
  pin,
  readerOf,
  result,
  settingsWith,
  START,
  storedTurns,
  user,
} from './histories.ts';
import { scriptEstimator } from '../../../electron/engine/memory/estimate.ts';

const small = { 'memory.maxHistoryTokens': 120, 'memory.recentMessagesMin': 4 };

const session = Array.from({ length: 8 }, (_, index) => [
  user(`Question ${index + 1}: what about order ${1040 + index}?`),
  calls([`c${index}`, 'get_order', { order_id: 1040 + index }]),
  result(`c${index}`, 'get_order', { order_id: 1040 + index, payment_id: `pay_77${index}00` }),
  assistant(`Order ${1040 + index} was shipped and costs €${20 + index}.00, thank you for waiting so patiently.`),
]);

function clock(): Clock & { fire: () => void } {
  const timers = new Set<() => void>();
  return {
    now: () => START,
    sleep: () => Promise.resolve(),
    after: (_ms, callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
    fire: () => {
      for (const timer of timers) timer();
    },
  };
}

const replying = (reply: Partial<SummaryReply>): Summariser => ({
  summarise: () => Promise.resolve({ text: 'Orders were asked for.', complete: true, model: 'cheap/one', ...reply }),
});

describe('summary', () => {
  test('[MEM-17] under the budget everything goes through, without calls and results', () => {
    const outcome = summary.plan(inputFor(storedTurns(session)));
    expect(outcome.plan.messages.map((message) => message.role)).toEqual(session.flatMap(() => ['user', 'assistant']));
    expect(outcome.plan.messages.every((message) => message.toolCalls === undefined)).toBe(true);
    expect(outcome.work).toBeUndefined();
  });

  test('[MEM-8] a turn without its calls is not called full, and every entry says why nothing was folded', () => {
    const mixed = storedTurns([...session.slice(0, 2), [user('Thanks!'), assistant('You are welcome.')]]);
    const { entries } = summary.plan(inputFor(mixed)).plan;
    expect(entries.map((entry) => entry.disposition)).toEqual(['compacted', 'compacted', 'full']);
    expect(entries[0]?.reason).toMatch(/^without the calls and results of its tools; \d+ of 6000 tokens are taken, so nothing is folded/u);
    expect(entries[2]?.reason).toMatch(/^\d+ of 6000 tokens are taken, so nothing is folded into a summary$/u);
    const over = summary.plan(inputFor(storedTurns(session), small)).plan.entries;
    expect(over.at(-1)?.reason).toContain('of 120 tokens are taken, so turns up to 6 are folded into a summary after the next answer');
    const newest = summary.plan(inputFor(storedTurns(session), { ...small, 'memory.recentMessagesMin': 100 })).plan.entries;
    expect(newest[0]?.reason).toContain('one of the newest messages, which are never summarised');
  });

  test('[MEM-18] the newest messages are never summarised, and turns stay whole', () => {
    const outcome = summary.plan(inputFor(storedTurns(session), small));
    expect(outcome.work?.throughTurn).toBe(6);
    const odd = summary.plan(inputFor(storedTurns(session), { ...small, 'memory.recentMessagesMin': 3 }));
    expect(odd.work?.throughTurn).toBe(6);
    const all = summary.plan(inputFor(storedTurns(session), { ...small, 'memory.recentMessagesMin': 100 }));
    expect(all.work).toBeUndefined();
    expect(all.plan.notices.join(' ')).toContain('never summarised');
  });

  test('[MEM-19] afterwards the summary stands first, as data of the user role, and only what is new is folded in', async () => {
    const turns = storedTurns(session);
    const first = summary.plan(inputFor(turns.slice(0, 6), small));
    const done = await runMemoryWork(first, replying({}), { clock: clock(), timeoutMs: 1000 });
    expect(done.kind).toBe('summarised');
    const state = done.kind === 'summarised' ? done.state : null;
    const next = summary.plan(inputFor(turns, small, { state }));
    expect(next.plan.messages[0]).toMatchObject({ role: 'user', kind: 'summary', trust: 'untrusted' });
    expect(next.plan.entries.slice(0, 4).map((entry) => entry.disposition)).toEqual([
      'summarised',
      'summarised',
      'summarised',
      'summarised',
    ]);
    expect(next.plan.entries[0]?.reason).toBe('inside summary 1');
    expect(next.work?.pieces.join('')).not.toContain('Question 4');
    expect(next.work?.pieces.join('')).toContain('Question 5');
    expect(next.work?.previous).toContain('Orders were asked for.');
  });

  const failures: [string, Summariser][] = [
    ['throws', { summarise: () => Promise.reject(new Error('no route to host')) }],
    [
      'throws at once',
      {
        summarise: () => {
          throw new Error('bug');
        },
      },
    ],
    ['answers nothing', replying({ text: '  \n' })],
    ['answers an error text', replying({ text: 'Error 503: overloaded' })],
    ['answers an apology', replying({ text: 'I’m sorry, but I can’t help with that.' })],
    ['stops mid-stream', replying({ text: 'The customer asked', complete: false })],
    ['invents an order', replying({ text: 'The customer asked about order 99887.' })],
    ['rambles', replying({ text: 'word '.repeat(5000) })],
  ];
  test.each(failures)('[MEM-20] a summariser that %s changes nothing', async (_name, summariser) => {
    const outcome = summary.plan(inputFor(storedTurns(session), small));
    const done = await runMemoryWork(outcome, summariser, { clock: clock(), timeoutMs: 1000 });
    expect(done).toMatchObject({ kind: 'kept' });
    expect(outcome.plan.messages).toHaveLength(16);
  });

  test('[MEM-20] a summariser that never answers is stopped after the limit', async () => {
    const time = clock();
    let aborted = false;
    const silent: Summariser = {
      summarise: (_request, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
        }),
    };
    const running = runMemoryWork(summary.plan(inputFor(storedTurns(session), small)), silent, { clock: time, timeoutMs: 1000 });
    await Promise.resolve();
    time.fire();
    expect(await running).toMatchObject({ kind: 'kept', reason: 'summarising failed: no summary within 1000 ms' });
    expect(aborted).toBe(true);
  });

  test('[MEM-20] a version made meanwhile wins', async () => {
    const outcome = summary.plan(inputFor(storedTurns(session), small));
    const first = await runMemoryWork(outcome, replying({}), { clock: clock(), timeoutMs: 1000 });
    const state = first.kind === 'summarised' ? first.state : null;
    const second = await runMemoryWork(outcome, replying({}), {
      clock: clock(),
      timeoutMs: 1000,
      latestState: () => Promise.resolve(state),
    });
    expect(second).toMatchObject({ kind: 'kept', reason: 'the summary was changed meanwhile' });
  });

  test('[MEM-21] lost identifiers, amounts and promises are added, and repeated text is folded piece by piece', async () => {
    const outcome = summary.plan(inputFor(storedTurns(session), small));
    const done = await runMemoryWork(outcome, replying({}), { clock: clock(), timeoutMs: 1000 });
    const text = done.kind === 'summarised' ? (done.state.versions[0]?.text ?? '') : '';
    for (const order of ['1040', '1041', '1042', '1043', '1044', '1045']) expect(text).toContain(order);
    const report = factSurvival(
      'Customer: mail jo@mail.example\nNimbus: We will send the parcel INV-2026-12 by Friday. Bye.',
      'Nothing of note.',
    );
    expect(report).toMatchObject({ missing: ['jo@mail.example', 'INV-2026-12'], invented: [] });
    expect(withLostFacts('Nothing of note.', report)).toContain('Promised: We will send the parcel INV-2026-12 by Friday.');
  });

  test('[MEM-22] versions are kept with their watermarks, and an older one can be used again', async () => {
    const turns = storedTurns(session);
    let state: SummaryState | null = null;
    for (const count of [5, 8]) {
      const done = await runMemoryWork(summary.plan(inputFor(turns.slice(0, count), small, { state })), replying({}), {
        clock: clock(),
        timeoutMs: 1000,
      });
      if (done.kind === 'summarised') state = done.state;
    }
    expect(readSummaryState(state).versions.map((version) => [version.version, version.throughTurn, version.basedOn])).toEqual([
      [1, 3, null],
      [2, 6, 1],
    ]);
    const back = summary.plan(inputFor(turns, small, { state: rollBack(readSummaryState(state), 1) }));
    expect(back.plan.entries.map((entry) => entry.disposition === 'summarised')).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(rollBack(readSummaryState(state), 99).current).toBe(2);
  });

  test('[MEM-22] "compact now" takes a focus and works under the budget, too', () => {
    expect(summaryWork(inputFor(storedTurns(session)), 'the refund')).toMatchObject({ throughTurn: 6, focus: 'the refund' });
    expect(summaryWork(inputFor(storedTurns(session.slice(0, 2))))).toBeNull();
  });

  test('[MEM-5] a pinned turn behind the watermark is sent whole', async () => {
    const turns = pin(storedTurns(session), 2);
    const done = await runMemoryWork(summary.plan(inputFor(turns, { ...small, 'memory.maxHistoryTokens': 200 })), replying({}), {
      clock: clock(),
      timeoutMs: 1000,
    });
    const state = done.kind === 'summarised' ? done.state : null;
    const { plan } = await loadAndPlan(summary, turns, { state }, { ...small, 'memory.maxHistoryTokens': 200 });
    expect(plan.messages.filter((message) => message.turn === 2)).toHaveLength(4);
    expect(plan.entries[1]).toMatchObject({ disposition: 'full', pinned: true });
  });

  test('[MEM-6] reads back to the watermark only', async () => {
    const turns = storedTurns(session);
    const done = await runMemoryWork(summary.plan(inputFor(turns, small)), replying({}), { clock: clock(), timeoutMs: 1000 });
    const { reader, taken } = readerOf(turns);
    const loaded = await summary.load(reader, done.kind === 'summarised' ? done.state : null, settingsWith(small), scriptEstimator);
    expect(loaded.map((turn) => turn.turn)).toEqual([7, 8]);
    expect(taken()).toBe(3);
  });

  test('[MEM-7] a canned answer is no fact for the summariser', () => {
    const turns = storedTurns([[user('Where is 1042?'), assistant('Sorry, I am having trouble with 55555.', 'failed')], ...session]);
    const work = summaryWork(inputFor(turns, small));
    expect(work?.pieces.join('\n')).toContain('(no answer: a failure on our side)');
    expect(work?.pieces.join('\n')).not.toContain('55555');
  });

  test('[MEM-1] [MEM-4] any history, any state: valid contexts, before and after summarising', async () => {
    await fc.assert(
      fc.asyncProperty(
        historyArbitrary({ faults: true }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 8 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 2 }),
        async (history, budget, least, pins) => {
          const values = { 'memory.maxHistoryTokens': budget, 'memory.recentMessagesMin': least };
          const turns = pin(storedTurns(history), ...pins);
          const before = JSON.stringify(turns);
          const first = await loadAndPlan(summary, turns, {}, values);
          const done = await runMemoryWork(first, replying({ text: 'x' }), { clock: clock(), timeoutMs: 1000 });
          const state = done.kind === 'summarised' ? (JSON.parse(JSON.stringify(done.state)) as unknown) : null;
          const second = await loadAndPlan(summary, turns, { state }, values);
          for (const { plan } of [first, second]) {
            expect(checkHistory([...plan.messages, user('And now?')])).toEqual([]);
            expect(plan.entries).toHaveLength(turns.length);
          }
          expect(JSON.stringify(turns)).toBe(before);
        },
      ),
      { numRuns: 120 },
    );
  });
});
