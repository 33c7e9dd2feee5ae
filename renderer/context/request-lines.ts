// A request as numbered lines in wire order, and what was left out of it. Pure.
import type { ContextMessage, ContextMessageKind, ContextPlan, Disposition, PartSize, PlanEntry } from '../../shared/compaction.ts';
import { entriesByTurn } from '../turns/turn-parts.ts';
import { oneLine } from '../ui/format.ts';

export interface RequestLine {
  number: number;
  /** What it is: `system`, `tools`, a note, a turn, the question. */
  label: string;
  look: Disposition | 'fixed' | 'note' | 'current';
  text: string;
  reason: string;
  /** null: not known for this line alone. */
  tokens: number | null;
  turn: number | null;
  pinned: boolean;
}

const NOTE_WORDS: Record<ContextMessageKind, string> = {
  summary: 'summary',
  ledger: 'action ledger',
  digest: 'digest',
  recalled: 'recalled',
  memory: 'memory',
};

interface RequestAround {
  parts: readonly PartSize[];
  promptVersion: string;
  /** What is typed; '' where nothing is. */
  question: string;
}

/** Lines of a request; `around` is null for a past one, whose fixed parts are in its trace. */
export function requestLines(plan: ContextPlan, around: RequestAround | null): RequestLine[] {
  const lines: Omit<RequestLine, 'number'>[] = [];
  const size = (part: PartSize['part']) => around?.parts.find((entry) => entry.part === part)?.tokens ?? 0;
  if (around !== null) {
    lines.push(fixedLine('system', `prompt ${around.promptVersion}`, size('system')));
    if (size('tools') > 0) lines.push(fixedLine('tools', 'what Nimbus can look up and do', size('tools')));
    if (size('tenant') > 0) lines.push(fixedLine('tenant', 'facts of this workspace', size('tenant')));
  }
  const entries = entriesByTurn(plan);
  for (const group of groupsOf(plan.messages)) lines.push(groupLine(group, entries));
  if (around !== null) lines.push(currentLine(around.question, size('current')));
  return lines.map((line, index) => ({ ...line, number: index + 1 }));
}

function fixedLine(label: string, text: string, tokens: number): Omit<RequestLine, 'number'> {
  return { label, look: 'fixed', text, reason: '', tokens, turn: null, pinned: false };
}

function currentLine(question: string, tokens: number): Omit<RequestLine, 'number'> {
  const text = question === '' ? 'nothing typed yet' : oneLine(question);
  return { label: 'this question', look: 'current', text, reason: '', tokens: question === '' ? null : tokens, turn: null, pinned: false };
}

/** Neighbouring messages of one turn belong together; a note stands alone. */
function groupsOf(messages: readonly ContextMessage[]): ContextMessage[][] {
  const groups: ContextMessage[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    const before = last?.[0];
    if (
      last !== undefined &&
      before !== undefined &&
      message.turn !== undefined &&
      before.turn === message.turn &&
      before.kind === message.kind
    ) {
      last.push(message);
    } else groups.push([message]);
  }
  return groups;
}

function groupLine(group: ContextMessage[], entries: ReadonlyMap<number, PlanEntry>): Omit<RequestLine, 'number'> {
  const first = group[0];
  const spoken = group.find((message) => message.role === 'user') ?? group.find((message) => message.content !== '') ?? first;
  const text = oneLine(spoken?.content ?? '');
  if (first?.turn === undefined) {
    const label = NOTE_WORDS[first?.kind ?? 'memory'];
    return { label, look: 'note', text, reason: '', tokens: null, turn: null, pinned: false };
  }
  const entry = entries.get(first.turn);
  return {
    label: `turn ${first.turn}`,
    look: first.kind === 'recalled' ? 'recalled' : (entry?.disposition ?? 'full'),
    text,
    reason: entry?.reason ?? '',
    tokens: entry?.tokens ?? null,
    turn: first.turn,
    pinned: entry?.pinned ?? false,
  };
}

/** Turns that are in no message of the request: neighbours with the same fate and reason in one row. */
export interface LeftOut {
  from: number;
  to: number;
  disposition: Disposition;
  reason: string;
  setting: string | null;
}

export function leftOut(plan: ContextPlan): LeftOut[] {
  const sent = new Set(plan.messages.flatMap((message) => (message.turn === undefined ? [] : [message.turn])));
  const rows: LeftOut[] = [];
  for (const entry of plan.entries) {
    if (sent.has(entry.turn)) continue;
    const to = entry.throughTurn ?? entry.turn;
    const last = rows.at(-1);
    if (last !== undefined && last.to === entry.turn - 1 && last.disposition === entry.disposition && last.reason === entry.reason)
      last.to = to;
    else rows.push({ from: entry.turn, to, disposition: entry.disposition, reason: entry.reason, setting: entry.setting ?? null });
  }
  return rows;
}
