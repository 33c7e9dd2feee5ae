/** Pure: makes the model a person chose. Never throws for a model that cannot be used: its stream ends with an error that says why. */
import type { Clock, LanguageModel } from '../engine/ports.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import { windowTokensOf } from './catalog.ts';
import { createDemoModel } from './demo/demo-model.ts';
import { createGemini } from './gemini.ts';
import type { Timeouts } from './model-stream.ts';
import { createOpenAiChat } from './openai-chat.ts';
import { createOpenAiResponses } from './openai-responses.ts';
import type { RetryPolicy } from './retry.ts';
import { createTapeModel, parseTape } from './tape.ts';
import { shippedTape, SHIPPED_TAPES } from './tapes.ts';

export const MODEL_PROVIDERS = ['demo', 'openai', 'openai-chat', 'gemini', 'tape'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** What people read in a list of providers. */
export const PROVIDER_LABELS: Readonly<Record<ModelProvider, string>> = {
  demo: 'Demo model (scripted, not an AI)',
  openai: 'OpenAI',
  'openai-chat': 'OpenAI-compatible server',
  gemini: 'Gemini',
  tape: 'Recorded conversation',
};

/** Used when a provider is named without a model. */
export const DEFAULT_MODELS: Readonly<Record<ModelProvider, string>> = {
  demo: 'demo',
  openai: 'gpt-5-mini',
  'openai-chat': 'gpt-4o-mini',
  gemini: 'gemini-2.5-flash',
  tape: SHIPPED_TAPES[0],
};

export interface ModelOptions {
  provider: string;
  model: string;
  apiKey?: string;
  baseUrl?: string;
  clock: Clock;
  timeouts?: Partial<Timeouts>;
  retry?: Partial<RetryPolicy>;
  /** Pause per word of the demo model and of tapes, in milliseconds. */
  delayMs?: number;
  /** Tapes: the file's text; without it `model` names a shipped tape. */
  tapeText?: string;
  /** Tokens, for models the catalog does not hold. */
  windowTokens?: number;
}

export function isModelProvider(name: string): name is ModelProvider {
  return MODEL_PROVIDERS.some((provider) => provider === name);
}

/** Reads `PROVIDER/MODEL`, split at the first `/`; a provider alone means its default model. Throws ConsoleError `invalid-input`. */
export function parseModelName(text: string): { provider: ModelProvider; model: string } {
  const slash = text.indexOf('/');
  const provider = (slash < 0 ? text : text.slice(0, slash)).trim();
  const model = slash < 0 ? '' : text.slice(slash + 1).trim();
  if (!isModelProvider(provider)) {
    throw new ConsoleError(
      'invalid-input',
      `There is no model provider "${provider}"; write PROVIDER/MODEL with one of ${MODEL_PROVIDERS.join(', ')}.`,
    );
  }
  return { provider, model: model === '' ? DEFAULT_MODELS[provider] : model };
}

/** The model of these options. */
export function createModel(options: ModelOptions): LanguageModel {
  const { provider, model, clock, timeouts, retry } = options;
  if (!isModelProvider(provider)) {
    return brokenModel(provider, model, `There is no model provider "${provider}". Choose another model in settings.`);
  }
  // Keys and addresses are pasted, often with a line break behind them.
  const apiKey = options.apiKey?.trim() ?? '';
  const baseUrl = options.baseUrl?.trim() ?? '';
  const adapter = {
    model,
    clock,
    windowTokens: options.windowTokens ?? windowTokensOf(provider, model),
    ...(apiKey === '' ? {} : { apiKey }),
    ...(baseUrl === '' ? {} : { baseUrl }),
    ...(timeouts === undefined ? {} : { timeouts }),
    ...(retry === undefined ? {} : { retry }),
  };
  switch (provider) {
    case 'demo':
      return createDemoModel({ delayMs: options.delayMs ?? 0, clock });
    case 'openai':
      return createOpenAiResponses(adapter);
    case 'openai-chat':
      return createOpenAiChat(adapter);
    case 'gemini':
      return createGemini(adapter);
    case 'tape':
      return tapeModel(options);
  }
}

function tapeModel(options: ModelOptions): LanguageModel {
  try {
    const tape = options.tapeText === undefined ? shippedTape(options.model) : parseTape(options.tapeText);
    return createTapeModel({ tape, name: options.model, clock: options.clock, delayMs: options.delayMs ?? 0 });
  } catch (error) {
    return brokenModel('tape', options.model, error instanceof Error ? error.message : String(error));
  }
}

/** A model that says what is wrong instead of answering. */
function brokenModel(provider: string, model: string, message: string): LanguageModel {
  const error: ErrorInfo = { code: 'model-invalid-request', message, retryable: false };
  return {
    provider,
    model,
    label: `${provider} ${model}`,
    windowTokens: null,
    async *stream() {
      yield { type: 'model-end', outcome: 'invalid-request', text: '', calls: [], raw: null, usage: null, finishReason: null, error };
    },
  };
}
