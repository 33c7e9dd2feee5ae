/** Pure: a full-text index with BM25 ranking. Documents come and go one by one; the same set of documents always gives the same answer. */
import { queryTerms, tokenSpans } from './tokens.ts';

/** How fast more occurrences of a term stop to matter. */
const SATURATION = 1.2;
/** How much longer documents are held back, from 0 (not at all) to 1. */
const LENGTH_PENALTY = 0.75;

export interface SearchDocument {
  id: string;
  /** Texts with whole-number weights from 1; a title may count more than a body. Weights stay whole so that sums are exact in any order. */
  parts: readonly { text: string; weight: number }[];
}

export interface SearchHit {
  id: string;
  score: number;
  /** Query terms the document holds, in query order. */
  terms: string[];
}

export interface SearchOptions {
  /** Most hits; default 10. */
  limit?: number;
  /** Only the rarest so many query terms count; keeps long queries bounded. Default: all. */
  maxTerms?: number;
}

export interface SearchIndex {
  /** Adds a document, or replaces the one with its id. */
  add(document: SearchDocument): void;
  /** False when there was none. */
  remove(id: string): boolean;
  /** Best first; equal scores by id, in code unit order. An empty or unknown query gives no hits. */
  search(query: string, options?: SearchOptions): SearchHit[];
  readonly size: number;
}

interface Indexed {
  length: number;
  frequencies: Map<string, number>;
}

function indexed(document: SearchDocument): Indexed {
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const part of document.parts) {
    for (const { token } of tokenSpans(part.text)) {
      frequencies.set(token, (frequencies.get(token) ?? 0) + part.weight);
      length += part.weight;
    }
  }
  return { length, frequencies };
}

function byScoreThenId(left: SearchHit, right: SearchHit): number {
  if (left.score !== right.score) return right.score - left.score;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

/** An empty index, or one filled with `documents`. */
export function createSearchIndex(documents: Iterable<SearchDocument> = []): SearchIndex {
  const all = new Map<string, Indexed>();
  const postings = new Map<string, Map<string, number>>();
  let totalLength = 0;

  function remove(id: string): boolean {
    const old = all.get(id);
    if (old === undefined) return false;
    all.delete(id);
    totalLength -= old.length;
    for (const token of old.frequencies.keys()) {
      const holders = postings.get(token);
      holders?.delete(id);
      if (holders?.size === 0) postings.delete(token);
    }
    return true;
  }

  function add(document: SearchDocument): void {
    remove(document.id);
    const entry = indexed(document);
    all.set(document.id, entry);
    totalLength += entry.length;
    for (const [token, frequency] of entry.frequencies) {
      const holders = postings.get(token) ?? new Map<string, number>();
      holders.set(document.id, frequency);
      postings.set(token, holders);
    }
  }

  /** Query terms that occur at all; the rarest ones when there are too many. */
  function usefulTerms(query: string, maxTerms: number): string[] {
    const known = queryTerms(query).filter((term) => postings.has(term));
    if (known.length <= maxTerms) return known;
    const rarest = new Set(known.toSorted((left, right) => holderCount(left) - holderCount(right)).slice(0, maxTerms));
    return known.filter((term) => rarest.has(term));
  }

  const holderCount = (term: string): number => postings.get(term)?.size ?? 0;

  function search(query: string, options: SearchOptions = {}): SearchHit[] {
    const hits = new Map<string, SearchHit>();
    const averageLength = Math.max(1, totalLength / Math.max(1, all.size));
    for (const term of usefulTerms(query, options.maxTerms ?? Number.POSITIVE_INFINITY)) {
      const count = holderCount(term);
      const rarity = Math.log(1 + (all.size - count + 0.5) / (count + 0.5));
      for (const [id, frequency] of postings.get(term) ?? []) {
        const relativeLength = (all.get(id)?.length ?? 0) / averageLength;
        const damping = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * relativeLength);
        const hit = hits.get(id) ?? { id, score: 0, terms: [] };
        hit.score += (rarity * frequency * (SATURATION + 1)) / (frequency + damping);
        hit.terms.push(term);
        hits.set(id, hit);
      }
    }
    return [...hits.values()].toSorted(byScoreThenId).slice(0, Math.max(0, options.limit ?? 10));
  }

  for (const document of documents) add(document);
  return {
    add,
    remove,
    search,
    get size() {
      return all.size;
    },
  };
}
