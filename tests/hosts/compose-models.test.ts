import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Console } from '../../electron/compose.ts';
import { compose } from '../../electron/compose.ts';
import { parseConfig } from '../../electron/config.ts';
import { createDispatcher } from '../../electron/hosts/rpc-dispatcher.ts';
import type { ConsoleEvent } from '../../shared/console-api.ts';
import type { RpcReply } from '../../shared/rpc.ts';
import { GEMINI_TEST_KEY, startFakeGemini } from '../fakes/providers/fake-gemini.ts';
import type { FakeGemini } from '../fakes/providers/fake-gemini.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { FakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { FakeServer, Reply } from '../fakes/providers/fake-server.ts';
import { temporaryFolder } from './program.ts';

let fake: FakeOpenAi;
let gemini: FakeGemini;
let folder = temporaryFolder();
const open: Console[] = [];
beforeAll(async () => {
  [fake, gemini] = await Promise.all([startFakeOpenAi(), startFakeGemini()]);
});
afterAll(() => Promise.all([fake.close(), gemini.close()]));
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  folder.remove();
});

async function start(model: string | null, delayMs = 0): Promise<Console> {
  const env = {
    HOME: folder.path,
    NIMBUS_DATA_DIR: folder.path,
    NIMBUS_DEMO_DELAY_MS: String(delayMs),
    OPENAI_API_KEY: OPENAI_TEST_KEY,
    OPENAI_BASE_URL: fake.baseUrl,
    GEMINI_API_KEY: GEMINI_TEST_KEY,
    GOOGLE_GEMINI_BASE_URL: gemini.baseUrl,
    ...(model !== null && { NIMBUS_MODEL: model }),
  };
  const config = parseConfig({ argv: [], env, environmentFile: null, cwd: folder.path, platform: 'linux' });
  const opened = await compose(config, { host: 'terminal', logger: { warn: () => undefined, error: () => undefined } });
  open.push(opened);
  return opened;
}

type TurnEnd = Extract<ConsoleEvent, { type: 'turn-end' }>;

function nextEnd({ api }: Pick<Console, 'api'>, conversationId: string): Promise<TurnEnd> {
  return new Promise((resolve) => {
    const stop = api.subscribe((event) => {
      if (event.type !== 'turn-end' || event.conversationId !== conversationId) return;
      stop();
      resolve(event);
    });
  });
}

let messages = 0;
async function ask({ api }: Console, conversationId: string, text: string): Promise<TurnEnd> {
  messages += 1;
  const ended = nextEnd({ api }, conversationId);
  await api.call('sendMessage', { conversationId, messageId: `compose-${messages}`, text });
  return ended;
}

const newConversation = async ({ api }: Console) => (await api.call('createConversation', {})).conversation.id;

describe('a console over real adapters', () => {
  test('what was learned about token counts holds after a restart', async () => {
    const first = await start('openai/gpt-5');
    const id = await newConversation(first);
    fake.script(() => fake.responses({ text: 'Hello.', usage: { input: 1500, output: 5 } }));
    expect((await first.api.call('previewContext', { conversationId: id })).accuracy).toBeUndefined();
    await ask(first, id, 'Hello');
    expect((await first.api.call('previewContext', { conversationId: id })).accuracy).toMatchObject({ samples: 1 });
    await first.close();
    const second = await start('openai/gpt-5');
    await second.api.call('getAppInfo', {});
    await expect
      .poll(async () => (await second.api.call('previewContext', { conversationId: id })).accuracy, { timeout: 10_000 })
      .toMatchObject({ samples: 1 });
  });

  test('the catalog prices a call: gpt-5 at 1.25 / 0.125 / 10 dollars per million', async () => {
    const one = await start('openai/gpt-5');
    const id = await newConversation(one);
    fake.script(() => fake.responses({ text: 'Hello.', usage: { input: 17_903, cached: 17_817, output: 100 } }));
    await ask(one, id, 'Hello');
    const { spending } = await one.api.call('getSpending', { conversationId: id });
    expect(spending.turn?.totals.costMicroUsd).toBe(Math.round(86 * 1.25 + 17_817 * 0.125 + 100 * 10));
    const { cost } = await one.api.call('forecastCost', { conversationId: id, next: 'And now?' });
    expect(cost?.most).toBeGreaterThan(cost?.least ?? Number.POSITIVE_INFINITY);
  });

  test('lists of models and the connection test, in plain words', async () => {
    const one = await start(null);
    const { models, problem } = await one.api.call('listModels', { provider: 'openai' });
    expect(problem).toBe('');
    expect(models.find((model) => model.id === 'gpt-5')).toMatchObject({ windowTokens: 400_000, price: { input: 1_250_000 } });
    fake.script(() => fake.responses({ text: 'OK', usage: { input: 12, output: 1 } }));
    const good = await one.api.call('testConnection', { provider: 'openai', model: 'gpt-5' });
    expect(good.report).toMatchObject({ ok: true, problem: '', action: '' });
    const bad = await one.api.call('testConnection', { provider: 'openai', model: 'gpt-5', key: 'sk-wrong-canary-0000000000' });
    expect(bad.report.ok).toBe(false);
    expect(bad.report.action).toMatch(/Check the key/);
    expect(JSON.stringify(bad)).not.toContain('sk-wrong-canary');
    const away = await one.api.call('testConnection', { provider: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1' });
    expect(away.report).toMatchObject({ ok: false, action: expect.stringMatching(/server runs/) });
  });

  test('X3 what crosses to a page holds no key: every reply and every event of a session with real models', async () => {
    const typed = 'sk-typed-canary-0011223344556677';
    const one = await start('openai/gpt-5');
    const frames: string[] = [];
    const dispatcher = createDispatcher(one.api);
    const stop = dispatcher.listen((batch) => frames.push(JSON.stringify(batch)));
    let id = 0;
    const call = async (method: string, params: unknown = {}): Promise<RpcReply> => {
      const answered = await dispatcher.dispatch({ id: (id += 1), method, params });
      frames.push(JSON.stringify(answered));
      return answered;
    };
    const conversationId = await newConversation(one);
    fake.script(() => fake.responses({ calls: [{ name: 'list_orders', arguments: {} }], reasoning: true }));
    fake.script(() => fake.responses({ text: 'Two orders.', usage: { input: 900, output: 5 } }));
    await ask(one, conversationId, 'Which orders do I have?');
    await call('saveKey', { provider: 'gemini', key: typed, keep: 'session' });
    expect(await call('saveKey', { provider: 'gemini', key: typed, keep: 'keychain' })).toMatchObject({ error: { code: 'unsupported' } });
    expect(await call('saveKey', { provider: 'nobody', key: typed, keep: 'session' })).toMatchObject({ ok: false });
    await call('testConnection', { provider: 'openai', key: typed, model: 'gpt-5' });
    await call('saveBaseUrl', { provider: 'openai', baseUrl: `https://me:${typed}@host/v1` });
    for (const method of ['getAppInfo', 'listProviders', 'getSettings', 'getSpending', 'listTapes', 'listConversations'])
      await call(method);
    for (const provider of ['openai', 'openai-chat', 'gemini', 'demo', 'tape']) await call('listModels', { provider });
    for (const method of ['openConversation', 'previewContext', 'forecastCost', 'listRuns', 'exportTape'])
      await call(method, { conversationId });
    const trace = await call('getTrace', { conversationId, turn: 1 });
    expect(trace.ok).toBe(true);
    const spans = JSON.stringify(trace).matchAll(/"id":"([0-9a-f-]{36})"/g);
    for (const [, spanId] of spans) await call('getSpanDetail', { spanId });
    await new Promise((resolve) => setTimeout(resolve, 100));
    stop();
    expect(frames.length).toBeGreaterThan(20);
    expect(frames.join('')).toContain('Two orders.');
    for (const key of [OPENAI_TEST_KEY, typed]) expect(frames.filter((frame) => frame.includes(key))).toEqual([]);
    await one.close();
    for (const name of readdirSync(folder.path, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(folder.path, name);
      if (!statSync(file).isFile()) continue;
      const bytes = readFileSync(file, 'latin1');
      for (const key of [OPENAI_TEST_KEY, typed]) expect(bytes.includes(key), `a key in ${name}`).toBe(false);
    }
  });

  test.each<[string, () => FakeServer, (text: string, extra?: Partial<Reply>) => Reply]>([
    ['openai/gpt-5', () => fake, (text, extra) => fake.responses({ text }, extra)],
    ['openai-chat/gpt-4o-mini', () => fake, (text, extra) => fake.chat({ text }, {}, extra)],
    ['gemini/gemini-3-pro-preview', () => gemini, (text, extra) => gemini.gemini({ text }, {}, extra)],
  ])('P1 %s: a cut answer is kept, its strict fake accepts going on, and later turns', async (model, serverOf, replyOf) => {
    const server = serverOf();
    server.requests.length = 0;
    const one = await start(model);
    const id = await newConversation(one);
    server.script(() => replyOf('Refunds are possible within 14 days. '.repeat(60), { bytes: 4000 }));
    expect(await ask(one, id, 'How do refunds work?')).toMatchObject({ state: 'failed', record: { error: { code: 'model-interrupted' } } });
    server.script(() => replyOf('That is all.'));
    const ended = nextEnd(one, id);
    await one.api.call('continueTurn', { conversationId: id });
    expect((await ended).state).toBe('answered');
    server.script(() => replyOf('You are welcome.'));
    expect((await ask(one, id, 'Thanks')).state).toBe('answered');
    const { messages: stored } = await one.api.call('openConversation', { conversationId: id });
    const shown = stored.map(({ role, state, content }) => `${role}${state === undefined ? '' : `[${state}]`}: ${content.slice(0, 20)}`);
    expect(shown).toEqual([
      'user: How do refunds work?',
      'assistant[interrupted]: Refunds are possible',
      'assistant: That is all.',
      'user: Thanks',
      'assistant: You are welcome.',
    ]);
    expect(server.modelRequests().map((request) => request.refusal)).toEqual([null, null, null]);
    expect(server.modelRequests()[1]?.bodyText).toContain('Go on exactly where it stopped');
    expect(server.modelRequests()[2]?.bodyText).not.toContain('Go on exactly where it stopped');
  });

  test.each(['demo', 'tape/refund-refused'])('%s goes on from a stopped answer with the rest of it', async (model) => {
    const one = await start(model, 20);
    const id = await newConversation(one);
    const question = 'I want a refund for order 1043';
    const stopped = new Promise<void>((resolve) => {
      const stop = one.api.subscribe((event) => {
        if (event.type !== 'text-delta' || !event.delta.includes('not')) return;
        stop();
        void one.api.call('stopRun', { conversationId: id }).then(() => resolve());
      });
    });
    expect((await ask(one, id, question)).state).toBe('stopped');
    await stopped;
    const ended = nextEnd(one, id);
    await one.api.call('continueTurn', { conversationId: id });
    expect((await ended).state).toBe('answered');
    const other = await newConversation(one);
    await ask(one, other, question);
    const said = async (conversationId: string) => {
      const { messages: all } = await one.api.call('openConversation', { conversationId });
      return all.filter((message) => message.role === 'assistant').map((message) => message.content);
    };
    expect((await said(id)).length).toBe((await said(other)).length + 1);
    expect((await said(id)).join('')).toBe((await said(other)).join(''));
  });

  test('a conversation becomes a tape and plays without network, with the recorded results and no effect of its own', async () => {
    const one = await start(null);
    const id = await newConversation(one);
    const questions = ['I want a refund for order 1043', 'What about my other order?', 'Yes please'];
    const mail = 'My address is jane@example.org';
    for (const text of [...questions, mail]) await ask(one, id, text);
    const { text, redactions } = await one.api.call('exportTape', { conversationId: id });
    expect(text).not.toContain('jane@example.org');
    expect(redactions).toBeGreaterThan(0);
    const { tape } = await one.api.call('importTape', { text });
    expect(tape).toMatchObject({ builtIn: false, turns: 4, model: 'demo/scripted' });
    expect((await one.api.call('importTape', { text })).tape.id).toBe(tape.id);
    const { tapes } = await one.api.call('listTapes', {});
    expect(tapes.map((each) => each.builtIn)).toEqual([true, true, false]);
    await one.api.call('chooseModel', { model: `tape/${tape.id}` });
    const played = await newConversation(one);
    const { demoCustomerId: customerId = '' } = await one.api.call('getAppInfo', {});
    const tickets = async () => (await one.api.call('getCustomer', { customerId })).tickets.length;
    const before = await tickets();
    for (const question of questions) expect((await ask(one, played, question)).state).toBe('answered');
    expect([before, await tickets()]).toEqual([1, 1]);
    const texts = async (conversationId: string) => {
      const view = await one.api.call('openConversation', { conversationId });
      return view.messages.filter((message) => message.turn <= questions.length).map(({ role, content }) => `${role}: ${content}`);
    };
    expect(await texts(played)).toEqual(await texts(id));
    await expect(one.api.call('importTape', { text: '{"format":"other"}' })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});
