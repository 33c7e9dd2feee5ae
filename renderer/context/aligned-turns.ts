// Stored history beside what is sent, aligned turn by turn. Pure.
import type { ContextMessage, ContextPlan, Disposition, PlanEntry } from '../../shared/compaction.ts';
import type { NeutralMessage, Role, StoredMessage } from '../../shared/conversation.ts';
import { callInWords, resultInWords } from '../turns/tool-values.ts';

/** One line of a turn; `lost` lines are stored but not sent. */
export interface HistoryLine {
  key: string;
  who: 'customer' | 'nimbus' | 'tool';
  text: string;
  lost: boolean;
}

export interface AlignedTurn {
  turn: number;
  at: number;
  stored: HistoryLine[];
  sent: HistoryLine[];
  entry: PlanEntry | null;
  /** Characters of the PHP-compatible measure: stored, and sent. */
  storedCharacters: number;
  sentCharacters: number;
}

const WHO: Record<Role, HistoryLine['who']> = { user: 'customer', assistant: 'nimbus', tool: 'tool' };

function linesOf(messages: readonly (NeutralMessage & { id?: string })[], key: string): HistoryLine[] {
  const lines: HistoryLine[] = [];
  const calls = new Map<string, HistoryLine>();
  messages.forEach((message, index) => {
    const id = message.id ?? `${key}-${index}`;
    if (message.role === 'tool') {
      // A result belongs to its call's line; one whose call is not here stands alone.
      const call = calls.get(message.toolCallId ?? '');
      const result = resultInWords(message.content);
      if (call === undefined) lines.push({ key: id, who: 'tool', text: `${message.toolName ?? 'result'}: ${result}`, lost: false });
      else call.text = `${call.text} → ${result}`;
      return;
    }
    if (message.content !== '') lines.push({ key: id, who: WHO[message.role], text: message.content, lost: false });
    for (const call of message.toolCalls ?? []) {
      const line: HistoryLine = { key: `${id}-${call.id}`, who: 'tool', text: callInWords(call.name, call.arguments), lost: false };
      calls.set(call.id, line);
      lines.push(line);
    }
  });
  return lines;
}

/** Rows of all stored turns, oldest first. A stored line that is not among the sent ones of its turn is marked as lost. */
export function alignTurns(stored: Readonly<Record<number, readonly StoredMessage[]>>, plan: ContextPlan | null): AlignedTurn[] {
  const entries = new Map((plan?.entries ?? []).map((entry) => [entry.turn, entry]));
  const sentMessages = new Map<number, ContextMessage[]>();
  for (const message of plan?.messages ?? []) {
    if (message.turn === undefined) continue;
    const group = sentMessages.get(message.turn);
    if (group === undefined) sentMessages.set(message.turn, [message]);
    else group.push(message);
  }
  const turns = Object.keys(stored)
    .map(Number)
    .toSorted((a, b) => a - b);
  return turns.map((turn) => {
    const messages = stored[turn] ?? [];
    const sent = linesOf(sentMessages.get(turn) ?? [], `sent-${turn}`);
    const kept = new Set(sent.map((line) => `${line.who}:${line.text}`));
    return {
      turn,
      at: messages[0]?.at ?? 0,
      stored: linesOf(messages, `stored-${turn}`).map((line) => ({
        ...line,
        lost: entries.has(turn) && !kept.has(`${line.who}:${line.text}`),
      })),
      sent,
      entry: entries.get(turn) ?? null,
      storedCharacters: messages.reduce((sum, message) => sum + message.phpChars, 0) + Math.max(0, messages.length - 1),
      sentCharacters: entries.get(turn)?.characters ?? 0,
    };
  });
}

export interface WhyAnswer {
  turn: number;
  /** Who said it. */
  who: HistoryLine['who'];
  /** The words around the hit. */
  excerpt: string;
  verdict: 'sent' | 'in-a-note' | 'not-sent';
  disposition: Disposition | null;
  reason: string;
  setting: string | null;
}

const AROUND = 40;
const MOST_ANSWERS = 20;

function excerptOf(text: string, at: number, length: number): string {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + length + AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).replace(/\s+/gu, ' ')}${to < text.length ? '…' : ''}`;
}

/** For every stored message that holds the words: whether the request holds them too, and what decided that. */
export function whyNotSeen(stored: Readonly<Record<number, readonly StoredMessage[]>>, plan: ContextPlan, words: string): WhyAnswer[] {
  const wanted = words.trim().toLocaleLowerCase();
  if (wanted === '') return [];
  const holds = (message: NeutralMessage) =>
    message.content.toLocaleLowerCase().includes(wanted) ||
    JSON.stringify(message.toolCalls ?? '')
      .toLocaleLowerCase()
      .includes(wanted);
  const inNote = plan.messages.some((message) => message.turn === undefined && holds(message));
  const sentTurns = new Set(plan.messages.flatMap((message) => (message.turn !== undefined && holds(message) ? [message.turn] : [])));
  const answers: WhyAnswer[] = [];
  const turns = Object.keys(stored).map(Number);
  for (const turn of turns.toSorted((a, b) => b - a)) {
    const hits = stored[turn]?.filter(holds) ?? [];
    const sentTexts = new Set(plan.messages.flatMap((message) => (message.turn === turn ? [message.content] : [])));
    // Where the words are sent, the message that is sent is the one to show.
    const hit = hits.find((message) => message.content !== '' && sentTexts.has(message.content)) ?? hits[0];
    if (hit === undefined || answers.length >= MOST_ANSWERS) continue;
    const entry = plan.entries.find((candidate) => candidate.turn === turn) ?? null;
    const text = hit.content.toLocaleLowerCase().includes(wanted) ? hit.content : JSON.stringify(hit.toolCalls);
    answers.push({
      turn,
      who: WHO[hit.role],
      excerpt: excerptOf(text, text.toLocaleLowerCase().indexOf(wanted), wanted.length),
      verdict: sentTurns.has(turn) ? 'sent' : inNote ? 'in-a-note' : 'not-sent',
      disposition: entry?.disposition ?? null,
      reason: entry?.reason ?? 'it came after this request',
      setting: entry?.setting ?? null,
    });
  }
  return answers;
}
