/** What caching and compaction saved, measured on what was really sent. */
import { expect, it } from 'vitest';
import { answer, end } from '../fakes/scripted-model.ts';
import { createEngine } from './engine-fixture.ts';

it('reports the last request and what the next one leaves out', async () => {
  const engine = await createEngine({ script: Array.from({ length: 6 }, (_, index) => answer(`Answer ${index} ${'word '.repeat(200)}`)) });
  const before = await engine.service.call('measureBudget', { conversationId: engine.conversationId });
  expect(before).toMatchObject({ lastRequest: null, cachedTokens: 0, compactionTokens: 0, turns: 0 });
  for (let index = 0; index < 6; index += 1) await engine.ask(`Question ${index} ${'please '.repeat(200)}`);
  const after = await engine.service.call('measureBudget', { conversationId: engine.conversationId });
  const { requests } = await engine.service.call('listRequests', { conversationId: engine.conversationId });
  const reported = requests.findLast((mark) => mark.usage !== null)?.usage?.inputTokens;
  expect(reported).toBeGreaterThan(0);
  expect(after.lastRequest?.reported).toBe(reported);
  expect(after.lastRequest?.estimated).toBeGreaterThan(0);
  expect(after.turns).toBe(6);
  expect(after.compactionTokens).toBeGreaterThan(0);
  await expect(engine.service.call('measureBudget', { conversationId: '0'.repeat(32) })).rejects.toMatchObject({
    code: 'not-found',
  });
});

it('calls without reported usage have an unknown share of the cache, not none', async () => {
  const engine = await createEngine({ script: [[end('answered', { text: 'Hello', usage: null })]] });
  await engine.ask('Hi');
  const report = await engine.service.call('measureBudget', { conversationId: engine.conversationId });
  expect(report).toMatchObject({ cachedTokens: null, cacheSavedMicroUsd: null });
});
