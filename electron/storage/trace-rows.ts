/** Pure: rows of the trace and shop tables and the objects they stand for. Times are UTC milliseconds here. */
import type { TurnOutcome, TurnState } from '../../shared/conversation.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import type { Order, Ticket } from '../../shared/shop.ts';
import type { RunSummary, Span, SpanKind, SpanStatus, TraceEvent, TraceEventType } from '../../shared/trace.ts';
import type { Usage, UsageRecord } from '../../shared/usage.ts';
import { jsonText, parsedJson } from './rows.ts';

export interface RunRow {
  id: string;
  conversation_id: string;
  turn: number;
  question: string;
  model: string;
  started_at: number;
  ended_at: number | null;
  state: TurnState;
  outcome: TurnOutcome | null;
  steps: number;
  tool_calls: number;
  usage_json: string | null;
  cost_micro_usd: number | null;
  error: string | null;
}

export interface SpanRow {
  id: string;
  run_id: string;
  parent_id: string | null;
  kind: SpanKind;
  name: string;
  step: number | null;
  started_at: number;
  ended_at: number | null;
  status: SpanStatus;
  first_token_at: number | null;
  usage_json: string | null;
  cost_micro_usd: number | null;
  note: string;
  error: string | null;
  tool_call_id: string | null;
  detail_bytes: number;
}

export interface EventRow {
  run_id: string;
  seq: number;
  type: TraceEventType;
  happened_at: number;
  ms: number;
  step: number | null;
  data: string;
}

export interface OrderRow {
  id: number;
  customer_id: string;
  status: Order['status'];
  items: string;
  total_minor: number;
  currency: string;
  paid_days_ago: number;
}

export interface TicketRow {
  id: number;
  customer_id: string | null;
  conversation_id: string | null;
  order_id: number | null;
  category: string;
  summary: string;
  status: Ticket['status'];
  created_at: number;
  updated_at: number;
  version: number;
}

export function runRow(run: RunSummary): RunRow {
  return {
    id: run.id,
    conversation_id: run.conversationId,
    turn: run.turn,
    question: run.question,
    model: run.model,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    state: run.state,
    outcome: run.outcome,
    steps: run.steps,
    tool_calls: run.toolCalls,
    usage_json: jsonText(run.usage),
    cost_micro_usd: run.costMicroUsd,
    error: jsonText(run.error),
  };
}

export function runOf(row: RunRow): RunSummary {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    turn: row.turn,
    question: row.question,
    model: row.model,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    state: row.state,
    outcome: row.outcome,
    steps: row.steps,
    toolCalls: row.tool_calls,
    usage: parsedJson<Usage>(row.usage_json),
    costMicroUsd: row.cost_micro_usd,
    error: parsedJson<ErrorInfo>(row.error),
  };
}

export function spanRow(span: Span): SpanRow {
  return {
    id: span.id,
    run_id: span.runId,
    parent_id: span.parentId,
    kind: span.kind,
    name: span.name,
    step: span.step,
    started_at: span.startedAt,
    ended_at: span.endedAt,
    status: span.status,
    first_token_at: span.firstTokenAt,
    usage_json: jsonText(span.usage),
    cost_micro_usd: span.costMicroUsd,
    note: span.note,
    error: jsonText(span.error),
    tool_call_id: span.toolCallId,
    detail_bytes: span.detailBytes,
  };
}

export function spanOf(row: SpanRow): Span {
  return {
    id: row.id,
    runId: row.run_id,
    parentId: row.parent_id,
    kind: row.kind,
    name: row.name,
    step: row.step,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    status: row.status,
    firstTokenAt: row.first_token_at,
    usage: parsedJson<Usage>(row.usage_json),
    costMicroUsd: row.cost_micro_usd,
    note: row.note,
    error: parsedJson<ErrorInfo>(row.error),
    toolCallId: row.tool_call_id,
    detailBytes: row.detail_bytes,
  };
}

export function eventRow(event: TraceEvent): EventRow {
  const { runId, at, data, ...rest } = event;
  return { ...rest, run_id: runId, happened_at: at, data: JSON.stringify(data) };
}

export function eventOf(row: EventRow): TraceEvent {
  return {
    runId: row.run_id,
    seq: row.seq,
    type: row.type,
    at: row.happened_at,
    ms: row.ms,
    step: row.step,
    data: parsedJson<Record<string, unknown>>(row.data) ?? {},
  };
}

export function orderRow(order: Order): OrderRow {
  return {
    id: order.id,
    customer_id: order.customerId,
    status: order.status,
    items: JSON.stringify(order.items),
    total_minor: order.totalMinor,
    currency: order.currency,
    paid_days_ago: order.paidDaysAgo,
  };
}

export function orderOf(row: OrderRow): Order {
  return {
    id: row.id,
    customerId: row.customer_id,
    status: row.status,
    items: parsedJson<Order['items']>(row.items) ?? [],
    totalMinor: row.total_minor,
    currency: row.currency,
    paidDaysAgo: row.paid_days_ago,
  };
}

export function ticketRow(ticket: Ticket): TicketRow {
  return {
    id: ticket.id,
    customer_id: ticket.customerId,
    conversation_id: ticket.conversationId,
    order_id: ticket.orderId,
    category: ticket.category,
    summary: ticket.summary,
    status: ticket.status,
    created_at: ticket.createdAt,
    updated_at: ticket.updatedAt,
    version: ticket.version,
  };
}

export function ticketOf(row: TicketRow): Ticket {
  return {
    id: row.id,
    customerId: row.customer_id,
    conversationId: row.conversation_id,
    orderId: row.order_id,
    category: row.category,
    summary: row.summary,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

export interface UsageRow {
  id: string;
  conversation_id: string | null;
  turn: number | null;
  run_id: string | null;
  step: number | null;
  purpose: string;
  provider: string;
  model: string;
  input_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  output_tokens: number | null;
  reasoning_tokens: number | null;
  cost_micro_usd: number | null;
  happened_at: number;
  tenant: string | null;
}

/** Unknown usage is null in every column, never 0. */
export function usageRow(record: UsageRecord): UsageRow {
  return {
    id: record.id,
    conversation_id: record.conversationId,
    turn: record.turn,
    run_id: record.runId,
    step: record.step,
    purpose: record.purpose,
    provider: record.provider,
    model: record.model,
    input_tokens: record.usage?.inputTokens ?? null,
    cache_read_tokens: record.usage?.cacheReadTokens ?? null,
    cache_write_tokens: record.usage?.cacheWriteTokens ?? null,
    output_tokens: record.usage?.outputTokens ?? null,
    reasoning_tokens: record.usage?.reasoningTokens ?? null,
    cost_micro_usd: record.costMicroUsd,
    happened_at: record.at,
    tenant: record.tenant ?? null,
  };
}
