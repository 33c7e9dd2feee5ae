/** I/O: the engine's port to models: makes them, lists them, tests them, in the words the console shows. */
import type { CatalogEntry, Clock, LanguageModel, ModelAccess, ModelWorkshop } from '../engine/ports.ts';
import type { ErrorCode, ErrorInfo } from '../../shared/errors.ts';
import type { ConnectionFact, ConnectionReport, ProviderName } from '../../shared/models.ts';
import { CATALOG } from './catalog.ts';
import { createEmbedder } from './embedder.ts';
import { listModels, testConnection } from './model-connection.ts';
import type { ConnectionReport as Findings } from './model-connection.ts';
import { createModel, parseModelName, PROVIDER_LABELS } from './model-factory.ts';
import type { ModelOptions } from './model-factory.ts';

export interface WorkshopOptions {
  clock: Clock;
  /** Pause per word of the demo model and of tapes, in milliseconds. */
  delayMs: number;
  /** Sees every model that is made, e.g. to learn from what it reports. */
  watch?: (model: LanguageModel) => LanguageModel;
}

export function createModelWorkshop(options: WorkshopOptions): ModelWorkshop {
  const { clock, watch = (model) => model } = options;
  const optionsOf = (access: ModelAccess): ModelOptions => ({
    provider: access.provider,
    model: access.model,
    clock,
    delayMs: options.delayMs,
    ...(access.apiKey !== null && { apiKey: access.apiKey }),
    ...(access.baseUrl !== null && { baseUrl: access.baseUrl }),
    ...(access.windowTokens !== null && { windowTokens: access.windowTokens }),
    ...(access.tapeText !== null && { tapeText: access.tapeText }),
  });
  return {
    create: (access) => watch(createModel(optionsOf(access))),
    label: (provider) => PROVIDER_LABELS[provider],
    parseName: parseModelName,
    catalog,
    async listModels(access, signal) {
      const models = await listModels(optionsOf(access), signal);
      return models.map(({ id, windowTokens }) => ({ id, windowTokens }));
    },
    embedder: (access) => createEmbedder(access, clock),
    async rebuild(request, { provider, model, variant }) {
      // Where it went is not part of a body, and no key is in it.
      const writer = createModel({ provider, model, clock, apiKey: 'none' });
      return (await writer.encode?.(request, variant)) ?? null;
    },
    async test(access, signal) {
      const findings = await testConnection(optionsOf(access), signal);
      return { report: reportOf(access.provider, findings), usage: findings.usage };
    },
  };
}

function catalog(provider: ProviderName): CatalogEntry[] {
  if (provider === 'demo') return [{ id: 'demo', windowTokens: null }];
  return CATALOG.filter((entry) => entry.provider === provider).map((entry) => ({ id: entry.model, windowTokens: entry.windowTokens }));
}

/** Words of findings that are worth knowing and no failure. */
const WARNINGS = /WITHOUT encryption|not among the|could not be read/;

function reportOf(provider: ProviderName, findings: Findings): ConnectionReport {
  const { ok, error } = findings;
  const facts = findings.facts.map((text): ConnectionFact => {
    if (WARNINGS.test(text)) return { ok: null, text };
    return { ok: text !== error?.message, text };
  });
  return ok
    ? { ok, facts, problem: '', action: '' }
    : { ok, facts, problem: error?.message ?? NO_ANSWER, action: actionFor(provider, error) };
}

const NO_ANSWER = 'The model ended without an answer.';

/** What to do next, by the kind of trouble. */
const ACTIONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  'model-auth': 'Check the key, the name of the model and what this key may use, then test again.',
  'model-quota': "Check plan and billing on the provider's page; until then choose another model.",
  'model-rate-limited': 'Wait a minute, then test again; key and address are right.',
  'model-overloaded': 'Wait a minute, then test again; key and address are right.',
  'model-interrupted': 'Check the network, a proxy or firewall, and the base URL.',
  'model-invalid-request': 'Check the base URL and the name of the model.',
};
const SERVER_ACTION = 'Check that the server runs and that the base URL is right (it usually ends in /v1).';
const OTHER_ACTION = 'Test again; if it stays like this, choose another model.';

function actionFor(provider: ProviderName, error: ErrorInfo | null): string {
  if (error === null) return OTHER_ACTION;
  if (error.code === 'model-interrupted' && provider === 'openai-chat') return SERVER_ACTION;
  return ACTIONS[error.code] ?? OTHER_ACTION;
}
