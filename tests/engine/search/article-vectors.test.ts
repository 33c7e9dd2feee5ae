import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelAccess } from '../../../electron/engine/ports.ts';
import type { ArticleVectors, VectorArticle } from '../../../electron/engine/search/article-vectors.ts';
import { createArticleVectors } from '../../../electron/engine/search/article-vectors.ts';
import { fingerprint, fuseByRank, likeness } from '../../../electron/engine/search/fusion.ts';
import { createToolRegistry } from '../../../electron/engine/tools/registry.ts';
import { createEmbedder } from '../../../electron/models/embedder.ts';
import { createInMemoryStore } from '../../../electron/storage/in-memory-store.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { EMBEDDING_KEY, startFakeEmbeddings } from '../../fakes/embeddings.ts';
import type { FakeEmbeddings } from '../../fakes/embeddings.ts';
import type { Refusal } from '../../fakes/providers/fake-server.ts';
import { testClock } from '../../models/support.ts';
import { countedIds } from '../engine-fixture.ts';

let fake: FakeEmbeddings;
let fails: Refusal | null = null;
beforeAll(async () => {
  fake = await startFakeEmbeddings({ fails: () => fails });
});
afterAll(() => fake.close());

const ARTICLES: VectorArticle[] = [
  { id: 'shipping', title: 'Shipping times', text: 'Orders leave our warehouse within two days. Delivery takes five.' },
  { id: 'refunds', title: 'Refunds', text: 'You get your money back within 14 days.' },
  { id: 'warranty', title: 'Warranty', text: 'We repair what is faulty.' },
];
const access = (provider: 'openai' | 'gemini', rest: Partial<ModelAccess> = {}): ModelAccess => ({
  provider,
  model: 'embed-1',
  apiKey: EMBEDDING_KEY,
  baseUrl: provider === 'openai' ? fake.openaiUrl : fake.origin,
  windowTokens: null,
  tapeText: null,
  ...rest,
});

interface Setup {
  vectors: ArticleVectors;
  logs: string[];
  billed: [string, number | null][];
}

function setUp(store = createInMemoryStore(), chosen: ModelAccess | null = access('openai'), allowed = true): Setup {
  const logs: string[] = [];
  const billed: Setup['billed'] = [];
  fake.requests.length = 0;
  const clock = testClock();
  const vectors = createArticleVectors({
    embedder: async () => (chosen === null ? null : createEmbedder(chosen, clock)),
    preferences: store.preferences,
    clock,
    logger: { warn: (message, details) => logs.push(`${message} ${JSON.stringify(details)}`), error: (message) => logs.push(message) },
    allowed: async () => allowed,
    outgoing: async (query) => query.replaceAll('jane@example.org', '[EMAIL_1]'),
    onUsage: async (_embedder, usage, scope) => billed.push([scope.conversationId, usage?.inputTokens ?? null]),
  });
  return { vectors, logs, billed };
}

const scope = () => ({ conversationId: 'c1', turn: 1, signal: new AbortController().signal });
const QUERY = 'When does the courier bring my parcel?';

describe('vectors of help articles', () => {
  it.each(['openai', 'gemini'] as const)('%s: found by meaning, though no word is the same', async (provider) => {
    const { vectors, logs, billed } = setUp(createInMemoryStore(), access(provider));
    expect(await vectors.nearest(QUERY, ARTICLES, scope())).toEqual(['shipping']);
    expect(logs).toEqual([]);
    expect(fake.embedded()).toHaveLength(2);
    expect(billed.map(([conversation]) => conversation)).toEqual(['c1', 'c1']);
    expect(billed[0]?.[1] === null).toBe(provider === 'gemini');
  });

  it('only changed articles are embedded again, also after a restart; those that left are forgotten', async () => {
    const store = createInMemoryStore();
    const first = setUp(store).vectors;
    await first.nearest(QUERY, ARTICLES, scope());
    const { vectors } = setUp(store);
    await vectors.nearest(QUERY, ARTICLES, scope());
    expect(fake.embedded()).toEqual([[QUERY]]);
    const [shipping, refunds, warranty] = ARTICLES as [VectorArticle, VectorArticle, VectorArticle];
    await vectors.nearest(QUERY, [shipping, { ...refunds, text: 'Now about parcels: courier, courier.' }], scope());
    expect(fake.embedded()[1]).toEqual(['Refunds\n\nNow about parcels: courier, courier.']);
    await vectors.nearest(QUERY, [shipping, warranty], scope());
    expect(fake.embedded()[3]).toEqual([expect.stringContaining('Warranty')]);
    const kept = Object.entries(await store.preferences.all()).find(([key]) => key.startsWith('article-vectors:'));
    expect(Object.keys(JSON.parse(kept?.[1] ?? '{}') as object)).toEqual(['shipping', 'warranty']);
    expect(JSON.stringify(await store.preferences.all())).not.toContain(EMBEDDING_KEY);
  });

  it('more articles than one request takes', async () => {
    const many = Array.from({ length: 230 }, (_, index) => ({ id: `a${index}`, title: `Title ${index}`, text: 'parcel 😀'.repeat(2000) }));
    const { vectors, logs } = setUp(createInMemoryStore(), access('gemini'));
    expect(await vectors.nearest(QUERY, many, scope())).toHaveLength(230);
    expect(fake.embedded().map((texts) => texts.length)).toEqual([100, 100, 30, 1]);
    expect(logs).toEqual([]);
  });

  it('without a provider, with a wrong key and with a broken one, words alone decide', async () => {
    expect(await setUp(createInMemoryStore(), null).vectors.nearest(QUERY, ARTICLES, scope())).toBeNull();
    expect(fake.requests).toEqual([]);
    const wrong = setUp(createInMemoryStore(), access('openai', { apiKey: 'sk-wrong-canary-123456' }));
    expect(await wrong.vectors.nearest(QUERY, ARTICLES, scope())).toBeNull();
    expect(wrong.logs.join()).toMatch(/by words only/);
    expect(wrong.logs.join()).not.toContain('sk-wrong-canary');
    fails = { status: 503, body: '<html>down</html>' };
    const down = setUp();
    expect(await down.vectors.nearest(QUERY, ARTICLES, scope())).toBeNull();
    fails = null;
    expect(await down.vectors.nearest(QUERY, ARTICLES, scope())).toEqual(['shipping']);
    expect(createEmbedder(access('openai', { provider: 'demo' }), testClock())).toBeNull();
  });

  it('where a cost cap is reached nothing is embedded', async () => {
    const { vectors, logs } = setUp(createInMemoryStore(), access('openai'), false);
    expect(await vectors.nearest(QUERY, ARTICLES, scope())).toBeNull();
    expect(fake.requests).toEqual([]);
    expect(logs).toEqual([]);
  });

  it('a query leaves as it may', async () => {
    await setUp().vectors.nearest('parcel for jane@example.org', ARTICLES, scope());
    expect(fake.embedded()[1]).toEqual(['parcel for [EMAIL_1]']);
  });

  it('Stop ends the search', async () => {
    const controller = new AbortController();
    controller.abort();
    const searching = setUp().vectors.nearest(QUERY, ARTICLES, { ...scope(), signal: controller.signal });
    await expect(searching).rejects.toSatisfy((error) => error instanceof ConsoleError && error.code === 'cancelled');
  });

  it('the tool fuses both rankings: meaning adds what no word finds, words keep what meaning misses', async () => {
    const store = createInMemoryStore();
    await store.shop.changeArticles({
      put: ARTICLES.map(({ id, title, text }) => ({ id, title, body: text, source: 'seed' })),
      remove: [],
    });
    const ask = async (articleVectors?: ArticleVectors) => {
      const tools = createToolRegistry({ store, clock: testClock(), ids: countedIds(), ...(articleVectors && { articleVectors }) });
      const call = { id: 'c', name: 'search_help_center', arguments: { query: 'courier, money' } };
      const { result } = await tools.run(call, { ...scope(), customerId: null });
      return (result as { articles: { article_id: string }[] }).articles.map((article) => article.article_id);
    };
    expect(await ask()).toEqual(['refunds']);
    expect((await ask(setUp(store).vectors)).toSorted()).toEqual(['refunds', 'shipping']);
  });
});

describe('reciprocal rank fusion', () => {
  it('what both lists hold comes first; the order of the lists does not matter', () => {
    expect(
      fuseByRank([
        ['a', 'b', 'c'],
        ['c', 'd'],
      ]),
    ).toEqual(['c', 'a', 'b', 'd']);
    expect(fuseByRank([])).toEqual([]);
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
    fc.assert(
      fc.property(ids, ids, (left, right) => {
        const fused = fuseByRank([left, right]);
        expect(fused).toEqual(fuseByRank([right, left]));
        expect(new Set(fused)).toEqual(new Set([...left, ...right]));
        if (left.length > 0 && left[0] === right[0]) expect(fused[0]).toBe(left[0]);
      }),
    );
  });

  it('likeness and fingerprints', () => {
    expect(likeness([1, 0], [2, 0])).toBe(1);
    expect(likeness([1, 0], [0, 3])).toBe(0);
    expect(likeness([], [])).toBe(0);
    expect(likeness([1], [1, 2])).toBe(0);
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(fingerprint(a) === fingerprint(b)).toBe(a === b);
      }),
    );
  });
});
