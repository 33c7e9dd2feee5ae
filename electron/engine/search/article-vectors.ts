/** Vectors of the help articles, kept as preferences and made anew for changed articles only. I/O through ports; without an embedder it finds nothing. */
import { z } from 'zod';
import { ConsoleError } from '../../../shared/errors.ts';
import type { Usage } from '../../../shared/usage.ts';
import type { Clock, Embedder, Logger, PreferenceStore } from '../ports.ts';
import { fingerprint, likeness } from './fusion.ts';

export interface VectorArticle {
  id: string;
  title: string;
  text: string;
}

/** Whom an embedding is billed to. */
export interface VectorScope {
  conversationId: string;
  turn: number;
  signal: AbortSignal;
}

export interface ArticleVectors {
  /**
   * Ids of the articles nearest to the query, best first; null where no provider embeds, or it failed: then words alone decide.
   * Rejects only with a ConsoleError `cancelled` when the scope's signal is aborted.
   */
  nearest(query: string, articles: readonly VectorArticle[], scope: VectorScope): Promise<string[] | null>;
}

export interface ArticleVectorsDeps {
  /** null: none is chosen. */
  embedder: () => Promise<Embedder | null>;
  preferences: PreferenceStore;
  clock: Clock;
  logger: Logger;
  /** False: a cost cap is reached, and words alone decide. */
  allowed: (scope: VectorScope) => Promise<boolean>;
  /** The query as it may leave the console. */
  outgoing: (query: string, scope: VectorScope) => Promise<string>;
  /** Told what each embedding took. */
  onUsage: (embedder: Embedder, usage: Usage | null, scope: VectorScope) => Promise<unknown>;
}

const KEY_PREFIX = 'article-vectors:';
/** Longest wait for a provider's vectors, in milliseconds. */
const LIMIT_MS = 10_000;
/** Articles less alike than this have nothing to do with the query. */
const LEAST_LIKENESS = 0.2;

const keptSchema = z.record(z.string(), z.object({ fingerprint: z.string(), vector: z.array(z.number()) }));
type Kept = z.infer<typeof keptSchema>;

export function createArticleVectors(deps: ArticleVectorsDeps): ArticleVectors {
  const { preferences, clock, logger } = deps;
  let held: { key: string; kept: Kept } | null = null;

  const read = async (key: string): Promise<Kept> => {
    if (held?.key === key) return held.kept;
    const json = await preferences.read(key);
    const parsed = keptSchema.safeParse(json === null ? {} : parseJson(json));
    const kept = parsed.success ? parsed.data : {};
    held = { key, kept };
    return kept;
  };

  /** The vectors of exactly these articles; new and changed ones are asked for, those that left are dropped. */
  const current = async (embedder: Embedder, articles: readonly VectorArticle[], scope: VectorScope): Promise<Kept> => {
    const key = `${KEY_PREFIX}${embedder.provider}/${embedder.model}`;
    const kept = await read(key);
    const wanted = articles.map((article) => ({ id: article.id, text: `${article.title}\n\n${article.text}` }));
    const marks = new Map(wanted.map(({ id, text }) => [id, fingerprint(text)]));
    const changed = wanted.filter(({ id }) => kept[id]?.fingerprint !== marks.get(id));
    if (changed.length === 0 && Object.keys(kept).length === wanted.length) return kept;
    const { vectors, usage } =
      changed.length === 0
        ? { vectors: [], usage: null }
        : await embedder.embed(
            changed.map(({ text }) => text),
            'document',
            scope.signal,
          );
    if (changed.length > 0) await deps.onUsage(embedder, usage, scope);
    const fresh = new Map(changed.map(({ id }, index) => [id, vectors[index] ?? []]));
    const next: Kept = Object.fromEntries(
      wanted.map(({ id }) => [id, { fingerprint: marks.get(id) ?? '', vector: fresh.get(id) ?? kept[id]?.vector ?? [] }]),
    );
    held = { key, kept: next };
    await preferences.write(key, JSON.stringify(next));
    return next;
  };

  const search = async (query: string, articles: readonly VectorArticle[], scope: VectorScope): Promise<string[] | null> => {
    const embedder = await deps.embedder();
    if (embedder === null || !(await deps.allowed(scope))) return null;
    const kept = await current(embedder, articles, scope);
    const asked = await deps.outgoing(query, scope);
    const { vectors, usage } = await embedder.embed([asked], 'query', scope.signal);
    await deps.onUsage(embedder, usage, scope);
    const [wanted = []] = vectors;
    return Object.entries(kept)
      .map(([id, { vector }]) => ({ id, score: likeness(wanted, vector) }))
      .filter(({ score }) => score >= LEAST_LIKENESS)
      .toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
      .map(({ id }) => id);
  };

  return {
    async nearest(query, articles, scope) {
      if (scope.signal.aborted) throw cancelled();
      const controller = new AbortController();
      const stop = () => controller.abort();
      const cancelLimit = clock.after(LIMIT_MS, stop);
      scope.signal.addEventListener('abort', stop, { once: true });
      try {
        return await search(query, articles, { ...scope, signal: controller.signal });
      } catch (error) {
        if (scope.signal.aborted) throw cancelled();
        logger.warn('help articles were searched by words only', { reason: error instanceof Error ? error.message : String(error) });
        return null;
      } finally {
        cancelLimit();
        scope.signal.removeEventListener('abort', stop);
      }
    },
  };
}

function cancelled(): ConsoleError {
  return new ConsoleError('cancelled', 'The search was stopped.');
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
