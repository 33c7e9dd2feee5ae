import { expect, test } from 'vitest';
import { clockNotice, StatusBoard } from '../../electron/storage/sync/status-board.ts';
import type { StoreChange } from '../../electron/engine/ports.ts';
import { isClockWrong } from '../../shared/sync.ts';

const MINUTE_MS = 60_000;

function boardWith(): { board: StatusBoard; told: StoreChange[] } {
  const told: StoreChange[] = [];
  const board = new StatusBoard({ hasCache: true, waiting: () => 0, readOnlyReason: () => null });
  board.subscribe((change) => told.push(change));
  board.wentOnline();
  board.tellStatus();
  told.length = 0;
  return { board, told };
}

test('rule 13: a clock that is more than five minutes off is told once, in plain words, and is in the status', () => {
  const { board, told } = boardWith();
  expect(board.status().clockSkewMs).toBeNull();
  board.measuredClock(5 * MINUTE_MS);
  expect(told).toEqual([]);
  board.measuredClock(5 * MINUTE_MS + 1);
  board.measuredClock(6 * MINUTE_MS);
  expect(told).toMatchObject([
    { type: 'sync-notice', level: 'warning', message: expect.stringMatching(/5 minutes ahead of.*Nothing is lost/) },
    { type: 'sync', status: { state: 'online', clockSkewMs: 5 * MINUTE_MS + 1 } },
  ]);
  expect(isClockWrong(board.status())).toBe(true);
});

test('rule 13: a clock that was set right and goes wrong again is told again', () => {
  const { board, told } = boardWith();
  for (const skew of [-48 * 60 * MINUTE_MS, 12, -48 * 60 * MINUTE_MS]) board.measuredClock(skew);
  expect(told.map((change) => change.type)).toEqual(['sync-notice', 'sync', 'sync', 'sync-notice', 'sync']);
  expect(told[0]).toMatchObject({ message: expect.stringContaining('2 days behind the shared database') });
});

test.each([
  [5.2 * MINUTE_MS, '5 minutes ahead of'],
  [-80 * MINUTE_MS, '80 minutes behind'],
  [-119 * MINUTE_MS, '2 hours behind'],
  [3 * 60 * MINUTE_MS, '3 hours ahead of'],
  [49 * 60 * MINUTE_MS, '2 days ahead of'],
])('rule 13: %i ms are told as "%s"', (skew, words) => {
  expect(clockNotice(skew)).toContain(words);
});

test('a status is told when it is another one, and not because the clock drifts', () => {
  const { board, told } = boardWith();
  board.measuredClock(40);
  board.tellStatus();
  expect(told).toEqual([]);
  board.refuses('The server takes no changes.');
  board.tellStatus();
  board.takesChanges();
  board.tellStatus();
  board.wentOffline('gone');
  expect(told.map((change) => (change.type === 'sync' ? change.status.state : ''))).toEqual(['read-only', 'online', 'offline']);
});
