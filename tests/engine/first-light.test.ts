/** The conversation the whole product is measured by, through the real engine, memory, shop and demo model. */
import { describe, expect, it } from 'vitest';
import { createConsoleService } from '../../electron/engine/console-service.ts';
import { scriptEstimator } from '../../electron/engine/memory/estimate.ts';
import { DEMO_CUSTOMER_ID } from '../../electron/engine/shop/shop-data.ts';
import { createDemoModel } from '../../electron/models/demo/demo-model.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import type { ConsoleEvent } from '../../shared/console-api.ts';
import type { StrategyName } from '../../shared/conversation.ts';
import { createVirtualClock, settle } from '../fakes/virtual-clock.ts';
import { countedIds, send } from './engine-fixture.ts';

async function talk(questions: string[], strategy: StrategyName) {
  const clock = createVirtualClock();
  const store = createInMemoryStore();
  const model = createDemoModel({ delayMs: 0, clock });
  const service = createConsoleService({
    store,
    clock,
    models: { answering: () => model },
    ids: countedIds(),
    estimator: scriptEstimator,
    logger: { warn: () => undefined, error: () => undefined },
    appInfo: {
      version: '0.0.0',
      storage: 'memory',
      dataFolder: 'memory',
      host: 'terminal',
      platform: 'test',
      demoCustomerId: DEMO_CUSTOMER_ID,
    },
    settingOverrides: { 'memory.strategy': strategy },
  });
  const events: ConsoleEvent[] = [];
  service.subscribe((event) => events.push(event));
  await service.start();
  const { conversation } = await service.call('createConversation', {});
  for (const question of questions) {
    const turns = events.filter((event) => event.type === 'turn-end').length;
    await send(service, conversation.id, question);
    for (let round = 0; round < 200 && events.filter((event) => event.type === 'turn-end').length === turns; round += 1) {
      await clock.advance(10);
      await settle();
    }
  }
  const view = await service.call('openConversation', { conversationId: conversation.id });
  const answers = view.messages.filter((message) => message.role === 'assistant' && !message.toolCalls).map((message) => message.content);
  const loaded = events.flatMap((event) => (event.type === 'context-built' ? [event.plan.messages.length] : []));
  return { service, view, answers, loaded };
}

const SECOND = ['OK. What about my other order, 1042?', 'OK. What about my other order?'];

describe('first light', () => {
  it.each(SECOND.flatMap((second) => [[second, 'recent-turns'] as const, [second, 'stable'] as const]))(
    'refund for 1043, then: %s (%s)',
    async (second, strategy) => {
      const { service, view, answers, loaded } = await talk(['Can I get a refund for order #1043?', second, 'Yes please.'], strategy);
      expect(answers).toHaveLength(3);
      expect(answers[0]).toMatch(/20 days/u);
      expect(answers[0]).toMatch(/14/u);
      expect(answers[1]).toMatch(/1042/u);
      expect(answers[1]).toMatch(/11 /u);
      expect(answers[2]).toMatch(/5001/u);
      expect(view.turns.map((turn) => turn.state)).toEqual(['answered', 'answered', 'answered']);
      expect(loaded[0]).toBe(0);
      if (second.includes('1042')) expect(loaded).toEqual([0, 4, 8]);
      const { plan } = await service.call('previewContext', { conversationId: view.conversation.id });
      const first = strategy === 'stable' ? 'full' : 'compacted';
      expect(plan.entries.map((entry) => entry.disposition)).toEqual([first, 'full', 'full']);
      expect(plan.messages.slice(0, 2).map((message) => message.role)).toEqual(['user', 'assistant']);
    },
  );
});
