/** Pure: small builders for the store contract; every id is counted up, so a failure is easy to read. */
import type { NewMessage } from '../../shared/conversation.ts';
import type { RunSummary, Span } from '../../shared/trace.ts';
import type { IncomingMessage, NewConversation, Store } from '../../electron/engine/ports.ts';

/** 2026-03-02T10:00:00Z. */
export const START = 1_772_445_600_000;

let count = 0;

export function nextId(prefix = 'id'): string {
  count += 1;
  return `${prefix}-${String(count).padStart(8, '0')}`;
}

export function nextConversationId(): string {
  count += 1;
  return count.toString(16).padStart(32, '0');
}

export function conversation(fields: Partial<NewConversation> = {}): NewConversation {
  return {
    id: nextConversationId(),
    tenant: 'shop',
    actor: { type: 'customer', id: 'c-1' },
    subject: null,
    customerId: null,
    title: '',
    strategy: null,
    at: START,
    ...fields,
  };
}

export function question(content: string, fields: Partial<NewMessage> = {}): NewMessage {
  return { id: nextId('q'), role: 'user', content, origin: 'customer', trust: 'untrusted', at: START + 1, ...fields };
}

export function answer(content: string, fields: Partial<NewMessage> = {}): NewMessage {
  return { id: nextId('a'), role: 'assistant', content, origin: 'model', trust: 'untrusted', at: START + 2, ...fields };
}

export function toolResult(toolCallId: string, content: string, fields: Partial<NewMessage> = {}): NewMessage {
  const base = { id: nextId('t'), role: 'tool' as const, origin: 'tool:get_order', trust: 'untrusted' as const, at: START + 2 };
  return { ...base, content, toolCallId, toolName: 'get_order', ...fields };
}

export function incoming(conversationId: string, message: NewMessage, runId = nextId('run')): IncomingMessage {
  return { conversationId, message, runId, promptVersion: 'p1' };
}

/** A new conversation with ended turns, one per pair. */
export async function conversationWith(store: Store, pairs: [string, string][], fields: Partial<NewConversation> = {}): Promise<string> {
  const created = await store.conversations.create(conversation(fields));
  let at = created.createdAt;
  for (const [asked, answered] of pairs) {
    at += 10;
    const runId = nextId('run');
    const accepted = await store.conversations.accept(incoming(created.id, question(asked, { at }), runId));
    if (accepted.kind !== 'started') throw new Error(`expected a started turn, got ${accepted.kind}`);
    const end = { state: 'answered', outcome: 'answered', error: null } as const;
    const messages = [answer(answered, { at: at + 1 })];
    await store.conversations.endTurn(created.id, accepted.record.turn, runId, { ...end, at: at + 2, messages });
  }
  return created.id;
}

export function run(conversationId: string, fields: Partial<RunSummary> = {}): RunSummary {
  return {
    id: nextId('run'),
    conversationId,
    turn: 1,
    question: 'Where is my order?',
    model: 'demo',
    startedAt: START,
    endedAt: null,
    state: 'running',
    outcome: null,
    steps: 0,
    toolCalls: 0,
    usage: null,
    costMicroUsd: null,
    error: null,
    ...fields,
  };
}

export function span(runId: string, fields: Partial<Span> = {}): Span {
  return {
    id: nextId('span'),
    runId,
    parentId: null,
    kind: 'step',
    name: 'step 1',
    step: 1,
    startedAt: START,
    endedAt: null,
    status: 'running',
    firstTokenAt: null,
    usage: null,
    costMicroUsd: null,
    note: '',
    error: null,
    toolCallId: null,
    detailBytes: 0,
    ...fields,
  };
}
