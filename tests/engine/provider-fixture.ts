/** One engine that offers a choice of models, over a scripted workshop, a vault in memory and made-up prices. */
import type { ConsoleService } from '../../electron/engine/console-service.ts';
import { createConsoleService } from '../../electron/engine/console-service.ts';
import { scriptEstimator } from '../../electron/engine/memory/estimate.ts';
import type { Embedder, KeyVault, ModelAccess, ModelWorkshop, PriceList, Store } from '../../electron/engine/ports.ts';
import { tapeDeck } from '../../electron/models/tape-deck.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import type { ConsoleEvent } from '../../shared/console-api.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { ProviderName, VaultSlot } from '../../shared/models.ts';
import { PROVIDERS } from '../../shared/models.ts';
import type { Settings } from '../../shared/settings.ts';
import { createScriptedModel } from '../fakes/scripted-model.ts';
import type { ScriptedModel, ScriptEntry } from '../fakes/scripted-model.ts';
import { createVirtualClock, settle } from '../fakes/virtual-clock.ts';
import type { VirtualClock } from '../fakes/virtual-clock.ts';
import { countedIds, newMessageId } from './engine-fixture.ts';

export interface ProviderEngine {
  service: ConsoleService;
  store: Store;
  model: ScriptedModel;
  clock: VirtualClock;
  /** Every access a model was made, listed or tested with. */
  accesses: ModelAccess[];
  events: ConsoleEvent[];
  logs: string[];
  secrets: string[];
  conversationId: string;
  ask(text: string): Promise<void>;
}

export interface ProviderEngineOptions {
  script?: ScriptEntry[];
  settings?: Partial<Settings>;
  store?: Store;
  startedWith?: string | null;
  environment?: Partial<Record<ProviderName, { apiKey: string | null; baseUrl: string | null }>>;
  vault?: KeyVault;
  prices?: PriceList;
  embedder?: (access: ModelAccess) => Embedder | null;
  listed?: () => Promise<{ id: string; windowTokens: number | null }[]>;
}

export function memoryVault(canPersist = true): KeyVault & { kept: Map<VaultSlot, string> } {
  const kept = new Map<VaultSlot, string>();
  return {
    kept,
    storage: async () => ({ canPersist, reason: canPersist ? '' : 'No safe key store here.' }),
    read: async (provider) => kept.get(provider) ?? null,
    write: async (provider, key) => void kept.set(provider, key),
    forget: async (provider) => void kept.delete(provider),
  };
}

/** 1 micro-USD per input token, 0.1 per cached one, 10 per output token, for the scripted model only. */
export const TEST_PRICES: PriceList = {
  rates: (_provider, model) =>
    model === 'test-1' ? { input: 1_000_000, cachedInput: 100_000, cacheWrite: 1_000_000, output: 10_000_000, since: '2026-01-01' } : null,
  cost: (_provider, model, usage) =>
    model === 'test-1'
      ? Math.round(usage.inputTokens - usage.cacheReadTokens + usage.cacheReadTokens / 10 + usage.outputTokens * 10)
      : null,
};

/** Every provider is answered by the scripted model, under the name that was chosen. */
function scriptedWorkshop(model: ScriptedModel, accesses: ModelAccess[], options: ProviderEngineOptions): ModelWorkshop {
  const { listed, embedder } = options;
  return {
    ...(embedder && { embedder }),
    create(access) {
      accesses.push(access);
      const { provider, model: name } = access;
      return { ...model, provider, model: name, label: `${provider} ${name}`, stream: (request, signal) => model.stream(request, signal) };
    },
    label: (provider) => `label of ${provider}`,
    parseName(text) {
      const [name = '', ...rest] = text.split('/');
      const provider = PROVIDERS.find((one) => one === name);
      if (provider === undefined) throw new ConsoleError('invalid-input', `There is no model provider "${name}".`);
      return { provider, model: rest.length === 0 ? 'test-1' : rest.join('/') };
    },
    catalog: (provider) => [{ id: `${provider}-known`, windowTokens: 1000 }],
    async listModels(access) {
      accesses.push(access);
      return listed === undefined ? [{ id: 'test-1', windowTokens: 9 }] : listed();
    },
    async test(access) {
      accesses.push(access);
      const usage = { inputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
      return { report: { ok: true, facts: [], problem: '', action: '' }, usage };
    },
  };
}

export async function createProviderEngine(options: ProviderEngineOptions = {}): Promise<ProviderEngine> {
  const store = options.store ?? createInMemoryStore();
  const clock = createVirtualClock();
  const model = createScriptedModel(...(options.script ?? []));
  const accesses: ModelAccess[] = [];
  const events: ConsoleEvent[] = [];
  const logs: string[] = [];
  const secrets: string[] = [];
  const service = createConsoleService({
    store,
    clock,
    providers: {
      workshop: scriptedWorkshop(model, accesses, options),
      vault: options.vault ?? memoryVault(),
      deck: tapeDeck,
      environment: options.environment ?? {},
      startedWith: options.startedWith ?? null,
      onSecret: (key) => secrets.push(key),
    },
    prices: options.prices ?? TEST_PRICES,
    ids: countedIds(),
    estimator: scriptEstimator,
    logger: {
      warn: (message, details) => logs.push(`${message} ${JSON.stringify(details)}`),
      error: (message, details) => logs.push(`${message} ${JSON.stringify(details)}`),
    },
    appInfo: { version: '0.0.0', storage: store.kind, dataFolder: 'memory', host: 'terminal', platform: 'test' },
    settingOverrides: options.settings ?? {},
  });
  service.subscribe((event) => events.push(structuredClone(event)));
  await service.start();
  const { conversation } = await service.call('createConversation', {});
  return {
    service,
    store,
    model,
    clock,
    accesses,
    events,
    logs,
    secrets,
    conversationId: conversation.id,
    async ask(text) {
      await service.call('sendMessage', { conversationId: conversation.id, messageId: newMessageId(), text });
      await settle();
    },
  };
}
