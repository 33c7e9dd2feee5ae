/** The calls of the contract about providers, models and keys. Keys go in and never come back. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { ModelDesk } from '../providers/model-desk.ts';
import type { Handlers, ProviderParts, ServiceParts } from './service-deps.ts';
import { modelName } from './service-deps.ts';

type ModelCalls = Pick<
  Handlers,
  'listProviders' | 'listModels' | 'chooseModel' | 'saveKey' | 'forgetKey' | 'saveBaseUrl' | 'testConnection' | 'listTapes' | 'importTape'
>;

/** The provider half of the console, or `unsupported` where one fixed model answers. */
export function requireProviders(parts: ServiceParts): ProviderParts {
  if (parts.providers === null) throw new ConsoleError('unsupported', 'This console answers with one fixed model.');
  return parts.providers;
}

export function modelCalls(parts: ServiceParts): ModelCalls {
  const desk = (): ModelDesk => requireProviders(parts).desk;
  return {
    listProviders: () => desk().views(),
    listModels: ({ provider }) => desk().listModels(provider),

    async chooseModel({ model }) {
      const chosen = await desk().choose(model);
      emitModel(parts, chosen);
      return { current: modelName(chosen) };
    },

    async saveKey({ provider, key, keep }) {
      await requireProviders(parts).keys.save(provider, key, keep);
      desk().resume(provider);
      return { provider: await desk().view(provider) };
    },

    async forgetKey({ provider }) {
      await requireProviders(parts).keys.forget(provider);
      return { provider: await desk().view(provider) };
    },

    async saveBaseUrl({ provider, baseUrl }) {
      await desk().saveBaseUrl(provider, baseUrl);
      return { provider: await desk().view(provider) };
    },

    async testConnection(params) {
      const { report, usage, provider, model } = await desk().test(params);
      const line = { conversationId: null, turn: null, runId: null, step: null, purpose: 'test', provider, model, usage } as const;
      if (usage !== null) await parts.ledger.record(line, await parts.settings.read());
      return { report };
    },

    listTapes: async () => ({ tapes: await requireProviders(parts).tapes.list() }),
    importTape: async ({ text }) => ({ tape: await requireProviders(parts).tapes.add(text) }),
  };
}

function emitModel(parts: ServiceParts, model: Awaited<ReturnType<ModelDesk['answering']>>): void {
  parts.emit({ type: 'model-change', model: modelName(model), modelLabel: model.label, isDemo: model.provider === 'demo' });
}
