/** Which model answers, and all that people can ask about models: choices, lists, tests. I/O through ports only. */
import { z } from 'zod';
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import { isUnprotected } from '../../../shared/plain-address.ts';
import type { ConnectionReport, KeyStorage, ModelView, ProviderName, ProviderView } from '../../../shared/models.ts';
import { PROVIDERS } from '../../../shared/models.ts';
import type { OwnPrices } from '../../../shared/own-prices.ts';
import type { Usage } from '../../../shared/usage.ts';
import type { CatalogEntry, Clock, Embedder, LanguageModel, Logger, ModelAccess, ModelWorkshop, PreferenceStore } from '../ports.ts';
import type { KeyRing, ProviderEnvironment } from './key-ring.ts';
import { KEY_VARIABLES } from './key-ring.ts';
import { createQuotaPause } from './quota-pause.ts';
import type { TapeShelf } from './tape-shelf.ts';

export interface ModelDeskDeps {
  workshop: ModelWorkshop;
  keys: KeyRing;
  tapes: TapeShelf;
  environment: Readonly<Partial<Record<ProviderName, ProviderEnvironment>>>;
  /** What the process was started with, `PROVIDER/MODEL`; null: nothing. */
  startedWith: string | null;
  preferences: PreferenceStore;
  ownPrices: () => Promise<OwnPrices>;
  priceOf: (provider: ProviderName, model: string, own: OwnPrices) => ModelView['price'];
  clock: Clock;
  logger: Logger;
}

export interface ConnectionTest {
  provider: ProviderName;
  model?: string | undefined;
  key?: string | undefined;
  baseUrl?: string | undefined;
}

export interface ModelDesk {
  /** The model of the next run. Never rejects: one that cannot be used ends its stream with an error. */
  answering(): Promise<LanguageModel>;
  /** A named model, e.g. for summaries; "" is the answering one. Rejects with `invalid-input` for an unknown provider. */
  named(name: string): Promise<LanguageModel>;
  /** The embedder of a `PROVIDER/MODEL`; null for "" and for providers that do not embed. Rejects with `invalid-input`. */
  embedder(name: string): Promise<Embedder | null>;
  current(): Promise<string>;
  views(): Promise<{ providers: ProviderView[]; current: string; keyStorage: KeyStorage }>;
  view(provider: ProviderName): Promise<ProviderView>;
  choose(name: string): Promise<LanguageModel>;
  saveBaseUrl(provider: ProviderName, baseUrl: string | null): Promise<void>;
  listModels(provider: ProviderName): Promise<{ models: ModelView[]; problem: string }>;
  /** A person has acted: a provider whose quota was used up is asked again. */
  resume(provider: ProviderName): void;
  test(params: ConnectionTest): Promise<{ report: ConnectionReport; usage: Usage | null; provider: ProviderName; model: string }>;
}

const CHOICE_KEY = 'model';
const ADDRESSES_KEY = 'model-addresses';
const DEMO = 'demo';
/** Longest wait for a provider's list, in milliseconds. */
const LIST_MS = 15_000;
/** Longest wait for a connection test, in milliseconds. */
const TEST_MS = 45_000;

const TAKES_ADDRESS: readonly ProviderName[] = ['openai', 'openai-chat', 'gemini'];
const addressesSchema = z.partialRecord(z.enum(PROVIDERS), z.string());

/** An address is shown to people; a query may say which version of an API is meant, e.g. Azure's `api-version`, and no more. */
const SECRET_PARAMETER = /key|token|secret|password|signature|^sig$|^code$/i;

/** The address as it may be used, or a ConsoleError `invalid-input` that never repeats a password. */
export function checkedBaseUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ConsoleError('invalid-input', 'The base URL must be an address like https://host/v1.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConsoleError('invalid-input', 'The base URL must not hold a user name or password; put the key into its own field.');
  }
  if ([...url.searchParams.keys()].some((name) => SECRET_PARAMETER.test(name))) {
    throw new ConsoleError('invalid-input', 'The base URL must not hold a key; put it into its own field.');
  }
  if (isUnprotected(url)) {
    const message = `Keys and conversations would leave this machine unencrypted; write the base URL as https://${url.host}.`;
    throw new ConsoleError('invalid-input', message);
  }
  if (url.hash !== '') throw new ConsoleError('invalid-input', 'The base URL must end before any "#".');
  return url.href.replace(/\/$/, '');
}

export function createModelDesk(deps: ModelDeskDeps): ModelDesk {
  return new Desk(deps);
}

class Desk implements ModelDesk {
  readonly #deps: ModelDeskDeps;
  /** Chosen by a person since the start: wins over what the process was started with. */
  #chosen: string | null = null;
  /** The newest model made, so that a run of questions is answered by one and the same. */
  #made: { access: string; model: LanguageModel } | null = null;
  readonly #pause = createQuotaPause();

  constructor(deps: ModelDeskDeps) {
    this.#deps = deps;
  }

  async answering(): Promise<LanguageModel> {
    return this.#make(await this.#choice());
  }

  async named(name: string): Promise<LanguageModel> {
    return name === '' ? this.answering() : this.#make(this.#deps.workshop.parseName(name));
  }

  async embedder(name: string): Promise<Embedder | null> {
    if (name.trim() === '') return null;
    const { provider, model } = this.#deps.workshop.parseName(name.trim());
    const access = await this.#access(provider, model);
    return this.#pause.isPaused(access) ? null : (this.#deps.workshop.embedder?.(access) ?? null);
  }

  resume(provider: ProviderName): void {
    this.#pause.resume(provider);
  }

  async current(): Promise<string> {
    const { provider, model } = await this.#choice();
    return `${provider}/${model}`;
  }

  async views() {
    const [providers, current, keyStorage] = await Promise.all([
      Promise.all(PROVIDERS.map((provider) => this.view(provider))),
      this.current(),
      this.#deps.keys.storage(),
    ]);
    return { providers, current, keyStorage };
  }

  async view(provider: ProviderName): Promise<ProviderView> {
    const [{ state }, addresses] = await Promise.all([this.#deps.keys.find(provider), this.#addresses()]);
    return {
      provider,
      label: this.#deps.workshop.label(provider),
      key: state,
      keyVariable: KEY_VARIABLES[provider] ?? null,
      baseUrl: this.#address(provider, addresses),
      takesBaseUrl: TAKES_ADDRESS.includes(provider),
    };
  }

  async choose(name: string): Promise<LanguageModel> {
    const choice = this.#deps.workshop.parseName(name.trim());
    const text = `${choice.provider}/${choice.model}`;
    await this.#deps.preferences.write(CHOICE_KEY, JSON.stringify(text));
    this.#chosen = text;
    this.resume(choice.provider);
    return this.#make(choice);
  }

  async saveBaseUrl(provider: ProviderName, baseUrl: string | null): Promise<void> {
    if (!TAKES_ADDRESS.includes(provider)) throw new ConsoleError('invalid-input', 'This provider has no address of its own.');
    const addresses = { ...(await this.#addresses()) };
    if (baseUrl === null || baseUrl.trim() === '') delete addresses[provider];
    else addresses[provider] = checkedBaseUrl(baseUrl);
    await this.#deps.preferences.write(ADDRESSES_KEY, JSON.stringify(addresses));
    this.resume(provider);
  }

  async listModels(provider: ProviderName): Promise<{ models: ModelView[]; problem: string }> {
    const { workshop, keys, tapes, priceOf } = this.#deps;
    const own = await this.#deps.ownPrices();
    const views = (entries: readonly CatalogEntry[]): ModelView[] => {
      const known = new Map(entries.map((entry) => [entry.id, entry.windowTokens]));
      for (const name of Object.keys(own)) if (name.startsWith(`${provider}/`)) known.set(name.slice(provider.length + 1), null);
      return [...known].map(([id, windowTokens]) => ({
        id,
        windowTokens: own[`${provider}/${id}`]?.window ?? windowTokens,
        price: priceOf(provider, id, own),
      }));
    };
    if (provider === 'tape')
      return { models: (await tapes.list()).map(({ id }) => ({ id, windowTokens: null, price: null })), problem: '' };
    const catalog = workshop.catalog(provider);
    if (provider === 'demo') return { models: views(catalog), problem: '' };
    const { key } = await keys.find(provider);
    if (key === null && provider !== 'openai-chat') {
      const problem = `Without a key only the models this version knows are listed. Save a key, or set ${KEY_VARIABLES[provider] ?? 'one'}.`;
      return { models: views(catalog), problem };
    }
    try {
      const access = await this.#access(provider, '');
      return { models: views(await this.#limited(LIST_MS, (signal) => workshop.listModels(access, signal))), problem: '' };
    } catch (error) {
      return { models: views(catalog), problem: toErrorInfo(error).message };
    }
  }

  async test(params: ConnectionTest) {
    const { workshop, keys } = this.#deps;
    const { provider } = params;
    const current = await this.#choice();
    const wanted = (params.model ?? '').trim();
    const model = wanted !== '' ? wanted : current.provider === provider ? current.model : workshop.parseName(provider).model;
    const access = await this.#access(provider, model);
    const given = (params.key ?? '').trim();
    if (given !== '') access.apiKey = keys.check(provider, given);
    if (params.baseUrl !== undefined && params.baseUrl.trim() !== '') access.baseUrl = checkedBaseUrl(params.baseUrl);
    const { report, usage } = await this.#limited(TEST_MS, (signal) => workshop.test(access, signal));
    if (report.ok) this.resume(provider);
    return { report, usage, provider, model };
  }

  async #choice(): Promise<{ provider: ProviderName; model: string }> {
    const { workshop, startedWith, preferences, logger } = this.#deps;
    const name = this.#chosen ?? startedWith ?? readText(await preferences.read(CHOICE_KEY)) ?? DEMO;
    try {
      return workshop.parseName(name);
    } catch (error) {
      logger.warn('the chosen model is unknown; the demo model answers', { model: name, reason: toErrorInfo(error).message });
      return workshop.parseName(DEMO);
    }
  }

  async #make(choice: { provider: ProviderName; model: string }): Promise<LanguageModel> {
    const access = await this.#access(choice.provider, choice.model);
    const text = JSON.stringify(access);
    if (this.#made?.access !== text) this.#made = { access: text, model: this.#pause.guard(this.#deps.workshop.create(access), access) };
    return this.#made.model;
  }

  async #access(provider: ProviderName, model: string): Promise<ModelAccess> {
    const { keys, tapes } = this.#deps;
    const [{ key }, addresses, own, tapeText] = await Promise.all([
      keys.find(provider),
      this.#addresses(),
      this.#deps.ownPrices(),
      provider === 'tape' ? tapes.text(model) : null,
    ]);
    const windowTokens = own[`${provider}/${model}`]?.window ?? null;
    return { provider, model, apiKey: key, baseUrl: this.#address(provider, addresses), windowTokens, tapeText };
  }

  #address(provider: ProviderName, addresses: Readonly<Partial<Record<ProviderName, string>>>): string | null {
    return this.#deps.environment[provider]?.baseUrl ?? addresses[provider] ?? null;
  }

  async #addresses(): Promise<Partial<Record<ProviderName, string>>> {
    const json = await this.#deps.preferences.read(ADDRESSES_KEY);
    if (json === null) return {};
    try {
      return addressesSchema.parse(JSON.parse(json));
    } catch (error) {
      this.#deps.logger.warn('the saved addresses of providers are unreadable and are ignored', { error: toErrorInfo(error).message });
      return {};
    }
  }

  /** Aborts `work` after `ms`; then it rejects with what the workshop makes of that. */
  async #limited<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const cancel = this.#deps.clock.after(ms, () => controller.abort());
    try {
      return await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      throw new ConsoleError('model-interrupted', `The provider did not answer within ${Math.round(ms / 1000)} s.`, { retryable: true });
    } finally {
      cancel();
    }
  }
}

function readText(json: string | null): string | null {
  try {
    const value: unknown = json === null ? null : JSON.parse(json);
    return typeof value === 'string' && value !== '' ? value : null;
  } catch {
    return null;
  }
}
