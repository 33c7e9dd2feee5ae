/** Strategy `recent-turns`: against the tutorial's algorithm, and the shared rules. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forecastRequest } from '../../../electron/engine/memory/forecast.ts';
import { scriptEstimator } from '../../../electron/engine/memory/estimate.ts';
import { flatChars } from '../../../electron/engine/memory/php-measure.ts';
import { memoryStrategy } from '../../../electron/engine/memory/strategies.ts';
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
  storedTurns,
  user,
} from './histories.ts';
import { strlenJsonEncode, tutorialContext, tutorialShape } from './tutorial.ts';

const strategy = memoryStrategy('recent-turns');

const refundSession = [
  [
    user('Can I get a refund for order #1043?'),
    calls(['c1', 'check_refund_eligibility', { order_id: 1043 }]),
    result('c1', 'check_refund_eligibility', {
      order_id: 1043,
      days_since_purchase: 20,
      eligible: false,
      reason: 'outside the 14-day window',
    }),
    assistant('Sorry, order #1043 was purchased 20 days ago, and refunds are only possible within 14 days.'),
  ],
  [
    user('OK. What about my other order, 1042?'),
    calls(['c2', 'check_refund_eligibility', { order_id: 1042 }]),
    result('c2', 'check_refund_eligibility', {
      order_id: 1042,
      days_since_purchase: 3,
      eligible: true,
      reason: 'within the window (11 days left)',
    }),
    assistant('Good news: order #1042 is eligible for a refund. Would you like me to open a refund request for it?'),
  ],
  [
    user('Yes please.'),
    calls(['c3', 'create_support_ticket', { category: 'refund', order_id: 1042 }]),
    result('c3', 'create_support_ticket', { created: true, ticket_id: 5001, status: 'open' }),
    assistant('Done! I’ve opened ticket #5001 for your refund on order #1042.'),
  ],
];

const longSession = (turns: number) =>
  Array.from({ length: turns }, (_, index) => [
    user(`Question ${index + 1} about order ${1000 + index}`),
    assistant(`Answer ${index + 1}. `.repeat(20)),
  ]);

describe('recent-turns', () => {
  test('[MEM-11] the refund session loads 0, 4 and 8 earlier messages, and 2 + two full turns come next', () => {
    const counts = [0, 1, 2, 3].map((turns) => strategy.plan(inputFor(storedTurns(refundSession.slice(0, turns)))).plan);
    expect(counts.map((plan) => plan.messages.length)).toEqual([0, 4, 8, 10]);
    expect(counts[0]?.characters).toBe(2);
    expect(counts[3]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(counts[3]?.entries.map((entry) => entry.disposition)).toEqual(['compacted', 'full', 'full']);
    expect(counts[3]?.characters).toBe(flatChars(counts[3]?.messages ?? []));
  });

  test('[MEM-11] [MEM-12] [MEM-13] [MEM-15] cuts where the tutorial cuts, for any history and any settings', async () => {
    await fc.assert(
      fc.asyncProperty(
        historyArbitrary({ faults: false }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 2, max: 6000 }),
        async (history, recent, budget) => {
          const expected = tutorialContext(history.flat().map(tutorialShape), recent, budget);
          const { plan } = await loadAndPlan(
            strategy,
            storedTurns(history),
            {},
            { 'memory.recentTurns': recent, 'memory.maxChars': budget },
          );
          const wellFormed = JSON.parse(JSON.stringify(expected).toWellFormed()) as typeof expected;
          expect(plan.messages.map(tutorialShape).map(withoutUndefined)).toEqual(wellFormed.map(withoutUndefined));
          expect(plan.characters).toBe(strlenJsonEncode(plan.messages.map(tutorialShape)));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('[MEM-1] [MEM-4] any history with parallel calls, failures and interruptions gives a valid context', async () => {
    await fc.assert(
      fc.asyncProperty(
        historyArbitrary({ faults: true }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 2, max: 5000 }),
        fc.constantFrom('php-chars' as const, 'tokens' as const),
        fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 3 }),
        async (history, recent, budget, measure, pins) => {
          const values = {
            'memory.recentTurns': recent,
            'memory.maxChars': budget,
            'memory.historyTokens': budget,
            'memory.measure': measure,
          };
          const turns = pin(storedTurns(history), ...pins);
          const before = JSON.stringify(turns);
          const { plan } = await loadAndPlan(strategy, turns, {}, values);
          expect(checkHistory([...plan.messages, user('And now?')])).toEqual([]);
          expect(plan.entries.map((entry) => entry.turn)).toEqual(turns.map((turn) => turn.turn));
          const sent = new Set(plan.messages.map((message) => message.turn));
          for (const entry of plan.entries) {
            expect(entry.disposition === 'dropped').toBe(!sent.has(entry.turn));
            expect(entry.characters > 0 && entry.tokens > 0).toBe(sent.has(entry.turn));
            expect(entry.reason).not.toBe('');
          }
          for (const message of plan.messages) expect(message.content.isWellFormed()).toBe(true);
          expect(JSON.stringify(turns)).toBe(before);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('[MEM-1] a call whose result was lost gets one that says so; a result without a call is not sent', () => {
    const turns = storedTurns([
      [user('Hi'), calls(['a', 'one', {}], ['b', 'two', {}]), result('b', 'two', { ok: 1 }), result('x', 'three', {})],
    ]);
    const { plan } = strategy.plan(inputFor(turns));
    expect(plan.messages.filter((message) => message.role === 'tool').map((message) => [message.toolCallId, message.state])).toEqual([
      ['b', undefined],
      ['a', 'synthetic'],
    ]);
  });

  test('[MEM-4] what lies before the first customer message is not sent', () => {
    const [turn] = storedTurns([[assistant('Welcome!'), user('Hi'), assistant('Hello.')]]);
    const { plan } = strategy.plan(inputFor(turn === undefined ? [] : [turn]));
    expect(plan.messages.map((message) => message.content)).toEqual(['Hi', 'Hello.']);
  });

  test('[MEM-5] a pinned turn stays in full while others are dropped', async () => {
    const turns = pin(storedTurns([...refundSession, ...longSession(30)]), 2);
    const { plan } = await loadAndPlan(strategy, turns, {}, { 'memory.maxChars': 4000 });
    const pinned = plan.entries[1];
    expect(pinned).toMatchObject({ turn: 2, disposition: 'full', pinned: true });
    expect(plan.messages.filter((message) => message.turn === 2)).toHaveLength(4);
    expect(plan.entries[0]?.disposition).toBe('dropped');
    expect(plan.budgetUsed).toBeLessThanOrEqual(4000);
  });

  test('[MEM-5] a pinned turn that cannot fit is treated like any turn, and the plan says so', async () => {
    const turns = pin(storedTurns([[user('Long'), assistant('x'.repeat(9000))], ...longSession(5)]), 1);
    const { plan } = await loadAndPlan(strategy, turns, {}, { 'memory.maxChars': 4000 });
    expect(plan.entries[0]?.disposition).toBe('dropped');
    expect(plan.notices.join(' ')).toContain('Turn 1 is pinned but does not fit');
  });

  test('[MEM-6] reads only the turns the budget can hold', async () => {
    const { reader, taken } = readerOf(storedTurns(longSession(2000)));
    const loaded = await strategy.load(reader, null, settingsWith({}), scriptEstimator);
    expect(loaded.length).toBeLessThan(60);
    expect(taken()).toBe(loaded.length + 1);
    expect(loaded.at(-1)?.turn).toBe(2000);
  });

  test('[MEM-7] [MEM-16] an older failed turn is sent as question and canned answer, marked', () => {
    const turns = storedTurns([[user('Where is 1042?'), assistant('Sorry, I am having trouble right now.', 'failed')], ...longSession(3)]);
    const { plan } = strategy.plan(inputFor(turns));
    expect(plan.messages[1]).toMatchObject({ role: 'assistant', state: 'failed', turn: 1 });
    expect(plan.entries[0]?.reason).toContain('our own text after a failure');
  });

  test('[MEM-8] [MEM-14] a dropped turn names the budget and the setting that did it', async () => {
    const { plan } = await loadAndPlan(strategy, storedTurns(longSession(100)), {}, { 'memory.maxChars': 3000 });
    expect(plan.entries[0]).toMatchObject({ disposition: 'dropped', setting: 'memory.maxChars', characters: 0, tokens: 0 });
    expect(plan.entries[0]?.reason).toContain('3000 characters');
    const byTokens = await loadAndPlan(
      strategy,
      storedTurns(longSession(100)),
      {},
      { 'memory.measure': 'tokens', 'memory.historyTokens': 500 },
    );
    expect(byTokens.plan.budgetUnit).toBe('tokens');
    expect(byTokens.plan.budgetUsed).toBeLessThanOrEqual(500);
    expect(byTokens.plan.entries[0]).toMatchObject({ setting: 'memory.historyTokens' });
  });

  test('[MEM-12] the newest turn is sent even when it alone is over the budget, and the plan says so', () => {
    const { plan } = strategy.plan(inputFor(storedTurns(refundSession), { 'memory.maxChars': 10 }));
    expect(plan.messages.map((message) => message.turn)).toEqual([3, 3, 3, 3]);
    expect(plan.notices.join(' ')).toContain('newest turn alone');
  });
});

describe('forecast', () => {
  test('[MEM-8] the parts stand in wire order and add up to the total', () => {
    const { plan } = strategy.plan(inputFor(pin(storedTurns([...refundSession, ...longSession(2)]), 1)));
    const forecast = forecastRequest({
      plan,
      system: 'You are Nimbus.',
      tools: [{ name: 'get_order', description: 'One order', parameters: { type: 'object' }, effect: 'read' }],
      current: [user('And now?')],
      model: 'demo',
      windowTokens: 8000,
      promptVersion: '1',
      reserveTokens: 500,
      estimator: scriptEstimator,
      settings: settingsWith({}),
    });
    expect(forecast.parts.map((part) => part.part)).toEqual([
      'system',
      'tools',
      'pinned',
      'compacted',
      'full',
      'current',
      'reserve',
      'free',
    ]);
    const sum = forecast.parts.reduce((total, part) => total + part.tokens, 0);
    expect(sum).toBe(8000);
    expect(forecast.totalTokens).toBe(7500 - (forecast.parts.at(-1)?.tokens ?? 0));
  });
});

function withoutUndefined(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
