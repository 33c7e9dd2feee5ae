/** One engine over the in-memory store, a scripted model, a virtual clock and counted ids. */
import type { ConsoleService } from '../../electron/engine/console-service.ts';
import { createConsoleService } from '../../electron/engine/console-service.ts';
import { scriptEstimator } from '../../electron/engine/memory/estimate.ts';
import { DEMO_CUSTOMER_ID } from '../../electron/engine/shop/shop-data.ts';
import type { DataFolder, Store } from '../../electron/engine/ports.ts';
import type { ToolRegistry } from '../../electron/engine/tools/registry.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import type { ConsoleEvent, ConsoleEventType } from '../../shared/console-api.ts';
import type { StoredMessage } from '../../shared/conversation.ts';
import type { Settings } from '../../shared/settings.ts';
import { createScriptedModel } from '../fakes/scripted-model.ts';
import type { ScriptedModel, ScriptEntry } from '../fakes/scripted-model.ts';
import { createVirtualClock, settle } from '../fakes/virtual-clock.ts';
import type { VirtualClock } from '../fakes/virtual-clock.ts';

export interface Engine {
  service: ConsoleService;
  store: Store;
  model: ScriptedModel;
  clock: VirtualClock;
  events: ConsoleEvent[];
  logs: string[];
  /** A conversation of the demo customer. */
  conversationId: string;
  /** Sends and waits until the run, and what follows it, has ended. */
  ask(text: string): Promise<void>;
  messages(): Promise<StoredMessage[]>;
  ofType<T extends ConsoleEventType>(type: T): Extract<ConsoleEvent, { type: T }>[];
}

export interface EngineOptions {
  script?: ScriptEntry[];
  settings?: Partial<Settings>;
  store?: Store;
  tools?: ToolRegistry;
  clock?: VirtualClock;
  /** Open this conversation instead of a new one. */
  conversationId?: string;
  start?: boolean;
  dataFolder?: DataFolder;
}

let idCounter = 0;

export function countedIds() {
  const next = () => {
    idCounter += 1;
    return idCounter.toString(16).padStart(12, '0');
  };
  return { uuid: () => `01890000-0000-7000-8000-${next()}`, conversationId: () => next().padStart(32, '0') };
}

export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const store = options.store ?? createInMemoryStore();
  const clock = options.clock ?? createVirtualClock();
  const model = createScriptedModel(...(options.script ?? []));
  const events: ConsoleEvent[] = [];
  const logs: string[] = [];
  const service = createConsoleService({
    store,
    clock,
    models: { answering: () => model },
    ids: countedIds(),
    estimator: scriptEstimator,
    logger: { warn: (message) => logs.push(message), error: (message) => logs.push(message) },
    appInfo: {
      version: '0.0.0',
      storage: store.kind,
      dataFolder: 'memory',
      host: 'terminal',
      platform: 'test',
      demoCustomerId: DEMO_CUSTOMER_ID,
    },
    settingOverrides: options.settings ?? {},
    ...(options.dataFolder && { dataFolder: options.dataFolder }),
    ...(options.tools && { tools: options.tools }),
  });
  service.subscribe((event) => events.push(structuredClone(event)));
  if (options.start !== false) await service.start();
  const conversationId = options.conversationId ?? (await service.call('createConversation', {})).conversation.id;
  return {
    service,
    store,
    model,
    clock,
    events,
    logs,
    conversationId,
    async ask(text) {
      await send(service, conversationId, text);
      await settle();
    },
    async messages() {
      return (await service.call('openConversation', { conversationId })).messages;
    },
    ofType: <T extends ConsoleEventType>(type: T) =>
      events.filter((event): event is Extract<ConsoleEvent, { type: T }> => event.type === type),
  };
}

let messageCounter = 0;

export function newMessageId(): string {
  messageCounter += 1;
  return `message-${String(messageCounter).padStart(8, '0')}`;
}

export function send(service: ConsoleService, conversationId: string, text: string, messageId = newMessageId()) {
  return service.call('sendMessage', { conversationId, messageId, text });
}

/** Short form for assertions: `user: text`, `assistant[state]: text`, `assistant→tool(args)`, `tool[state]: content`. */
export function brief(messages: readonly StoredMessage[]): string[] {
  return messages.map((message) => {
    const mark = message.state === undefined ? '' : `[${message.state}]`;
    const made = (message.toolCalls ?? []).map((one) => `→${one.name}(${JSON.stringify(one.arguments)})`).join('');
    return `${message.role}${mark}${made}: ${message.content}`;
  });
}
