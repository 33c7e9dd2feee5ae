/** The contract of the console: every call with its parameters and result, and every event. Hosts validate parameters once, at the boundary. */
import { z } from 'zod';
import type { ContextPlan, RequestForecast } from './compaction.ts';
import type {
  Conversation,
  ConversationSummary,
  QueuedMessage,
  StoredMessage,
  TurnOutcome,
  TurnRecord,
  TurnState,
} from './conversation.ts';
import type { ErrorInfo } from './errors.ts';
import { BUDGET_API } from './api/budget.ts';
import { ERASURE_API } from './api/erasure.ts';
import { INSPECTION_API, PREVIEW_TRIALS } from './api/inspection.ts';
import { MEMORY_API } from './api/memories.ts';
import { PROMPTS_API } from './api/prompts.ts';
import { LIST_NARROWING, READING_API } from './api/reading.ts';
import { conversation, MAX_PAGE, noParams, page, result } from './api/schema.ts';
import { STORAGE_API } from './api/storage.ts';
import { TRACES_API } from './api/traces.ts';
import { conversationIdSchema, referenceSchema } from './ids.ts';
import type { ConnectionReport, CostForecast, KeyStorage, ModelView, ProviderView, Spending, TapeView } from './models.ts';
import { PROVIDERS } from './models.ts';
import type { Settings } from './settings.ts';
import type { Customer, Order, Ticket } from './shop.ts';
import type { ParkedOp, SyncStatus } from './sync.ts';
import type { ToolCall } from './tool.ts';
import type { RetryPause, RunSummary, Span, SpanDetail, Trace } from './trace.ts';
import type { CompactionReport, SummaryVersionView } from './memories.ts';
import type { Usage, UsageTotals } from './usage.ts';
import type { WhyAnswer } from './why.ts';

/** Longest message a person may send, in UTF-16 units. */
export const MAX_MESSAGE_LENGTH = 100_000;
const strategy = z.enum(['recent-turns', 'summary', 'stable']);
const provider = z.enum(PROVIDERS);

export interface AppInfo {
  version: string;
  /** `demo model (scripted, not an AI)` where it is that. */
  modelLabel: string;
  model: string;
  isDemo: boolean;
  storage: 'sqlite' | 'mysql' | 'mysql+cache' | 'memory';
  /** Shown in settings; the folder's last part only outside the local machine. */
  dataFolder: string;
  host: 'window' | 'loopback' | 'terminal';
  platform: string;
  /** The shop customer samples and new conversations are for unless another is named. */
  demoCustomerId?: string;
}

export interface ConversationView {
  conversation: ConversationSummary;
  customer: Customer | null;
  turns: TurnRecord[];
  messages: StoredMessage[];
  queued: QueuedMessage[];
  draft: string;
  /** True when `messages` starts at the first message. */
  complete: boolean;
  /** Text streamed so far by the run at work; empty when none is. */
  streaming: { turn: number; runId: string; step: number; text: string; retry: RetryPause | null } | null;
}

export const CONSOLE_API = {
  getAppInfo: { params: noParams, result: result<AppInfo>() },
  listConversations: {
    params: z.object({ ...page, cursor: z.string().max(200).optional(), search: z.string().max(200).optional(), ...LIST_NARROWING }),
    result: result<{ items: ConversationSummary[]; nextCursor: string | null; total: number }>(),
  },
  createConversation: {
    params: z.object({
      customerId: z.string().max(190).nullable().optional(),
      tenant: z.string().min(1).max(190).optional(),
      actor: referenceSchema.nullable().optional(),
      subject: referenceSchema.nullable().optional(),
      strategy: strategy.nullable().optional(),
    }),
    result: result<{ conversation: Conversation }>(),
  },
  /** Newest turns first loaded; `beforeTurn` pages backwards by whole turns. */
  openConversation: {
    params: conversation.extend({
      beforeTurn: z.number().int().positive().optional(),
      turns: z.number().int().min(1).max(MAX_PAGE).default(100),
    }),
    result: result<ConversationView>(),
  },
  updateConversation: {
    params: conversation.extend({
      strategy: strategy.nullable().optional(),
      title: z.string().max(200).optional(),
      tenant: z.string().trim().min(1).max(190).optional(),
      /** null: an autonomous run without personal memories. */
      actor: referenceSchema.nullable().optional(),
      subject: referenceSchema.nullable().optional(),
      /** `false`: personal data of this conversation is sent as it is. */
      redact: z.boolean().optional(),
    }),
    result: result<{ conversation: Conversation }>(),
  },
  deleteConversation: { params: conversation, result: result<Record<string, never>>() },
  /** Saved before the result comes back; the run goes on afterwards. The same `messageId` again is the same message. */
  sendMessage: {
    params: conversation.extend({
      messageId: z.string().min(8).max(64),
      text: z.string().trim().min(1, 'write a message first').max(MAX_MESSAGE_LENGTH),
    }),
    result: result<{ turn: number | null; runId: string | null; queued: boolean }>(),
  },
  /** Runs the newest turn again after it failed, was stopped or interrupted: the question is asked anew. */
  retryTurn: { params: conversation, result: result<{ turn: number; runId: string }>() },
  stopRun: { params: conversation, result: result<{ stopped: boolean }>() },
  saveDraft: { params: conversation.extend({ text: z.string().max(MAX_MESSAGE_LENGTH) }), result: result<Record<string, never>>() },
  /** What the next request would hold, also under other settings; nothing is changed. `measure`: with its cached share and price. */
  previewContext: {
    params: conversation.extend({ ...PREVIEW_TRIALS, measure: z.boolean().default(false) }),
    result: result<RequestForecast>(),
  },
  listRuns: {
    params: conversation.extend({ ...page, beforeTurn: z.number().int().positive().optional() }),
    result: result<{ runs: RunSummary[] }>(),
  },
  /** The newest run of the turn unless `runId` names another. */
  getTrace: {
    params: conversation.extend({ turn: z.number().int().positive(), runId: z.string().max(64).optional() }),
    result: result<{ trace: Trace | null; runIds: string[] }>(),
  },
  getSpanDetail: { params: z.object({ spanId: z.string().max(64) }), result: result<{ detail: SpanDetail | null }>() },
  /** The plan of the request that answered the turn; null when no request was sent. */
  getTurnPlan: { params: conversation.extend({ turn: z.number().int().positive() }), result: result<{ plan: ContextPlan | null }>() },
  /** What a request did with a text: that of the turn, or the next one; every place where the text stands is told. */
  explainAbsence: {
    params: conversation.extend({
      text: z.string().trim().min(1, 'say which text to look for').max(2000),
      turn: z.number().int().positive().optional(),
    }),
    result: result<WhyAnswer>(),
  },
  /** A pinned turn is sent in full by every strategy while it fits. */
  pinTurn: {
    params: conversation.extend({ turn: z.number().int().positive(), pinned: z.boolean() }),
    result: result<Record<string, never>>(),
  },
  /** Takes the turn's texts out of everything that is stored; the turn stays as a tombstone. `busy` while Nimbus is answering. */
  forgetTurn: { params: conversation.extend({ turn: z.number().int().min(0) }), result: result<{ record: TurnRecord }>() },
  /** Shortens the history now instead of at the budget. `focus` is what a summary should keep in view. `busy` while Nimbus is answering. */
  compactNow: {
    params: conversation.extend({ focus: z.string().trim().max(500).default('') }),
    result: result<CompactionReport>(),
  },
  /** Memory, agent and budget settings of one conversation; null takes one back. */
  changeConversationSettings: {
    params: conversation.extend({ values: z.record(z.string().max(60), z.unknown()) }),
    result: result<{ own: Partial<Settings>; settings: Settings }>(),
  },
  /** Newest first. */
  listSummaryVersions: { params: conversation, result: result<{ versions: SummaryVersionView[] }>() },
  /** Uses an older summary again; null: none. What came after it is sent as it is until it is summarised anew. */
  rollBackSummary: {
    params: conversation.extend({ version: z.number().int().positive().nullable() }),
    result: result<{ current: number | null }>(),
  },
  ...BUDGET_API,
  ...ERASURE_API,
  ...INSPECTION_API,
  ...PROMPTS_API,
  ...MEMORY_API,
  ...READING_API,
  ...STORAGE_API,
  ...TRACES_API,
  /** What each tenant, or one, has used since a time. */
  getTenantUsage: {
    params: z.object({ tenant: z.string().min(1).max(190).optional(), since: z.number().int().optional() }),
    result: result<{ tenants: { tenant: string; totals: UsageTotals }[] }>(),
  },
  listCustomers: { params: z.object({ ...page, search: z.string().max(200).optional() }), result: result<{ customers: Customer[] }>() },
  getCustomer: {
    params: z.object({ customerId: z.string().max(190) }),
    result: result<{ customer: Customer | null; orders: Order[]; tickets: Ticket[] }>(),
  },
  getSettings: { params: noParams, result: result<{ settings: Settings; defaults: Settings }>() },
  changeSettings: { params: z.object({ values: z.record(z.string().max(60), z.unknown()) }), result: result<{ settings: Settings }>() },
  exportConversation: {
    params: conversation.extend({ format: z.enum(['openai', 'markdown', 'json']) }),
    result: result<{ text: string }>(),
  },
  importConversations: {
    params: z.object({
      text: z.string(),
      customerId: z.string().max(190).nullable().optional(),
      tenant: z.string().max(190).optional(),
      actor: referenceSchema.nullable().optional(),
      subject: referenceSchema.nullable().optional(),
    }),
    result: result<{ ids: string[]; notices: string[] }>(),
  },
  /** Streams on from the partial text of the newest turn when it was stopped, interrupted or cut. */
  continueTurn: { params: conversation, result: result<{ turn: number; runId: string }>() },
  listProviders: { params: noParams, result: result<{ providers: ProviderView[]; current: string; keyStorage: KeyStorage }>() },
  /** The provider's own list where it has one, else the catalog's; `problem` says why the list is short, "" when it is not. */
  listModels: { params: z.object({ provider }), result: result<{ models: ModelView[]; problem: string }>() },
  /** `model` is `PROVIDER/MODEL`; it answers from the next run on and is remembered. */
  chooseModel: { params: z.object({ model: z.string().min(3).max(200) }), result: result<{ current: string }>() },
  /** Goes in and never comes back. `keychain` is refused where the system's key store is not safe. */
  saveKey: {
    params: z.object({ provider, key: z.string().trim().min(1, 'paste a key first').max(500), keep: z.enum(['keychain', 'session']) }),
    result: result<{ provider: ProviderView }>(),
  },
  forgetKey: { params: z.object({ provider }), result: result<{ provider: ProviderView }>() },
  /** null: the provider's own address again. */
  saveBaseUrl: { params: z.object({ provider, baseUrl: z.string().max(500).nullable() }), result: result<{ provider: ProviderView }>() },
  testConnection: {
    params: z.object({
      provider,
      model: z.string().max(200).optional(),
      key: z.string().max(500).optional(),
      baseUrl: z.string().max(500).optional(),
    }),
    result: result<{ report: ConnectionReport }>(),
  },
  getSpending: { params: z.object({ conversationId: conversationIdSchema.optional() }), result: result<{ spending: Spending }>() },
  /** What sending `next` may cost; null without a known price. */
  forecastCost: {
    params: conversation.extend({ next: z.string().max(MAX_MESSAGE_LENGTH).optional() }),
    result: result<{ cost: CostForecast | null }>(),
  },
  listTapes: { params: noParams, result: result<{ tapes: TapeView[] }>() },
  /** A redacted recording of the conversation, as the text of a tape file. */
  exportTape: { params: conversation, result: result<{ text: string; redactions: number }>() },
  /** null: there is no offline cache. */
  getSyncState: { params: noParams, result: result<{ sync: SyncStatus | null }>() },
  /** Changes that need a person, oldest first, and answers that found no place in their conversation. */
  listParkedOps: { params: noParams, result: result<{ ops: ParkedOp[] }>() },
  retryParkedOp: { params: z.object({ id: z.string().min(1).max(64) }), result: result<Record<string, never>>() },
  exportParkedOp: { params: z.object({ id: z.string().min(1).max(64) }), result: result<{ text: string }>() },
  /** What `retentionDays` would delete now; nothing is changed. `agreed`: it is done at start and daily. */
  previewRetention: { params: noParams, result: result<{ days: number; conversations: number; kept: number; agreed: boolean }>() },
  /** A person agrees: what is due is deleted now, and from now on at start and daily. */
  applyRetention: { params: noParams, result: result<{ deleted: number }>() },
  discardParkedOp: { params: z.object({ id: z.string().min(1).max(64) }), result: result<Record<string, never>>() },
  importTape: { params: z.object({ text: z.string() }), result: result<{ tape: TapeView }>() },
} as const;

export type Method = keyof typeof CONSOLE_API;
export type Params<M extends Method> = z.input<(typeof CONSOLE_API)[M]['params']>;
export type ParsedParams<M extends Method> = z.output<(typeof CONSOLE_API)[M]['params']>;
export type Result<M extends Method> = z.output<(typeof CONSOLE_API)[M]['result']>;

export function isMethod(name: string): name is Method {
  return Object.hasOwn(CONSOLE_API, name);
}

interface RunScope {
  conversationId: string;
  turn: number;
  runId: string;
}

/** One tagged union for all hosts. Deltas carry an id and the new piece only; the receiver folds. */
export type ConsoleEvent =
  | ({ type: 'turn-start'; record: TurnRecord; message: StoredMessage } & RunScope)
  | ({ type: 'message-add'; message: StoredMessage } & RunScope)
  | { type: 'queue-change'; conversationId: string; queued: QueuedMessage[] }
  | ({ type: 'context-built'; step: number; plan: ContextPlan } & RunScope)
  | ({ type: 'model-start'; step: number; model: string } & RunScope)
  | ({ type: 'text-delta'; step: number; id: string; delta: string } & RunScope)
  | ({ type: 'tool-call'; step: number; call: ToolCall } & RunScope)
  | ({ type: 'tool-result'; step: number; callId: string; name: string; result: string; failed: boolean; ms: number } & RunScope)
  | ({ type: 'model-end'; step: number; outcome: string; ms: number; usage: Usage | null } & RunScope)
  | ({ type: 'step-end'; step: number } & RunScope)
  | ({ type: 'step-limit'; steps: number } & RunScope)
  | ({ type: 'time-limit'; seconds: number } & RunScope)
  | ({ type: 'api-error'; step: number; error: ErrorInfo } & RunScope)
  | ({ type: 'retry-start'; step: number; attempt: number; delayMs: number; reason: string } & RunScope)
  | ({ type: 'span-change'; span: Span } & RunScope)
  | ({ type: 'turn-end'; state: TurnState; outcome: TurnOutcome; record: TurnRecord } & RunScope)
  | { type: 'conversation-change'; conversation: ConversationSummary }
  | { type: 'conversation-delete'; conversationId: string }
  | { type: 'ticket-change'; ticket: Ticket }
  | { type: 'settings-change'; settings: Settings }
  | { type: 'model-change'; model: string; modelLabel: string; isDemo: boolean }
  | { type: 'spending-change'; conversationId: string; spending: Spending }
  | { type: 'sync-change'; status: SyncStatus }
  /** The engine was started anew, perhaps on another storage: what is shown is to be read again. */
  | { type: 'console-restart' }
  /** These messages are Synced now. */
  | { type: 'message-sync'; conversationId: string; messageIds: string[] }
  | { type: 'notice'; level: 'info' | 'warning' | 'error'; message: string; conversationId: string | null };

export type ConsoleEventType = ConsoleEvent['type'];

/** What every host holds: the window and the browser over a transport, the terminal in process. */
export interface ConsoleApi {
  /** Rejects with a ConsoleError; never with anything else. */
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>;
  /** Listeners are called in order of emission and must not throw. Returns the way to stop. */
  subscribe(listener: (event: ConsoleEvent) => void): () => void;
}
