import { describe, expect, it } from 'vitest';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import type { Method, Params } from '../../shared/console-api.ts';
import { answer, call, calls, failure } from '../fakes/scripted-model.ts';
import { createProviderEngine, memoryVault } from './provider-fixture.ts';
import type { ProviderEngine } from './provider-fixture.ts';

const ENVIRONMENT_KEY = 'sk-canary-environment';
const SESSION_KEY = 'sk-canary-session';
const KEYCHAIN_KEY = 'sk-canary-keychain';
const CANARIES = [ENVIRONMENT_KEY, SESSION_KEY, KEYCHAIN_KEY];

const refused = (work: Promise<unknown>) => work.then(() => 'not refused').catch((error: unknown) => error);
const openai = async ({ service }: ProviderEngine) => {
  const { providers } = await service.call('listProviders', {});
  return providers.find((view) => view.provider === 'openai');
};

describe('which model answers', () => {
  it('the demo model without a choice, also when keys are present', async () => {
    const engine = await createProviderEngine({ environment: { openai: { apiKey: ENVIRONMENT_KEY, baseUrl: null } } });
    expect(await engine.service.call('getAppInfo', {})).toMatchObject({ model: 'demo/test-1', isDemo: true });
  });

  it('a saved choice holds from the next run on and over a restart; what the process is started with wins over it', async () => {
    const store = createInMemoryStore();
    const engine = await createProviderEngine({ store, script: [answer('Hi.')] });
    expect(await engine.service.call('chooseModel', { model: 'openai/org/m-1' })).toEqual({ current: 'openai/org/m-1' });
    expect(engine.events).toContainEqual({ type: 'model-change', model: 'openai/org/m-1', modelLabel: 'openai org/m-1', isDemo: false });
    expect(await engine.service.call('getAppInfo', {})).toMatchObject({ model: 'openai/org/m-1', isDemo: false });
    await engine.ask('Hello');
    const { runs } = await engine.service.call('listRuns', { conversationId: engine.conversationId });
    expect(runs[0]?.model).toBe('openai/org/m-1');
    const again = await createProviderEngine({ store });
    expect((await again.service.call('listProviders', {})).current).toBe('openai/org/m-1');
    const started = await createProviderEngine({ store, startedWith: 'gemini/g-1' });
    expect((await started.service.call('listProviders', {})).current).toBe('gemini/g-1');
    await started.service.call('chooseModel', { model: 'demo' });
    expect((await started.service.call('listProviders', {})).current).toBe('demo/test-1');
  });

  it('an unknown provider is refused and changes nothing', async () => {
    const engine = await createProviderEngine();
    expect(await refused(engine.service.call('chooseModel', { model: 'acme/m' }))).toMatchObject({ code: 'invalid-input' });
    expect((await engine.service.call('listProviders', {})).current).toBe('demo/test-1');
  });

  it('a model that cannot be used ends the turn with its error and the marked apology', async () => {
    const engine = await createProviderEngine({
      startedWith: 'openai/m-1',
      script: [failure('auth', { code: 'model-auth', message: 'There is no key for OpenAI.' })],
    });
    await engine.ask('Hello');
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.turns[0]).toMatchObject({ state: 'failed', outcome: 'api-error', error: { code: 'model-auth' } });
    expect(view.messages.at(-1)?.state).toBe('failed');
    expect(await openai(engine)).toMatchObject({ key: 'none', keyVariable: 'OPENAI_API_KEY' });
  });
});

describe('P5 a used-up quota', () => {
  const quota = () => failure('quota', { code: 'model-quota', message: 'The quota is used up.' });
  const lastError = async ({ service, conversationId }: ProviderEngine) =>
    (await service.call('openConversation', { conversationId })).turns.at(-1)?.error ?? null;

  it.each<[string, (engine: ProviderEngine) => Promise<unknown>]>([
    ['the connection is tested', ({ service }) => service.call('testConnection', { provider: 'openai' })],
    ['a model is chosen', ({ service }) => service.call('chooseModel', { model: 'openai/m-2' })],
    ['a key is saved', ({ service }) => service.call('saveKey', { provider: 'openai', key: SESSION_KEY, keep: 'session' })],
    ['an address is saved', ({ service }) => service.call('saveBaseUrl', { provider: 'openai', baseUrl: null })],
  ])('the next run says so at once, without a request, until %s', async (_what, act) => {
    const engine = await createProviderEngine({ startedWith: 'openai/m-1', script: [quota(), answer('Hi again.')] });
    await engine.ask('Hello');
    expect(await lastError(engine)).toEqual({ code: 'model-quota', message: 'The quota is used up.', retryable: false });
    await engine.ask('Hello?');
    expect(await lastError(engine)).toMatchObject({
      code: 'model-quota',
      message: expect.stringMatching(/used up.*until you test the connection/),
    });
    expect(engine.model.requests).toHaveLength(1);
    await act(engine);
    await engine.ask('And now?');
    expect(await lastError(engine)).toBeNull();
    expect(engine.model.requests).toHaveLength(2);
  });

  it('another provider goes on answering', async () => {
    const engine = await createProviderEngine({ startedWith: 'openai/m-1', script: [quota(), answer('Hi.')] });
    await engine.ask('Hello');
    await engine.service.call('chooseModel', { model: 'gemini/m-1' });
    await engine.ask('Hello?');
    expect(await lastError(engine)).toBeNull();
  });
});

describe('X2 keys', () => {
  it('the environment wins over this session, this session over the key store', async () => {
    const vault = memoryVault();
    const engine = await createProviderEngine({ vault, startedWith: 'openai/m-1' });
    expect(await openai(engine)).toMatchObject({ key: 'none' });
    await engine.service.call('saveKey', { provider: 'openai', key: KEYCHAIN_KEY, keep: 'keychain' });
    expect(await openai(engine)).toMatchObject({ key: 'keychain' });
    await engine.service.call('saveKey', { provider: 'openai', key: SESSION_KEY, keep: 'session' });
    expect(await openai(engine)).toMatchObject({ key: 'session' });
    await engine.service.call('getAppInfo', {});
    expect(engine.accesses.at(-1)?.apiKey).toBe(SESSION_KEY);
    const environment = { openai: { apiKey: ENVIRONMENT_KEY, baseUrl: null } };
    const other = await createProviderEngine({ vault, startedWith: 'openai/m-1', environment });
    expect(await openai(other)).toMatchObject({ key: 'environment' });
    await other.service.call('getAppInfo', {});
    expect(other.accesses.at(-1)?.apiKey).toBe(ENVIRONMENT_KEY);
    await other.service.call('forgetKey', { provider: 'openai' });
    expect(vault.kept.size).toBe(0);
    expect(await openai(other)).toMatchObject({ key: 'environment' });
  });

  it('a key store that is not safe refuses, names the reason and offers this session', async () => {
    const vault = memoryVault(false);
    const engine = await createProviderEngine({ vault });
    const failed = await refused(engine.service.call('saveKey', { provider: 'openai', key: KEYCHAIN_KEY, keep: 'keychain' }));
    expect(failed).toMatchObject({ code: 'unsupported', message: expect.stringMatching(/No safe key store here.*this session/) });
    expect(vault.kept.size).toBe(0);
    expect((await engine.service.call('listProviders', {})).keyStorage).toMatchObject({ canPersist: false });
    await engine.service.call('saveKey', { provider: 'openai', key: SESSION_KEY, keep: 'session' });
    expect(await openai(engine)).toMatchObject({ key: 'session' });
    await engine.service.call('forgetKey', { provider: 'openai' });
    expect(await openai(engine)).toMatchObject({ key: 'none' });
  });

  it.each(['has space', 'has\nbreak', 'schlüssel'])('%j is no key and is not repeated', async (key) => {
    const engine = await createProviderEngine();
    const failed = await refused(engine.service.call('saveKey', { provider: 'openai', key, keep: 'session' }));
    expect(failed).toMatchObject({ code: 'invalid-input', message: expect.not.stringContaining(key) });
  });

  it('X3 X4 no reply, event, log, stored value or failure ever holds a key', async () => {
    const store = createInMemoryStore();
    const vault = memoryVault();
    const written: string[] = [];
    const write = store.preferences.write.bind(store.preferences);
    store.preferences.write = (key, json) => {
      written.push(`${key}=${json}`);
      return write(key, json);
    };
    const engine = await createProviderEngine({
      store,
      vault: { ...vault, read: async () => Promise.reject(new Error(`cannot open ${KEYCHAIN_KEY}`)) },
      environment: { gemini: { apiKey: ENVIRONMENT_KEY, baseUrl: null } },
      startedWith: 'gemini/m-1',
      script: [answer('Hi.'), failure('auth', { code: 'model-auth', message: 'refused' })],
    });
    const replies: string[] = [];
    const keep = async <M extends Method>(method: M, params: Params<M>): Promise<void> => {
      replies.push(JSON.stringify(await engine.service.call(method, params).catch((error: unknown) => String(error))));
    };
    const { conversationId } = engine;
    await keep('saveKey', { provider: 'openai', key: SESSION_KEY, keep: 'session' });
    await keep('saveKey', { provider: 'openai', key: KEYCHAIN_KEY, keep: 'keychain' });
    await keep('testConnection', { provider: 'openai', key: SESSION_KEY, baseUrl: `https://user:${SESSION_KEY}@host/` });
    await keep('testConnection', { provider: 'openai', key: SESSION_KEY });
    await keep('saveBaseUrl', { provider: 'openai', baseUrl: `https://user:${SESSION_KEY}@host/v1` });
    await keep('chooseModel', { model: 'openai/m' });
    await engine.ask('Hello');
    await keep('chooseModel', { model: 'gemini/m' });
    await engine.ask('Hello again');
    for (const method of ['listProviders', 'getAppInfo', 'getSettings', 'getSpending', 'listTapes', 'listConversations'] as const)
      await keep(method, {});
    await keep('exportTape', { conversationId });
    await keep('getTrace', { conversationId, turn: 1 });
    await keep('exportConversation', { conversationId, format: 'json' });
    const everything = [
      ...replies,
      ...written,
      ...engine.logs,
      JSON.stringify(engine.events),
      JSON.stringify(await store.preferences.all()),
    ];
    for (const canary of CANARIES) for (const text of everything) expect(text).not.toContain(canary);
    expect(engine.secrets).toEqual(expect.arrayContaining([SESSION_KEY, ENVIRONMENT_KEY]));
  });
});

describe('help articles by meaning', () => {
  it('are searched by the chosen embedder, billed to the conversation, and by words without a choice', async () => {
    const embedded: string[][] = [];
    const usage = { inputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
    const search = () => calls(call('search_help_center', { query: 'courier jane@example.org' }));
    const engine = await createProviderEngine({
      startedWith: 'openai/test-1',
      settings: { 'search.embeddingModel': 'openai/test-1', 'privacy.redact': true },
      script: [search(), answer('It takes five days.'), search(), answer('As I said.')],
      embedder: ({ provider, model }) => ({
        provider,
        model,
        async embed(texts) {
          embedded.push([...texts]);
          return { vectors: texts.map((text) => [/shipping|courier/i.test(text) ? 1 : 0, 1]), usage };
        },
      }),
    });
    await engine.ask('Where is the courier?');
    expect(embedded).toHaveLength(2);
    expect(embedded[1]?.[0]).toMatch(/^courier \[EMAIL_1\]$/);
    const { spending } = await engine.service.call('getSpending', { conversationId: engine.conversationId });
    expect(spending.turn?.totals).toMatchObject({ calls: 4, inputTokens: 214 });
    await engine.service.call('changeSettings', { values: { 'search.embeddingModel': '' } });
    await engine.ask('Once more?');
    expect(embedded).toHaveLength(2);
    expect(engine.model.problems()).toEqual([]);
  });
});

describe('embedding and cost caps', () => {
  it.each([
    ['stop', 0],
    ['warn', 2],
  ] as const)('a reached cap that says %s lets %i embedding calls through', async (action, expected) => {
    let embedded = 0;
    const engine = await createProviderEngine({
      startedWith: 'openai/test-1',
      settings: { 'search.embeddingModel': 'openai/test-1', 'budget.turnMicroUsd': 1, 'budget.action': action },
      script: [calls(call('search_help_center', { query: 'courier' })), ...(action === 'warn' ? [answer('Five days.')] : [])],
      embedder: ({ provider, model }) => ({
        provider,
        model,
        async embed(texts) {
          embedded += 1;
          return { vectors: texts.map(() => [1]), usage: null };
        },
      }),
    });
    await engine.ask('Where is the courier?');
    expect(embedded).toBe(expected);
    expect(engine.model.problems()).toEqual([]);
  });
});

describe('addresses, lists and tests', () => {
  it('a saved address is used, the environment’s wins, and null puts the provider’s own back', async () => {
    const store = createInMemoryStore();
    const engine = await createProviderEngine({ store, startedWith: 'openai-chat/m' });
    await engine.service.call('saveBaseUrl', { provider: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1/' });
    await engine.service.call('getAppInfo', {});
    expect(engine.accesses.at(-1)?.baseUrl).toBe('http://127.0.0.1:11434/v1');
    const environment = { 'openai-chat': { apiKey: null, baseUrl: 'https://host/v1' } };
    const other = await createProviderEngine({ store, environment });
    const views = (await other.service.call('listProviders', {})).providers;
    expect(views.find((view) => view.provider === 'openai-chat')?.baseUrl).toBe('https://host/v1');
    const azure = 'https://me.openai.azure.com/openai/v1?api-version=preview';
    expect((await engine.service.call('saveBaseUrl', { provider: 'openai-chat', baseUrl: azure })).provider.baseUrl).toBe(azure);
    const reset = await engine.service.call('saveBaseUrl', { provider: 'openai-chat', baseUrl: null });
    expect(reset.provider.baseUrl).toBeNull();
  });

  it.each([
    'ftp://host',
    'host/v1',
    'https://host/v1?key=1',
    'https://host/v1?access_token=1',
    'https://host/v1#part',
    'javascript:alert(1)',
  ])('%s is refused as an address', async (baseUrl) => {
    const engine = await createProviderEngine();
    expect(await refused(engine.service.call('saveBaseUrl', { provider: 'openai', baseUrl }))).toMatchObject({ code: 'invalid-input' });
    expect(await refused(engine.service.call('saveBaseUrl', { provider: 'demo', baseUrl: 'https://h/' }))).toMatchObject({
      code: 'invalid-input',
    });
  });

  it('models: the provider’s list with a key, the catalog and a reason without, own models and prices always', async () => {
    const prices = JSON.stringify({ 'openai/mine': { input: 3_000_000, output: 9_000_000, window: 4096 } });
    const engine = await createProviderEngine({ settings: { 'models.prices': prices } });
    const without = await engine.service.call('listModels', { provider: 'openai' });
    expect(without.problem).toMatch(/Without a key.*OPENAI_API_KEY/);
    expect(without.models).toEqual([
      { id: 'openai-known', windowTokens: 1000, price: null },
      { id: 'mine', windowTokens: 4096, price: { input: 3_000_000, cachedInput: 3_000_000, output: 9_000_000, since: '' } },
    ]);
    await engine.service.call('saveKey', { provider: 'openai', key: SESSION_KEY, keep: 'session' });
    const listed = await engine.service.call('listModels', { provider: 'openai' });
    expect(listed.problem).toBe('');
    expect(listed.models.map((model) => model.id)).toEqual(['test-1', 'mine']);
    expect(listed.models[0]?.price).toMatchObject({ since: '2026-01-01' });
  });

  it('a list that cannot be read falls back to the catalog and says why', async () => {
    const engine = await createProviderEngine({ listed: () => Promise.reject(new Error('the server is away')) });
    expect(await engine.service.call('listModels', { provider: 'openai-chat' })).toMatchObject({
      models: [{ id: 'openai-chat-known' }],
      problem: 'the server is away',
    });
  });

  it('a test uses what is typed, keeps nothing of it, and its tokens are in the ledger', async () => {
    const engine = await createProviderEngine();
    await engine.service.call('testConnection', { provider: 'openai', model: 'test-1', key: SESSION_KEY, baseUrl: 'https://typed/v1' });
    expect(engine.accesses.at(-1)).toMatchObject({ provider: 'openai', model: 'test-1', apiKey: SESSION_KEY, baseUrl: 'https://typed/v1' });
    expect(await openai(engine)).toMatchObject({ key: 'none', baseUrl: null });
    expect((await engine.service.call('getSpending', {})).spending.day.totals).toMatchObject({ calls: 1, costMicroUsd: 15 });
  });
});
