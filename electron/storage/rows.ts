/** Pure: rows of the shared tables and the objects they stand for. Times are UTC milliseconds here; each database converts its own. */
import { createHash } from 'node:crypto';
import type {
  Conversation,
  ConversationSummary,
  NewMessage,
  Role,
  StoredMessage,
  StrategyName,
  TurnRecord,
} from '../../shared/conversation.ts';
import type { MessageState, Trust, TurnOutcome, TurnState } from '../../shared/conversation.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import type { Reference } from '../../shared/ids.ts';
import { tutorialMessage } from '../../shared/php-json.ts';
import type { ConversationPatch } from '../engine/ports.ts';
import type { ToolCall } from '../../shared/tool.ts';

export interface ConversationRow {
  id: string;
  tenant: string;
  actor_type: string | null;
  actor_id: string | null;
  subject_type: string | null;
  subject_id: string | null;
  customer_id: string | null;
  title: string;
  strategy: StrategyName | null;
  handoff_reason: string | null;
  started_at: number;
  changed_at: number;
  turn_count: number;
  message_count: number;
  /** JSON text. */
  settings_json: string | null;
  redact: number;
}

export interface SummaryRow extends ConversationRow {
  customer_name: string | null;
  last_text: string;
  last_role: Role | null;
  turn_state: TurnState | null;
}

export interface TurnRow {
  conversation_id: string;
  turn: number;
  state: TurnState;
  outcome: TurnOutcome | null;
  run_id: string | null;
  prompt_version: string | null;
  started_at: number;
  ended_at: number | null;
  /** JSON text. */
  error: string | null;
  pinned: number;
  forgotten_at: number | null;
  /** JSON list of numbers. */
  recalled_turns: string | null;
}

export interface MessageRow {
  conversation_id: string;
  uid: string;
  turn: number;
  seq: number;
  role: Role;
  content: string;
  /** JSON text. */
  tool_calls: string | null;
  tool_call_id: string | null;
  tool_name: string | null;
  provider: string | null;
  provider_model: string | null;
  provider_body: string | null;
  provider_sha256: string | null;
  origin: string;
  trust: Trust;
  state: MessageState | null;
  sent_at: number;
  php_chars: number;
}

export interface QueuedRow {
  conversation_id: string;
  uid: string;
  content: string;
  origin: string;
  trust: Trust;
  sent_at: number;
}

/** Columns of a row of `conversations c`, `turns`, `messages` (without its row id and `data`) and `queued_messages`. */
export const TURN_COLUMNS =
  'conversation_id, turn, state, outcome, run_id, prompt_version, started_at, ended_at, error, pinned, forgotten_at, recalled_turns';
export const MESSAGE_COLUMNS = `conversation_id, uid, turn, seq, role, content, tool_calls, tool_call_id, tool_name, provider, provider_model,
  provider_body, provider_sha256, origin, trust, state, sent_at, php_chars`;
export const QUEUED_COLUMNS = 'conversation_id, uid, content, origin, trust, sent_at';
/** A turn in one of these states has a run or waits for somebody. */
export const AT_WORK = "state IN ('running', 'waiting-approval')";

/** Hex digest of the text's UTF-8 bytes. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** Text of a JSON column that this code wrote itself. */
export function parsedJson<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}

function reference(type: string | null, id: string | null): Reference | null {
  return type === null || id === null ? null : { type, id };
}

export function conversationRow(conversation: Conversation): ConversationRow {
  return {
    id: conversation.id,
    tenant: conversation.tenant,
    actor_type: conversation.actor?.type ?? null,
    actor_id: conversation.actor?.id ?? null,
    subject_type: conversation.subject?.type ?? null,
    subject_id: conversation.subject?.id ?? null,
    customer_id: conversation.customerId,
    title: conversation.title,
    strategy: conversation.strategy,
    handoff_reason: conversation.handoffReason,
    started_at: conversation.createdAt,
    changed_at: conversation.updatedAt,
    turn_count: conversation.turnCount,
    message_count: conversation.messageCount,
    settings_json: settingsJson(conversation.settings),
    redact: conversation.redact === false ? 0 : 1,
  };
}

/** null: none. */
export function settingsJson(settings: Conversation['settings']): string | null {
  return settings === undefined || Object.keys(settings).length === 0 ? null : JSON.stringify(settings);
}

export function conversationOf(row: ConversationRow): Conversation {
  const settings = parsedJson<NonNullable<Conversation['settings']>>(row.settings_json);
  return {
    ...(settings !== null && { settings }),
    ...(row.redact === 0 && { redact: false }),
    id: row.id,
    tenant: row.tenant,
    actor: reference(row.actor_type, row.actor_id),
    subject: reference(row.subject_type, row.subject_id),
    customerId: row.customer_id,
    title: row.title,
    strategy: row.strategy,
    handoffReason: row.handoff_reason,
    createdAt: row.started_at,
    updatedAt: row.changed_at,
    turnCount: row.turn_count,
    messageCount: row.message_count,
  };
}

export function summaryOf(row: SummaryRow): ConversationSummary {
  return {
    ...conversationOf(row),
    customerName: row.customer_name,
    lastText: row.last_text,
    lastRole: row.last_role,
    turnState: row.turn_state,
  };
}

/** The columns of a patch that both databases write as they are; what the patch leaves out stays. */
export function patchedAxes(row: ConversationRow, patch: ConversationPatch): Omit<ConversationRow, 'id' | 'title'> {
  const { tenant, actor, subject, settings, redact } = patch;
  return {
    ...row,
    tenant: tenant ?? row.tenant,
    ...(actor !== undefined && { actor_type: actor?.type ?? null, actor_id: actor?.id ?? null }),
    ...(subject !== undefined && { subject_type: subject?.type ?? null, subject_id: subject?.id ?? null }),
    ...(settings !== undefined && { settings_json: settingsJson(settings) }),
    ...(redact !== undefined && { redact: redact ? 1 : 0 }),
  };
}

export function turnRow(record: TurnRecord): TurnRow {
  return {
    conversation_id: record.conversationId,
    turn: record.turn,
    state: record.state,
    outcome: record.outcome,
    run_id: record.runId,
    prompt_version: record.promptVersion,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    error: jsonText(record.error),
    pinned: record.pinned ? 1 : 0,
    forgotten_at: record.forgottenAt ?? null,
    recalled_turns: jsonText(record.recalledTurns ?? null),
  };
}

export function turnOf(row: TurnRow): TurnRecord {
  const recalled = parsedJson<number[]>(row.recalled_turns);
  return {
    conversationId: row.conversation_id,
    turn: row.turn,
    state: row.state,
    outcome: row.outcome,
    runId: row.run_id,
    promptVersion: row.prompt_version,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    error: parsedJson<ErrorInfo>(row.error),
    pinned: row.pinned !== 0,
    ...(recalled !== null && { recalledTurns: recalled }),
    ...(row.forgotten_at !== null && { forgottenAt: row.forgotten_at }),
  };
}

/** `data` is for other programs and holds exactly the tutorial's keys; nothing here is ever read back from it. */
export function messageRow(message: StoredMessage): MessageRow & { data: string } {
  return {
    conversation_id: message.conversationId,
    uid: message.id,
    turn: message.turn,
    seq: message.seq,
    role: message.role,
    data: JSON.stringify(tutorialMessage(message)),
    content: message.content,
    tool_calls: jsonText(message.toolCalls),
    tool_call_id: message.toolCallId ?? null,
    tool_name: message.toolName ?? null,
    provider: message.providerRaw?.provider ?? null,
    provider_model: message.providerRaw?.model ?? null,
    provider_body: message.providerRaw?.body ?? null,
    provider_sha256: message.providerRaw === undefined ? null : sha256(message.providerRaw.body),
    origin: message.origin,
    trust: message.trust,
    state: message.state ?? null,
    sent_at: message.at,
    php_chars: message.phpChars,
  };
}

export function messageOf(row: MessageRow): StoredMessage {
  const message: StoredMessage = {
    id: row.uid,
    conversationId: row.conversation_id,
    turn: row.turn,
    seq: row.seq,
    role: row.role,
    content: row.content,
    origin: row.origin,
    trust: row.trust,
    at: row.sent_at,
    phpChars: row.php_chars,
  };
  const toolCalls = parsedJson<ToolCall[]>(row.tool_calls);
  if (toolCalls !== null) message.toolCalls = toolCalls;
  if (row.tool_call_id !== null) message.toolCallId = row.tool_call_id;
  if (row.tool_name !== null) message.toolName = row.tool_name;
  if (row.provider !== null && row.provider_model !== null && row.provider_body !== null) {
    message.providerRaw = { provider: row.provider, model: row.provider_model, body: row.provider_body };
  }
  if (row.state !== null) message.state = row.state;
  return message;
}

/** A queued message as the customer's message it will be. */
export function queuedMessageOf(row: QueuedRow): NewMessage {
  return { id: row.uid, role: 'user', content: row.content, origin: row.origin, trust: row.trust, at: row.sent_at };
}
