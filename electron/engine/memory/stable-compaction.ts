/** Pure: one compaction of `stable`. What leaves the window becomes digests, digests become facts, and the oldest facts are left to the archive. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { StoredTurn } from '../../../shared/conversation.ts';
import type { ToolEffect } from '../../../shared/tool.ts';
import type { TokenEstimator } from '../ports.ts';
import { type DigestDetail, digestTurn, type TurnDigest } from './digest.ts';
import { messagesTokens } from './estimate.ts';
import { digestNote, factsNote, ledgerNote } from './stable-notes.ts';
import type { FrozenNote, StableState } from './stable-state.ts';

/** Shares of the history budget after a compaction. */
export const SHARES = {
  /** Up to this share everything stays as it was said: a budget is there to be used. */
  unquestioned: 0.6,
  /** Newest turns in full; the newest one alone may take more. */
  full: 0.08,
  newest: 0.35,
  /** Turns as question, calls and answer. */
  digests: 0.03,
  actions: 0.08,
  /** Facts of all other turns. */
  facts: 0.8,
  /** When the facts are over their share they are cut down to this part of it, so that the next cut is far off. */
  factsAfterCut: 0.95,
  /** Below this part of their share, lines say what a turn was about. */
  gistsBelow: 0.4,
  /** Left free for recalled notes. */
  free: 0.08,
  /** … and at least this share where the budget is so small that a note would not fit otherwise. */
  freeWhenSmall: 0.3,
};

/** Tokens of a recalled note with a few lines. */
const SMALL_NOTE_TOKENS = 150;

/** A turn after the last compaction, as it is sent. */
export interface KeptTurn {
  turn: number;
  messages: ContextMessage[];
  tokens: number;
  stored: StoredTurn;
}

export interface CompactionInput {
  state: StableState;
  kept: readonly KeptTurn[];
  /** Tokens for everything that stands before the question. */
  budget: number;
  /** Tokens of pinned turns, which stand beside the notes. */
  pinnedTokens: number;
  estimator: TokenEstimator;
  /** There are no facts to keep short; the newest turns take all the room as they are. */
  talkOnly?: boolean;
  effects?: ReadonlyMap<string, ToolEffect>;
}

export function noteMessage(note: FrozenNote): ContextMessage {
  const quoted = note.kind === 'recalled' ? { turns: note.turns } : {};
  return { role: 'user', content: note.text, kind: note.kind, ...quoted, origin: 'system', trust: note.trust };
}

export function notesTokens(notes: readonly FrozenNote[], estimator: TokenEstimator): number {
  return messagesTokens(notes.map(noteMessage), estimator);
}

function noteTokens(note: FrozenNote | null, estimator: TokenEstimator): number {
  return note === null ? 0 : notesTokens([note], estimator);
}

/** Tokens left free for recalled notes. */
export function freeForNotes(budget: number): number {
  return Math.max(budget * SHARES.free, Math.min(SMALL_NOTE_TOKENS, budget * SHARES.freeWhenSmall));
}

/** The state after one batch. Its notes and the turns after `throughTurn` are within the budget, whatever the turns are. */
export function compact(input: CompactionInput): StableState {
  const { state, kept, estimator } = input;
  const free = input.talkOnly === true ? 0 : freeForNotes(input.budget);
  const room = input.budget - free - input.pinnedTokens;
  const first = firstInFull(kept, Math.max(0, room), input.talkOnly === true);
  const present = state.notes.find((note) => note.kind === 'digest' && note.place === 'front');
  const made = kept.slice(0, first).map((turn) => digestTurn(turn.stored, input.effects));
  const leaving = withDetail(made, present, input.budget * SHARES.facts, estimator);
  const actions = [...state.actions, ...leaving.flatMap((digest) => digest.actions)];
  let left = room - kept.slice(first).reduce((sum, turn) => sum + turn.tokens, 0);
  const all = [...state.digests, ...leaving];
  const newestLeaves = first === kept.length && kept.length > 0;
  const longCount = longDigests(
    all,
    newestLeaves,
    Math.max(0, Math.min(left, input.budget * SHARES.digests)),
    Math.max(0, left),
    estimator,
  );
  const long = all.slice(all.length - longCount);
  const longNote = digestNote(long);
  left -= noteTokens(longNote, estimator);
  const shownActions = newestActions(actions, Math.max(0, Math.min(left, input.budget * SHARES.actions)), estimator);
  const actionsNote = ledgerNote(shownActions);
  left -= noteTokens(actionsNote, estimator);
  const short = fittingFacts(all.slice(0, all.length - longCount), Math.max(0, Math.min(left, input.budget * SHARES.facts)), estimator);
  return {
    ...state,
    throughTurn: kept[first - 1]?.turn ?? state.throughTurn,
    digests: [...short, ...long],
    actions: shownActions,
    notes: [factsNote(short), actionsNote, longNote].filter((note) => note !== null),
    recalled: [],
  };
}

/** Index of the first turn that stays in full: newest turns within their share; the newest alone may take more. */
function firstInFull(kept: readonly KeptTurn[], room: number, talkOnly: boolean): number {
  let first = kept.length;
  let used = 0;
  while (first > 0) {
    const next = kept[first - 1];
    if (next === undefined) break;
    const limit = talkOnly ? 1 : first === kept.length ? SHARES.newest : SHARES.full;
    if (used + next.tokens > room * limit) break;
    used += next.tokens;
    first -= 1;
  }
  return first;
}

/** How many of the newest digests stand at length. A newest turn that left does so where it can: it is what the customer answers to. */
function longDigests(all: readonly TurnDigest[], newestLeaves: boolean, share: number, most: number, estimator: TokenEstimator): number {
  let count = 0;
  while (count < all.length) {
    const limit = count === 0 && newestLeaves ? most * 0.6 : share;
    if (noteTokens(digestNote(all.slice(all.length - count - 1)), estimator) > limit) break;
    count += 1;
  }
  return count;
}

function newestActions(actions: readonly string[], limit: number, estimator: TokenEstimator): string[] {
  let shown = [...actions];
  while (shown.length > 0 && noteTokens(ledgerNote(shown), estimator) > limit)
    shown = shown.slice(Math.max(1, Math.floor(shown.length / 4)));
  return shown;
}

/** While the facts leave room, new lines say what the turn was about, too. */
function withDetail(
  leaving: readonly TurnDigest[],
  present: FrozenNote | undefined,
  limit: number,
  estimator: TokenEstimator,
): TurnDigest[] {
  const roomy = noteTokens(present ?? null, estimator) < limit * SHARES.gistsBelow;
  return leaving.map((digest) => (roomy ? digest : { ...digest, detail: 'facts' }));
}

/** Lowers the oldest turns' detail step by step, then leaves the oldest out, until the note fits; nothing changes while it fits. */
function fittingFacts(digests: readonly TurnDigest[], limit: number, estimator: TokenEstimator): TurnDigest[] {
  let fitting = [...digests];
  const size = (): number => noteTokens(factsNote(fitting), estimator);
  if (size() <= limit) return fitting;
  const target = limit * SHARES.factsAfterCut;
  const batch = Math.max(1, Math.ceil(fitting.length / 8));
  for (const detail of ['facts', 'ids'] as const satisfies DigestDetail[]) {
    for (let done = 0; done < fitting.length && size() > target; done += batch) {
      fitting = fitting.map((digest, index) => (index < done + batch && isMore(digest.detail, detail) ? { ...digest, detail } : digest));
    }
  }
  while (fitting.length > 0 && size() > target) fitting = fitting.slice(batch);
  return fitting;
}

function isMore(detail: DigestDetail, than: DigestDetail): boolean {
  const order: DigestDetail[] = ['ids', 'facts', 'gist'];
  return order.indexOf(detail) > order.indexOf(than);
}
