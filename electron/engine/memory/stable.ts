/** Pure: strategy `stable`. The prefix stays byte-identical between compactions; what leaves the window stays as digests and facts. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { StoredTurn } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { TokenEstimator } from '../ports.ts';
import type { RecallHit, RecallQuery } from './archive-index.ts';
import { messagesTokens } from './estimate.ts';
import { buildPlan, contextMessage, type ShapedTurn, type Verdict } from './plan-builder.ts';
import { turnsInReach } from './recent-turns.ts';
import { firstWaiting, soundMessages } from './sound-turn.ts';
import { compact, freeForNotes, type KeptTurn, noteMessage, notesTokens, SHARES } from './stable-compaction.ts';
import { isPlain, isPlainDialogue, isStrong, LEAST_SCORE, recallNote, recallQuery, WANTED_SCORE, wantedRecall } from './stable-recall.ts';
import { type FrozenNote, readState, type StableState } from './stable-state.ts';
import type { MemoryInput, MemoryOutcome, MemoryStrategy, TurnReader } from './strategy.ts';

/** Providers keep a prefix for some minutes after its last use. */
const CACHE_LIFETIME_MS = 10 * 60_000;
/** Turns read at most, as a multiple of the budget: their digests are about this much smaller. */
const READ_FACTOR = 12;
const CHARACTERS_PER_TOKEN = 4;
/** A cold context below this share of the budget is not worth rewriting. */
const COLD_SHARE = 0.4;
/** Twice what a token costs more uncached than cached, in prices of a cached one: 2 × (1 − 0.1) ÷ 0.1. */
const REWRITE_FACTOR = 18;
/** Assumed while nothing is known of the conversation. */
const CALLS_PER_TURN = 2;
const TOKENS_PER_TURN = 400;
/** Most a recalled note takes of the budget. */
const RECALL_SHARE = {
  /** Nothing is cached, so the archive may have what it needs. */
  cold: 0.85,
  coldWithoutWords: 0.5,
  /** Nothing but talk is stored: all that the newest turns leave. */
  dialogue: 0.9,
  /** The question is plainly about something in the archive. */
  plain: 0.3,
  /** A note is paid for in full, and carried until the next compaction. */
  warm: 0.03,
};
/** A smaller note says nothing. */
const LEAST_NOTE_TOKENS = 150;
/** What the layout keeps of the budget, however much the archive has to say. */
const LEAST_LAYOUT_SHARE = 0.15;

function keptTurn(stored: StoredTurn, estimator: TokenEstimator): KeptTurn {
  const messages = soundMessages(stored).map((message) => contextMessage(message, { raw: true }));
  return { turn: stored.turn, messages, tokens: messagesTokens(messages, estimator), stored };
}

function sum(turns: readonly { tokens: number }[]): number {
  return turns.reduce((total, turn) => total + turn.tokens, 0);
}

/**
 * Above this many tokens a compaction pays: carrying a token through one more call costs a tenth of sending it anew, so the longer the
 * rewritten part is, the longer it pays to wait.
 */
function highWatermark(budget: number, notes: number, kept: readonly KeptTurn[]): number {
  const growth = kept.length === 0 ? TOKENS_PER_TURN : sum(kept) / kept.length;
  const rewritten = budget * (SHARES.full + SHARES.digests);
  const worthIt = notes + budget * SHARES.full + Math.sqrt((REWRITE_FACTOR * rewritten * growth) / CALLS_PER_TURN);
  return Math.min(budget - freeForNotes(budget) / 2, Math.max(worthIt, budget * SHARES.unquestioned));
}

interface Draft {
  state: StableState;
  kept: KeptTurn[];
  pinned: KeptTurn[];
  /** The provider's cache holds nothing of this conversation. */
  cold: boolean;
  /** The same question place as the request before: that one was not stored, so nothing after the layout is cached. */
  again: boolean;
}

/** The layout to send, compacted where it has to be. */
function layOut(input: MemoryInput, notices: string[]): Draft {
  const { estimator } = input;
  const budget = input.settings['memory.historyTokens'];
  const asked = input.totalTurns + 1;
  const read = readState(input.state);
  // A note for a question that was never stored is of no use to the next one.
  const state = { ...read, recalled: read.recalled.filter((note) => note.beforeTurn < asked) };
  const again = state.recalled.length < read.recalled.length;
  const turns = turnsInReach(input);
  const kept = turns.filter((turn) => turn.turn > state.throughTurn).map((turn) => keptTurn(turn, estimator));
  const cold = state.lastAt === null || input.now - state.lastAt > CACHE_LIFETIME_MS;
  const before = pinnedTurns(turns, state.throughTurn, budget, estimator, []);
  const notes = notesTokens([...state.notes, ...state.recalled], estimator) + sum(before);
  const total = notes + sum(kept);
  const limit = state.lastAt === null ? budget : cold ? budget * COLD_SHARE : highWatermark(budget, notes, kept);
  if (total <= limit) return { state, kept, pinned: before, cold, again };
  const wanted = cold ? wantedWhenCold(input, budget) : 0;
  const reach = pinnedTurns(turns, input.totalTurns, budget, estimator, notices);
  const pinnedTokens = sum(reach);
  const waiting = firstWaiting(turns);
  const settled = kept.filter((turn) => turn.turn < waiting);
  const held = sum(kept.filter((turn) => turn.turn >= waiting));
  if (settled.length === 0) return { state, kept, pinned: before, cold, again };
  const base = { state, kept: settled, pinnedTokens: pinnedTokens + held, estimator, effects: input.effects };
  const talkOnly = wanted > 0 && isPlainDialogue(input);
  const beside = (recalled: number): StableState => {
    const left = Math.min(budget, Math.max(budget * LEAST_LAYOUT_SHARE + pinnedTokens, budget - recalled));
    return compact({ ...base, budget: left, talkOnly });
  };
  const first = beside(wanted);
  // Hits in turns that stay in full need no room of their own.
  const compacted = talkOnly ? beside(wantedWhenCold(input, budget, first.throughTurn + 1)) : first;
  const wide = wanted === 0 ? compacted : compact({ ...base, budget });
  return {
    state: { ...compacted, digests: widest(wide, compacted), actions: wide.actions },
    kept: kept.filter((turn) => turn.turn > compacted.throughTurn),
    pinned: reach.filter((turn) => turn.turn <= compacted.throughTurn),
    cold,
    again,
  };
}

/** In a plain dialogue the archive is worth more than any digest, however faint the hits are. */
function wantedWhenCold(input: MemoryInput, budget: number, keptFrom = Number.POSITIVE_INFINITY): number {
  if (isPlainDialogue(input)) return wantedRecall(input, { tokens: budget * RECALL_SHARE.dialogue, leastScore: 0, keptFrom });
  const share = isStrong(input.recall?.hits ?? []) ? RECALL_SHARE.cold : RECALL_SHARE.coldWithoutWords;
  return wantedRecall(input, { tokens: budget * share, leastScore: WANTED_SCORE, keptFrom });
}

/** What makes room for recalled turns in one request is not lost for the next compaction. */
function widest(wide: StableState, sent: StableState): StableState['digests'] {
  return [...wide.digests, ...sent.digests.filter((digest) => digest.turn > wide.throughTurn)];
}

/** Pinned turns up to a turn, newest first while they take no more than half the budget ([MEM-5]); in the order of the conversation. */
function pinnedTurns(
  turns: readonly StoredTurn[],
  through: number,
  budget: number,
  estimator: TokenEstimator,
  notices: string[],
): KeptTurn[] {
  const fitting: KeptTurn[] = [];
  for (const turn of turns.toReversed()) {
    if (!turn.pinned || turn.turn > through) continue;
    const made = keptTurn(turn, estimator);
    if (sum(fitting) + made.tokens > budget / 2)
      notices.push(`Turn ${turn.turn} is pinned but does not fit into the history budget of ${budget} tokens.`);
    else fitting.push(made);
  }
  return fitting.toReversed();
}

function plan(input: MemoryInput): MemoryOutcome {
  const { estimator } = input;
  const budget = input.settings['memory.historyTokens'];
  const notices: string[] = [];
  const draft = layOut(input, notices);
  const { kept, pinned } = draft;
  const asked = input.totalTurns + 1;
  const used = notesTokens([...draft.state.notes, ...draft.state.recalled], estimator) + sum(kept) + sum(pinned);
  const dialogue = isPlainDialogue(input);
  const strong = dialogue || isStrong(input.recall?.hits ?? []);
  const share = dialogue && draft.cold ? 1 : recallShare(draft, strong, input.recall?.hits ?? []);
  const note = recallNote(input, {
    tokens: Math.min(Math.max(budget * share, LEAST_NOTE_TOKENS), budget - used),
    newFactsOnly: !strong && !draft.cold,
    contextText: contextText(draft),
    keptFrom: draft.state.throughTurn + 1,
    leastScore: dialogue ? 0 : LEAST_SCORE,
  });
  const state: StableState = {
    ...draft.state,
    recalled: note === null ? draft.state.recalled : [...draft.state.recalled, note],
    lastAt: input.now,
  };
  const messages = wireMessages(state, kept, pinned, asked);
  return {
    plan: buildPlan({
      strategy: 'stable',
      totalTurns: input.totalTurns,
      turns: shapedTurns(kept, pinned),
      otherTurns: verdicts(state, asked),
      told: [...state.notes.flatMap((note) => note.turns), ...state.recalled.flatMap((note) => note.turns)],
      messages,
      budget,
      budgetUnit: 'tokens',
      budgetUsed: messagesTokens(messages, estimator),
      notices,
      estimator,
    }),
    state,
  };
}

function recallShare(draft: Draft, strong: boolean, hits: readonly RecallHit[]): number {
  if (draft.cold || draft.again) return strong ? RECALL_SHARE.cold : RECALL_SHARE.coldWithoutWords;
  return isPlain(hits) ? RECALL_SHARE.plain : RECALL_SHARE.warm;
}

/** Most stable first: facts, ledger, pinned turns, digests, then turns in full with their recalled notes. */
function wireMessages(state: StableState, kept: readonly KeptTurn[], pinned: readonly KeptTurn[], asked: number): ContextMessage[] {
  const notesAt = (place: FrozenNote['place']): ContextMessage[] => state.notes.filter((note) => note.place === place).map(noteMessage);
  const messages: ContextMessage[] = [...notesAt('front'), ...pinned.flatMap((turn) => turn.messages), ...notesAt('back')];
  const placed = new Map(state.recalled.map((note) => [note.beforeTurn, note]));
  for (const turn of kept) {
    const note = placed.get(turn.turn);
    if (note !== undefined) messages.push(noteMessage(note));
    messages.push(...turn.messages);
  }
  const last = placed.get(asked);
  if (last !== undefined) messages.push(noteMessage(last));
  return messages;
}

function contextText(draft: Draft): string {
  const notes = [...draft.state.notes, ...draft.state.recalled].map((note) => note.text);
  const turns = [...draft.pinned, ...draft.kept].flatMap((turn) =>
    turn.messages.map((message) =>
      message.toolCalls === undefined ? message.content : `${message.content} ${JSON.stringify(message.toolCalls)}`,
    ),
  );
  return [...notes, ...turns].join('\n');
}

function shapedTurns(kept: readonly KeptTurn[], pinned: readonly KeptTurn[]): ShapedTurn[] {
  const verdict = (turn: KeptTurn): Verdict =>
    turn.stored.state === 'waiting-approval'
      ? { disposition: 'full', reason: 'waits for an approval' }
      : turn.stored.pinned
        ? { disposition: 'full', reason: 'pinned', pinned: true }
        : { disposition: 'full', reason: 'newer than the last compaction' };
  return [...pinned, ...kept].map((turn) => ({ turn: turn.turn, verdict: verdict(turn), messages: turn.messages }));
}

function verdicts(state: StableState, asked: number): (turn: number) => Verdict {
  const digested = new Set(state.notes.flatMap((note) => note.turns));
  const recalled = new Set(state.recalled.filter((note) => note.beforeTurn <= asked).flatMap((note) => note.turns));
  return (turn) => {
    if (recalled.has(turn)) return { disposition: 'recalled', reason: 'found in the archive for a question' };
    if (digested.has(turn)) return { disposition: 'compacted', reason: 'in the digest of earlier turns', setting: 'memory.historyTokens' };
    return {
      disposition: 'dropped',
      reason: 'in the archive only: the digests are over the history budget',
      setting: 'memory.historyTokens',
    };
  };
}

function query(input: MemoryInput): RecallQuery | null {
  return recallQuery(input, input.totalTurns);
}

/** Reads back to the last compaction; without one as many turns as digests may hold ([MEM-6]). */
async function load(reader: TurnReader, state: unknown, settings: Settings): Promise<StoredTurn[]> {
  const through = readState(state).throughTurn;
  const most = settings['memory.historyTokens'] * READ_FACTOR * CHARACTERS_PER_TOKEN;
  const newestFirst: StoredTurn[] = [];
  let characters = 0;
  for await (const turn of reader) {
    if (turn.turn <= through || characters > most) break;
    for (const message of turn.messages) characters += message.phpChars;
    newestFirst.push(turn);
  }
  return newestFirst.toReversed();
}

export const stable: MemoryStrategy = { name: 'stable', plan, load, query };
