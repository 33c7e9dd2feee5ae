// Stored history beside what is sent, aligned turn by turn. Pure.
import type { ContextMessage, ContextPlan, PlanEntry } from '../../shared/compaction.ts';
import type { NeutralMessage, Role, StoredMessage } from '../../shared/conversation.ts';
import { entriesByTurn } from '../turns/turn-parts.ts';
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
  const entries = entriesByTurn(plan);
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
      sentCharacters: entries.get(turn)?.throughTurn === undefined ? (entries.get(turn)?.characters ?? 0) : 0,
    };
  });
}
