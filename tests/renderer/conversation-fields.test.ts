// What typed texts mean in the Customer tab, whether anything is masked, and what tenants used. Pure.
import { expect, test } from 'vitest';
import { axisText, axisValue, filledValue, maskingOf, ownKeys, ownText, ownValue } from '../../renderer/customer/conversation-fields.ts';
import { startOf, tenantRows } from '../../renderer/settings/tenant-rows.ts';
import { formatMoney } from '../../renderer/ui/format.ts';
import type { UsageTotals } from '../../shared/usage.ts';

test('each strategy has the budgets that do something under it, and the caps', () => {
  expect(ownKeys('stable')).toEqual(['memory.historyTokens', 'budget.turnMicroUsd', 'budget.conversationMicroUsd']);
  expect(ownKeys('summary')).toContain('memory.recentMessagesMin');
  expect(ownKeys('recent-turns')).not.toContain('memory.historyTokens');
});

test('money is typed in dollars; an empty field takes the own value back; wrong ones say what to do', () => {
  expect(ownValue('budget.turnMicroUsd', '0,50')).toEqual({ ok: true, value: 500_000 });
  expect(ownText('budget.turnMicroUsd', 500_000)).toBe('0.50');
  expect(ownValue('budget.turnMicroUsd', 'much')).toEqual({ ok: false, wrong: 'amount' });
  expect(ownValue('memory.historyTokens', ' 800 ')).toEqual({ ok: true, value: 800 });
  expect(ownValue('memory.historyTokens', '  ')).toEqual({ ok: true, value: null });
  for (const text of ['-1', '1.5', 'none', '1e3']) expect(ownValue('memory.historyTokens', text)).toEqual({ ok: false, wrong: 'number' });
});

test('an axis is TYPE:ID, split at the first colon, or nobody', () => {
  expect(axisValue('order:10:43')).toEqual({ ok: true, value: { type: 'order', id: '10:43' } });
  expect(axisText({ type: 'order', id: '10:43' })).toBe('order:10:43');
  expect(axisValue('  ')).toEqual({ ok: true, value: null });
  expect(axisText(null)).toBe('');
  for (const text of ['order', ':1', 'order:']) expect(axisValue(text)).toEqual({ ok: false, wrong: 'reference' });
  expect(filledValue(' \t')).toEqual({ ok: false, wrong: 'empty' });
});

test('personal data is masked only while both switches are on; a switch never touched here is on', () => {
  expect(maskingOf({}, { 'privacy.redact': true })).toBe('masked');
  expect(maskingOf({ redact: false }, { 'privacy.redact': true })).toBe('conversation-off');
  expect(maskingOf({ redact: true }, { 'privacy.redact': false })).toBe('application-off');
  expect(maskingOf({ redact: false }, { 'privacy.redact': false })).toBe('both-off');
});

const totals = (part: Partial<UsageTotals>): UsageTotals => ({
  calls: 1,
  unknownCalls: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  costMicroUsd: 0,
  unpricedCalls: 0,
  ...part,
});

test('tenants are listed dearest first; unknown is null, never 0; without money there is no share', () => {
  const rows = tenantRows([
    { tenant: 'silent', totals: totals({ calls: 0 }) },
    { tenant: 'dark', totals: totals({ calls: 2, unknownCalls: 2, unpricedCalls: 2 }) },
    { tenant: 'small', totals: totals({ inputTokens: 5, costMicroUsd: 250 }) },
    { tenant: 'large', totals: totals({ calls: 3, unpricedCalls: 1, inputTokens: 9, costMicroUsd: 750 }) },
  ]);
  expect(rows.map(({ tenant, share, leftOut }) => [tenant, share, leftOut])).toEqual([
    ['large', 0.75, 1],
    ['small', 0.25, 0],
    ['dark', null, 2],
  ]);
  expect(rows[2]).toMatchObject({ inputTokens: null, outputTokens: null, costMicroUsd: null });
  expect(tenantRows([{ tenant: 'free', totals: totals({}) }])[0]).toMatchObject({ costMicroUsd: 0, share: null });
  expect(tenantRows([])).toEqual([]);
});

test('a period is whole UTC days with today in it', () => {
  const now = Date.UTC(2025, 4, 20, 13);
  expect(startOf('today', now)).toBe(Date.UTC(2025, 4, 20));
  expect(startOf('week', now)).toBe(Date.UTC(2025, 4, 14));
  expect(startOf('all', now)).toBeUndefined();
});

test('money follows its currency, also one the platform does not know', () => {
  expect(formatMoney(6490, 'EUR')).toBe('€64.90');
  expect(formatMoney(500, 'JPY')).toMatch(/500$/u);
  expect(formatMoney(150, 'no code')).toBe('1.50 no code');
});
