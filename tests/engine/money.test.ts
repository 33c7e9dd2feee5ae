import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUDGET_HANDOFF_TEXT, CANNED_TEXT } from '../../electron/engine/agent/turn-messages.ts';
import { forecastCost } from '../../electron/engine/money/cost-forecast.ts';
import { costOf } from '../../electron/engine/money/pricing.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import type { Settings } from '../../shared/settings.ts';
import { defaultSettings, parseSetting } from '../../shared/settings.ts';
import type { UsageTotals } from '../../shared/usage.ts';
import { answer, call, calls, end } from '../fakes/scripted-model.ts';
import { brief } from './engine-fixture.ts';
import { createProviderEngine, TEST_PRICES } from './provider-fixture.ts';
import type { ProviderEngine } from './provider-fixture.ts';

const MODEL = 'openai/test-1';
/** SOME_USAGE of the scripted model: 100 in, 20 of them cached, 10 out. */
const CALL_COST = 80 + 2 + 100;
const DAY_MS = 86_400_000;

const lookUp = () => calls(call('list_orders'));
const messagesOf = async ({ service, conversationId }: ProviderEngine) =>
  (await service.call('openConversation', { conversationId })).messages;
const engineWith = (settings: Partial<Settings>, script: Parameters<typeof createProviderEngine>[0] = {}) =>
  createProviderEngine({ startedWith: MODEL, settings, ...script });

describe('every call is priced and kept', () => {
  it('ledger line, span, run and events carry the same cost; turn, conversation and day add up', async () => {
    const engine = await engineWith({}, { script: [lookUp(), answer('Two orders.')] });
    await engine.ask('Which orders do I have?');
    const { conversationId, service } = engine;
    const { spending } = await service.call('getSpending', { conversationId });
    for (const line of [spending.turn, spending.conversation, spending.day]) {
      expect(line?.totals).toMatchObject({
        calls: 2,
        costMicroUsd: 2 * CALL_COST,
        unpricedCalls: 0,
        inputTokens: 200,
        cacheReadTokens: 40,
      });
    }
    const { trace } = await service.call('getTrace', { conversationId, turn: 1 });
    expect(trace?.run.costMicroUsd).toBe(2 * CALL_COST);
    expect(trace?.spans.filter((span) => span.kind === 'model-call').map((span) => span.costMicroUsd)).toEqual([CALL_COST, CALL_COST]);
    const told = engine.events.flatMap((event) => (event.type === 'spending-change' ? [event.spending.turn?.totals.costMicroUsd] : []));
    expect(told).toEqual([CALL_COST, 2 * CALL_COST]);
  });

  it('forecast and actual stand side by side in the trace', async () => {
    const engine = await engineWith({}, { script: [lookUp(), answer('Two orders.')] });
    await engine.ask('Which orders do I have?');
    const { trace } = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 1 });
    const data = (type: string) => trace?.events.find((event) => event.type === type)?.data;
    expect(data('context-built')).toMatchObject({ requestTokens: expect.any(Number), costForecast: { least: expect.any(Number) } });
    expect(data('model-end')).toMatchObject({ forecastTokens: expect.any(Number), usage: { inputTokens: 100 }, costMicroUsd: CALL_COST });
    expect(data('turn-end')).toMatchObject({ costForecast: { most: expect.any(Number) }, costMicroUsd: 2 * CALL_COST });
  });

  it('P22 an unknown price or unreported usage is counted as unknown, never as 0', async () => {
    const unpriced = await createProviderEngine({ startedWith: 'openai/other', script: [answer('Hi.')] });
    await unpriced.ask('Hello');
    const { spending } = await unpriced.service.call('getSpending', { conversationId: unpriced.conversationId });
    expect(spending.conversation?.totals).toMatchObject({ calls: 1, unpricedCalls: 1, unknownCalls: 0, inputTokens: 100 });
    expect(await unpriced.service.call('forecastCost', { conversationId: unpriced.conversationId })).toEqual({ cost: null });
    const silent = await engineWith({}, { script: [[end('answered', { text: 'Hi.', usage: null })]] });
    await silent.ask('Hello');
    const { trace } = await silent.service.call('getTrace', { conversationId: silent.conversationId, turn: 1 });
    expect(trace?.run.costMicroUsd).toBeNull();
    const known = await silent.service.call('getSpending', { conversationId: silent.conversationId });
    expect(known.spending.conversation?.totals).toMatchObject({ calls: 1, unknownCalls: 1, unpricedCalls: 1 });
  });

  it('a person’s own price wins over the list', async () => {
    const prices = JSON.stringify({ [MODEL]: { input: 2_000_000, cachedInput: 0, output: 0 } });
    const engine = await engineWith({ 'models.prices': prices }, { script: [answer('Hi.')] });
    await engine.ask('Hello');
    const { spending } = await engine.service.call('getSpending', { conversationId: engine.conversationId });
    expect(spending.turn?.totals.costMicroUsd).toBe(160);
  });

  it('a line the disk refused is written with the next one', async () => {
    const store = createInMemoryStore();
    const record = store.usage.record.bind(store.usage);
    let refusals = 1;
    store.usage.record = (line) => {
      refusals -= 1;
      return refusals >= 0 ? Promise.reject(new Error('busy')) : record(line);
    };
    const engine = await engineWith({}, { store, script: [lookUp(), answer('Two.')] });
    await engine.ask('Which?');
    const { spending } = await engine.service.call('getSpending', { conversationId: engine.conversationId });
    expect(spending.conversation?.totals).toMatchObject({ calls: 2, costMicroUsd: 2 * CALL_COST });
  });
});

describe('caps', () => {
  const cap = { 'budget.conversationMicroUsd': CALL_COST + 1 };

  it.each([
    ['budget.turnMicroUsd', 'this turn'],
    ['budget.conversationMicroUsd', 'this conversation'],
    ['budget.dayMicroUsd', 'today'],
  ] as const)('%s: with "stop" the step that passes it is the last, and the turn ends with a marked answer', async (key, words) => {
    const engine = await engineWith({ [key]: CALL_COST + 1, 'budget.action': 'stop' }, { script: [lookUp(), lookUp()] });
    await engine.ask('Which orders do I have?');
    expect(engine.model.problems()).toEqual([]);
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.turns[0]).toMatchObject({ state: 'failed', outcome: 'budget', error: null });
    expect(view.messages.at(-1)).toMatchObject({ state: 'budget', content: CANNED_TEXT.budget });
    const { spending } = await engine.service.call('getSpending', { conversationId: engine.conversationId });
    const spent = spending.conversation?.totals.costMicroUsd ?? 0;
    expect(spent).toBeGreaterThanOrEqual(CALL_COST + 1);
    expect(spent).toBeLessThanOrEqual(CALL_COST + 1 + CALL_COST);
    expect(engine.events.find((event) => event.type === 'notice')).toMatchObject({ message: expect.stringContaining(words) });
  });

  it('"handoff" leaves the conversation with a human and the reason', async () => {
    const engine = await engineWith({ ...cap, 'budget.action': 'handoff' }, { script: [lookUp(), lookUp()] });
    await engine.ask('Which orders do I have?');
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.turns[0]).toMatchObject({ state: 'handed-off', outcome: 'budget' });
    expect(view.conversation.handoffReason).toMatch(/cost cap of this conversation is reached: \$0\.0004 of \$0\.0002/);
    expect(brief(view.messages).at(-1)).toBe(`assistant[budget]: ${BUDGET_HANDOFF_TEXT}`);
  });

  it('"warn" tells once per run and goes on', async () => {
    const engine = await engineWith({ 'budget.turnMicroUsd': 1 }, { script: [lookUp(), lookUp(), answer('Two orders.')] });
    await engine.ask('Which orders do I have?');
    expect((await messagesOf(engine)).at(-1)?.content).toBe('Two orders.');
    expect(engine.events.filter((event) => event.type === 'notice' && event.level === 'warning')).toHaveLength(1);
  });

  it('a conversation over its cap calls no model at all; the next UTC day opens the day again', async () => {
    const settings: Partial<Settings> = { 'budget.dayMicroUsd': CALL_COST, 'budget.action': 'stop' };
    const store = createInMemoryStore();
    const engine = await engineWith(settings, { store, script: [answer('Hi.')] });
    await engine.ask('Hello');
    await engine.ask('Again');
    expect(engine.model.problems()).toEqual([]);
    expect((await messagesOf(engine)).at(-1)?.state).toBe('budget');
    const totals = await store.usage.totals({ since: engine.clock.now() - (engine.clock.now() % DAY_MS) + DAY_MS });
    expect(totals.costMicroUsd).toBe(0);
  });

  it('several conversations at once pass the day’s cap by no more than one step', async () => {
    const settings: Partial<Settings> = { 'budget.dayMicroUsd': CALL_COST + 1, 'budget.action': 'stop' };
    const engine = await engineWith(settings, { script: Array.from({ length: 2 }, () => answer('Hi.')) });
    const { service } = engine;
    const ids = [engine.conversationId];
    for (let index = 0; index < 4; index += 1) ids.push((await service.call('createConversation', {})).conversation.id);
    await Promise.all(
      ids.map((conversationId, index) => service.call('sendMessage', { conversationId, messageId: `at-once-${index}`, text: 'Hi' })),
    );
    await engine.ask('one more');
    expect(engine.model.problems()).toEqual([]);
    const { spending } = await service.call('getSpending', {});
    expect(spending.day.totals.costMicroUsd).toBe(2 * CALL_COST);
  });
});

describe('forecast', () => {
  const totals: UsageTotals = {
    calls: 0,
    unknownCalls: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    costMicroUsd: 0,
    unpricedCalls: 0,
  };

  it('least ≤ likely ≤ most for any history, and more steps never make it cheaper', () => {
    const size = fc.nat({ max: 100_000 });
    fc.assert(
      fc.property(
        size,
        size,
        fc.integer({ min: 1, max: 20 }),
        fc.nat({ max: 50 }),
        size,
        (requestTokens, freshTokens, maxSteps, turns, out) => {
          const cost = (usage: Parameters<typeof TEST_PRICES.cost>[2]) => TEST_PRICES.cost('openai', 'test-1', usage, 0);
          const known = { ...totals, calls: turns * 2, inputTokens: turns * 100, cacheReadTokens: turns * 30, outputTokens: out };
          const basis = { requestTokens, freshTokens, maxSteps, turns, totals: known, cost };
          const one = forecastCost(basis);
          const more = forecastCost({ ...basis, maxSteps: maxSteps + 1 });
          expect(one).not.toBeNull();
          expect(one?.least).toBeLessThanOrEqual(one?.likely ?? -1);
          expect(one?.likely).toBeLessThanOrEqual(one?.most ?? -1);
          expect(more?.most).toBeGreaterThanOrEqual(one?.most ?? 0);
        },
      ),
    );
  });

  it('the call gives a range before anything is sent', async () => {
    const engine = await engineWith({});
    const { cost } = await engine.service.call('forecastCost', { conversationId: engine.conversationId, next: 'Where is my order?' });
    expect(cost?.least).toBeGreaterThan(0);
    expect(cost?.most).toBeGreaterThan(cost?.likely ?? 0);
    expect(engine.model.requests).toEqual([]);
  });
});

describe('own prices', () => {
  it('cached and written tokens are parts of the input with rates of their own: 17,903 in of which 17,817 cached', () => {
    const own = { [MODEL]: { input: 1_000_000, cachedInput: 100_000, output: 0 } };
    const usage = { inputTokens: 17_903, cacheReadTokens: 17_817, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
    expect(costOf(TEST_PRICES, own, { provider: 'openai', model: 'test-1', usage, at: 0 })).toBe(Math.round(86 + 1781.7));
  });

  it.each([
    '{',
    '[]',
    '{"m":{"input":1,"output":1}}',
    '{"a/b":{"input":-1,"output":1}}',
    '{"a/b":{"input":1}}',
    '{"a/b":{"input":1,"output":1,"x":1}}',
  ])('%s is refused with a reason', (text) => {
    expect(parseSetting('models.prices', text)).toMatchObject({ ok: false, reason: expect.stringContaining('models.prices') });
  });

  it('empty and a full list are taken', () => {
    expect(parseSetting('models.prices', '')).toMatchObject({ ok: true });
    expect(parseSetting('models.prices', '{"a/b/c":{"input":1,"cachedInput":0,"cacheWrite":2,"output":3,"window":4}}')).toMatchObject({
      ok: true,
    });
    expect(defaultSettings()['models.prices']).toBe('');
  });
});
