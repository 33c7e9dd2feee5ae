/** Pure: full-text search over the stored messages of one conversation (BM25 with neighbours), grown as messages come. */
import type { StoredMessage, StoredTurn } from '../../../shared/conversation.ts';
import { factsOfResult } from './facts.ts';
import { dateTerms, queryTermsOf, stem, termsOf } from './recall-terms.ts';

const SATURATION = 1.2;
const LENGTH_PENALTY = 0.6;
/** What a message gets of the score of the message before and after it: answers stand beside what was asked. */
const NEIGHBOUR_SHARE = 0.35;
/** … and of the one behind that: question, reply and answer are one passage. */
const SECOND_SHARE = 0.15;
/** Query terms that are looked up, rarest first, so that cost stays bounded. */
const MOST_TERMS = 16;
/** A term that this share of all messages holds says little; it is looked up only while few others are known. */
const COMMON_SHARE = 0.2;
/** … in archives of so many messages; in smaller ones even a common word (who is spoken of) tells something. */
const COMMON_FROM = 20_000;
/** A term that so few messages hold is rare. */
const RARE_SHARE = 0.02;
const COMMON_TERMS_FROM = 3;
/** Messages whose surroundings are looked at, for each hit that is wanted. */
const CONSIDERED = 2;
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

interface Found {
  scores: Float64Array;
  bits: Uint32Array;
  touched: number[];
}

/** A word of the question that is looked up. */
interface Telling {
  bit: number;
  rarity: number;
  rare: boolean;
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
  add(turn: StoredTurn, speakerOf?: (message: StoredMessage) => string): void {
    if (turn.turn <= this.#newestTurn) return;
    this.#newestTurn = turn.turn;
    for (const message of turn.messages) {
      if (message.role === 'tool') this.#addTerms(turn.turn, message.seq, resultTerms(message.content));
      else if (message.content.trim() !== '')
        this.#addTerms(turn.turn, message.seq, [...termsOf(`${speakerOf?.(message) ?? ''} ${message.content}`), ...dateTerms(message.at)]);
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
    const found = this.#scored(terms, weights, query.throughTurn);
    // A word nobody ever said, or everybody says, cannot be answered and says nothing about how well the others are.
    const telling = terms.flatMap((term, bit) =>
      asked.includes(term) ? [{ bit: 1 << bit, rarity: this.#rarity(term), rare: this.#isRare(term) }] : [],
    );
    return this.#ranked(found, telling, query);
  }

  #isRare(term: string): boolean {
    return this.#countOf(term) <= Math.max(1, this.#entries.length * RARE_SHARE);
  }

  #countOf(term: string): number {
    return this.#postings.get(term)?.documents.length ?? 0;
  }

  /** The rarest terms that occur; common ones only where there is little else. */
  #lookedUp(terms: readonly string[]): string[] {
    const known = terms
      .filter((term) => this.#postings.has(term))
      .toSorted((left, right) => this.#countOf(left) - this.#countOf(right))
      .slice(0, MOST_TERMS);
    if (this.#entries.length < COMMON_FROM) return known;
    const common = this.#entries.length * COMMON_SHARE;
    return known.filter((term, index) => index < COMMON_TERMS_FROM || this.#countOf(term) <= common);
  }

  /** Scores by message, a bit for each term it holds, and the messages that hold any, in order of first sight. */
  #scored(terms: readonly string[], weights: ReadonlyMap<string, number>, throughTurn: number): Found {
    // Places before and after, so that every message has neighbours.
    const scores = new Float64Array(this.#entries.length + 4);
    const bits = new Uint32Array(this.#entries.length + 2);
    const touched: number[] = [];
    const averageLength = this.#totalLength / Math.max(1, this.#entries.length);
    for (const [bit, term] of terms.entries()) {
      const posting = this.#postings.get(term);
      if (posting === undefined) continue;
      const rarity = this.#rarity(term) * (weights.get(term) ?? 0) * (SATURATION + 1);
      const { documents, frequencies } = posting;
      for (let place = 0; place < documents.length; place += 1) {
        const number = documents[place] ?? 0;
        const entry = this.#entries[number];
        if (entry === undefined || entry.turn > throughTurn) break;
        const frequency = frequencies[place] ?? 1;
        const damping = SATURATION * (1 - LENGTH_PENALTY + (LENGTH_PENALTY * entry.length) / averageLength);
        if (bits[number + 1] === 0) touched.push(number);
        scores[number + 1] = (scores[number + 1] ?? 0) + (rarity * frequency) / (frequency + damping);
        bits[number + 1] = (bits[number + 1] ?? 0) | (1 << bit);
      }
    }
    return { scores, bits, touched };
  }

  #ranked({ scores, bits, touched }: Found, telling: readonly Telling[], query: RecallQuery): RecallHit[] {
    const askedRarity = telling.reduce((sum, term) => sum + term.rarity, 0);
    // A message that says nothing asked for may still be the answer to one that does.
    const candidates = new Set<number>();
    for (const number of bestOf(touched, scores, query.limit * CONSIDERED))
      candidates
        .add(number)
        .add(number - 1)
        .add(number + 1)
        .add(number - 2)
        .add(number + 2);
    const best: { number: number; score: number }[] = [];
    for (const number of candidates) {
      const entry = this.#entries[number];
      if (entry === undefined || entry.turn > query.throughTurn) continue;
      const near = (scores[number] ?? 0) + (scores[number + 2] ?? 0);
      const second = (scores[number - 1] ?? 0) + (scores[number + 3] ?? 0);
      best.push({ number, score: (scores[number + 1] ?? 0) + NEIGHBOUR_SHARE * near + SECOND_SHARE * second });
    }
    best.sort((left, right) => right.score - left.score || left.number - right.number);
    return best.slice(0, query.limit).flatMap(({ number, score }) => {
      const entry = this.#entries[number];
      if (entry === undefined) return [];
      const around = (bits[number] ?? 0) | (bits[number + 1] ?? 0) | (bits[number + 2] ?? 0);
      const held = telling.filter((term) => (around & term.bit) !== 0);
      const coverage = askedRarity === 0 ? 0 : held.reduce((sum, term) => sum + term.rarity, 0) / askedRarity;
      return [{ turn: entry.turn, seq: entry.seq, score, coverage, rareWords: held.filter((term) => term.rare).length }];
    });
  }
}

/** Those with the best scores of their own, at least `most` where there are so many; all with the same score as the last one of them. */
function bestOf(touched: number[], scores: Float64Array, most: number): number[] {
  if (touched.length <= most) return touched;
  const own = Float64Array.from(touched, (number) => scores[number + 1] ?? 0).sort();
  const least = own[own.length - most] ?? 0;
  return touched.filter((number) => (scores[number + 1] ?? 0) >= least);
}

function resultTerms(content: string): string[] {
  return factsOfResult(content)
    .slice(0, RESULT_FACTS)
    .map((fact) => stem(fact.text.replace(/^#/, '').toLowerCase()));
}
