/** Pure: conversations and contexts as the text and JSON that `show` and `why` print. */
import type { ContextPlan } from '../../../shared/compaction.ts';
import type { ConversationSummary, NeutralMessage, StoredMessage, TurnRecord } from '../../../shared/conversation.ts';

export interface Transcript {
  conversation: ConversationSummary;
  turns: TurnRecord[];
  messages: StoredMessage[];
}

function callsOf(message: NeutralMessage): Pick<NeutralMessage, 'toolCalls'> {
  if (message.toolCalls === undefined || message.toolCalls.length === 0) return {};
  return { toolCalls: message.toolCalls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })) };
}

/** `show --json`. */
export function transcriptJson(transcript: Transcript): object {
  return {
    conversation: transcript.conversation.id,
    customer: transcript.conversation.customerId,
    messages: transcript.messages.map((message) => ({
      id: message.id,
      turn: message.turn,
      role: message.role,
      content: message.content,
      ...callsOf(message),
      ...(message.toolCallId === undefined ? {} : { toolCallId: message.toolCallId }),
      ...(message.state === undefined ? {} : { state: message.state }),
      at: new Date(message.at).toISOString(),
    })),
  };
}

/** `show --context --json`: what stands before the question; system prompt and question are left out. */
export function contextJson(conversation: string, plan: ContextPlan): object {
  return {
    conversation,
    strategy: plan.strategy,
    messages: plan.messages.map((message) => ({
      role: message.role,
      content: message.content,
      ...callsOf(message),
      ...(message.toolCallId === undefined ? {} : { toolCallId: message.toolCallId }),
      ...(message.kind === undefined ? {} : { kind: message.kind }),
    })),
    turns: plan.entries.map(({ turn, disposition, reason, characters, tokens }) => ({ turn, disposition, reason, characters, tokens })),
    characters: plan.characters,
    tokens: plan.tokens,
  };
}

function who(message: NeutralMessage & { origin?: string }): string {
  if (message.role === 'user') return 'Customer';
  if (message.role === 'tool') return `Result of ${message.toolName ?? message.toolCallId ?? 'tool'}`;
  return message.origin === 'human' ? 'Agent' : 'Nimbus';
}

function messageLines(message: NeutralMessage & { origin?: string; kind?: string }): string[] {
  const mark = message.kind ?? message.state;
  const label = mark === undefined ? who(message) : `${who(message)} [${mark}]`;
  const lines = message.content === '' ? [] : [`${label}: ${message.content}`];
  for (const call of message.toolCalls ?? []) lines.push(`${label} calls ${call.name}(${JSON.stringify(call.arguments)})`);
  return lines;
}

export function transcriptText(transcript: Transcript): string {
  const { conversation } = transcript;
  const lines = [`conversation: ${conversation.id}`, `customer: ${conversation.customerName ?? conversation.customerId ?? 'none'}`];
  const states = new Map(transcript.turns.map((turn) => [turn.turn, turn.state]));
  let turn = -1;
  for (const message of transcript.messages) {
    if (message.turn !== turn) {
      turn = message.turn;
      const state = states.get(turn);
      lines.push('', state === undefined ? `turn ${turn}` : `turn ${turn} (${state})`);
    }
    lines.push(...messageLines(message));
  }
  return lines.join('\n');
}

export function contextText(conversation: string, plan: ContextPlan): string {
  const lines = [
    `conversation: ${conversation}`,
    `strategy: ${plan.strategy}`,
    `sent before the question: ${plan.messages.length} message${plan.messages.length === 1 ? '' : 's'}, ${plan.characters} characters, ~${plan.tokens} tokens`,
    plan.budgetUnit === 'tokens'
      ? `budget: ~${plan.budgetUsed} of ${plan.budget} tokens`
      : `budget: ${plan.budgetUsed} of ${plan.budget} characters`,
    '',
  ];
  for (const entry of plan.entries) {
    lines.push(`turn ${entry.turn}: ${entry.disposition}, ${entry.characters} characters, ~${entry.tokens} tokens: ${entry.reason}`);
  }
  for (const notice of plan.notices) lines.push(`notice: ${notice}`);
  if (plan.messages.length > 0) lines.push('');
  for (const message of plan.messages) lines.push(...messageLines(message));
  return lines.join('\n');
}
