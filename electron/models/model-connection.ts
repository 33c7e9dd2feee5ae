/** I/O: lists a provider's models and tests a connection, with facts in plain words. Keys never appear in them. */
import type { Clock } from '../engine/ports.ts';
import { ConsoleError, fromErrorInfo } from '../../shared/errors.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import type { Usage } from '../../shared/usage.ts';
import { findModel, windowTokensOf } from './catalog.ts';
import { GEMINI_BASE_URL, geminiClient, translateGeminiError } from './gemini.ts';
import { createModel, isModelProvider, PROVIDER_LABELS } from './model-factory.ts';
import type { ModelOptions } from './model-factory.ts';
import { hostOf, OPENAI_BASE_URL, openAiClient, translateOpenAiError } from './openai-client.ts';
import type { ErrorContext } from './provider-errors.ts';
import { SHIPPED_TAPES } from './tapes.ts';

export interface ListedModel {
  id: string;
  /** Tokens; null: unknown. */
  windowTokens: number | null;
  /** True when the catalog has a price, so that cost can be shown. */
  priced: boolean;
}

export interface ConnectionOptions {
  provider: string;
  apiKey?: string;
  baseUrl?: string;
  clock: Clock;
}

export interface ConnectionReport {
  ok: boolean;
  /** Sentences in the order they were found out; the last one says what to do when something is wrong. */
  facts: string[];
  /** Of the test's own request; null: none was reported. */
  usage: Usage | null;
  /** Why the model did not answer; null when it did. */
  error: ErrorInfo | null;
}

const LIST_LIMIT = 1000;
/** OpenAI lists models of all kinds; these words mark the ones that do not chat. */
const NO_CHAT = /embedding|whisper|tts|dall-e|image|audio|realtime|transcribe|moderation|search|davinci|babbage|sora|instruct/;
const TEST_OUTPUT_TOKENS = 64;

/**
 * Ids a person can choose, newest names first as the provider lists them. Throws ConsoleError with the provider's reason (`model-auth`, …);
 * `unsupported` for a provider we do not know.
 */
export async function listModels(options: ConnectionOptions, signal: AbortSignal): Promise<ListedModel[]> {
  const { provider } = options;
  if (!isModelProvider(provider)) throw new ConsoleError('unsupported', `There is no model provider "${provider}".`);
  if (provider === 'demo') return [listed('demo', 'demo', null)];
  if (provider === 'tape') return SHIPPED_TAPES.map((name) => listed('tape', name, null));
  const baseUrl = options.baseUrl ?? (provider === 'gemini' ? GEMINI_BASE_URL : OPENAI_BASE_URL);
  const context: ErrorContext = {
    label: PROVIDER_LABELS[provider],
    model: 'the list of models',
    host: hostOf(baseUrl),
    secrets: options.apiKey === undefined ? [] : [options.apiKey],
  };
  try {
    return provider === 'gemini' ? await listGemini(options, baseUrl, signal) : await listOpenAi(options, baseUrl, signal);
  } catch (error) {
    if (signal.aborted) throw new ConsoleError('cancelled', 'Listing the models was stopped.');
    const failed = provider === 'gemini' ? translateGeminiError(error, context) : translateOpenAiError(error, context, options.clock.now());
    throw fromErrorInfo(failed.error);
  }
}

function listed(provider: string, id: string, windowTokens: number | null): ListedModel {
  return { id, windowTokens: windowTokens ?? windowTokensOf(provider, id), priced: (findModel(provider, id)?.prices.length ?? 0) > 0 };
}

async function listOpenAi(options: ConnectionOptions, baseUrl: string, signal: AbortSignal): Promise<ListedModel[]> {
  const client = await openAiClient({ apiKey: options.apiKey || undefined, baseUrl, jsonBecomesEvent: false }, { touch: () => undefined });
  const models: ListedModel[] = [];
  const official = /(^|\.)openai\.com$/.test(hostOf(baseUrl));
  for await (const model of client.models.list({ signal })) {
    if (!official || !NO_CHAT.test(model.id)) models.push(listed(options.provider, model.id, null));
    if (models.length >= LIST_LIMIT) break;
  }
  return models;
}

async function listGemini(options: ConnectionOptions, baseUrl: string, signal: AbortSignal): Promise<ListedModel[]> {
  const client = await geminiClient(options.apiKey ?? '', baseUrl, { touch: () => undefined });
  const models: ListedModel[] = [];
  for await (const model of await client.models.list({ config: { abortSignal: signal } })) {
    const actions = model.supportedActions ?? [];
    const id = (model.name ?? '').replace(/^models\//, '');
    if (id !== '' && (actions.length === 0 || actions.includes('generateContent'))) {
      models.push(listed('gemini', id, model.inputTokenLimit ?? null));
    }
    if (models.length >= LIST_LIMIT) break;
  }
  return models;
}

/** Sends one short question (it costs a few tokens) and tells in plain words what works and what does not. Throws only `cancelled`. */
export async function testConnection(options: ModelOptions, signal: AbortSignal): Promise<ConnectionReport> {
  const facts: string[] = [];
  const network = options.provider === 'openai' || options.provider === 'openai-chat' || options.provider === 'gemini';
  if (network) facts.push(addressFact(options));
  const found = network ? await listFact(options, signal) : null;
  if (found !== null) facts.push(found);
  const started = options.clock.now();
  const model = createModel({ ...options, retry: { ...options.retry, retries: 0 } });
  let usage: Usage | null = null;
  let ok = false;
  let failed: ErrorInfo | null = null;
  const request = {
    system: 'Answer with one short word.',
    tools: [],
    messages: [{ role: 'user' as const, content: 'Say OK.' }],
    conversationId: 'connection-test',
    maxOutputTokens: TEST_OUTPUT_TOKENS,
  };
  for await (const event of model.stream(request, signal)) {
    if (event.type !== 'model-end') continue;
    usage = event.usage;
    // A reasoning model may spend the few allowed tokens on thinking: that it does is answer enough.
    ok = event.error === null || event.outcome === 'truncated';
    failed = ok ? null : event.error;
    facts.push(ok ? `"${options.model}" answered in ${options.clock.now() - started} ms.` : (event.error?.message ?? 'No answer.'));
  }
  return { ok, facts, usage, error: failed };
}

function addressFact(options: ModelOptions): string {
  const baseUrl = options.baseUrl || (options.provider === 'gemini' ? GEMINI_BASE_URL : OPENAI_BASE_URL);
  const url = URL.parse(baseUrl);
  if (url === null) return `"${baseUrl}" is no address.`;
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'https:') return `Requests go to ${url.host}, encrypted.`;
  return local
    ? `Requests go to ${url.host} on this machine.`
    : `Requests go to ${url.host} WITHOUT encryption: key and conversations can be read on the way.`;
}

async function listFact(options: ModelOptions, signal: AbortSignal): Promise<string | null> {
  try {
    const models = await listModels(options, signal);
    if (models.length === 0) return null;
    const known = models.some((model) => model.id === options.model);
    return known
      ? `The key is accepted; "${options.model}" is one of ${models.length} models.`
      : `The key is accepted, but "${options.model}" is not among the ${models.length} models listed.`;
  } catch (error) {
    if (signal.aborted) throw error;
    // Some compatible servers list nothing; the question itself decides.
    return error instanceof ConsoleError && error.code === 'model-auth' ? error.message : 'The list of models could not be read.';
  }
}
