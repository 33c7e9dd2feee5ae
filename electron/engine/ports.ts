/** Ports: every interface the engine owns and others implement. Says what an implementation must not do and how failure comes back. */
import type { ContextMessage } from '../../shared/compaction.ts';
import type {
  Conversation,
  ConversationSummary,
  NewMessage,
  ProviderRaw,
  QueuedMessage,
  StoredMessage,
  StoredTurn,
  StrategyName,
  TurnOutcome,
  TurnRecord,
  TurnState,
} from '../../shared/conversation.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import type { Reference } from '../../shared/ids.ts';
import type { Memory, SummaryVersion } from '../../shared/memories.ts';
import type { ConnectionReport, KeyStorage, ProviderName } from '../../shared/models.ts';
import type { ArchivedRequest, ArchiveSize } from '../../shared/requests.ts';
import type { Article, Customer, Order, Product, Ticket, TicketStatus } from '../../shared/shop.ts';
import type { ToolSpec } from '../../shared/tool.ts';
import type { RunSummary, Span, SpanDetail, TraceEvent } from '../../shared/trace.ts';
import type { Usage, UsageRecord, UsageTotals } from '../../shared/usage.ts';

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
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

// ---------------------------------------------------------------- storage

/**
 * All storage. Rules for every method: failures come back as ConsoleError (`not-saved` when a write did not reach the disk, `not-found`,
 * `conflict`, `storage`, `read-only`); a method either did all of its work or none; text comes back byte for byte
 * (lone surrogates become U+FFFD on entry); returned objects are copies the caller may keep and change.
 */
export interface Store {
  readonly kind: 'sqlite' | 'mysql' | 'mysql+cache' | 'memory';
  readonly conversations: ConversationStore;
  readonly traces: TraceStore;
  readonly shop: ShopStore;
  readonly tickets: TicketStore;
  readonly usage: UsageStore;
  readonly preferences: PreferenceStore;
  readonly archive: ArchiveStore;
  readonly memories: MemoryStore;
  close(): Promise<void>;
}

export interface NewConversation {
  id: string;
  tenant: string;
  actor: Reference | null;
  subject: Reference | null;
  customerId: string | null;
  title: string;
  strategy: StrategyName | null;
  at: number;
}

export type ConversationPatch = Partial<
  Pick<Conversation, 'title' | 'strategy' | 'handoffReason' | 'tenant' | 'actor' | 'subject' | 'settings' | 'redact'>
>;

export interface ListQuery {
  limit: number;
  /** From an earlier page. */
  cursor?: string;
  /** Found in title, customer name, id or message text; two-letter and CJK words work. */
  search?: string;
}

/** What is stored with a customer's message. */
export interface IncomingMessage {
  conversationId: string;
  /** role `user`. */
  message: NewMessage;
  runId: string;
  promptVersion: string;
}

export type AcceptResult =
  /** Saved as the first message of a new turn in state `running`. */
  | { kind: 'started'; record: TurnRecord; message: StoredMessage }
  /** A turn is at work: saved as queued. */
  | { kind: 'queued'; queued: QueuedMessage }
  /** This message id is stored or queued already: nothing was written. */
  | { kind: 'known'; turn: number | null };

export interface ImportedTurn {
  messages: NewMessage[];
  state: TurnState;
}

/** Text that a strategy keeps for a conversation: summary, watermark, frozen layout. JSON text owned by `engine/memory`. */
export interface StoredMemoryState {
  strategy: StrategyName;
  json: string;
}

export interface ConversationStore {
  create(conversation: NewConversation): Promise<Conversation>;
  get(id: string): Promise<Conversation | null>;
  summary(id: string): Promise<ConversationSummary | null>;
  /** Newest `updatedAt` first, then id. */
  list(query: ListQuery): Promise<{ items: ConversationSummary[]; nextCursor: string | null; total: number }>;
  update(id: string, patch: ConversationPatch, at: number): Promise<Conversation>;
  /** With messages, turns, drafts, queue, memory state and traces. */
  delete(id: string): Promise<void>;
  /** Atomic: either a new running turn with its message, or a queued message. Idempotent by message id. `not-found` without the conversation. */
  accept(incoming: IncomingMessage): Promise<AcceptResult>;
  /** The oldest queued message becomes a new running turn; null when none waits or a turn is running. */
  startQueued(
    conversationId: string,
    start: { runId: string; promptVersion: string },
  ): Promise<{ record: TurnRecord; message: StoredMessage } | null>;
  listQueued(conversationId: string): Promise<QueuedMessage[]>;
  /** Ids of all conversations in which a message waits, with or without an open turn: the other work for recovery at start. */
  listQueuedConversations(): Promise<string[]>;
  /**
   * A new run for an ended turn: state `running` again with `runId`, and what followed the customer's message is kept in the trace only
   * (the turn's own rows after the first are marked superseded and no longer returned). `conflict` unless it is the newest turn and ended.
   */
  reopenTurn(
    conversationId: string,
    turn: number,
    start: {
      runId: string;
      promptVersion: string;
      at: number;
      /** The last message of the turn that stays; absent: the customer's. A message that is not the turn's own keeps nothing more. */
      keepThrough?: string;
    },
  ): Promise<TurnRecord>;
  /** Appends to a running turn. `conflict` when the turn is not running under `runId`. A message id already there is left as it is. */
  append(conversationId: string, turn: number, runId: string, messages: NewMessage[]): Promise<StoredMessage[]>;
  /** Keeps the text streamed so far, so that a crash loses little; replaced by each call, dropped by `append` and `endTurn`. */
  saveStreamedText(conversationId: string, turn: number, runId: string, text: string): Promise<void>;
  readStreamedText(conversationId: string, turn: number): Promise<string>;
  /** Last messages and the end of the turn in one write. `conflict` as for `append`. */
  endTurn(
    conversationId: string,
    turn: number,
    runId: string,
    end: { state: TurnState; outcome: TurnOutcome; error: ErrorInfo | null; at: number; messages: NewMessage[] },
  ): Promise<{ record: TurnRecord; messages: StoredMessage[] }>;
  /** Turns in state `running` or `waiting-approval`, over all conversations: work for recovery at start. */
  listOpenTurns(): Promise<TurnRecord[]>;
  /** Newest first: whole turns before `beforeTurn` (default: from the end). Cost depends on `limit`, not on the conversation's length. */
  readTurns(conversationId: string, window: { beforeTurn?: number; limit: number }): Promise<StoredTurn[]>;
  readTurn(conversationId: string, turn: number): Promise<StoredTurn | null>;
  setPinned(conversationId: string, turn: number, pinned: boolean): Promise<void>;
  /** Pinned turns before a turn, oldest first ([MEM-5]). */
  readPinned(conversationId: string, beforeTurn: number): Promise<StoredTurn[]>;
  /**
   * Takes every text of an ended turn out of its rows, of superseded ones, the search index, the traces, the memory states, the summary
   * versions and the memories made from it, and erases all requests from this turn on. The rows stay as tombstones. `conflict` while the
   * turn is at work; `not-found` without the turn. Forgetting again changes nothing.
   */
  forgetTurn(conversationId: string, turn: number, at: number): Promise<TurnRecord>;
  /** The last turn that was read for memories; 0 at first. */
  readDistilledTurn(conversationId: string): Promise<number>;
  writeDistilledTurn(conversationId: string, turn: number): Promise<void>;
  /** Conversations unchanged since `quietSince` with turns not read for memories yet, oldest change first. */
  listUndistilled(query: { quietSince: number; limit: number }): Promise<string[]>;
  /** Numbers the version. `stateJson` is what the strategy kept with it. */
  addSummaryVersion(version: Omit<SummaryVersion, 'version'> & { stateJson: string }): Promise<SummaryVersion>;
  /** Newest first. */
  listSummaryVersions(conversationId: string): Promise<SummaryVersion[]>;
  readSummaryState(conversationId: string, version: number): Promise<string | null>;
  readMemoryState(conversationId: string, strategy: StrategyName): Promise<StoredMemoryState | null>;
  writeMemoryState(conversationId: string, state: StoredMemoryState): Promise<void>;
  /** A whole conversation at once, e.g. an import. */
  insertWhole(conversation: NewConversation, turns: ImportedTurn[]): Promise<Conversation>;
  saveDraft(conversationId: string, text: string, at: number): Promise<void>;
  readDraft(conversationId: string): Promise<string>;
}

/** Traces are for people; a failure to write one must not fail the run (the engine logs it). */
export interface TraceStore {
  saveRun(run: RunSummary): Promise<void>;
  /** Inserts or replaces spans by id, appends events, stores details. One write. */
  save(batch: { spans: Span[]; events: TraceEvent[]; details: SpanDetail[] }): Promise<void>;
  /** Newest first. */
  listRuns(conversationId: string, query: { limit: number; beforeTurn?: number; turn?: number }): Promise<RunSummary[]>;
  readRun(runId: string): Promise<RunSummary | null>;
  /** By start, then id. */
  readSpans(runId: string): Promise<Span[]>;
  readEvents(runId: string): Promise<TraceEvent[]>;
  readDetail(spanId: string): Promise<SpanDetail | null>;
}

/** A request as it left: its segments, joined in order, are its exact text. */
export interface NewArchivedRequest {
  spanId: string;
  conversationId: string;
  turn: number;
  /** UTC milliseconds. */
  at: number;
  segments: string[];
}

/**
 * Requests as they left, each as an earlier request, a position in it and the segments that follow; equal segments of a conversation are
 * stored once. Deleting a conversation erases its requests: only their hashes stay. Must not change a byte of a segment.
 */
export interface ArchiveStore {
  /** Stores a request; the same span again is left as it is. `not-found` without the conversation. */
  keep(request: NewArchivedRequest): Promise<void>;
  /** null: no request of this span is known. */
  read(spanId: string): Promise<ArchivedRequest | null>;
  /** Newest first, without texts. */
  list(conversationId: string, query: { limit: number; turn?: number }): Promise<Omit<ArchivedRequest, 'text'>[]>;
  size(conversationId: string): Promise<ArchiveSize>;
}

export interface ShopStore {
  /** True once seeded. */
  isSeeded(): Promise<boolean>;
  /** Replaces all shop data; one write. */
  seed(data: ShopData): Promise<void>;
  customer(id: string): Promise<Customer | null>;
  listCustomers(query: { limit: number; search?: string }): Promise<Customer[]>;
  /** Of this customer only, newest first. */
  ordersOf(customerId: string): Promise<Order[]>;
  order(id: number): Promise<Order | null>;
  articles(): Promise<Article[]>;
  /** Changes whenever an article does; lets an index know that it is old. */
  articlesVersion(): Promise<string>;
  /** Upserts `put`, deletes `remove` by id; one write. */
  changeArticles(change: { put: Article[]; remove: string[] }): Promise<void>;
}

export interface ShopData {
  customers: Customer[];
  products: Product[];
  orders: Order[];
  articles: Article[];
  tickets: Omit<Ticket, 'version'>[];
}

export interface TicketStore {
  /** Numbers the ticket from the counter in the same write. */
  create(ticket: Omit<Ticket, 'id' | 'version' | 'updatedAt' | 'createdAt'> & { at: number }): Promise<Ticket>;
  get(id: number): Promise<Ticket | null>;
  list(query: { customerId?: string; conversationId?: string; status?: TicketStatus; limit: number }): Promise<Ticket[]>;
  /** `conflict` unless `version` is the stored one. */
  update(id: number, version: number, patch: Partial<Pick<Ticket, 'status' | 'summary' | 'category'>>, at: number): Promise<Ticket>;
}

export interface UsageStore {
  record(record: UsageRecord): Promise<void>;
  totals(query: { conversationId?: string; turn?: number; since?: number; tenant?: string }): Promise<UsageTotals>;
  /** Tenants with at least one line, in order. */
  tenants(): Promise<string[]>;
}

/** Whose memories are meant: those of a tenant, with or without the ones of one of its customers; never those of another customer. */
export interface MemoryOwner {
  tenant: string;
  /** null: the tenant's own only. */
  customerId: string | null;
}

/** Facts that outlive conversations. Must never return a memory of another tenant or another customer than asked for. */
export interface MemoryStore {
  /** Pinned ones first, then the newest. */
  list(query: MemoryOwner & { limit: number; superseded?: boolean }): Promise<Memory[]>;
  /** Of all owners, for the people who run the console. Same order. */
  listAll(query: { limit: number; tenant?: string; search?: string; superseded?: boolean }): Promise<Memory[]>;
  get(id: string): Promise<Memory | null>;
  /** Inserts or replaces by id; one write. */
  put(memories: Memory[]): Promise<void>;
  /** `not-found` without it. What it had superseded holds again. */
  delete(id: string): Promise<void>;
}

/** Settings and small choices of this console, as JSON text. */
export interface PreferenceStore {
  read(key: string): Promise<string | null>;
  write(key: string, json: string): Promise<void>;
  all(): Promise<Record<string, string>>;
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
  /** Sends one short question. Rejects only with `cancelled`. */
  test(access: ModelAccess, signal: AbortSignal): Promise<{ report: ConnectionReport; usage: Usage | null }>;
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
  read(provider: ProviderName): Promise<string | null>;
  write(provider: ProviderName, key: string): Promise<void>;
  forget(provider: ProviderName): Promise<void>;
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
