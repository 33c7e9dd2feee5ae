/** Pure: strategy `recent-turns`. Newest turns in full, older ones as question and answer, the oldest dropped over a budget. */
import type { ContextMessage, ContextPlan } from '../../../shared/compaction.ts';
import { CANNED_STATES, type StoredMessage, type StoredTurn } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { TokenEstimator } from '../ports.ts';
import { messageTokens } from './estimate.ts';
import { listChars, phpChars, storedChars } from './php-measure.ts';
import { buildPlan, contextMessage, type ShapedTurn, type Verdict } from './plan-builder.ts';
import { soundMessages } from './sound-turn.ts';
import type { MemoryInput, MemoryOutcome, MemoryStrategy, TurnReader } from './strategy.ts';

/** Most turns `load` takes, whatever the budget is: a budget of 100 MB must not read a whole long conversation. */
export const MOST_TURNS_LOADED = 5000;

/** What PHP's `trim` takes off; JavaScript's takes off more. */
const PHP_BLANKS = ' \t\n\r\0\v';

/** The unit a history is measured in, with its budget. */
interface Measure {
  unit: ContextPlan['budgetUnit'];
  budget: number;
  setting: 'memory.maxChars' | 'memory.historyTokens';
  /** Size of a whole turn as it is sent. */
  turnSize(messages: readonly SizedMessage[]): number;
  /** Size of an empty history, and what each turn but the first adds beside its own size. */
  around: number;
  between: number;
}

interface SizedMessage {
  message: ContextMessage;
  /** PHP-compatible characters. */
  characters: number;
}

interface Candidate {
  turn: number;
  pinned: boolean;
  full: boolean;
  sized: SizedMessage[];
  size: number;
  failed: boolean;
}

function measureOf(settings: Settings, estimator: TokenEstimator): Measure {
  if (settings['memory.measure'] === 'tokens') {
    return {
      unit: 'tokens',
      budget: settings['memory.historyTokens'],
      setting: 'memory.historyTokens',
      turnSize: (messages) => messages.reduce((sum, sized) => sum + messageTokens(sized.message, estimator), 0),
      around: 0,
      between: 0,
    };
  }
  return {
    unit: 'php-chars',
    budget: settings['memory.maxChars'],
    setting: 'memory.maxChars',
    turnSize: (messages) => listChars(messages.map((sized) => sized.characters)),
    around: listChars([]),
    between: 1,
  };
}

/** The turn as it would be sent, or null when it holds no customer message. `age` 0 is the newest turn. */
function candidateOf(stored: StoredTurn, age: number, pinned: boolean, settings: Settings, measure: Measure): Candidate | null {
  const messages = soundMessages(stored);
  if (messages.length === 0) return null;
  const full = pinned || age < settings['memory.recentTurns'];
  const sized = full ? messages.map(fullMessage) : questionAndAnswer(messages);
  return {
    turn: stored.turn,
    pinned,
    full,
    sized,
    size: measure.turnSize(sized),
    failed: messages.some((message) => message.state !== undefined && CANNED_STATES.includes(message.state)),
  };
}

function fullMessage(stored: StoredMessage): SizedMessage {
  return { message: contextMessage(stored, { raw: true }), characters: storedChars(stored) };
}

/** The customer's question and the last assistant text. */
function questionAndAnswer(messages: readonly StoredMessage[]): SizedMessage[] {
  const [question] = messages;
  if (question === undefined) return [];
  const kept = [fullMessage(question)];
  const answer = messages.findLast((message) => message.role === 'assistant' && !isPhpBlank(message.content));
  if (answer !== undefined) {
    const message = contextMessage({ ...answer, toolCalls: undefined }, { raw: false });
    kept.push({ message, characters: phpChars(message) });
  }
  return kept;
}

/** An answer of blanks alone is no answer. */
function isPhpBlank(text: string): boolean {
  for (const character of text) if (!PHP_BLANKS.includes(character)) return false;
  return true;
}

function verdictOf(candidate: Candidate, settings: Settings): Verdict {
  const newest = settings['memory.recentTurns'];
  if (candidate.pinned) return { disposition: 'full', reason: 'pinned', pinned: true };
  if (candidate.full) {
    return {
      disposition: 'full',
      reason: newest === 1 ? 'the newest turn' : `one of the newest ${newest} turns`,
      setting: 'memory.recentTurns',
    };
  }
  const failed = candidate.failed ? '; its answer is our own text after a failure, not the model’s' : '';
  return {
    disposition: 'compacted',
    reason: `older than the newest ${newest === 1 ? 'turn' : `${newest} turns`}, sent as question and answer${failed}`,
    setting: 'memory.recentTurns',
  };
}

function budgetText(measure: Measure): string {
  return `${measure.budget} ${measure.unit === 'tokens' ? 'tokens' : 'characters'}`;
}

/** Size of a history after one more turn. */
function withTurn(total: number, size: number, measure: Measure): number {
  return total + size + (total > measure.around ? measure.between : 0);
}

/** Pinned turns that fit beside the newest turn, newest first; the others are treated like any turn. */
function pinnedThatFit(turns: readonly StoredTurn[], input: MemoryInput, measure: Measure, notices: string[]): Set<number> {
  const fitting = new Set<number>();
  const newest = turns.at(-1);
  if (newest === undefined) return fitting;
  if (newest.pinned) fitting.add(newest.turn);
  let total = withTurn(measure.around, candidateOf(newest, 0, false, input.settings, measure)?.size ?? 0, measure);
  for (const turn of turns.slice(0, -1).toReversed()) {
    if (!turn.pinned) continue;
    const size = candidateOf(turn, 0, true, input.settings, measure)?.size ?? 0;
    const next = withTurn(total, size, measure);
    if (next > measure.budget) {
      notices.push(`Turn ${turn.turn} is pinned but does not fit into the history budget of ${budgetText(measure)}.`);
      continue;
    }
    total = next;
    fitting.add(turn.turn);
  }
  return fitting;
}

/** All turns the plan may use, oldest first: pinned ones from further back, then the loaded suffix. */
export function turnsInReach(input: MemoryInput): StoredTurn[] {
  const first = input.turns[0]?.turn ?? Number.POSITIVE_INFINITY;
  const earlier = (input.pinnedTurns ?? []).filter((turn) => turn.pinned && turn.turn < first);
  return [...earlier.toSorted((a, b) => a.turn - b.turn), ...input.turns].filter((turn) => turn.turn >= 1);
}

function leftOut(turn: number, input: MemoryInput, measure: Measure): Verdict {
  const first = input.turns[0]?.turn ?? Number.POSITIVE_INFINITY;
  const loaded = turn < first ? undefined : input.turns.find((candidate) => candidate.turn === turn);
  if (loaded !== undefined && soundMessages(loaded).length === 0) {
    return { disposition: 'dropped', reason: 'it holds no customer message' };
  }
  if (loaded === undefined && input.turns.length >= MOST_TURNS_LOADED) {
    return { disposition: 'dropped', reason: `further back than the newest ${MOST_TURNS_LOADED} turns, the most that are read` };
  }
  return { disposition: 'dropped', reason: `over the history budget of ${budgetText(measure)}`, setting: measure.setting };
}

function plan(input: MemoryInput): MemoryOutcome {
  const measure = measureOf(input.settings, input.estimator);
  const notices: string[] = [];
  const turns = turnsInReach(input).filter((turn) => soundMessages(turn).length > 0);
  const pinned = pinnedThatFit(turns, input, measure, notices);
  const kept: Candidate[] = [];
  for (const [index, turn] of turns.entries()) {
    const candidate = candidateOf(turn, turns.length - 1 - index, pinned.has(turn.turn), input.settings, measure);
    if (candidate !== null) kept.push(candidate);
  }
  const used = dropOldest(kept, measure);
  const shaped: ShapedTurn[] = kept.map((candidate) => ({
    turn: candidate.turn,
    verdict: verdictOf(candidate, input.settings),
    messages: candidate.sized.map((sized) => sized.message),
  }));
  if (used > measure.budget) {
    notices.push(`The newest turn alone is larger than the history budget of ${budgetText(measure)}; it is sent all the same.`);
  }
  return {
    plan: buildPlan({
      strategy: 'recent-turns',
      totalTurns: input.totalTurns,
      turns: shaped,
      otherTurns: (turn) => leftOut(turn, input, measure),
      told: input.turns.map((turn) => turn.turn),
      messages: shaped.flatMap((turn) => turn.messages),
      budget: measure.budget,
      budgetUnit: measure.unit,
      budgetUsed: used,
      notices,
      estimator: input.estimator,
    }),
    state: input.state,
  };
}

/** Removes the oldest turns from `kept` while it is over the budget, never the last one and never a pinned one that fits. Returns the size that is left. */
function dropOldest(kept: Candidate[], measure: Measure): number {
  let total = measure.around;
  for (const candidate of kept) total = withTurn(total, candidate.size, measure);
  const last = kept.at(-1);
  const left: Candidate[] = [];
  let count = kept.length;
  for (const candidate of kept) {
    if (count > 1 && total > measure.budget && !candidate.pinned && candidate !== last) {
      total -= candidate.size + measure.between;
      count -= 1;
    } else left.push(candidate);
  }
  kept.splice(0, kept.length, ...left);
  return total;
}

/** Reads backwards while the budget has room; the turn that no longer fits is the first one not needed ([MEM-6]). */
async function load(reader: TurnReader, _state: unknown, settings: Settings, estimator: TokenEstimator): Promise<StoredTurn[]> {
  const measure = measureOf(settings, estimator);
  const newestFirst: StoredTurn[] = [];
  let total = measure.around;
  let sent = 0;
  for await (const turn of reader) {
    const candidate = candidateOf(turn, sent, false, settings, measure);
    if (candidate !== null) {
      sent += 1;
      total = withTurn(total, candidate.size, measure);
      if (sent > 1 && total > measure.budget) break;
    }
    newestFirst.push(turn);
    if (newestFirst.length >= MOST_TURNS_LOADED) break;
  }
  return newestFirst.toReversed();
}

export const recentTurns: MemoryStrategy = { name: 'recent-turns', plan, load };
