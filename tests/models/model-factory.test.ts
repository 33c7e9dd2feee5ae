/** Choosing, listing and testing models. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listModels, testConnection } from '../../electron/models/model-connection.ts';
import { createModel, parseModelName } from '../../electron/models/model-factory.ts';
import { GEMINI_TEST_KEY, startFakeGemini } from '../fakes/providers/fake-gemini.ts';
import type { FakeGemini } from '../fakes/providers/fake-gemini.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { FakeOpenAi } from '../fakes/providers/fake-openai.ts';
import { collect, requestOf, testClock, user } from './support.ts';

let openai: FakeOpenAi;
let gemini: FakeGemini;
beforeEach(async () => {
  openai = await startFakeOpenAi();
  gemini = await startFakeGemini();
});
afterEach(() => Promise.all([openai.close(), gemini.close()]));

const clock = testClock();
const signal = new AbortController().signal;

describe('parseModelName', () => {
  it('splits at the first slash and knows default models', () => {
    expect(parseModelName('openai-chat/meta-llama/llama-3')).toEqual({ provider: 'openai-chat', model: 'meta-llama/llama-3' });
    expect(parseModelName('demo')).toEqual({ provider: 'demo', model: 'demo' });
    expect(parseModelName('openai/').model).not.toBe('');
    expect(() => parseModelName('gpt-5')).toThrow(/There is no model provider "gpt-5"/);
  });
});

describe('createModel', () => {
  it.each(['openai', 'openai-chat', 'gemini'] as const)('P8 %s without a key says so and asks the network nothing', async (provider) => {
    const got = await collect(createModel({ provider, model: 'x', clock }), requestOf([user('hi')]));
    expect(got.end).toMatchObject({ outcome: 'auth', error: { code: 'model-auth', retryable: false } });
    expect(got.end.error?.message).toMatch(/settings/);
  });

  it.each([
    ['nonsense', 'x', /no model provider "nonsense"/],
    ['tape', 'no-such-tape', /There is no tape "no-such-tape"; the tapes are refund-refused/],
  ])('%s/%s ends its stream with the reason instead of throwing', async (provider, model, reason) => {
    const got = await collect(createModel({ provider, model, clock }), requestOf([user('hi')]));
    expect(got.end.error?.message).toMatch(reason);
  });

  it('a base URL that is no address is named', async () => {
    const got = await collect(
      createModel({ provider: 'openai', model: 'x', apiKey: 'k', baseUrl: 'localhost:1', clock }),
      requestOf([user('hi')]),
    );
    expect(got.end.error?.message).toMatch(/base URL "localhost:1" is no http or https address/);
  });

  it('the demo and known models have windows and labels', () => {
    expect(createModel({ provider: 'demo', model: '', clock }).label).toBe('demo model (scripted, not an AI)');
    expect(createModel({ provider: 'openai', model: 'gpt-5-2025-08-07', clock }).windowTokens).toBe(400_000);
    expect(createModel({ provider: 'openai', model: 'gpt-99', clock }).windowTokens).toBeNull();
    expect(createModel({ provider: 'openai', model: 'gpt-99', clock, windowTokens: 9 }).windowTokens).toBe(9);
  });
});

describe('listModels', () => {
  it('lists what each provider has, with windows and whether prices are known', async () => {
    const fromOpenAi = await listModels({ provider: 'openai', apiKey: OPENAI_TEST_KEY, baseUrl: openai.baseUrl, clock }, signal);
    expect(fromOpenAi.find((model) => model.id === 'gpt-5')).toEqual({ id: 'gpt-5', windowTokens: 400_000, priced: true });
    expect(fromOpenAi.find((model) => model.id === 'local-model')).toEqual({ id: 'local-model', windowTokens: null, priced: false });
    const fromGemini = await listModels({ provider: 'gemini', apiKey: GEMINI_TEST_KEY, baseUrl: gemini.baseUrl, clock }, signal);
    expect(fromGemini.map((model) => model.id)).toContain('gemini-2.5-flash');
    expect(await listModels({ provider: 'demo', clock }, signal)).toHaveLength(1);
  });

  it('P8 a refused key is a ConsoleError without the key', async () => {
    const wrong = 'sk-wrong-0123456789';
    const failed = listModels({ provider: 'openai', apiKey: wrong, baseUrl: openai.baseUrl, clock }, signal);
    await expect(failed).rejects.toMatchObject({ code: 'model-auth', message: expect.not.stringContaining(wrong) });
  });
});

describe('testConnection', () => {
  it('says what works', async () => {
    openai.script(openai.responses({ text: 'OK' }));
    const report = await testConnection(
      { provider: 'openai', model: 'gpt-5', apiKey: OPENAI_TEST_KEY, baseUrl: openai.baseUrl, clock },
      signal,
    );
    expect(report.ok).toBe(true);
    expect(report.facts.join('\n')).toMatch(/on this machine[\s\S]*"gpt-5" is one of 5 models[\s\S]*answered in \d+ ms/);
    expect(report.usage?.outputTokens).toBe(20);
  });

  it('P8 says what is wrong: key, model, address', async () => {
    const wrongKey = await testConnection(
      { provider: 'gemini', model: 'gemini-2.5-flash', apiKey: 'AIzaWrong0000000000', baseUrl: gemini.baseUrl, clock },
      signal,
    );
    expect(wrongKey).toMatchObject({ ok: false, usage: null });
    expect(wrongKey.facts.at(-1)).toBe('Gemini refused the key. Enter a valid key in settings.');
    const wrongModel = await testConnection(
      { provider: 'openai-chat', model: 'gpt-4o-mimi', apiKey: OPENAI_TEST_KEY, baseUrl: openai.baseUrl, clock },
      signal,
    );
    expect(wrongModel.facts.join('\n')).toMatch(/not among the 5 models[\s\S]*has no model "gpt-4o-mimi"/);
    const { origin } = openai;
    await openai.close();
    const nobody = await testConnection(
      { provider: 'openai', model: 'gpt-5', apiKey: OPENAI_TEST_KEY, baseUrl: `${origin}/v1`, clock },
      signal,
    );
    expect(nobody.facts.at(-1)).toMatch(/nothing listens there/);
    openai = await startFakeOpenAi();
  });

  it('warns of an address without encryption', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(
      testConnection({ provider: 'openai', model: 'x', apiKey: 'k', baseUrl: 'http://models.example/v1', clock }, controller.signal),
    ).rejects.toMatchObject({ code: 'cancelled' });
    const report = await testConnection(
      { provider: 'openai', model: 'x', apiKey: 'secret-key', baseUrl: 'http://models.invalid/v1', clock },
      signal,
    );
    expect(report.facts[0]).toMatch(/WITHOUT encryption/);
    expect(JSON.stringify(report)).not.toContain('secret-key');
  });
});

describe('pasted values', () => {
  it('P8 white space around key and address is no problem, inside a key it is named', async () => {
    gemini.script(gemini.gemini({ text: 'ok' }));
    const pasted = {
      provider: 'gemini',
      model: 'gemini-2.5-flash',
      apiKey: ` ${GEMINI_TEST_KEY}\n`,
      baseUrl: `${gemini.baseUrl}/v1beta/\n`,
      clock,
    };
    expect((await collect(createModel(pasted), requestOf([user('x')]))).end.outcome).toBe('answered');
    const broken = await collect(createModel({ ...pasted, apiKey: 'AIza broken\u200b' }), requestOf([user('x')]));
    expect(broken.end).toMatchObject({ outcome: 'auth', error: { message: expect.stringContaining('a character no key has') } });
  });
});
