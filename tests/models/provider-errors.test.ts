/** Errors in plain words, without keys; the retry policy in numbers; and an environment that must not matter. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { geminiVendorError, translateGeminiError } from '../../electron/models/gemini.ts';
import { openAiVendorError, translateOpenAiError } from '../../electron/models/openai-client.ts';
import { classify, failure, networkFailure, redact } from '../../electron/models/provider-errors.ts';
import { DEFAULT_RETRY, durationMs, retryAfterMs, retryDelay } from '../../electron/models/retry.ts';
import { modelFor, startFakes } from './fault-runner.ts';
import { good } from './fault-parts.ts';
import { collect, requestOf, user } from './support.ts';

const context = { label: 'OpenAI', model: 'gpt-5', host: 'api.openai.com', secrets: ['my-secret-key-0001'] };

describe('redact', () => {
  it('P8 takes known keys and whatever looks like one', () => {
    expect(redact('my-secret-key-0001 sk-abc***xyz AIzaSyA-0123456789 Bearer abc.def', context.secrets)).toBe('[key] [key] [key] [key]');
  });

  it('P8 no message of any provider error holds the key', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(400, 401, 403, 404, 418, 429, 500, null),
        fc.string(),
        fc.string(),
        fc.string(),
        (status, code, type, text) => {
          const vendor = openAiVendorError({ code, type, message: `${text} my-secret-key-0001 ${text}` }, { status });
          expect(JSON.stringify(classify(vendor, context).error)).not.toContain('my-secret-key-0001');
        },
      ),
    );
  });
});

describe('classify', () => {
  it.each<[string, object, number | null, string]>([
    ['P4', { code: 'rate_limit_exceeded', type: 'tokens', message: 'Rate limit reached' }, 429, 'rate-limited'],
    [
      'P4 too large for the limit at all',
      { code: 'rate_limit_exceeded', type: 'tokens', message: 'Request too large for gpt-5: Limit 10000, Requested 12000' },
      429,
      'invalid-request',
    ],
    ['P5', { code: 'insufficient_quota', message: '' }, 429, 'quota'],
    ['P5 by its words', { message: 'You exceeded your current quota, please check your plan' }, 429, 'quota'],
    ['P7', { code: 'server_error', message: 'The server had an error' }, null, 'overloaded'],
    ['P7', {}, 504, 'overloaded'],
    ['P9', { code: 'context_length_exceeded', message: '' }, 400, 'invalid-request'],
    ['P10 Azure', { code: 'content_filter', message: 'The response was filtered' }, 400, 'blocked'],
    ['other', { message: "Invalid 'input[0]'" }, 400, 'invalid-request'],
    ['a redirect', {}, 308, 'invalid-request'],
    ['nothing known', { message: 'hm' }, null, 'unknown'],
  ])('%s: %j (%s) is %s', (_rule, body, status, outcome) => {
    expect(classify(openAiVendorError(body as Record<string, unknown>, { status }), context).outcome).toBe(outcome);
  });

  it('P7 an HTML page never reaches a person', () => {
    const failed = classify(openAiVendorError({}, { status: 418, fallbackMessage: '<html>secret</html>' }), context);
    expect(failed.error.message).toBe('OpenAI refused the request.');
  });

  it('P6 a Gemini quota without an allowance at all is not tried again, one per minute is', () => {
    const body = (violation: object) => ({
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: 'check your plan and billing details',
      details: [
        { '@type': 'x/google.rpc.QuotaFailure', violations: [violation] },
        { '@type': 'x/google.rpc.RetryInfo', retryDelay: '1.5s' },
      ],
    });
    expect(classify(geminiVendorError(body({ quotaId: 'RequestsPerMinute', quotaValue: '0' }), 429), context).retry).toBe('never');
    expect(classify(geminiVendorError(body({ quotaId: 'RequestsPerMinute', quotaValue: '15' }), 429), context)).toMatchObject({
      outcome: 'rate-limited',
      retry: 'backoff',
      retryAfterMs: 1500,
    });
  });

  it('P2 whatever is thrown becomes a failure with a sentence', () => {
    const reset = new TypeError('terminated', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) });
    expect(networkFailure(reset, context).error.message).toBe('No complete answer from api.openai.com: the connection was reset.');
    for (const odd of [undefined, null, 'text', 7, new Error('{"error":'), { status: 500 }]) {
      expect(translateOpenAiError(odd, context, 0).error.message.length).toBeGreaterThan(10);
      expect(translateGeminiError(odd, context).error.message.length).toBeGreaterThan(10);
    }
  });
});

describe('retryDelay', () => {
  const policy = { ...DEFAULT_RETRY, random: () => 1 };
  const limited = (ms: number | null) => failure('rate-limited', 'x', { retry: 'backoff', retryAfterMs: ms });

  it('P4 the asked wait is a minimum, jitter only adds, two tries, a minute at most', () => {
    expect(retryDelay(limited(1500), 1, policy)).toBe(1875);
    expect(retryDelay(limited(null), 2, policy)).toBe(2500);
    expect(retryDelay(limited(null), 3, policy)).toBeNull();
    expect(retryDelay(limited(60_000), 1, policy)).toBe(60_000);
    expect(retryDelay(limited(60_001), 1, policy)).toBeNull();
    expect(retryDelay(failure('quota', 'x'), 1, policy)).toBeNull();
    expect(retryDelay(failure('unknown', 'x', { retry: 'once' }), 1, policy)).toBe(0);
    expect(retryDelay(failure('unknown', 'x', { retry: 'once' }), 2, policy)).toBeNull();
  });

  it('P4 never waits less than asked nor more than the cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 90_000 }),
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (asked, attempt, random) => {
          const delay = retryDelay(limited(asked), attempt, { ...DEFAULT_RETRY, random: () => random });
          if (asked > 60_000 || attempt > 2) expect(delay).toBeNull();
          else expect(delay !== null && delay >= asked && delay <= 60_000).toBe(true);
        },
      ),
    );
  });

  it.each([
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': new Date(61_000).toUTCString() }, 60_000],
    [{ 'retry-after': new Date(0).toUTCString() }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('P4 reads %j as %s ms', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), 1000)).toBe(expected);
  });

  it('P6 reads durations', () => {
    expect([durationMs('48s'), durationMs('1.5s'), durationMs('x'), durationMs(4)]).toEqual([48_000, 1500, null, null]);
  });
});

describe('environment', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('P8 the SDKs take nothing from the environment, and keys travel in one header only', async () => {
    const canaries: Record<string, string> = {
      OPENAI_API_KEY: 'sk-environment-1',
      OPENAI_ADMIN_KEY: 'sk-environment-2',
      OPENAI_ORG_ID: 'org-environment',
      OPENAI_PROJECT_ID: 'proj-environment',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/environment',
      OPENAI_CUSTOM_HEADERS: 'x-environment: leaked',
      OPENAI_LOG: 'debug',
      GEMINI_API_KEY: 'AIza-environment-3',
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      GOOGLE_GENAI_USE_ENTERPRISE: 'true',
      GOOGLE_CLOUD_PROJECT: 'environment',
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
      GOOGLE_GENAI_API_VERSION: 'v9environment',
    };
    for (const [name, value] of Object.entries(canaries)) vi.stubEnv(name, value);
    const said = [vi.spyOn(console, 'debug'), vi.spyOn(console, 'log'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];
    const fakes = await startFakes();
    try {
      for (const api of ['responses', 'chat', 'gemini'] as const) {
        (api === 'gemini' ? fakes.gemini : fakes.openai).script(good(fakes, api));
        expect((await collect(modelFor(fakes, api), requestOf([user('x')]))).end.outcome).toBe('answered');
      }
      const requests = [...fakes.openai.requests, ...fakes.gemini.requests];
      expect(JSON.stringify(requests)).not.toMatch(/environment/);
      for (const request of requests) {
        const names = Object.keys(request.headers).filter(
          (name) =>
            !/^(host|connection|content-length|accept|accept-encoding|accept-language|sec-fetch-mode|content-type|user-agent|authorization|x-goog-api-key)$/.test(
              name,
            ),
        );
        expect(names).toEqual([]);
      }
    } finally {
      await fakes.close();
    }
    expect(said.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  it('P8 a redirect is not followed with a key', async () => {
    const fakes = await startFakes();
    try {
      fakes.gemini.script({ status: 307, headers: { location: 'http://127.0.0.1:9/elsewhere' }, body: 'x' });
      const { end } = await collect(modelFor(fakes, 'gemini'), requestOf([user('x')]));
      expect(end.outcome).not.toBe('answered');
      expect(fakes.gemini.requests).toHaveLength(1);
    } finally {
      await fakes.close();
    }
  });
});
