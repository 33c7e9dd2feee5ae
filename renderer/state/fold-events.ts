// Folds console events into the renderer's data. Pure: same data and events, same result; unknown or late events change nothing.
import { words } from '../language/language.ts';
import type { ConsoleEvent } from '../../shared/console-api.ts';
import type { ConversationSummary, StoredMessage } from '../../shared/conversation.ts';
import type { Span } from '../../shared/trace.ts';
import type { ConsoleData, ConversationData, LiveRun, LiveTool } from './console-data.ts';

/** Ended runs remembered per conversation; older ones cannot send any more. */
const REMEMBERED_RUNS = 50;
/** Notices kept for a person to read. */
const KEPT_NOTICES = 5;

export function foldEvents(data: ConsoleData, events: readonly ConsoleEvent[]): ConsoleData {
  return events.reduce(foldEvent, data);
}

/** One event. Returns the same object when nothing changed. */
export function foldEvent(data: ConsoleData, event: ConsoleEvent): ConsoleData {
  switch (event.type) {
    case 'conversation-change':
      return changeConversation(data, event.conversation);
    case 'conversation-delete':
      return deleteConversation(data, event.conversationId);
    case 'settings-change':
      return { ...data, settings: event.settings };
    case 'notice':
      return { ...data, notices: addNotice(data, event.level, event.message, event.conversationId) };
    case 'ticket-change':
    case 'console-restart':
      return data;
    case 'sync-change':
      return { ...data, sync: event.status };
    case 'message-sync':
      return withConversation(data, event.conversationId, (conversation) => markSynced(conversation, event.messageIds));
    case 'model-change':
      return { ...data, model: { model: event.model, modelLabel: event.modelLabel, isDemo: event.isDemo } };
    case 'spending-change':
      return withConversation(data, event.conversationId, (conversation) => ({ ...conversation, spending: event.spending }));
    case 'queue-change':
      return withConversation(data, event.conversationId, (conversation) => ({ ...conversation, queued: event.queued }));
    case 'turn-start':
    case 'message-add':
    case 'context-built':
    case 'model-start':
    case 'text-delta':
    case 'tool-call':
    case 'tool-result':
    case 'model-end':
    case 'step-end':
    case 'step-limit':
    case 'time-limit':
    case 'api-error':
    case 'retry-start':
    case 'span-change':
    case 'turn-end':
      return withConversation(data, event.conversationId, (conversation) => foldRunEvent(conversation, event));
  }
}

function markSynced(data: ConversationData, messageIds: readonly string[]): ConversationData {
  const messages = Object.fromEntries(
    Object.entries(data.messages).map(([turn, group]) => [
      turn,
      group.map((message) => {
        if (!messageIds.includes(message.id)) return message;
        const { unsynced: _unsynced, ...synced } = message;
        return synced;
      }),
    ]),
  );
  return { ...data, messages };
}

type RunEvent = Extract<ConsoleEvent, { runId: string }>;

function withConversation(data: ConsoleData, id: string, change: (conversation: ConversationData) => ConversationData): ConsoleData {
  const conversation = data.conversations[id];
  if (conversation === undefined) return data;
  const next = change(conversation);
  return next === conversation ? data : { ...data, conversations: { ...data.conversations, [id]: next } };
}

function addNotice(data: ConsoleData, level: 'info' | 'warning' | 'error', message: string, conversationId: string | null) {
  const id = (data.notices.at(-1)?.id ?? 0) + 1;
  return [...data.notices, { id, level, message, conversationId }].slice(-KEPT_NOTICES);
}

/** Newest first; rows that changed at the same time stay in order of their ids, so that lists do not jump. */
export function sortSummaries(items: ConversationSummary[]): ConversationSummary[] {
  return items.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
}

function changeConversation(data: ConsoleData, summary: ConversationSummary): ConsoleData {
  const known = data.items.some((item) => item.id === summary.id);
  const listed = known || !data.searching;
  const items = listed ? sortSummaries([...data.items.filter((item) => item.id !== summary.id), summary]) : data.items;
  return withConversation({ ...data, items, total: data.total + (listed && !known ? 1 : 0) }, summary.id, (conversation) => ({
    ...conversation,
    summary,
    revision: conversation.summary.strategy === summary.strategy ? conversation.revision : conversation.revision + 1,
  }));
}

function deleteConversation(data: ConsoleData, id: string): ConsoleData {
  const { [id]: _gone, ...conversations } = data.conversations;
  const items = data.items.filter((item) => item.id !== id);
  return { ...data, items, total: Math.max(0, data.total - (data.items.length - items.length)), conversations };
}

function foldRunEvent(data: ConversationData, event: RunEvent): ConversationData {
  // What is stored is true whenever it arrives; what only streams is worth nothing once its run has ended.
  if (event.type === 'message-add') return addMessage(data, event.message);
  if (event.type === 'span-change')
    return { ...data, spans: { ...data.spans, [event.runId]: mergeSpan(data.spans[event.runId], event.span) } };
  if (event.type === 'turn-end') return endTurn(data, event);
  if (data.endedRuns.includes(event.runId)) return data;
  if (event.type === 'turn-start') return startTurn(data, event);
  if (event.type === 'context-built') {
    return { ...data, plans: { ...data.plans, [event.turn]: event.plan }, live: atStep(data.live, event.runId, event.step, {}) };
  }
  if (event.type === 'tool-call' && isStoredCall(data, event.turn, event.call.id)) return data;
  const live = foldLive(data.live, event);
  if (event.type === 'tool-result') {
    return { ...data, live, toolTimes: { ...data.toolTimes, [event.callId]: { ms: event.ms, failed: event.failed } } };
  }
  return live === data.live ? data : { ...data, live };
}

type LiveEvent = Exclude<RunEvent, { type: 'message-add' | 'span-change' | 'turn-end' | 'turn-start' | 'context-built' }>;

function foldLive(live: LiveRun | null, event: LiveEvent): LiveRun | null {
  if (live === null || live.runId !== event.runId) return live;
  switch (event.type) {
    case 'model-start':
      return atStep(live, event.runId, event.step, { model: event.model, note: null, retry: null });
    case 'text-delta':
      return event.step < live.step ? live : appendText(heard(live), event.step, event.delta);
    case 'tool-call':
      return { ...live, tools: addTool(live.tools, { call: event.call, step: event.step, result: null }) };
    case 'tool-result':
      return {
        ...live,
        tools: live.tools.map((tool) => (tool.call.id === event.callId ? { ...tool, result: event.result } : tool)),
      };
    case 'retry-start':
      return { ...live, retry: { attempt: event.attempt, delayMs: event.delayMs, reason: event.reason } };
    case 'api-error':
      return { ...live, note: event.error.message, retry: null };
    case 'step-limit':
      return { ...live, note: words().turnlook.stepLimit(event.steps) };
    case 'time-limit':
      return { ...live, note: words().turnlook.timeLimit(event.seconds) };
    case 'model-end':
    case 'step-end':
      return heard(live);
  }
}

/** Whatever comes from the model ends the wait for another try. */
function heard(live: LiveRun): LiveRun {
  return live.retry === undefined || live.retry === null ? live : { ...live, retry: null };
}

function atStep(live: LiveRun | null, runId: string, step: number, change: Partial<LiveRun>): LiveRun | null {
  if (live === null || live.runId !== runId) return live;
  return step > live.step ? { ...live, ...change, step, text: '' } : { ...live, ...change };
}

function appendText(live: LiveRun, step: number, delta: string): LiveRun {
  return step > live.step ? { ...live, step, text: delta } : { ...live, text: live.text + delta };
}

function addTool(tools: LiveTool[], tool: LiveTool): LiveTool[] {
  return tools.some((known) => known.call.id === tool.call.id) ? tools : [...tools, tool];
}

/** The stored message of a call may come before the event that announces it. */
function isStoredCall(data: ConversationData, turn: number, callId: string): boolean {
  return (data.messages[turn] ?? []).some((message) => message.toolCalls?.some((call) => call.id === callId) ?? false);
}

function addMessage(data: ConversationData, message: StoredMessage): ConversationData {
  const group = data.messages[message.turn] ?? [];
  if (group.some((known) => known.id === message.id)) return data;
  const messages = { ...data.messages, [message.turn]: [...group, message].sort((a, b) => a.seq - b.seq) };
  return { ...data, messages, live: storedNow(data.live, message) };
}

/** What a stored message holds needs not be shown as live any more. */
function storedNow(live: LiveRun | null, message: StoredMessage): LiveRun | null {
  if (live === null || live.turn !== message.turn || message.role !== 'assistant') return live;
  const calls = new Set(message.toolCalls?.map((call) => call.id));
  return { ...live, text: '', tools: live.tools.filter((tool) => !calls.has(tool.call.id)) };
}

function startTurn(data: ConversationData, event: Extract<RunEvent, { type: 'turn-start' }>): ConversationData {
  const withMessage = addMessage(data, event.message);
  const same = data.live?.runId === event.runId;
  return {
    ...withMessage,
    records: { ...withMessage.records, [event.turn]: event.record },
    queued: withMessage.queued.filter((queued) => queued.id !== event.message.id),
    live: same
      ? withMessage.live
      : { runId: event.runId, turn: event.turn, step: 0, text: '', tools: [], note: null, model: null, startedAt: event.record.startedAt },
    revision: data.revision + (same ? 0 : 1),
  };
}

function endTurn(data: ConversationData, event: Extract<RunEvent, { type: 'turn-end' }>): ConversationData {
  if (data.endedRuns.includes(event.runId)) return data;
  // A newer run of the same turn owns the record: the late end of an older run must not overwrite it.
  const newer = data.live !== null && data.live.runId !== event.runId && data.live.turn === event.turn;
  return {
    ...data,
    records: newer ? data.records : { ...data.records, [event.turn]: event.record },
    live: data.live?.runId === event.runId ? null : data.live,
    endedRuns: [...data.endedRuns, event.runId].slice(-REMEMBERED_RUNS),
    revision: data.revision + 1,
  };
}

/** A span by id; one that ended is never replaced by its running form. */
export function mergeSpan(spans: readonly Span[] | undefined, span: Span): Span[] {
  if (spans === undefined) return [span];
  const index = spans.findIndex((known) => known.id === span.id);
  if (index < 0) return [...spans, span];
  const known = spans[index];
  if (known !== undefined && known.endedAt !== null && span.endedAt === null) return [...spans];
  return spans.with(index, span);
}
