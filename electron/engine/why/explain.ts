/** Pure: what one request did with a text, for every place where the text stands. Findings agree with the request's bytes. */
import { type ContextMessage, type ContextPlan, entryOfTurn, type PlanEntry } from '../../../shared/compaction.ts';
import type { NeutralMessage, QueuedMessage, StoredTurn } from '../../../shared/conversation.ts';
import type { Memory } from '../../../shared/memories.ts';
import type { TextDisposition, WhyFinding } from '../../../shared/why.ts';
import { canonicalJson } from '../agent/turn-messages.ts';
import type { ModelRequest } from '../ports.ts';
import { textMatcher } from './text-match.ts';

export interface WhyInput {
  text: string;
  /** The turn the request belongs to. */
  turn: number;
  /** The request exactly as it left, or would leave. */
  request: ModelRequest;
  /** Its history half before redaction; null: not known any more. */
  plan: ContextPlan | null;
  promptVersion: string;
  /** Every stored turn, in any order. */
  turns: readonly StoredTurn[];
  queued: readonly QueuedMessage[];
  /** Of this conversation's owner, superseded ones too. */
  memories: readonly Memory[];
  summaries: readonly { version: number; text: string; throughTurn: number; current: boolean }[];
}

type Finding = Omit<WhyFinding, 'setting'> & { setting?: WhyFinding['setting'] };

/** What of a message a model reads. */
export function readableText(message: NeutralMessage): string {
  const calls = (message.toolCalls ?? []).map((call) => ` ${call.name} ${canonicalJson(call.arguments)}`);
  return message.content + calls.join('');
}

export function explainText(input: WhyInput): { findings: WhyFinding[]; seen: boolean } {
  const holds = textMatcher(input.text);
  const sentMessages = input.request.messages.filter((message) => holds(readableText(message)));
  const told = new Set<ContextMessage>();
  const findings: Finding[] = [];
  if (holds(input.request.system))
    findings.push({
      where: 'prompt',
      turn: null,
      disposition: 'full',
      reason: `stands in system prompt ${input.promptVersion}`,
      sent: true,
    });
  for (const tool of input.request.tools)
    if (holds(`${tool.name} ${tool.description} ${canonicalJson(tool.parameters)}`))
      findings.push({ where: 'tools', turn: null, disposition: 'full', reason: `stands in the description of ${tool.name}`, sent: true });
  for (const turn of input.turns.toSorted((left, right) => left.turn - right.turn)) {
    if (!turn.messages.some((message) => holds(readableText(message)))) continue;
    findings.push(turnFinding(input, turn, sentMessages, holds, told));
  }
  findings.push(...otherPlaces(input, sentMessages, holds));
  for (const message of sentMessages) if (!told.has(message)) findings.push(noteFinding(message, input));
  const seen = findings.some((finding) => finding.sent);
  if (findings.length === 0) findings.push({ where: 'nowhere', turn: null, disposition: 'never', reason: neverReason(), sent: false });
  return { findings: findings.map((finding) => ({ ...finding, setting: finding.setting ?? null })), seen };
}

function neverReason(): string {
  return 'the text stands nowhere in this conversation, its memories, its summaries or the prompt';
}

function turnFinding(
  input: WhyInput,
  turn: StoredTurn,
  sent: readonly ContextMessage[],
  holds: (text: string) => boolean,
  told: Set<ContextMessage>,
): Finding {
  const place = { where: 'history', turn: turn.turn };
  if (turn.turn > input.turn) return { ...place, disposition: 'later', reason: 'said after this request', sent: false };
  const own = sent.filter((message) => message.turn === turn.turn && message.kind === undefined);
  for (const message of own) told.add(message);
  const entry = input.plan === null ? undefined : entryOfTurn(input.plan, turn.turn);
  if (turn.turn === input.turn) {
    if (own.length > 0) return { ...place, disposition: 'full', reason: 'belongs to the turn that was asked', sent: true };
    if (isRedacted(input, turn, holds)) return redactedFinding(turn.turn);
    return { ...place, disposition: 'later', reason: 'said in answer to this request', sent: false };
  }
  if (own.length > 0) return { ...place, ...sentAs(entry), sent: true };
  const note = sent.find((message) => message.kind !== undefined && standsFor(message, turn.turn, entry));
  if (note !== undefined) {
    told.add(note);
    return { ...noteFinding(note, input), ...place };
  }
  if (isRedacted(input, turn, holds)) return redactedFinding(turn.turn);
  return { ...place, ...leftOut(entry, turn), sent: false };
}

function sentAs(entry: PlanEntry | undefined): Pick<Finding, 'disposition' | 'reason' | 'setting'> {
  if (entry === undefined) return { disposition: 'full', reason: 'sent as it is' };
  const disposition: TextDisposition = entry.disposition === 'compacted' ? 'compacted' : 'full';
  return { disposition, reason: entry.reason, setting: entry.setting ?? null };
}

/** A note says which turn it stands for, or the plan says that the turn stands in a note. */
function standsFor(message: ContextMessage, turn: number, entry: PlanEntry | undefined): boolean {
  if (message.turn !== undefined) return message.turn === turn;
  return entry !== undefined && entry.disposition !== 'dropped' && entry.disposition !== 'full';
}

function leftOut(entry: PlanEntry | undefined, turn: StoredTurn): Pick<Finding, 'disposition' | 'reason' | 'setting'> {
  if (turn.turn < 1) return { disposition: 'dropped', reason: 'came before the first question; it is never sent' };
  if (entry === undefined) return { disposition: 'dropped', reason: 'not part of the plan of this request' };
  const setting = entry.setting ?? null;
  switch (entry.disposition) {
    case 'summarised':
      return { disposition: 'summarised', reason: `${entry.reason}, which does not repeat it`, setting };
    case 'dropped':
      return { disposition: 'dropped', reason: entry.reason, setting };
    case 'full':
      return { disposition: 'filtered', reason: 'its turn was sent without this part', setting };
    case 'compacted':
      return { disposition: 'filtered', reason: `${entry.reason}; this part is not in the short form`, setting };
    case 'recalled':
      return { disposition: 'filtered', reason: `${entry.reason}; this part was not quoted`, setting };
  }
}

/** Planned with the text, sent without it. The current turn's own messages are in no plan, but always sent in full. */
function isRedacted(input: WhyInput, turn: StoredTurn, holds: (text: string) => boolean): boolean {
  if (turn.turn === input.turn) {
    const sentRoles = input.request.messages.filter((message) => message.turn === turn.turn && message.kind === undefined).length;
    return turn.messages.slice(0, sentRoles).some((message) => holds(readableText(message)));
  }
  const entry = input.plan === null ? undefined : entryOfTurn(input.plan, turn.turn);
  return (input.plan?.messages ?? []).some(
    (message) =>
      holds(readableText(message)) && (message.kind === undefined ? message.turn === turn.turn : standsFor(message, turn.turn, entry)),
  );
}

function redactedFinding(turn: number): Finding {
  const reason = 'replaced by a placeholder before it was sent';
  return { where: 'history', turn, disposition: 'redacted', reason, setting: 'privacy.redact', sent: false };
}

const NOTE_DISPOSITIONS = { summary: 'summarised', ledger: 'digest', digest: 'digest', recalled: 'recalled', memory: 'memory' } as const;

/** A message of the request that no stored message accounts for. */
function noteFinding(message: ContextMessage, input: WhyInput): Finding {
  const { kind } = message;
  if (kind === undefined)
    return { where: 'request', turn: message.turn ?? null, disposition: 'full', reason: 'stands in a message that is sent', sent: true };
  const current = input.summaries.find((summary) => summary.current);
  const name = kind === 'summary' && current !== undefined ? `summary ${current.version}` : kind;
  return {
    where: name,
    turn: message.turn ?? null,
    disposition: NOTE_DISPOSITIONS[kind],
    reason: `stands in the ${kind === 'memory' ? 'memories' : name} that ${kind === 'memory' ? 'are' : 'is'} sent`,
    sent: true,
  };
}

/** Places that put nothing into this request; what they did put there is told by its note. */
function otherPlaces(input: WhyInput, sent: readonly ContextMessage[], holds: (text: string) => boolean): Finding[] {
  const findings: Finding[] = [];
  const inMemoryNote = sent.some((message) => message.kind === 'memory');
  for (const memory of input.memories) {
    if (!holds(memory.text) || inMemoryNote) continue;
    const reason = memory.supersededBy === null ? 'a memory that this request did not take' : 'a memory that a later one has superseded';
    findings.push({ where: 'memory', turn: memory.turn, disposition: 'dropped', reason, sent: false });
  }
  const inSummary = sent.some((message) => message.kind === 'summary');
  for (const summary of input.summaries) {
    if (!holds(summary.text) || (summary.current && inSummary)) continue;
    const reason = summary.current ? 'the summary was not part of this request' : 'an older version of the summary';
    findings.push({ where: `summary ${summary.version}`, turn: null, disposition: 'dropped', reason, sent: false });
  }
  for (const message of input.queued)
    if (holds(message.text)) findings.push({ where: 'queued', turn: null, disposition: 'later', reason: 'waits to be asked', sent: false });
  return findings;
}
