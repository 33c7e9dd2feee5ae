/** Does I/O: an engine over a store of these tests. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createConsoleService } from '../../../electron/engine/console-service.ts';
import type { ConsoleService } from '../../../electron/engine/console-service.ts';
import { scriptEstimator } from '../../../electron/engine/memory/estimate.ts';
import type { LanguageModel, Store } from '../../../electron/engine/ports.ts';
import { createDemoModel } from '../../../electron/models/demo/demo-model.ts';
import { quietLogger, realClock } from './sync-setup.ts';

export function engineOver(store: Store, model: LanguageModel = createDemoModel({ delayMs: 0, clock: realClock })): ConsoleService {
  return createConsoleService({
    store,
    clock: realClock,
    models: { answering: () => model },
    ids: { uuid: randomUUID, conversationId: () => randomBytes(16).toString('hex') },
    estimator: scriptEstimator,
    logger: quietLogger,
    appInfo: { version: '0.0.0', storage: store.kind, dataFolder: 'x', host: 'terminal', platform: 'test' },
    settingOverrides: {},
  });
}

/** Sends a message and waits until its own turn has ended; ends of earlier turns may be told again. */
export async function ask(service: ConsoleService, conversationId: string, text: string): Promise<void> {
  const ended = new Set<number>();
  let check: () => void = () => undefined;
  const stop = service.subscribe((event) => {
    if (event.type !== 'turn-end' || event.conversationId !== conversationId) return;
    ended.add(event.turn);
    check();
  });
  const sent = await service.call('sendMessage', { conversationId, messageId: randomUUID(), text });
  await new Promise<void>((resolve) => {
    check = () => {
      if (sent.turn === null || ended.has(sent.turn)) resolve();
    };
    check();
  });
  stop();
}
