/** Pure: puts a context plan together from shaped turns, so that messages, entries and totals always agree. */
import type { ContextMessage, ContextPlan, Disposition, PlanEntry } from '../../../shared/compaction.ts';
import type { StoredMessage, StrategyName } from '../../../shared/conversation.ts';
import type { SettingKey } from '../../../shared/settings.ts';
import type { TokenEstimator } from '../ports.ts';
import { messagesTokens } from './estimate.ts';
import { flatChars } from './php-measure.ts';

/** Entries of a plan at most, but for turns of which something is sent. */
const MOST_ENTRIES = 500;

/** Why a turn is in the context as it is. */
export interface Verdict {
  disposition: Disposition;
  reason: string;
  setting?: SettingKey;
  pinned?: boolean;
}

/** One stored turn with what is sent of it; no messages when it is dropped or stands in a note. */
export interface ShapedTurn {
  turn: number;
  verdict: Verdict;
  messages: ContextMessage[];
}

export interface PlanParts {
  strategy: StrategyName;
  totalTurns: number;
  /** Shaped turns in any order; a turn left out gets the verdict of `otherTurns`. */
  turns: readonly ShapedTurn[];
  otherTurns: (turn: number) => Verdict;
  /** Turns whose `otherTurns` verdict may differ from that of the turn before. */
  told?: readonly number[];
  /** What stands before the question, in wire order. */
  messages: ContextMessage[];
  budget: number;
  budgetUnit: ContextPlan['budgetUnit'];
  budgetUsed: number;
  notices: string[];
  estimator: TokenEstimator;
}

/** A stored message as it is sent. The provider's own message travels only where the whole turn does. */
export function contextMessage(stored: StoredMessage, options: { raw: boolean }): ContextMessage {
  const message: ContextMessage = {
    role: stored.role,
    content: stored.content,
    turn: stored.turn,
    origin: stored.origin,
    trust: stored.trust,
  };
  if (stored.toolCalls !== undefined && stored.toolCalls.length > 0) message.toolCalls = stored.toolCalls;
  if (stored.toolCallId !== undefined) message.toolCallId = stored.toolCallId;
  if (stored.toolName !== undefined) message.toolName = stored.toolName;
  if (stored.state !== undefined) message.state = stored.state;
  if (options.raw && stored.providerRaw !== undefined) message.providerRaw = stored.providerRaw;
  return message;
}

/** The plan: one entry per stored turn, sizes measured on the messages that are really sent. */
export function buildPlan(parts: PlanParts): ContextPlan {
  const shaped = new Map(parts.turns.map((turn) => [turn.turn, turn]));
  const entries = farEntries(parts, shaped);
  for (let turn = Math.max(0, parts.totalTurns - MOST_ENTRIES) + 1; turn <= parts.totalTurns; turn += 1) {
    const known = shaped.get(turn);
    entries.push(planEntry(turn, known?.verdict ?? parts.otherTurns(turn), known?.messages ?? [], parts.estimator));
  }
  return {
    strategy: parts.strategy,
    entries,
    messages: parts.messages,
    characters: flatChars(parts.messages),
    tokens: messagesTokens(parts.messages, parts.estimator),
    budget: parts.budget,
    budgetUnit: parts.budgetUnit,
    budgetUsed: parts.budgetUsed,
    notices: parts.notices,
  };
}

/** Neighbours far back of which nothing is sent share an entry, so that a plan stays small however long the conversation is. */
function farEntries(parts: PlanParts, shaped: ReadonlyMap<number, ShapedTurn>): PlanEntry[] {
  const last = parts.totalTurns - MOST_ENTRIES;
  const entries: PlanEntry[] = [];
  if (last < 1) return entries;
  const single = [...new Set([...shaped.keys(), ...(parts.told ?? [])])]
    .filter((turn) => turn >= 1 && turn <= last)
    .toSorted((a, b) => a - b);
  let next = 1;
  const share = (through: number): void => {
    if (through < next) return;
    const entry = planEntry(next, parts.otherTurns(next), [], parts.estimator);
    entries.push(through === next ? entry : { ...entry, throughTurn: through });
  };
  for (const turn of single) {
    share(turn - 1);
    const known = shaped.get(turn);
    entries.push(planEntry(turn, known?.verdict ?? parts.otherTurns(turn), known?.messages ?? [], parts.estimator));
    next = turn + 1;
  }
  share(last);
  return entries;
}

function planEntry(turn: number, verdict: Verdict, messages: readonly ContextMessage[], estimator: TokenEstimator): PlanEntry {
  const entry: PlanEntry = {
    turn,
    disposition: verdict.disposition,
    reason: verdict.reason,
    characters: messages.length === 0 ? 0 : flatChars(messages),
    tokens: messagesTokens(messages, estimator),
  };
  if (verdict.setting !== undefined) entry.setting = verdict.setting;
  if (verdict.pinned === true) entry.pinned = true;
  return entry;
}
