/** Pure: strategy `stable`. The prefix stays byte-identical between compactions; what leaves the window stays as digests and facts. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { StoredTurn } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { TokenEstimator } from '../ports.ts';
import type { RecallQuery } from './archive-index.ts';
import { digestTurn, type TurnDigest } from './digest.ts';
import { messagesTokens } from './estimate.ts';
import { buildPlan, contextMessage, type ShapedTurn } from './plan-builder.ts';
import { soundMessages } from './sound-turn.ts';
import { digestNote, factsNote, ledgerNote } from './stable-notes.ts';
import { isStrong, recallNote, recallQuery } from './stable-recall.ts';
import { type FrozenNote, readState, type StableState } from './stable-state.ts';
import type { MemoryInput, MemoryOutcome, MemoryStrategy, TurnReader } from './strategy.ts';

/** The customer was silent for longer than a provider keeps a prefix. */
const CACHE_LIFETIME_MS = 10 * 60_000;
export const TUNE = { full: 0.15, long: 0.12, facts: 0.6, high: 1, econ: 18, calls: 2, warmStrong: 0.06, warm: 0.06, cold: 0.75, coldWeak: 0.1 };

interface KeptTurn {
  turn: number;
  messages: ContextMessage[];
  tokens: number;
  stored: StoredTurn;
}

function keptTurn(stored: StoredTurn, estimator: TokenEstimator): KeptTurn {
  const messages = soundMessages(stored).map((message) => contextMessage(message, { raw: true }));
  return { turn: stored.turn, messages, tokens: messagesTokens(messages, estimator), stored };
}

function noteMessage(note: FrozenNote): ContextMessage {
  return { role: 'user', content: note.text, kind: note.kind, origin: 'system', trust: note.trust };
}

function notesTokens(notes: readonly FrozenNote[], estimator: TokenEstimator): number {
  return messagesTokens(notes.map(noteMessage), estimator);
}

function sum(turns: readonly { tokens: number }[]): number {
  return turns.reduce((total, turn) => total + turn.tokens, 0);
}

/** One batch: fewer turns in full, the rest as digests and facts, the oldest facts to the archive. */
function compact(state: StableState, kept: readonly KeptTurn[], input: MemoryInput, room: number): StableState {
  const budget = room;
  const estimator = input.estimator;
  let first = kept.length;
  let full = 0;
  while (first > 0) {
    const next = kept[first - 1];
    if (next === undefined || full + next.tokens > budget * TUNE.full) break;
    full += next.tokens;
    first -= 1;
  }
  const leaving = kept.slice(0, first).map((turn) => digestTurn(turn.stored, input.effects));
  let digests = [...state.digests, ...leaving];
  let long = 0;
  let longTokens = 0;
  while (long < digests.length) {
    const next = digests[digests.length - 1 - long];
    if (next === undefined) break;
    const size = estimator.count(next.text);
    if (longTokens + size > budget * TUNE.long) break;
    longTokens += size;
    long += 1;
  }
  let short: TurnDigest[] = digests.slice(0, digests.length - long);
  const limit = budget * TUNE.facts;
  let note = factsNote(short);
  if (note !== null && notesTokens([note], estimator) > limit) {
    while (short.length > 0 && note !== null && notesTokens([note], estimator) > limit * 0.7) {
      short = short.slice(1);
      note = factsNote(short);
    }
  }
  const longOnes = digests.slice(digests.length - long);
  digests = [...short, ...longOnes];
  const actions = [...state.actions, ...leaving.flatMap((digest) => digest.actions)];
  const notes = [note, ledgerNote(actions), digestNote(longOnes)].filter((made) => made !== null);
  return { ...state, throughTurn: kept[first - 1]?.turn ?? state.throughTurn, digests, long, actions, notes, recalled: [] };
}

function plan(input: MemoryInput): MemoryOutcome {
  const budget = input.settings['memory.historyTokens'];
  const estimator = input.estimator;
  let state = readState(input.state);
  const asked = input.totalTurns + 1;
  // A note for a question that was never stored is of no use to the next one.
  if (state.recalled.some((note) => note.beforeTurn >= asked)) state = { ...state, recalled: state.recalled.filter((note) => note.beforeTurn < asked) };
  let kept = input.turns.filter((turn) => turn.turn > state.throughTurn).map((turn) => keptTurn(turn, estimator));
  const base = notesTokens(state.notes, estimator);
  const total = base + sum(kept) + notesTokens(state.recalled, estimator);
  const growth = kept.length === 0 ? 400 : sum(kept) / kept.length;
  const rewritten = budget * (TUNE.full + TUNE.long);
  const high = Math.min(budget * TUNE.high, base + budget * TUNE.full + Math.sqrt((TUNE.econ * rewritten * growth) / TUNE.calls));
  const fresh = state.lastAt === null && state.throughTurn === 0;
  const cold = state.lastAt !== null && input.now - state.lastAt > CACHE_LIFETIME_MS;
  const strong = isStrong(input.recall?.hits ?? []);
  const rebuild = total > high || (cold && total > budget / 4) || (fresh && total > budget / 4);
  if (rebuild) {
    state = compact(state, kept, input, strong && (cold || fresh) ? budget * 0.4 : budget);
    const through = state.throughTurn;
    kept = kept.filter((turn) => turn.turn > through);
  }
  const keptText = [...state.notes, ...state.recalled].map((note) => note.text).join('\n') + kept.flatMap((turn) => turn.messages.map((m) => m.content)).join('\n');
  const used = notesTokens([...state.notes, ...state.recalled], estimator) + sum(kept);
  const share = rebuild && (cold || fresh) ? (strong ? TUNE.cold : TUNE.coldWeak) : strong ? TUNE.warmStrong : TUNE.warm;
  const note = recallNote(input, {
    tokens: Math.min(budget * share, budget - used - 8),
    newFactsOnly: !strong,
    contextText: keptText,
    keptFrom: state.throughTurn + 1,
  });
  if (note !== null) state = { ...state, recalled: [...state.recalled, note] };
  const notes = state.notes;
  const messages = [...notes.map(noteMessage)];
  for (const turn of kept) {
    for (const placed of state.recalled) if (placed.beforeTurn === turn.turn) messages.push(noteMessage(placed));
    messages.push(...turn.messages);
  }
  for (const placed of state.recalled) if (placed.beforeTurn === asked) messages.push(noteMessage(placed));
  const inNotes = new Set(state.digests.map((digest) => digest.turn));
  const shaped: ShapedTurn[] = kept.map((turn) => ({ turn: turn.turn, verdict: { disposition: 'full', reason: 'kept since the last compaction' }, messages: turn.messages }));
  return {
    plan: buildPlan({
      strategy: 'stable',
      totalTurns: input.totalTurns,
      turns: shaped,
      otherTurns: (turn) =>
        inNotes.has(turn) ? { disposition: 'compacted', reason: 'in the digest of earlier turns' } : { disposition: 'dropped', reason: 'in the archive' },
      messages,
      budget,
      budgetUnit: 'tokens',
      budgetUsed: messagesTokens(messages, estimator),
      notices: [],
      estimator,
    }),
    state: { ...state, lastAt: input.now },
  };
}

function query(input: MemoryInput): RecallQuery | null {
  return recallQuery(input, input.totalTurns);
}

async function load(reader: TurnReader, state: unknown, settings: Settings, _estimator: TokenEstimator): Promise<StoredTurn[]> {
  const through = readState(state).throughTurn;
  const most = settings['memory.historyTokens'] * 12 * 4;
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
