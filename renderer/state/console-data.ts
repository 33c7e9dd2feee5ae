// What the renderer knows of the engine's data. Pure types and constructors.
import type { SyncStatus } from '../../shared/sync.ts';
import type { ContextPlan } from '../../shared/compaction.ts';
import type { TurnMark } from '../../shared/conversation-list.ts';
import type { ConversationView } from '../../shared/console-api.ts';
import type { ConversationSummary, QueuedMessage, StoredMessage, TurnRecord } from '../../shared/conversation.ts';
import type { Spending } from '../../shared/models.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Customer } from '../../shared/shop.ts';
import type { ToolCall } from '../../shared/tool.ts';
import type { RunSummary, Span, TraceEvent } from '../../shared/trace.ts';

/** A call of the run at work, before its messages are stored. */
export interface LiveTool {
  call: ToolCall;
  step: number;
  /** JSON text; null while it runs. */
  result: string | null;
}

/** The pause before a model is asked once more. */
export interface RetryWait {
  /** 1 for the first retry. */
  attempt: number;
  delayMs: number;
  /** The model's outcome, e.g. `rate-limited`. */
  reason: string;
  /** When it ends, where the engine said so; else the pause is counted from when it was heard of. UTC milliseconds. */
  until?: number;
}

/** The run at work in a conversation. Ends with `turn-end`. */
export interface LiveRun {
  runId: string;
  turn: number;
  step: number;
  /** Streamed text of the present step that no stored message holds yet. */
  text: string;
  tools: LiveTool[];
  /** What a person should know meanwhile, e.g. a retry. */
  note: string | null;
  /** Until the model is heard from again. */
  retry?: RetryWait | null;
  model: string | null;
  startedAt: number;
}

/** One conversation that was opened. Numbers are turns. */
export interface ConversationData {
  summary: ConversationSummary;
  customer: Customer | null;
  records: Record<number, TurnRecord>;
  messages: Record<number, StoredMessage[]>;
  /** All stored turns in short, loaded or not, oldest first. */
  marks: readonly TurnMark[];
  queued: QueuedMessage[];
  /** False while older turns are not loaded. */
  complete: boolean;
  live: LiveRun | null;
  /** Runs that ended: what they still send is late and dropped. */
  endedRuns: string[];
  /** Time and failure by call id, as the run reported them. */
  toolTimes: Record<string, { ms: number; failed: boolean }>;
  /** Plans of requests sent since the conversation was opened, by turn. */
  plans: Record<number, ContextPlan>;
  spans: Record<string, Span[]>;
  runs: Record<string, RunSummary>;
  /** Events of the runs whose trace was loaded, by run. */
  events?: Record<string, TraceEvent[]>;
  runIdsOfTurn: Record<number, string[]>;
  /** Money and tokens against their caps; null until they are loaded. */
  spending: Spending | null;
  /** Grows with every turn that ends or starts: what the next request holds may have changed. */
  revision: number;
}

export interface Notice {
  id: number;
  level: 'info' | 'warning' | 'error';
  message: string;
  conversationId: string | null;
}

/** Who answers. */
export interface ModelInUse {
  model: string;
  modelLabel: string;
  isDemo: boolean;
}

export interface ConsoleData {
  /** null until the app's facts are loaded. */
  model: ModelInUse | null;
  items: ConversationSummary[];
  /** Rows there are for the present search, loaded or not. */
  total: number;
  /** A search is on: rows that were not found do not join the list by themselves. */
  searching: boolean;
  conversations: Record<string, ConversationData>;
  settings: Settings | null;
  notices: Notice[];
  /** The way to the shared database; absent or null: there is no offline cache. */
  sync?: SyncStatus | null;
}

export function emptyData(): ConsoleData {
  return { model: null, items: [], total: 0, searching: false, conversations: {}, settings: null, notices: [] };
}

/** Messages grouped by turn, in order of `seq`, each id once. */
export function messagesByTurn(messages: readonly StoredMessage[]): Record<number, StoredMessage[]> {
  const groups: Record<number, StoredMessage[]> = {};
  const seen = new Set<string>();
  for (const message of messages) {
    if (seen.has(message.id)) continue;
    seen.add(message.id);
    (groups[message.turn] ??= []).push(message);
  }
  for (const group of Object.values(groups)) group.sort((a, b) => a.seq - b.seq);
  return groups;
}

/** A freshly opened conversation; what was loaded of traces before stays, because runs never change once ended. */
export function conversationFromView(
  view: ConversationView,
  before: ConversationData | undefined,
  marks: readonly TurnMark[] = [],
): ConversationData {
  const records: Record<number, TurnRecord> = {};
  for (const record of view.turns) records[record.turn] = record;
  const running = view.streaming;
  return {
    summary: view.conversation,
    customer: view.customer,
    records,
    messages: messagesByTurn(view.messages),
    marks,
    queued: view.queued,
    complete: view.complete,
    live: running === null ? null : liveFromView(running, before?.live ?? null, records[running.turn]?.startedAt ?? 0),
    endedRuns: before?.endedRuns ?? [],
    toolTimes: before?.toolTimes ?? {},
    plans: before?.plans ?? {},
    spans: before?.spans ?? {},
    runs: before?.runs ?? {},
    events: before?.events ?? {},
    runIdsOfTurn: before?.runIdsOfTurn ?? {},
    spending: before?.spending ?? null,
    revision: (before?.revision ?? 0) + 1,
  };
}

function liveFromView(running: NonNullable<ConversationView['streaming']>, before: LiveRun | null, startedAt: number): LiveRun {
  const same = before?.runId === running.runId ? before : null;
  return {
    runId: running.runId,
    turn: running.turn,
    step: running.step,
    text: running.text,
    tools: same?.tools ?? [],
    note: same?.note ?? null,
    retry: running.retry,
    model: same?.model ?? null,
    startedAt,
  };
}

/** Another page beside what is already there; never over what events brought. */
export function withTurns(data: ConversationData, view: ConversationView): ConversationData {
  const older = messagesByTurn(view.messages);
  const records: Record<number, TurnRecord> = { ...data.records };
  for (const record of view.turns) records[record.turn] ??= record;
  return { ...data, records, messages: { ...older, ...data.messages }, complete: data.complete || view.complete };
}

/** Numbers of all turns, loaded or not, oldest first. */
export function turnNumbers(data: Pick<ConversationData, 'marks' | 'records' | 'messages'>): number[] {
  const numbers = new Set(data.marks.map((mark) => mark.turn));
  for (const key of Object.keys(data.records)) numbers.add(Number(key));
  for (const key of Object.keys(data.messages)) numbers.add(Number(key));
  return [...numbers].sort((a, b) => a - b);
}

export function isTurnLoaded(data: Pick<ConversationData, 'records' | 'messages'>, turn: number): boolean {
  return data.records[turn] !== undefined || data.messages[turn] !== undefined;
}
