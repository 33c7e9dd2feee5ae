/** Pin, forget, compact now, settings of one conversation, summary versions, and usage of tenants, through the console's contract. */
import { describe, expect, it } from 'vitest';
import type { StrategyName } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import { createManualTools } from '../../fakes/manual-tools.ts';
import { answer, call, calls, delta, failure, forever } from '../../fakes/scripted-model.ts';
import type { ScriptEntry } from '../../fakes/scripted-model.ts';
import { settle } from '../../fakes/virtual-clock.ts';
import { createEngine } from '../engine-fixture.ts';
import type { Engine } from '../engine-fixture.ts';

const LONG = 'The courier rang twice and left the box at the neighbour’s door because nobody was at home that afternoon. '.repeat(3);

async function talk(strategy: StrategyName, turns: number, settings: Partial<Settings> = {}): Promise<Engine> {
  const script: ScriptEntry[] = Array.from({ length: turns }, (_, index) => answer(`Answer ${index + 1}. ${LONG}`));
  const engine = await createEngine({ script, settings: { 'memory.strategy': strategy, ...settings } });
  engine.model.answerHelpers(() => answer('They talked about a parcel.'));
  for (let turn = 1; turn <= turns; turn += 1) await engine.ask(`Question ${turn} about order ${1000 + turn}. ${LONG}`);
  return engine;
}

const scope = (engine: Engine) => ({ conversationId: engine.conversationId });
const sentText = (engine: Engine): string => JSON.stringify(engine.model.requests.at(-1)?.messages);

describe('pinTurn', () => {
  it.each<StrategyName>(['recent-turns', 'summary', 'stable'])('[MEM-5] %s sends a pinned turn in full, however old', async (strategy) => {
    const tight = { 'memory.maxChars': 3500, 'memory.historyTokens': 900, 'memory.maxHistoryTokens': 900 };
    const engine = await talk(strategy, 8, tight);
    const before = await engine.service.call('previewContext', scope(engine));
    expect(JSON.stringify(before.plan.messages)).not.toContain('Answer 1. The courier');
    await engine.service.call('pinTurn', { ...scope(engine), turn: 1, pinned: true });
    const { plan } = await engine.service.call('previewContext', scope(engine));
    expect(plan.entries[0]).toMatchObject({ turn: 1, disposition: 'full', pinned: true });
    expect(JSON.stringify(plan.messages)).toContain('Answer 1. The courier');
    await engine.service.call('pinTurn', { ...scope(engine), turn: 1, pinned: false });
    expect((await engine.service.call('previewContext', scope(engine))).plan.entries[0]?.pinned).toBeUndefined();
    await expect(engine.service.call('pinTurn', { ...scope(engine), turn: 99, pinned: true })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('compactNow', () => {
  it('stable folds older turns at once, and the next request is built on it', async () => {
    const engine = await talk('stable', 8);
    const report = await engine.service.call('compactNow', scope(engine));
    expect(report).toMatchObject({ compacted: true, reason: '' });
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
    expect(report.throughTurn).toBeGreaterThan(0);
    engine.model.expect(answer('Sure.'));
    await engine.ask('And now?');
    expect(sentText(engine)).toContain('1001');
    expect(sentText(engine)).not.toContain('Question 1 about order 1001. The courier rang twice and left');
  });

  it('summary asks the summariser, tells it the focus, and keeps the version', async () => {
    const engine = await talk('summary', 5);
    const asked: string[] = [];
    engine.model.answerHelpers((request) => {
      asked.push(request.system);
      return answer('A parcel went to the neighbour.');
    });
    expect(await engine.service.call('compactNow', { ...scope(engine), focus: 'the neighbour' })).toMatchObject({ compacted: true });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('the neighbour');
    const { versions } = await engine.service.call('listSummaryVersions', scope(engine));
    expect(versions).toMatchObject([{ version: 1, model: 'scripted/test-1', trust: 'untrusted', current: true, stale: false }]);
    expect(await engine.store.usage.totals(scope(engine))).toMatchObject({ calls: 6 });
    engine.model.expect(answer('Sure.'));
    await engine.ask('And now?');
    const [first] = engine.model.requests.at(-1)?.messages ?? [];
    expect(first).toMatchObject({ role: 'user', kind: 'summary', trust: 'untrusted' });
    expect(engine.model.requests.at(-1)?.system).not.toContain('neighbour');
  });

  it('is refused where there is nothing to do, and while Nimbus is answering', async () => {
    const tutorial = await talk('recent-turns', 2);
    await expect(tutorial.service.call('compactNow', scope(tutorial))).rejects.toMatchObject({ code: 'invalid-input' });
    const fresh = await createEngine({ script: [[delta('…'), forever()]], settings: { 'memory.strategy': 'stable' } });
    expect(await fresh.service.call('compactNow', scope(fresh))).toMatchObject({ compacted: false, throughTurn: 0 });
    await expect(fresh.service.call('compactNow', { ...scope(fresh), focus: 'x' })).rejects.toMatchObject({ code: 'invalid-input' });
    await fresh.ask('Hi');
    await expect(fresh.service.call('compactNow', scope(fresh))).rejects.toMatchObject({ code: 'busy' });
    await expect(fresh.service.call('forgetTurn', { ...scope(fresh), turn: 1 })).rejects.toMatchObject({ code: 'busy' });
  });
});

describe('the summary after a turn', () => {
  it('is made when the budget is crossed, never in the way of the answer, and billed as summary', async () => {
    const engine = await talk('summary', 6, { 'memory.maxHistoryTokens': 600 });
    await settle();
    const { versions } = await engine.service.call('listSummaryVersions', scope(engine));
    expect(versions.length).toBeGreaterThan(0);
    expect(engine.model.problems()).toEqual([]);
    const { plan } = await engine.service.call('previewContext', scope(engine));
    expect(plan.entries[0]).toMatchObject({ disposition: 'summarised' });
  });

  it.each([
    ['an error', () => failure('overloaded')],
    ['nothing', () => answer('')],
    ['an error text', () => answer('Error: 500 internal')],
    ['half a text', () => [delta('They')]],
  ])('a summariser that answers with %s leaves everything as it was', async (_name, reply) => {
    const script = Array.from({ length: 5 }, (_, index) => answer(`Answer ${index + 1}. ${LONG}`));
    const engine = await createEngine({ script, settings: { 'memory.strategy': 'summary', 'memory.maxHistoryTokens': 400 } });
    engine.model.answerHelpers(reply);
    for (let turn = 1; turn <= 5; turn += 1) await engine.ask(`Question ${turn}. ${LONG}`);
    expect((await engine.service.call('listSummaryVersions', scope(engine))).versions).toEqual([]);
    expect(sentText(engine)).toContain('Answer 1.');
    expect(engine.model.problems()).toEqual([]);
  });

  it('rolls back to an older version and to none', async () => {
    const engine = await talk('summary', 10, { 'memory.maxHistoryTokens': 600 });
    const { versions } = await engine.service.call('listSummaryVersions', scope(engine));
    expect(versions.length).toBeGreaterThan(1);
    expect(versions.map((version) => version.stale)).toEqual(versions.map((_, index) => index > 0));
    await engine.service.call('rollBackSummary', { ...scope(engine), version: 1 });
    const after = await engine.service.call('listSummaryVersions', scope(engine));
    expect(after.versions.filter((version) => version.current).map((version) => version.version)).toEqual([1]);
    await engine.service.call('rollBackSummary', { ...scope(engine), version: null });
    const { plan } = await engine.service.call('previewContext', scope(engine));
    expect(plan.messages[0]?.content).toContain('Question 1');
    await expect(engine.service.call('rollBackSummary', { ...scope(engine), version: 99 })).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('settings of one conversation', () => {
  it('apply to it alone, are checked, and go back', async () => {
    const engine = await talk('recent-turns', 4);
    const other = (await engine.service.call('createConversation', {})).conversation.id;
    const change = (values: Record<string, unknown>) => engine.service.call('changeConversationSettings', { ...scope(engine), values });
    const changed = await change({ 'memory.maxChars': 800, 'memory.recentTurns': '1' });
    expect(changed.own).toEqual({ 'memory.maxChars': 800, 'memory.recentTurns': 1 });
    const budgetOf = async (conversationId: string) => (await engine.service.call('previewContext', { conversationId })).plan.budget;
    expect([await budgetOf(engine.conversationId), await budgetOf(other)]).toEqual([800, 12_000]);
    await change({ 'memory.maxChars': null });
    expect(await budgetOf(engine.conversationId)).toBe(12_000);
    const wrong = change({ retentionDays: 1, 'memory.maxChars': 'x', nonsense: 1, 'budget.dayMicroUsd': 5 });
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/retentionDays[\s\S]*maxChars[\s\S]*nonsense[\s\S]*dayMicroUsd/u),
    });
    expect((await change({})).own).toEqual({ 'memory.recentTurns': 1 });
  });
});

describe('tenants', () => {
  it('are changed with actor and subject, and pay for what is asked afterwards', async () => {
    const engine = await talk('recent-turns', 1);
    const axes = { tenant: 'acme', actor: null, subject: { type: 'case', id: '7' } };
    expect((await engine.service.call('updateConversation', { ...scope(engine), ...axes })).conversation).toMatchObject(axes);
    engine.model.expect(answer('Sure.'));
    await engine.ask('Again');
    const { tenants } = await engine.service.call('getTenantUsage', {});
    expect(tenants.map(({ tenant, totals }) => [tenant, totals.calls])).toEqual([
      ['acme', 1],
      ['nimbus', 1],
    ]);
    const later = { tenant: 'acme', since: engine.clock.now() + 1 };
    expect((await engine.service.call('getTenantUsage', later)).tenants[0]?.totals.calls).toBe(0);
  });
});

/** Small seeded generator (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function everything(engine: Engine): Promise<string> {
  const { service, store, conversationId } = engine;
  const view = await service.call('openConversation', { conversationId });
  const found: unknown[] = [view, await service.call('previewContext', { conversationId, next: 'canary?' })];
  for (const format of ['openai', 'markdown', 'json'] as const)
    found.push((await service.call('exportConversation', { conversationId, format })).text);
  for (const { turn } of view.turns) {
    const { trace } = await service.call('getTrace', { conversationId, turn });
    found.push(trace, await service.call('getTurnPlan', { conversationId, turn }));
    for (const span of trace?.spans ?? []) found.push((await service.call('getSpanDetail', { spanId: span.id })).detail);
  }
  for (const { spanId } of await store.archive.list(conversationId, { limit: 500 })) found.push(await store.archive.read(spanId));
  for (const key of ['recent-turns', 'summary', 'stable', 'redaction'] as const)
    found.push(await store.conversations.readMemoryState(conversationId, key));
  found.push(await service.call('listMemories', { superseded: true }), await service.call('listSummaryVersions', { conversationId }));
  return JSON.stringify(found);
}

describe('forgetTurn', () => {
  it.each([1, 2, 3, 4, 5, 6])('leaves no word of a forgotten turn anywhere, random operations, seed %i', async (seed) => {
    const next = random(seed);
    const strategies: StrategyName[] = ['recent-turns', 'summary', 'stable'];
    const tools = createManualTools({ look: 'read' });
    const settings = {
      'memory.maxChars': 3000,
      'memory.historyTokens': 500,
      'memory.maxHistoryTokens': 400,
      'privacy.redact': seed % 2 === 0,
    };
    const engine = await createEngine({ tools, settings });
    engine.model.answerHelpers((request) => answer(String(request.messages[0]?.content).split('\n').at(-1)?.slice(0, 80) ?? 'x'));
    const alive = new Set<string>();
    const gone = new Set<string>();
    let turn = 0;
    for (let operation = 0; operation < 40; operation += 1) {
      const pick = next();
      if (pick < 0.55 || turn === 0) {
        turn += 1;
        const canary = `canary${seed}x${turn}x`;
        const looks = next() < 0.4;
        if (looks) engine.model.expect(calls(call('look', { what: `${canary}c` })));
        engine.model.expect(answer(`It is ${canary}a. ${LONG}`));
        await engine.ask(`I am ${canary}q@mail.example, my name is ${canary}n and I prefer ${canary}p.`);
        if (looks) {
          tools.waiting.at(-1)?.answer({ found: `${canary}r`, order: 1000 + turn });
          await settle();
        }
        alive.add(canary);
      } else if (pick < 0.75) {
        const [canary] = [...alive].filter(() => next() < 0.5);
        if (canary === undefined) continue;
        await engine.service.call('forgetTurn', { conversationId: engine.conversationId, turn: Number(canary.split('x')[1]) });
        alive.delete(canary);
        gone.add(canary);
      } else if (pick < 0.85) {
        await engine.service.call('updateConversation', {
          conversationId: engine.conversationId,
          strategy: strategies[Math.floor(next() * 3)] ?? null,
        });
      } else if (pick < 0.92) {
        await engine.service.call('pinTurn', {
          conversationId: engine.conversationId,
          turn: 1 + Math.floor(next() * turn),
          pinned: next() < 0.5,
        });
      } else {
        await engine.service.call('compactNow', { conversationId: engine.conversationId }).catch(() => undefined);
      }
      await settle();
      const text = await everything(engine);
      for (const canary of gone) expect([canary, operation, text.includes(canary)]).toEqual([canary, operation, false]);
    }
    const requests = engine.model.requests.length;
    engine.model.expect(answer('Done.'));
    await engine.ask('Anything else?');
    for (const canary of gone) expect(JSON.stringify(engine.model.requests.slice(requests))).not.toContain(canary);
    for (const canary of alive) expect(await everything(engine)).toContain(canary);
    expect(engine.model.problems()).toEqual([]);
  });

  it('the plan says why the turn is not sent, and its request reads as erased', async () => {
    const engine = await talk('stable', 3);
    const { record } = await engine.service.call('forgetTurn', { conversationId: engine.conversationId, turn: 2 });
    expect(record.forgottenAt).toBe(engine.clock.now());
    const { plan } = await engine.service.call('previewContext', scope(engine));
    expect(plan.entries[1]).toMatchObject({ turn: 2, disposition: 'dropped', reason: expect.stringContaining('forgotten') });
    const why = await engine.service.call('explainAbsence', { ...scope(engine), text: 'order 1002', turn: 3 });
    expect(why.findings).toMatchObject([{ disposition: 'erased' }]);
  });
});
