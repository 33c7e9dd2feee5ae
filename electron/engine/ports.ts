/** Ports: every interface the engine owns and others implement. Says what an implementation must not do and how failure comes back. */
import type { ContextMessage, EstimateAccuracy } from '../../shared/compaction.ts';
import type { ProviderRaw, StoredTurn } from '../../shared/conversation.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import type { StorageConnection } from '../../shared/api/storage.ts';
import type { ConnectionReport, KeyStorage, ProviderName, VaultSlot } from '../../shared/models.ts';
import type { StorageChoice, StorageReport, StorageView } from '../../shared/storage-choice.ts';
import type { WireForm } from '../../shared/requests.ts';
import type { ToolSpec } from '../../shared/tool.ts';
import type { Usage } from '../../shared/usage.ts';

export type * from './branch-ports.ts';
export type * from './storage-ports.ts';

// ---------------------------------------------------------------- time and ids

/** The only source of time in the engine. */
export interface Clock {
  /** UTC milliseconds. */
  now(): number;
  /** Resolves after `ms`; rejects with a ConsoleError `cancelled` as soon as the signal aborts. Leaves no timer behind. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`, for limits. Returns the way to cancel. */
  after(ms: number, callback: () => void): () => void;
}

/** The only source of randomness in the engine. */
export interface IdSource {
  /** Time-ordered unique id (UUIDv7 form). */
  uuid(): string;
  /** 32 hex characters from a secure random source. */
  conversationId(): string;
}

/** Counts the tokens of a text. One estimator decides both "is it too big" and "where to cut" ([MEM-9]). Pure and synchronous; never throws. */
export interface TokenEstimator {
  readonly name: string;
  count(text: string): number;
  /** For estimators that learn: how right they were lately. */
  accuracy?(): EstimateAccuracy;
}

// ---------------------------------------------------------------- models

export interface ModelRequest {
  system: string;
  tools: ToolSpec[];
  /** Context and current turn, in wire order; starts with a user message. */
  messages: ContextMessage[];
  /** Cache key and log label; never sent as text. */
  conversationId: string;
  maxOutputTokens?: number;
}

/** Neutral outcomes; an unknown finish reason is `unknown`, an error, never success. */
export type ModelOutcome =
  | 'answered'
  | 'tool-calls'
  | 'refused'
  | 'blocked'
  | 'truncated'
  | 'malformed-tool'
  | 'interrupted'
  | 'rate-limited'
  | 'quota'
  | 'auth'
  | 'invalid-request'
  | 'overloaded'
  | 'unknown';

/** A call as the model made it. `arguments` is null when the text was no JSON object; such a call never runs. */
export interface ModelToolCall {
  id: string;
  name: string;
  argumentsText: string;
  arguments: Record<string, unknown> | null;
}

export type ModelEvent =
  | { type: 'text-delta'; id: string; delta: string }
  /** A wait before another try; the adapter sleeps, cancellable by the signal. Never after anything was streamed. */
  | { type: 'retry-start'; attempt: number; delayMs: number; reason: string; error: ErrorInfo }
  /** Something a person should know: a repaired history, what could not travel to this provider. */
  | { type: 'notice'; message: string }
  | {
      type: 'model-end';
      outcome: ModelOutcome;
      /** All text, also where the outcome is a failure. */
      text: string;
      calls: ModelToolCall[];
      /** The provider's own message to return later; null where there is none. */
      raw: ProviderRaw | null;
      /** null: not reported. */
      usage: Usage | null;
      /** The provider's own word for why it ended. */
      finishReason: string | null;
      /** Present unless the outcome is answered, tool-calls or refused. */
      error: ErrorInfo | null;
    };

/**
 * A language model behind one wire API.
 * Must validate the history with the rule checker before sending, must not retry once anything was streamed, must not read the environment,
 * must not put a key into an event or error. Every stream ends with exactly one `model-end`, failures included;
 * it throws only a ConsoleError `cancelled` when the signal aborts.
 */
export interface LanguageModel {
  /** `demo`, `openai`, `openai-chat`, `gemini`, `tape`. */
  readonly provider: string;
  readonly model: string;
  /** What people read, e.g. `demo model (scripted, not an AI)`. */
  readonly label: string;
  /** Tokens; null: unknown. */
  readonly windowTokens: number | null;
  /** `onSent` is told about every body that is put on the wire, just before it leaves; models without a wire never call it. */
  stream(request: ModelRequest, signal: AbortSignal, onSent?: (sent: WireForm) => void): AsyncIterable<ModelEvent>;
  /** The body that `stream` would send for the request in this variant, byte for byte, without sending it; null: none. Absent: no wire. */
  encode?(request: ModelRequest, variant: string): Promise<string | null>;
  /**
   * Recorded models only: what the tool answered when the call was recorded, as JSON text; null: the recording holds none. While such a
   * model answers no tool runs, so that a recording plays the same everywhere and changes nothing.
   */
  recordedResult?(conversationId: string, callId: string): string | null;
}

/** Where the engine says what went wrong; an implementation redacts keys and never throws. */
export interface Logger {
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
}

/** Chooses the model that answers; asked once at the start of each run. Must not throw: a model that cannot be used ends its stream with an error. */
export interface ModelSource {
  answering(): LanguageModel | Promise<LanguageModel>;
}

// ---------------------------------------------------------------- providers, keys and prices

/** What a model needs to be reached. Never logged, never part of an event, an error or a result. */
export interface ModelAccess {
  provider: ProviderName;
  model: string;
  apiKey: string | null;
  /** null: the provider's own address. */
  baseUrl: string | null;
  /** Tokens; null: as the catalog says. */
  windowTokens: number | null;
  /** Provider `tape`: the text of an imported tape; null: `model` names one that ships. */
  tapeText: string | null;
}

/** Rates in micro-USD per million tokens. */
export interface ModelRates {
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
  /** First day they hold, `YYYY-MM-DD`, UTC. */
  since: string;
}

export interface CatalogEntry {
  id: string;
  windowTokens: number | null;
}

/**
 * Makes and examines models: the one way from a choice to something that answers. Must not read the environment, must not keep a key beyond
 * the model it was given for, must not put a key into anything it returns or throws.
 */
export interface ModelWorkshop {
  /** Must not throw: a model that cannot be used ends its stream with an error that says what to do. */
  create(access: ModelAccess): LanguageModel;
  label(provider: ProviderName): string;
  /** `PROVIDER/MODEL`, or a provider alone for its default model. Throws ConsoleError `invalid-input`. */
  parseName(text: string): { provider: ProviderName; model: string };
  catalog(provider: ProviderName): CatalogEntry[];
  /** The provider's own list. Rejects with the provider's ConsoleError. */
  listModels(access: ModelAccess, signal: AbortSignal): Promise<CatalogEntry[]>;
  /** null: this provider does not embed. Absent: none does. */
  embedder?(access: ModelAccess): Embedder | null;
  /** The body of a request as the adapter of that form writes it today; null: it writes none. Nothing is sent, no key is needed. */
  rebuild?(request: ModelRequest, form: WireForm): Promise<string | null>;
  /** Sends one short question. Rejects only with `cancelled`. */
  test(access: ModelAccess, signal: AbortSignal): Promise<{ report: ConnectionReport; usage: Usage | null }>;
}

/**
 * Turns texts into vectors. Must not retry, must not put a key into what it throws. Rejects with the provider's ConsoleError, `cancelled`
 * when the signal aborts.
 */
export interface Embedder {
  readonly provider: string;
  readonly model: string;
  /** One vector per text, all of one length. `usage` null: not reported. */
  embed(
    texts: readonly string[],
    purpose: 'document' | 'query',
    signal: AbortSignal,
  ): Promise<{ vectors: number[][]; usage: Usage | null }>;
}

/** Dated prices. Pure; a missing price is null, never a guess. */
export interface PriceList {
  /** The rates that held at `at`, UTC milliseconds. */
  rates(provider: string, model: string, at: number): ModelRates | null;
  /** Integer micro-USD of one call; rates may depend on its size. */
  cost(provider: string, model: string, usage: Usage, at: number): number | null;
}

/**
 * Keeps keys beyond this session in the system's own key store. Must not write a key unencrypted, must not log it.
 * Failures are ConsoleErrors without the key: `unsupported` where nothing can be kept, `storage` when reading or writing failed.
 */
export interface KeyVault {
  storage(): Promise<KeyStorage>;
  /** null: none is kept. */
  read(slot: VaultSlot): Promise<string | null>;
  write(slot: VaultSlot, key: string): Promise<void>;
  forget(slot: VaultSlot): Promise<void>;
}

/** Where conversations are kept from the next start on. Failures are ConsoleErrors without the password. */
export interface StorageDesk {
  view(): Promise<StorageView>;
  /** null: what the next start uses. Rejects with `invalid-input` when that is no server. */
  test(connection: StorageConnection | null): Promise<StorageReport>;
  /** Number of changes. `adminUrl` is used once and not kept. */
  migrate(connection: StorageConnection | null, adminUrl: string | null): Promise<number>;
  /** Rejects with `forbidden` while the environment decides, `unsupported` where the password cannot be kept as asked. */
  save(choice: StorageChoice, connection: StorageConnection | null, keep: 'keychain' | 'session'): Promise<void>;
  /** Soon after this call. `here`: on this computer, whatever is chosen. Throws `unsupported` where the host cannot. */
  restart(here: boolean): void;
}

/** What a tape file says about itself. */
export interface TapeFacts {
  title: string;
  turns: number;
  /** The recorded model, `PROVIDER/MODEL`. */
  model: string;
}

/** Recorded conversations as files. Pure. */
export interface TapeDeck {
  /** Ids of the tapes that ship, in the order they are shown. */
  shipped(): ({ id: string } & TapeFacts)[];
  /** Throws ConsoleError `invalid-input` with what is wrong with the file. */
  read(text: string): TapeFacts;
  /** A redacted recording; null: nothing was answered yet. `secrets` are removed wherever they stand. */
  record(source: { title: string; model: string; turns: readonly StoredTurn[]; secrets: readonly string[] }): {
    text: string;
    redactions: number;
  } | null;
}
