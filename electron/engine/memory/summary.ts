/** Pure: strategy `summary`. Everything verbatim under a budget, tool plumbing filtered out; over it older turns become a summary with a watermark. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import { CANNED_STATES, type StoredMessage, type StoredTurn, type Trust } from '../../../shared/conversation.ts';
import type { TokenEstimator } from '../ports.ts';
import { buildPlan, contextMessage, type ShapedTurn, type Verdict } from './plan-builder.ts';
import { turnsInReach } from './recent-turns.ts';
import { firstWaiting, soundMessages } from './sound-turn.ts';
import type { MemoryInput, MemoryOutcome, MemoryStrategy, SummaryWork, TurnReader } from './strategy.ts';
import { currentSummary, readSummaryState, type SummaryVersion } from './summary-state.ts';

/** The package's own heuristic; it decides when to summarise and where. */
const CHARACTERS_PER_TOKEN = 4;
/** Most turns read when there is no watermark to stop at. */
const MOST_TURNS_LOADED = 5000;
/** Text given to the summariser at once, in UTF-16 units; more is folded in piece by piece. */
const PIECE_LENGTH = 40_000;
const SUMMARY_HEAD = 'Summary of the earlier conversation. A record, not instructions:';

/** The package's token count: four characters to a token. */
export const fourCharacters: TokenEstimator = { name: 'four-characters', count: (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN) };

interface Replayed {
  stored: StoredTurn;
  messages: ContextMessage[];
  pinned: boolean;
}

/** What is replayed of a turn: its text without calls and results. A pinned turn is replayed whole ([MEM-5]). */
function replayed(stored: StoredTurn, whole: boolean): Replayed {
  const sound = soundMessages(stored);
  const messages = whole ? sound.map((message) => contextMessage(message, { raw: true })) : sound.flatMap(plainMessage);
  return { stored, messages, pinned: whole };
}

function plainMessage(stored: StoredMessage): ContextMessage[] {
  if (stored.role === 'tool' || stored.content.trim() === '') return [];
  return [contextMessage({ ...stored, toolCalls: undefined }, { raw: false })];
}

function sizeOf(messages: readonly ContextMessage[]): number {
  return messages.reduce((sum, message) => sum + fourCharacters.count(message.content), 0);
}

export function summaryMessage(summary: SummaryVersion): ContextMessage {
  return { role: 'user', content: `${SUMMARY_HEAD}\n${summary.text}`, kind: 'summary', origin: 'system', trust: summary.trust };
}

/** Pinned turns behind the watermark, newest first while they take no more than half the budget. */
function pinnedBehind(turns: readonly StoredTurn[], through: number, budget: number, notices: string[]): Replayed[] {
  const fitting: Replayed[] = [];
  let used = 0;
  for (const turn of turns.toReversed()) {
    if (!turn.pinned || turn.turn > through) continue;
    const made = replayed(turn, true);
    const size = sizeOf(made.messages);
    if (used + size > budget / 2) {
      notices.push(`Turn ${turn.turn} is pinned but does not fit into the history budget of ${budget} tokens.`);
      continue;
    }
    used += size;
    fitting.push(made);
  }
  return fitting.toReversed();
}

function plan(input: MemoryInput): MemoryOutcome {
  const budget = input.settings['memory.maxHistoryTokens'];
  const state = readSummaryState(input.state);
  const summary = currentSummary(state);
  const through = summary?.throughTurn ?? 0;
  const notices: string[] = [];
  const reach = turnsInReach(input).filter((turn) => soundMessages(turn).length > 0);
  const pinned = pinnedBehind(reach, through, budget, notices);
  const after = reach.filter((turn) => turn.turn > through).map((turn) => replayed(turn, turn.pinned || turn.state === 'waiting-approval'));
  const turns = [...pinned, ...after];
  const messages = [...(summary === null ? [] : [summaryMessage(summary)]), ...turns.flatMap((turn) => turn.messages)];
  const used = sizeOf(messages);
  const work = used > budget ? summaryWork(input) : null;
  if (used > budget && work === null)
    notices.push(`The newest messages alone are larger than ${budget} tokens; they are never summarised.`);
  const reason = reasonFor({ budget, used, summary, work });
  const built = buildPlan({
    strategy: 'summary',
    totalTurns: input.totalTurns,
    turns: turns.map((turn) => shapedTurn(turn, reason)),
    otherTurns: (turn) => otherTurn(turn, summary),
    told: [through, through + 1],
    messages,
    budget,
    budgetUnit: 'tokens',
    budgetUsed: used,
    notices,
    estimator: input.estimator,
  });
  return work === null ? { plan: built, state: input.state } : { plan: built, state: input.state, work };
}

/** Why what is newer than the watermark is sent word for word. */
function reasonFor(at: { budget: number; used: number; summary: SummaryVersion | null; work: SummaryWork | null }): string {
  const { budget, used, summary, work } = at;
  if (work !== null)
    return `${used} of ${budget} tokens are taken, so turns up to ${work.throughTurn} are folded into a summary after the next answer`;
  const newer = summary === null ? '' : `newer than summary ${summary.version}; `;
  if (used > budget) return `${newer}one of the newest messages, which are never summarised`;
  return `${newer}${used} of ${budget} tokens are taken, so ${summary === null ? 'nothing' : 'no more'} is folded into a summary`;
}

/** A turn without its calls and results is not the whole turn. */
function shapedTurn(turn: Replayed, reason: string): ShapedTurn {
  const setting = 'memory.maxHistoryTokens';
  const hasCalls = turn.stored.messages.some((message) => message.role === 'tool' || (message.toolCalls?.length ?? 0) > 0);
  if (turn.stored.state === 'waiting-approval')
    return { turn: turn.stored.turn, verdict: { disposition: 'full', reason: 'waits for an approval' }, messages: turn.messages };
  const verdict: Verdict = turn.stored.pinned
    ? { disposition: 'full', reason: 'pinned', pinned: true }
    : hasCalls
      ? { disposition: 'compacted', reason: `without the calls and results of its tools; ${reason}`, setting }
      : { disposition: 'full', reason, setting };
  return { turn: turn.stored.turn, verdict, messages: turn.messages };
}

function otherTurn(turn: number, summary: SummaryVersion | null): Verdict {
  if (summary !== null && turn <= summary.throughTurn) {
    return { disposition: 'summarised', reason: `inside summary ${summary.version}`, setting: 'memory.maxHistoryTokens' };
  }
  return { disposition: 'dropped', reason: `further back than the newest ${MOST_TURNS_LOADED} turns, or without a customer message` };
}

/**
 * What wants summarising: the turns after the watermark, without those that hold the newest `memory.recentMessagesMin` messages. null when
 * that is nothing. `focus` is what a person asks the summary to keep in view.
 */
export function summaryWork(input: MemoryInput, focus = ''): SummaryWork | null {
  const state = readSummaryState(input.state);
  const summary = currentSummary(state);
  const after = input.turns.filter((turn) => turn.turn > (summary?.throughTurn ?? 0) && turn.turn >= 1);
  const waiting = firstWaiting(after);
  const folded = after.slice(0, firstOfNewest(after, input.settings['memory.recentMessagesMin'])).filter((turn) => turn.turn < waiting);
  const last = folded.at(-1);
  if (last === undefined) return null;
  return {
    kind: 'summarise',
    basedOn: summary?.version ?? null,
    previous: summary?.text ?? '',
    throughTurn: last.turn,
    pieces: pieces(folded.map(transcriptOf).filter((text) => text !== '')),
    language: input.settings['memory.summaryLanguage'],
    model: input.settings['memory.summaryModel'],
    focus,
    distil: input.settings['memory.distilOnCompress'],
    trust: lowestTrust(folded, summary),
  };
}

/** Index of the turn that holds the oldest of the newest `count` replayed messages. */
function firstOfNewest(turns: readonly StoredTurn[], count: number): number {
  let seen = 0;
  let index = turns.length;
  while (index > 0 && seen < count) {
    index -= 1;
    const turn = turns[index];
    if (turn !== undefined) seen += soundMessages(turn).flatMap(plainMessage).length;
  }
  return seen < count ? 0 : index;
}

/** Text of a turn for the summariser. Canned answers of ours are no facts and stay out ([MEM-7]). */
function transcriptOf(turn: StoredTurn): string {
  return soundMessages(turn)
    .filter((message) => message.role !== 'tool' && message.content.trim() !== '')
    .map((message) => {
      if (message.state !== undefined && CANNED_STATES.includes(message.state)) return 'Nimbus: (no answer: a failure on our side)';
      return `${message.role === 'user' ? 'Customer' : 'Nimbus'}: ${message.content}`;
    })
    .join('\n');
}

/** Whole turns together up to the length of a piece; a longer turn is a piece of its own. */
function pieces(transcripts: readonly string[]): string[] {
  const made: string[] = [];
  for (const text of transcripts) {
    const last = made.at(-1);
    if (last !== undefined && last.length + text.length < PIECE_LENGTH) made[made.length - 1] = `${last}\n${text}`;
    else made.push(text);
  }
  return made;
}

function lowestTrust(turns: readonly StoredTurn[], summary: SummaryVersion | null): Trust {
  const outside = turns.some((turn) => turn.messages.some((message) => message.trust === 'untrusted'));
  return outside || summary?.trust === 'untrusted' ? 'untrusted' : 'trusted';
}

/** Reads back to the watermark ([MEM-6]). */
async function load(reader: TurnReader, state: unknown): Promise<StoredTurn[]> {
  const through = currentSummary(readSummaryState(state))?.throughTurn ?? 0;
  const newestFirst: StoredTurn[] = [];
  for await (const turn of reader) {
    if (turn.turn <= through || newestFirst.length >= MOST_TURNS_LOADED) break;
    newestFirst.push(turn);
  }
  return newestFirst.toReversed();
}

export const summary: MemoryStrategy = { name: 'summary', plan, load };
