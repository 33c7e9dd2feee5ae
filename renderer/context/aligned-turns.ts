// Stored history beside what is sent, aligned turn by turn. Pure.
import type { ContextMessage, ContextPlan, PlanEntry } from '../../shared/compaction.ts';
import type { InspectedRequest } from '../../shared/inspection.ts';
import type { NeutralMessage, Role, StoredMessage } from '../../shared/conversation.ts';
import { entriesByTurn } from '../turns/turn-parts.ts';
import { callInWords, resultInWords } from '../turns/tool-values.ts';

/** One line of a turn; `lost` lines are stored but not sent. */
export interface HistoryLine {
  key: string;
  who: 'customer' | 'nimbus' | 'tool';
  text: string;
  lost: boolean;
  /** The shorter text that went in its place; absent where nothing of it did. */
  sentAs?: string;
}

/** What a request holds of the history, and what happened to each turn. */
export type SentHistory = Pick<ContextPlan, 'entries' | 'messages'>;

/** What a request that left held; messages of its own turn, which no plan knows, are told from notes by having no kind. */
export function sentIn(request: Pick<InspectedRequest, 'mark' | 'messages'>, plan: SentHistory | null): SentHistory {
  const own = request.mark?.turn;
  const messages = request.messages.map((message) =>
    own === undefined || message.kind !== undefined || message.turn !== undefined ? message : { ...message, turn: own },
  );
  return { entries: plan?.entries ?? [], messages };
}

/** The stored turns that a note stands for, in order; [] for a note of none. */
export function sourceTurns(note: ContextMessage, entries: readonly PlanEntry[]): number[] {
  if (note.turns !== undefined) return note.turns;
  if (note.kind !== 'summary' && note.kind !== 'digest') return [];
  return [...entriesByTurn({ entries: [...entries] })].filter(([, entry]) => entry.disposition === 'summarised').map(([turn]) => turn);
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
export function alignTurns(stored: Readonly<Record<number, readonly StoredMessage[]>>, plan: SentHistory | null): AlignedTurn[] {
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
    const whole = linesOf(messages, `stored-${turn}`);
    const known = new Set(whole.map((line) => `${line.who}:${line.text}`));
    // In order: the first altered answer that was sent stands for the first stored one that was not sent as it is.
    const altered = sent.filter((line) => !known.has(`${line.who}:${line.text}`));
    return {
      turn,
      at: messages[0]?.at ?? 0,
      stored: whole.map((line) => {
        if (!entries.has(turn) || kept.has(`${line.who}:${line.text}`)) return line;
        const at = altered.findIndex(({ who }) => who === line.who);
        const [shorter] = at < 0 ? [] : altered.splice(at, 1);
        return { ...line, lost: true, ...(shorter !== undefined && { sentAs: shorter.text }) };
      }),
      sent,
      entry: entries.get(turn) ?? null,
      storedCharacters: listCharacters(messages),
      sentCharacters: entries.get(turn)?.throughTurn === undefined ? (entries.get(turn)?.characters ?? 0) : 0,
    };
  });
}

/** As a JSON list is measured, like the plan measures what is sent: brackets and commas count. */
function listCharacters(messages: readonly StoredMessage[]): number {
  if (messages.length === 0) return 0;
  return messages.reduce((sum, message) => sum + message.phpChars, 0) + messages.length + 1;
}
