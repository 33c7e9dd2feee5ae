/** A turn that waits for an approval, under every strategy, in budgets that are far too small for it. */
import { describe, expect, test } from 'vitest';
import { recentTurns } from '../../../electron/engine/memory/recent-turns.ts';
import { stable } from '../../../electron/engine/memory/stable.ts';
import { summary } from '../../../electron/engine/memory/summary.ts';
import { checkHistory } from '../../../electron/models/history-rules.ts';
import type { StoredTurn } from '../../../shared/conversation.ts';
import { assistant, calls, inputFor, result, storedTurns, user } from './histories.ts';

const LONG = 'parcel refund order address '.repeat(20);
const asked = [
  user('Please refund order 1043'),
  assistant(LONG),
  calls(['c1', 'get_order', { order_id: 1043 }]),
  result('c1', 'get_order', { order_id: 1043, payment_id: 'pay_771043' }),
  assistant('May I refund 129.00 EUR?'),
];

function withWaiting(earlier: number): StoredTurn[] {
  const turns = storedTurns([...Array.from({ length: earlier }, (_, index) => [user(`Question ${index}`), assistant(LONG)]), asked]);
  return turns.map((turn) => (turn.turn === earlier + 1 ? { ...turn, state: 'waiting-approval', outcome: null } : turn));
}

const tight = { 'memory.historyTokens': 200, 'memory.maxHistoryTokens': 60, 'memory.maxChars': 300, 'memory.recentMessagesMin': 1 };

describe('[MEM-31] a turn that waits for an approval', () => {
  test.each([
    ['recent-turns', recentTurns],
    ['summary', summary],
    ['stable', stable],
  ] as const)('%s sends it in full, whatever the budget', (_name, strategy) => {
    for (const earlier of [0, 1, 6]) {
      const turns = withWaiting(earlier);
      const { plan, state, ...rest } = strategy.plan(inputFor(turns, tight));
      const own = plan.messages.filter((message) => message.turn === earlier + 1 && message.kind === undefined);
      expect(own.map((message) => message.content)).toEqual(turns.at(-1)?.messages.map((message) => message.content));
      expect(plan.entries.at(-1)?.disposition).toBe('full');
      expect(checkHistory(plan.messages)).toEqual([]);
      expect(JSON.stringify(state ?? null)).not.toContain('pay_771043');
      if (rest.work !== undefined) expect(rest.work.throughTurn).toBeLessThanOrEqual(earlier);
    }
  });

  test('once it has ended it is shortened like any turn', () => {
    const ended = withWaiting(6).map((turn): StoredTurn => ({ ...turn, state: 'answered', outcome: 'answered' }));
    const more = storedTurns([...ended.map((turn) => turn.messages), [user('Thanks'), assistant(LONG)]]);
    expect(stable.plan(inputFor(more, tight)).plan.entries.find((entry) => entry.turn === 7)?.disposition).not.toBe('full');
  });
});
