// Turns as the views read them: question, answers and tool calls in order; dispositions in words. Pure.
import { words } from '../language/language.ts';
import type { ContextMessage, ContextPlan, Disposition, PlanEntry } from '../../shared/compaction.ts';
import type { MessageState, NeutralMessage, TurnRecord } from '../../shared/conversation.ts';
import type { ToolCall } from '../../shared/tool.ts';

export interface ToolPart {
  kind: 'tool';
  call: ToolCall;
  /** JSON text; null while there is none. */
  result: string | null;
  failed: boolean;
  /** The result is ours: the call never finished. */
  synthetic: boolean;
}
export interface TextPart {
  kind: 'text';
  key: string;
  text: string;
  state: MessageState | undefined;
}
export interface TurnParts {
  questions: { key: string; text: string; unsynced: boolean }[];
  parts: (TextPart | ToolPart)[];
}

/** True where a tool's result is data about a failure: `{"error": …}`. */
export function isFailedResult(result: string): boolean {
  if (!result.startsWith('{') || result.length > 100_000) return false;
  try {
    const value: unknown = JSON.parse(result);
    return typeof value === 'object' && value !== null && 'error' in value;
  } catch {
    return false;
  }
}

/** Splits a turn's messages; a call without its result keeps null, a result without its call is shown as its own card. */
export function turnParts(messages: readonly (NeutralMessage & { id?: string; unsynced?: true })[]): TurnParts {
  const questions: TurnParts['questions'] = [];
  const parts: TurnParts['parts'] = [];
  const cards = new Map<string, ToolPart>();
  messages.forEach((message, index) => {
    const key = message.id ?? `part-${index}`;
    if (message.role === 'user') {
      questions.push({ key, text: message.content, unsynced: message.unsynced === true });
      return;
    }
    if (message.role === 'tool') {
      const id = message.toolCallId ?? key;
      const known = cards.get(id);
      const card = known ?? newCard({ id, name: message.toolName ?? 'tool', arguments: {} });
      card.result = message.content;
      card.failed = isFailedResult(message.content);
      card.synthetic = message.state === 'synthetic';
      if (known === undefined) parts.push(card);
      return;
    }
    if (message.content !== '' || (message.state !== undefined && message.toolCalls === undefined)) {
      parts.push({ kind: 'text', key, text: message.content, state: message.state });
    }
    for (const call of message.toolCalls ?? []) {
      const card = newCard(call);
      cards.set(call.id, card);
      parts.push(card);
    }
  });
  return { questions, parts };
}

function newCard(call: ToolCall): ToolPart {
  return { kind: 'tool', call, result: null, failed: false, synthetic: false };
}

/** The turns an entry stands for: far back, one may stand for many. */
function turnsOf(entry: PlanEntry): number {
  return (entry.throughTurn ?? entry.turn) - entry.turn + 1;
}

/** Plan entries by turn; an entry that stands for many turns is found under each of them. */
export function entriesByTurn(plan: Pick<ContextPlan, 'entries'> | null | undefined): Map<number, PlanEntry> {
  const entries = new Map<number, PlanEntry>();
  for (const entry of plan?.entries ?? []) {
    for (let turn = entry.turn; turn <= (entry.throughTurn ?? entry.turn); turn += 1) entries.set(turn, entry);
  }
  return entries;
}

/** What is sent for each turn, and the notes that stand for many turns (summary, ledger, digest, memories), in wire order. */
export function sentByTurn(plan: Pick<ContextPlan, 'messages'> | null | undefined): {
  turns: Map<number, ContextMessage[]>;
  notes: ContextMessage[];
} {
  const turns = new Map<number, ContextMessage[]>();
  const notes: ContextMessage[] = [];
  for (const message of plan?.messages ?? []) {
    if (message.turn === undefined) notes.push(message);
    else turns.set(message.turn, [...(turns.get(message.turn) ?? []), message]);
  }
  return { turns, notes };
}

function countOf(plan: ContextPlan | null | undefined, disposition: Disposition): number {
  return (plan?.entries ?? []).reduce((sum, entry) => sum + (entry.disposition === disposition ? turnsOf(entry) : 0), 0);
}

/** `2 in full, 1 compacted, 3 dropped`, in a fixed order, without zeros. */
export function planInWords(plan: ContextPlan | null | undefined): string {
  const order: Disposition[] = ['full', 'compacted', 'summarised', 'recalled', 'dropped'];
  const counts = order.map((disposition) => [disposition, countOf(plan, disposition)] as const);
  const said = counts.filter(([, count]) => count > 0).map(([disposition, count]) => `${count} ${words().turnlook.counts[disposition]}`);
  return said.length === 0 ? words().turnlook.nothingToSend : said.join(', ');
}

export interface Mark {
  word: string;
  tone: 'bad' | 'warn' | 'quiet';
}

const STATE_TONES: Record<MessageState, Mark['tone']> = {
  failed: 'bad',
  'step-limit': 'warn',
  'time-limit': 'warn',
  budget: 'warn',
  blocked: 'warn',
  empty: 'warn',
  stopped: 'quiet',
  interrupted: 'warn',
  synthetic: 'warn',
};

function stateMark(state: MessageState): Mark {
  return { word: words().turnlook.marks[state], tone: STATE_TONES[state] };
}

/** The mark of a turn: its record says more than its messages; null for an ordinary one. */
export function turnMark(record: TurnRecord | undefined, parts: TurnParts): Mark | null {
  if (record?.state === 'failed') {
    return { word: record.error === null ? words().turnlook.marks.failed : words().turnlook.failedWith(record.error.message), tone: 'bad' };
  }
  if (record?.state === 'stopped') return stateMark('stopped');
  if (record?.state === 'interrupted') return stateMark('interrupted');
  if (record?.state === 'handed-off') return { word: words().turnlook.handedOff, tone: 'warn' };
  const marked = parts.parts.findLast((part) => part.kind === 'text' && part.state !== undefined);
  return marked?.kind === 'text' && marked.state !== undefined ? stateMark(marked.state) : null;
}

/** Retry is offered on the newest turn when no run is at work. */
export function canRetry(record: TurnRecord | undefined, isNewest: boolean, running: boolean): boolean {
  return isNewest && !running && (record?.state === 'failed' || record?.state === 'stopped' || record?.state === 'interrupted');
}

/** Text of a turn's answer, for copying. */
export function answerText(parts: TurnParts): string {
  return parts.parts
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n\n')
    .trim();
}
