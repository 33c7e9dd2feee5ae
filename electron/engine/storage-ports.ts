/** Ports of storage: what every store does, and how failure comes back. Reached through ports.ts. */
import type { ListFilter, TurnMark } from '../../shared/conversation-list.ts';
import type {
  Conversation,
  ConversationSummary,
  NewMessage,
  QueuedMessage,
  StoredMessage,
  StoredTurn,
  StrategyName,
  TurnOutcome,
  TurnRecord,
  TurnState,
} from '../../shared/conversation.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import type { ErasureCounts, ErasureMatch } from '../../shared/erasure.ts';
import type { Reference } from '../../shared/ids.ts';
import type { Memory } from '../../shared/memories.ts';
import type { PromptVersion } from '../../shared/prompts.ts';
import type { ArchivedRequest, ArchiveSize, WireForm } from '../../shared/requests.ts';
import type { Article, Customer, Order, Product, Ticket, TicketStatus } from '../../shared/shop.ts';
import type { ParkedOp, SyncStatus } from '../../shared/sync.ts';
import type { RunSummary, Span, SpanDetail, TraceEvent } from '../../shared/trace.ts';
import type { UsagePurpose, UsageRecord, UsageTotals } from '../../shared/usage.ts';
import type { BranchStore } from './branch-ports.ts';

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
  readonly erasure: ErasureStore;
  readonly prompts: PromptStore;
  /** Absent: this store cannot keep branches. */
  readonly branches?: BranchStore;
  /** Shared stores only: what others do to the same records. */
  readonly changes?: StoreChanges;
  /** Shared stores only: what makes side effects happen at most once. */
  readonly actions?: ActionLedger;
  /** Shared stores only. Without an offline cache nothing ever waits, but whether the server answers is known. */
  readonly sync?: SyncControl;
  /** Shared stores only: the time by the server's clock, UTC milliseconds. Rejects with `storage` while it is away. */
  serverNow?(): Promise<number>;
  close(): Promise<void>;
}

export interface NewAction {
  conversationId: string;
  turn: number;
  toolCallId: string;
  toolName: string;
  /** What was agreed to, as text: conversation, turn, tool and canonical arguments. Equal texts are one effect. */
  intent: string;
  argumentsText: string;
  at: number;
}

/** `started`: whether it happened is not known. `result` is JSON text. */
export interface KnownAction {
  state: 'started' | 'done' | 'failed' | 'unknown';
  result: string | null;
}

export interface ActionLedger {
  /** On record before the effect. An intent that was begun before is told with what came of it. Rejects while the shared database is away. */
  begin(action: NewAction): Promise<{ kind: 'new'; key: string } | ({ kind: 'known'; key: string } & KnownAction)>;
  /** A `done` action stays as it is. */
  finish(key: string, state: 'done' | 'failed', result: string, at: number): Promise<void>;
  find(conversationId: string, toolCallId: string): Promise<KnownAction | null>;
}

export type StoreChange =
  /** New messages, another state of a turn, another title …; also told for changes of this console's own. */
  | { type: 'conversation'; conversationId: string }
  | { type: 'conversation-gone'; conversationId: string }
  | { type: 'ticket'; ticketId: number }
  /** Its console has stopped in the middle of a turn: whoever is here may take over. */
  | { type: 'turn-abandoned'; conversationId: string }
  | { type: 'sync'; status: SyncStatus }
  /** These messages are in the shared database now. */
  | { type: 'synced'; conversationId: string; messageIds: string[] }
  | { type: 'sync-notice'; level: 'info' | 'warning' | 'error'; message: string; conversationId: string | null };

export interface StoreChanges {
  /** Listeners must not throw. Returns the way to stop. */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** The name of the other console that runs the conversation's turn; null: none does, or nobody can know. */
  holder(conversationId: string): Promise<string | null>;
}

/** Changes that are Saved here and wait to be Synced, and those that need a person. */
export interface SyncControl {
  status(): SyncStatus;
  listParked(): Promise<ParkedOp[]>;
  /** `not-found` without it; `unsupported` for a draft, which nobody can send. */
  retry(id: string): Promise<void>;
  /** The change as JSON text, so that nothing is lost with it. */
  export(id: string): Promise<string>;
  /** Gives it up. */
  discard(id: string): Promise<void>;
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
  /** Rows left out before the first one, for a jump into a long list; not together with `cursor`. */
  offset?: number;
  filter?: ListFilter;
  /** With it each row says how many turns this person has not read. */
  reader?: Reader;
}

/** A person whose read marks are meant. Without a mark, what a run did after `since` (UTC milliseconds) counts as unread. */
export interface Reader {
  id: string;
  since: number;
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

/** How a turn ends. */
export interface TurnEnding {
  state: TurnState;
  outcome: TurnOutcome;
  error: ErrorInfo | null;
  at: number;
  messages: NewMessage[];
  /** Absent: its requests quoted no older turn from the archive. */
  recalledTurns?: number[];
}

/** Text that a strategy keeps for a conversation: summary, watermark, frozen layout. JSON text owned by `engine/memory`. */
/** A strategy's own state, or the placeholders that stand for personal data in what a conversation sends. */
export type MemoryStateKey = StrategyName | 'redaction';

export interface StoredMemoryState {
  strategy: MemoryStateKey;
  json: string;
}

export interface ConversationStore {
  create(conversation: NewConversation): Promise<Conversation>;
  get(id: string): Promise<Conversation | null>;
  summary(id: string, reader?: Reader): Promise<ConversationSummary | null>;
  /** All turns, oldest first, without their texts: cheap at any length. Empty without the conversation. */
  listTurnMarks(conversationId: string): Promise<TurnMark[]>;
  /**
   * `read`: everything up to the newest turn is read; else the conversation counts as unread until it is read again.
   * Nothing happens without the conversation.
   */
  markRead(conversationId: string, readerId: string, read: boolean): Promise<void>;
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
  endTurn(conversationId: string, turn: number, runId: string, end: TurnEnding): Promise<{ record: TurnRecord; messages: StoredMessage[] }>;
  /** Turns in state `running` or `waiting-approval`, over all conversations: work for recovery at start. */
  listOpenTurns(): Promise<TurnRecord[]>;
  /** Newest first: whole turns before `beforeTurn` (default: from the end). Cost depends on `limit`, not on the conversation's length. */
  readTurns(conversationId: string, window: { beforeTurn?: number; limit: number }): Promise<StoredTurn[]>;
  readTurn(conversationId: string, turn: number): Promise<StoredTurn | null>;
  setPinned(conversationId: string, turn: number, pinned: boolean): Promise<void>;
  /** Pinned turns before a turn, oldest first ([MEM-5]). */
  readPinned(conversationId: string, beforeTurn: number): Promise<StoredTurn[]>;
  /**
   * Takes every text of an ended turn out of its rows, of superseded ones, the search index, the traces, the memory states
   * and the memories made from it, and erases all requests from this turn on. The rows stay as tombstones. `conflict` while the
   * turn is at work; `not-found` without the turn. Forgetting again changes nothing.
   */
  forgetTurn(conversationId: string, turn: number, at: number): Promise<TurnRecord>;
  /** The last turn that was read for memories; 0 at first. */
  readDistilledTurn(conversationId: string): Promise<number>;
  writeDistilledTurn(conversationId: string, turn: number): Promise<void>;
  /** Conversations unchanged since `quietSince` with turns not read for memories yet, oldest change first. */
  listUndistilled(query: { quietSince: number; limit: number }): Promise<string[]>;
  readMemoryState(conversationId: string, strategy: MemoryStateKey): Promise<StoredMemoryState | null>;
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
  /** Default: `answer`. */
  purpose?: UsagePurpose;
  wire?: WireForm | null;
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
  /** Newest first, without texts. Without `helpers` only what was sent for answers. */
  list(conversationId: string, query: { limit: number; turn?: number; helpers?: boolean }): Promise<Omit<ArchivedRequest, 'text'>[]>;
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
  /** With `action` the ledger's entry is `done` in the same write, with `{created, ticket_id, status}` as its result. */
  create(ticket: Omit<Ticket, 'id' | 'version' | 'updatedAt' | 'createdAt'> & { at: number; action?: { key: string } }): Promise<Ticket>;
  get(id: number): Promise<Ticket | null>;
  list(query: { customerId?: string; conversationId?: string; status?: TicketStatus; limit: number }): Promise<Ticket[]>;
  /** `conflict` unless `version` is the stored one; `invalid-input` for a step that `TICKET_MOVES` has not. Either way nothing was written. */
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

/** Versions of the system prompt. Must not change a text once it is stored. */
export interface PromptStore {
  /** Newest first. */
  list(): Promise<PromptVersion[]>;
  /** `conflict` when the version is there already. */
  add(prompt: PromptVersion): Promise<void>;
  /** `not-found` without it. `at` in UTC milliseconds; the latest of all is the standard. */
  activate(version: string, at: number): Promise<void>;
}

/** Settings and small choices of this console, as JSON text. */
export interface PreferenceStore {
  read(key: string): Promise<string | null>;
  write(key: string, json: string): Promise<void>;
  all(): Promise<Record<string, string>>;
}

/** All that is about one customer, over all tenants. Must not keep a text of the person anywhere. */
export interface ErasureStore {
  /** Conversations whose customer, actor or subject the person is, oldest id first. */
  conversationsOf(customerId: string): Promise<string[]>;
  /** Rows by table that `forget` would remove; tables without any are left out. */
  count(customerId: string): Promise<ErasureCounts>;
  /** Texts to look for afterwards: name, e-mail, phone and long texts the person wrote. For memory only. */
  textsOf(customerId: string): Promise<string[]>;
  /**
   * Removes the rows and what deleted rows leave in files of the store. Lines of the usage ledger stay without reference to the person.
   * Again after a crash: goes on. Rejects with `storage` while a shared database is away.
   */
  forget(customerId: string, at: number): Promise<ErasureCounts>;
  /** Takes what deleted and replaced rows leave out of the store's own files, preferences included. */
  compact(): Promise<void>;
  /** Looks for the texts in every text column. */
  search(texts: string[]): Promise<{ columns: number; matches: Omit<ErasureMatch, 'reason'>[] }>;
}

/** What is to leave the copies of a data folder. */
export interface CleaningOrder {
  customerId: string | null;
  conversationIds: string[];
  turns: { conversationId: string; turn: number }[];
}

/** Files beside the store. Must not follow links out of the folder. */
export interface DataFolder {
  /** Opens each copy, takes out what is ordered and compacts it; one that cannot be cleaned is deleted. Rejects with `storage`. */
  cleanCopies(order: CleaningOrder): Promise<{ cleaned: number; deleted: number }>;
  /** Bytes of every file, in UTF-8, UTF-16 and as JSON writes them. */
  scan(texts: string[]): Promise<{ files: number; bytes: number; matches: Omit<ErasureMatch, 'reason'>[] }>;
}
