/** Pure: full-text search over the stored messages of one conversation (BM25 with neighbours), grown as messages come. */
import type { StoredTurn } from '../../../shared/conversation.ts';
import { factsOfResult } from './facts.ts';
import { dateTerms, queryTermsOf, stem, termsOf } from './recall-terms.ts';

const SATURATION = 1.2;
const LENGTH_PENALTY = 0.6;
/** What a message gets of the score of the message before and after it: answers stand beside what was asked. */
const NEIGHBOUR_SHARE = 0.3;
/** Query terms that are looked up, rarest first, so that cost stays bounded. */
const MOST_TERMS = 16;
/** A term that this share of all messages holds says little; it is looked up only while few others are known. */
const COMMON_SHARE = 0.2;
/** A term that so few messages hold is rare. */
const RARE_SHARE = 0.02;
const COMMON_TERMS_FROM = 3;
/** An identifier in play that the question does not name counts less than the question's own words. */
const IN_PLAY_WEIGHT = 0.5;
/** Facts of a long tool result that are indexed. */
const RESULT_FACTS = 80;

export interface RecallQuery {
  question: string;
  /** Identifiers of the last turns: what "yes, go ahead" is about. */
  inPlay: readonly string[];
  /** Only turns up to this one are searched. */
  throughTurn: number;
  /** Most hits. */
  limit: number;
}

/** A stored message that answers a query. */
export interface RecallHit {
  turn: number;
  /** Position in the conversation. */
  seq: number;
  score: number;
  /** Share of the question's words known to the archive that the message and its neighbours hold, by rarity: 0 to 1. */
  coverage: number;
  /** Rare words of the question that the message and its neighbours hold. */
  rareWords: number;
}

interface Posting {
  documents: number[];
  frequencies: number[];
}

interface Entry {
  turn: number;
  seq: number;
  length: number;
}

/** Messages of one conversation in order. Adding the same turn again replaces it only if it is the newest. */
export class ArchiveIndex {
  readonly #entries: Entry[] = [];
  readonly #postings = new Map<string, Posting>();
  #totalLength = 0;
  #newestTurn = 0;

  get newestTurn(): number {
    return this.#newestTurn;
  }

  /** Turns must come in order; one that is not newer than the last is ignored. */
  add(turn: StoredTurn): void {
    if (turn.turn <= this.#newestTurn) return;
    this.#newestTurn = turn.turn;
    for (const message of turn.messages) {
      if (message.role === 'tool') this.#addTerms(turn.turn, message.seq, resultTerms(message.content));
      else if (message.content.trim() !== '')
        this.#addTerms(turn.turn, message.seq, [...termsOf(message.content), ...dateTerms(message.at)]);
    }
  }

  #addTerms(turn: number, seq: number, terms: readonly string[]): void {
    const number = this.#entries.length;
    this.#entries.push({ turn, seq, length: terms.length });
    this.#totalLength += terms.length;
    for (const term of terms) {
      let posting = this.#postings.get(term);
      if (posting === undefined) {
        posting = { documents: [], frequencies: [] };
        this.#postings.set(term, posting);
      }
      const last = posting.documents.length - 1;
      if (posting.documents[last] === number) posting.frequencies[last] = (posting.frequencies[last] ?? 0) + 1;
      else {
        posting.documents.push(number);
        posting.frequencies.push(1);
      }
    }
  }

  #rarity(term: string): number {
    const count = this.#postings.get(term)?.documents.length ?? 0;
    return Math.log(1 + (this.#entries.length - count + 0.5) / (count + 0.5));
  }

  /** Best first; equal scores by position. Empty when nothing telling is asked. */
  search(query: RecallQuery): RecallHit[] {
    const asked = queryTermsOf(query.question);
    const weights = new Map<string, number>(asked.map((term) => [term, 1]));
    for (const identifier of query.inPlay) {
      const term = stem(identifier.replace(/^#/, '').toLowerCase());
      if (!weights.has(term)) weights.set(term, IN_PLAY_WEIGHT);
    }
    const terms = this.#lookedUp([...weights.keys()]);
    const scores = new Map<number, number>();
    const covered = new Map<number, Set<string>>();
    const averageLength = this.#totalLength / Math.max(1, this.#entries.length);
    for (const term of terms) {
      const posting = this.#postings.get(term);
      if (posting === undefined) continue;
      const rarity = this.#rarity(term) * (weights.get(term) ?? 0);
      for (const [place, number] of posting.documents.entries()) {
        const entry = this.#entries[number];
        if (entry === undefined || entry.turn > query.throughTurn) break;
        const frequency = posting.frequencies[place] ?? 1;
        const damping = SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * entry.length) / averageLength);
        scores.set(number, (scores.get(number) ?? 0) + (rarity * frequency * (SATURATION + 1)) / (frequency + damping));
        const terms = covered.get(number) ?? new Set<string>();
        terms.add(term);
        covered.set(number, terms);
      }
    }
    return this.#ranked(scores, covered, asked, query);
  }

  #lookedUp(terms: readonly string[]): string[] {
    const known = terms
      .filter((term) => this.#postings.has(term))
      .map((term) => ({ term, count: this.#postings.get(term)?.documents.length ?? 0 }))
      .toSorted((left, right) => left.count - right.count)
      .slice(0, MOST_TERMS);
    const common = this.#entries.length * COMMON_SHARE;
    return known.filter(({ count }, index) => index < COMMON_TERMS_FROM || count <= common).map(({ term }) => term);
  }

  #ranked(scores: Map<number, number>, covered: Map<number, Set<string>>, asked: readonly string[], query: RecallQuery): RecallHit[] {
    // A word nobody ever said cannot be answered, and says nothing about how well the others are.
    const known = asked.filter((term) => this.#postings.has(term));
    let askedRarity = 0;
    for (const term of known) askedRarity += this.#rarity(term);
    const hits: RecallHit[] = [];
    for (const number of withNeighbours(scores)) {
      const entry = this.#entries[number];
      if (entry === undefined || entry.turn > query.throughTurn) continue;
      const own = scores.get(number) ?? 0;
      const around = new Set([...(covered.get(number) ?? []), ...(covered.get(number - 1) ?? []), ...(covered.get(number + 1) ?? [])]);
      let coveredRarity = 0;
      let rareWords = 0;
      for (const term of known) {
        if (!around.has(term)) continue;
        coveredRarity += this.#rarity(term);
        if ((this.#postings.get(term)?.documents.length ?? 0) <= Math.max(1, this.#entries.length * RARE_SHARE)) rareWords += 1;
      }
      hits.push({
        turn: entry.turn,
        seq: entry.seq,
        score: own + NEIGHBOUR_SHARE * ((scores.get(number - 1) ?? 0) + (scores.get(number + 1) ?? 0)),
        coverage: askedRarity === 0 ? 0 : coveredRarity / askedRarity,
        rareWords,
      });
    }
    return hits.toSorted((left, right) => right.score - left.score || left.seq - right.seq).slice(0, query.limit);
  }
}

/** A message that says nothing asked for may still be the answer to one that does. */
function withNeighbours(scores: ReadonlyMap<number, number>): Set<number> {
  const numbers = new Set<number>();
  for (const number of scores.keys())
    numbers
      .add(number - 1)
      .add(number)
      .add(number + 1);
  return numbers;
}

function resultTerms(content: string): string[] {
  return factsOfResult(content)
    .slice(0, RESULT_FACTS)
    .map((fact) => stem(fact.text.replace(/^#/, '').toLowerCase()));
}
