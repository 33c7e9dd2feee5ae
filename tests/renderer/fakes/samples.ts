/** Pure builders of renderer data: small, complete values with overrides. */
import type { ContextPlan, PlanEntry } from '../../../shared/compaction.ts';
import type { ConversationView } from '../../../shared/console-api.ts';
import type { ConversationSummary, StoredMessage, TurnRecord } from '../../../shared/conversation.ts';
import type { Span } from '../../../shared/trace.ts';

export const FIRST = 'a'.repeat(32);
export const SECOND = 'b'.repeat(32);

export function summary(id: string, change: Partial<ConversationSummary> = {}): ConversationSummary {
  return {
    id,
    tenant: 'nimbus',
    actor: null,
    subject: null,
    customerId: 'C-1001',
    title: '',
    strategy: null,
    handoffReason: null,
    createdAt: 1000,
    updatedAt: 1000,
    turnCount: 0,
    messageCount: 0,
    customerName: 'Ada Example',
    lastText: '',
    lastRole: null,
    turnState: null,
    ...change,
  };
}

export function record(conversationId: string, turn: number, change: Partial<TurnRecord> = {}): TurnRecord {
  return {
    conversationId,
    turn,
    state: 'answered',
    outcome: 'answered',
    runId: `run-${turn}`,
    promptVersion: '1',
    startedAt: 1000,
    endedAt: 2000,
    error: null,
    pinned: false,
    ...change,
  };
}

export function message(conversationId: string, seq: number, change: Partial<StoredMessage> = {}): StoredMessage {
  return {
    id: `message-${seq}`,
    conversationId,
    seq,
    turn: 1,
    role: 'user',
    content: `text ${seq}`,
    origin: 'customer',
    trust: 'untrusted',
    at: 1000 + seq,
    phpChars: 40,
    ...change,
  };
}

export function view(id: string, change: Partial<ConversationView> = {}): ConversationView {
  return {
    conversation: summary(id),
    customer: null,
    turns: [],
    messages: [],
    queued: [],
    draft: '',
    complete: true,
    streaming: null,
    ...change,
  };
}

export function span(id: string, change: Partial<Span> = {}): Span {
  return {
    id,
    runId: 'run-1',
    parentId: null,
    kind: 'run',
    name: id,
    step: null,
    startedAt: 0,
    endedAt: 100,
    status: 'ok',
    firstTokenAt: null,
    usage: null,
    costMicroUsd: null,
    note: '',
    error: null,
    toolCallId: null,
    detailBytes: 0,
    ...change,
  };
}

export function entry(turn: number, change: Partial<PlanEntry> = {}): PlanEntry {
  return { turn, disposition: 'full', reason: 'one of the newest 2 turns', characters: 100, tokens: 30, ...change };
}

export function plan(change: Partial<ContextPlan> = {}): ContextPlan {
  return {
    strategy: 'recent-turns',
    entries: [],
    messages: [],
    characters: 2,
    tokens: 0,
    budget: 12_000,
    budgetUnit: 'php-chars',
    budgetUsed: 2,
    notices: [],
    ...change,
  };
}
