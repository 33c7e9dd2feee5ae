/** Pure: what the in-memory store holds. */
import type { Conversation, QueuedMessage, StoredMessage, TurnRecord } from '../../../shared/conversation.ts';
import type { NewMessage } from '../../../shared/conversation.ts';
import type { Article, Customer, Order, Product, Ticket } from '../../../shared/shop.ts';
import type { RunSummary, Span, SpanDetail, TraceEvent } from '../../../shared/trace.ts';
import type { Memory } from '../../../shared/memories.ts';
import type { PromptVersion } from '../../../shared/prompts.ts';
import type { UsageRecord } from '../../../shared/usage.ts';
import type { Branch, MemoryStateKey } from '../../engine/ports.ts';
import type { RequestRow } from '../archive-rows.ts';

export interface QueuedRecord {
  queued: QueuedMessage;
  /** The whole message, for the turn it will begin. */
  message: NewMessage;
}

export interface BranchRecord {
  branch: Branch;
  distilledTurn: number;
  turns: TurnRecord[];
  /** In order of seq. */
  messages: StoredMessage[];
}

export interface ConversationRecord {
  conversation: Conversation;
  /** By turn number. */
  turns: Map<number, TurnRecord>;
  /** In order of seq; superseded ones are not here. */
  messages: StoredMessage[];
  superseded: StoredMessage[];
  queue: QueuedRecord[];
  memoryStates: Map<MemoryStateKey, string>;
  draft: string;
  /** By reader; `readAt` null: marked unread by hand. */
  readMarks: Map<string, { readAt: number | null; readTurn: number }>;
  streamed: { turn: number; text: string } | null;
  distilledTurn: number;
  branches: BranchRecord[];
}

export interface RunRecord {
  run: RunSummary;
  spans: Map<string, Span>;
  /** By seq. */
  events: Map<number, TraceEvent>;
  details: Map<string, SpanDetail>;
}

/** The requests of a conversation; stays, erased, when the conversation is deleted. */
export interface RequestArchive {
  /** In order of number. */
  rows: RequestRow[];
  segments: Map<number, string>;
  lastSegment: number;
}

/** Everything; plain maps, changed only between awaits so that each method is one step. */
export interface MemoryTables {
  conversations: Map<string, ConversationRecord>;
  runs: Map<string, RunRecord>;
  /** By conversation. */
  archives: Map<string, RequestArchive>;
  customers: Map<string, Customer>;
  products: Map<string, Product>;
  orders: Map<number, Order>;
  articles: Map<string, Article>;
  articlesRevision: number;
  isSeeded: boolean;
  tickets: Map<number, Ticket>;
  lastTicketId: number;
  usage: Map<string, UsageRecord>;
  preferences: Map<string, string>;
  memories: Map<string, Memory>;
  prompts: Map<string, PromptVersion>;
}

export function emptyTables(lastTicketId: number): MemoryTables {
  return {
    conversations: new Map(),
    runs: new Map(),
    archives: new Map(),
    customers: new Map(),
    products: new Map(),
    orders: new Map(),
    articles: new Map(),
    articlesRevision: 0,
    isSeeded: false,
    tickets: new Map(),
    lastTicketId,
    usage: new Map(),
    preferences: new Map(),
    memories: new Map(),
    prompts: new Map(),
  };
}
