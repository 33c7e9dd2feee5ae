/** The engine behind the contract: every call of the console API over the ports it is given. */
import type { ConsoleApi, Method, Params, Result } from '../../shared/console-api.ts';
import type { Conversation } from '../../shared/conversation.ts';
import { ConsoleError, toErrorInfo } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import { defaultSettings } from '../../shared/settings.ts';
import { createPromptDesk } from './prompts/prompt-desk.ts';
import { RunSupervisor } from './agent/supervisor.ts';
import { createRequestArchive } from './archive/request-archive.ts';
import { articleSearch } from './console/article-search.ts';
import { createRecallIndexes } from './archive/recall-indexes.ts';
import { budgetCalls } from './console/budget-calls.ts';
import { parseParams } from './console/call-params.ts';
import { controlCalls } from './console/control-calls.ts';
import { archiveCalls } from './console/archive-calls.ts';
import { conversationCalls } from './console/conversation-calls.ts';
import { erasureCalls } from './console/erasure-calls.ts';
import { createEventHub } from './console/event-hub.ts';
import { inspectionCalls } from './console/inspection-calls.ts';
import { memoryCalls } from './console/memory-calls.ts';
import { modelCalls } from './console/model-calls.ts';
import { moneyCalls } from './console/money-calls.ts';
import { createReader } from './console/reader.ts';
import { promptCalls } from './console/prompt-calls.ts';
import { requestCalls } from './console/request-calls.ts';
import { readingCalls } from './console/reading-calls.ts';
import type { EngineDeps, Handlers, ProviderParts, ServiceParts } from './console/service-deps.ts';
import { modelName } from './console/service-deps.ts';
import type { SettingsService } from './console/settings.ts';
import { createSettingsService } from './console/settings.ts';
import { createRetention, retentionCalls } from './console/retention.ts';
import type { Retention } from './console/retention.ts';
import { storageCalls } from './console/storage-calls.ts';
import type { StorageCalls } from './console/storage-calls.ts';
import { syncCalls, watchStore } from './console/sync-calls.ts';
import { tracesCalls } from './console/traces-calls.ts';
import { tapeCalls } from './console/tape-calls.ts';
import { transcriptCalls } from './console/transcript-calls.ts';
import { whyCalls } from './console/why-calls.ts';
import { createEraser } from './erasure/eraser.ts';
import { createLedger, ownPricesOf } from './money/ledger.ts';
import { priceView } from './money/pricing.ts';
import type { LanguageModel, PriceList } from './ports.ts';
import { createKeyRing } from './providers/key-ring.ts';
import { createModelDesk } from './providers/model-desk.ts';
import { createTapeShelf } from './providers/tape-shelf.ts';
import { shopData } from './shop/shop-data.ts';
import { createToolRegistry } from './tools/registry.ts';
import { createUpkeep } from './upkeep/upkeep.ts';

export type { EngineDeps, ProviderSetup } from './console/service-deps.ts';
export { consoleWithoutStorage } from './console/storage-calls.ts';

export interface ConsoleService extends ConsoleApi {
  /**
   * Seeds an empty shop, closes what a crash left open and starts waiting messages. On a store open for reading only it changes nothing.
   * Rejects with the store's ConsoleError.
   */
  start(): Promise<void>;
  /** Ends all runs as interrupted, in 3 s at most. Afterwards no message is accepted. */
  stop(): Promise<void>;
}

export function createConsoleService(deps: EngineDeps): ConsoleService {
  const hub = createEventHub(deps.logger);
  const parts = createParts(deps, (event) => hub.emit(event));
  const retention = createRetention(parts);
  const handlers: Handlers = { ...createHandlers(parts, retention), ...storageCalls(deps.storageDesk ?? null) };
  let unwatch: () => void = () => undefined;
  return {
    async call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
      try {
        const handler: Handlers[M] = handlers[method];
        return await handler(parseParams(method, params));
      } catch (error) {
        throw asConsoleError(error);
      }
    },
    subscribe: (listener) => hub.subscribe(listener),
    async start() {
      try {
        await startEngine(parts);
        unwatch = watchStore(parts);
        await retention.start();
      } catch (error) {
        throw asConsoleError(error);
      }
    },
    async stop() {
      unwatch();
      retention.stop();
      await parts.upkeep.stop();
      await parts.supervisor.shutdown();
      await parts.archive.flush();
    },
  };
}

function createParts(deps: EngineDeps, emit: ServiceParts['emit']): ServiceParts {
  const { store, clock, ids, estimator, logger, appInfo } = deps;
  const settings = createSettingsService({ preferences: store.preferences, overrides: deps.settingOverrides, logger });
  const prices = deps.prices ?? NO_PRICES;
  const providers = createProviders(deps, settings, prices);
  const answeringModel = async () => {
    if (deps.models !== undefined) return deps.models.answering();
    if (providers !== null) return providers.desk.answering();
    throw new ConsoleError('internal', 'the engine was given neither a model nor providers');
  };
  const ledger = createLedger({ usage: store.usage, prices, clock, ids, logger, emit });
  const articleVectors = articleSearch({ store, clock, logger, settings, providers, ledger });
  const recall = createRecallIndexes(store.conversations);
  const tools = deps.tools ?? createToolRegistry({ store, clock, ids, articleVectors, recall });
  const archive = createRequestArchive({ archive: store.archive, clock, logger });
  const modelNamed = (name: string): Promise<LanguageModel> =>
    name === '' || providers === null ? answeringModel() : providers.desk.named(name);
  const readSettings = (conversation: Conversation): Promise<Settings> => settings.readFor(conversation);
  const reader = createReader({ preferences: store.preferences, ids, clock, logger });
  const upkeep = createUpkeep({ store, clock, ids, estimator, logger, tools, recall, ledger, archive, modelNamed, readSettings });
  const prompts = createPromptDesk({ prompts: store.prompts, clock, logger });
  const supervisor = new RunSupervisor({
    store,
    clock,
    ids,
    estimator,
    logger,
    tools,
    emit,
    ledger,
    prices,
    answeringModel,
    archive,
    recall,
    readSettings,
    promptFor: (values) => prompts.chosen(values),
    reader,
    onTurnEnd: (end) => upkeep.afterTurn(end),
  });
  const eraser = createEraser({
    store,
    clock,
    logger,
    dataFolder: deps.dataFolder,
    supervisor,
    recall,
    quiet: async () => {
      await upkeep.idle();
      await archive.flush();
    },
    onGone: (conversationId) => emit({ type: 'conversation-delete', conversationId }),
  });
  return {
    store,
    clock,
    ids,
    estimator,
    logger,
    appInfo,
    tools,
    settings,
    supervisor,
    answeringModel,
    providers,
    prices,
    ledger,
    archive,
    recall,
    upkeep,
    eraser,
    prompts,
    modelNamed,
    reader,
    emit,
  };
}

const NO_PRICES: PriceList = { rates: () => null, cost: () => null };

function createProviders(deps: EngineDeps, settings: SettingsService, prices: PriceList): ProviderParts | null {
  if (deps.providers === undefined) return null;
  const { workshop, vault, deck, environment, startedWith, onSecret } = deps.providers;
  const { store, clock, ids, logger } = deps;
  const { preferences } = store;
  const keys = createKeyRing({ vault, environment, onSecret, logger });
  const tapes = createTapeShelf({ deck, preferences, ids, logger });
  const desk = createModelDesk({
    workshop,
    keys,
    tapes,
    environment,
    startedWith,
    preferences,
    ownPrices: async () => ownPricesOf(await settings.read()),
    priceOf: (provider, model, own) => priceView(prices, own, { provider, model, at: clock.now() }),
    clock,
    logger,
  });
  return { desk, keys, tapes, deck, rebuild: async (request, form) => (await workshop.rebuild?.(request, form)) ?? null };
}

async function startEngine(parts: ServiceParts): Promise<void> {
  const { store, clock, supervisor, logger } = parts;
  try {
    if (!(await store.shop.isSeeded())) await store.shop.seed(shopData(clock.now()));
    await parts.eraser.resume().catch((error: unknown) => {
      if (!(error instanceof ConsoleError) || error.code === 'read-only') throw error;
      // A shared database that is away: watchStore goes on when it is back.
      logger.warn('an interrupted erasure goes on when the database is back', { error: error.message });
    });
    await supervisor.recoverAll();
    parts.upkeep.start();
  } catch (error) {
    if (!(error instanceof ConsoleError) || error.code !== 'read-only') throw error;
    logger.warn('the store is open for reading only; nothing was seeded or recovered');
  }
}

function createHandlers(parts: ServiceParts, retention: Retention): Omit<Handlers, keyof StorageCalls> {
  const { store, settings, appInfo, emit } = parts;
  return {
    ...conversationCalls(parts),
    ...inspectionCalls(parts),
    ...transcriptCalls(parts),
    ...modelCalls(parts),
    ...moneyCalls(parts),
    ...tapeCalls(parts),
    ...syncCalls(parts),
    ...retentionCalls(parts, retention),
    ...whyCalls(parts),
    ...controlCalls(parts),
    ...memoryCalls(parts),
    ...erasureCalls(parts),
    ...readingCalls(parts),
    ...promptCalls(parts),
    ...requestCalls(parts),
    ...budgetCalls(parts),
    ...archiveCalls(parts),
    ...tracesCalls(parts),

    async getAppInfo() {
      const model = await parts.answeringModel();
      return { ...appInfo, model: modelName(model), modelLabel: model.label, isDemo: model.provider === 'demo' };
    },

    async listCustomers({ limit, search }) {
      return { customers: await store.shop.listCustomers({ limit, ...(search !== undefined && { search }) }) };
    },

    async getCustomer({ customerId }) {
      const customer = await store.shop.customer(customerId);
      if (customer === null) return { customer, orders: [], tickets: [] };
      const [orders, tickets] = await Promise.all([
        store.shop.ordersOf(customerId),
        store.tickets.list({ customerId, limit: TICKETS_OF_CUSTOMER }),
      ]);
      return { customer, orders, tickets };
    },

    async getSettings() {
      return { settings: await settings.read(), defaults: defaultSettings() };
    },

    async changeSettings({ values }) {
      const changed = await settings.change(values);
      emit({ type: 'settings-change', settings: changed });
      return { settings: changed };
    },
  };
}

const TICKETS_OF_CUSTOMER = 100;

function asConsoleError(error: unknown): ConsoleError {
  return error instanceof ConsoleError ? error : new ConsoleError('internal', toErrorInfo(error).message, { cause: error });
}
