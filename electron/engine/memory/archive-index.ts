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
  /** Share of the question's telling words that its neighbourhood holds, by rarity: 0 to 1. */
  coverage: number;
  /** Identifiers of the query that the message itself holds. */
  identifiers: string[];
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
      else if (message.content.trim() !== '') this.#addTerms(turn.turn, message.seq, [...termsOf(message.content), ...dateTerms(message.at)]);
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
    const identifiers = new Map<string, string>();
    for (const identifier of query.inPlay) {
      const term = stem(identifier.replace(/^#/, '').toLowerCase());
      identifiers.set(term, identifier);
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
    return this.#ranked(scores, covered, asked, identifiers, query);
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

  #ranked(scores: Map<number, number>, covered: Map<number, Set<string>>, asked: readonly string[], identifiers: Map<string, string>, query: RecallQuery): RecallHit[] {
    let askedRarity = 0;
    for (const term of asked) askedRarity += this.#rarity(term);
    const hits: RecallHit[] = [];
    for (const number of withNeighbours(scores)) {
      const entry = this.#entries[number];
      if (entry === undefined || entry.turn > query.throughTurn) continue;
      const own = scores.get(number) ?? 0;
      const around = new Set([...(covered.get(number) ?? []), ...(covered.get(number - 1) ?? []), ...(covered.get(number + 1) ?? [])]);
      let coveredRarity = 0;
      for (const term of asked) if (around.has(term)) coveredRarity += this.#rarity(term);
      hits.push({
        turn: entry.turn,
        seq: entry.seq,
        score: own + NEIGHBOUR_SHARE * ((scores.get(number - 1) ?? 0) + (scores.get(number + 1) ?? 0)),
        coverage: askedRarity === 0 ? 0 : coveredRarity / askedRarity,
        identifiers: [...(covered.get(number) ?? [])].flatMap((term) => identifiers.get(term) ?? []),
      });
    }
    return hits.toSorted((left, right) => right.score - left.score || left.seq - right.seq).slice(0, query.limit);
  }
}

/** A message that says nothing asked for may still be the answer to one that does. */
function withNeighbours(scores: ReadonlyMap<number, number>): Set<number> {
  const numbers = new Set<number>();
  for (const number of scores.keys()) numbers.add(number - 1).add(number).add(number + 1);
  return numbers;
}

function resultTerms(content: string): string[] {
  return factsOfResult(content)
    .slice(0, RESULT_FACTS)
    .map((fact) => stem(fact.text.replace(/^#/, '').toLowerCase()));
}
