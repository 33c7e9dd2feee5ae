/** Recorded provider traffic, when the shared cases are beside the project: each response is served to the real adapter. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createModel } from '../../electron/models/model-factory.ts';
import type { Reply } from '../fakes/providers/fake-server.ts';
import { startFakeServer } from '../fakes/providers/fake-server.ts';
import type { SseEvent } from '../fakes/providers/framing.ts';
import { parseEvents } from '../fakes/providers/framing.ts';
import { collect, requestOf, testClock, user } from './support.ts';

const FOLDER = fileURLToPath(new URL('../../../shared/cases/providers/', import.meta.url));

interface Exchange {
  response: string;
  status: number;
}
interface Fixture {
  id: string;
  provider: string;
  api: string;
  exchanges: Exchange[];
}
interface Expected {
  outcome: string;
  text?: string;
  calls?: [string, Record<string, unknown>][];
  /** input, cached, output, reasoning; null: none reported. */
  usage?: [number, number, number, number] | null;
  code?: string;
  rawHolds?: string;
}

const NOT_REPORTED: Expected['usage'] = null;
/** What each recorded exchange says in neutral words, read from its own bytes. */
const EXPECTED: Record<string, Expected[]> = {
  'oai-chat-stream-tool': [
    { outcome: 'tool-calls', text: '', calls: [['get_capital', { country: 'UK' }]] },
    { outcome: 'answered', text: 'The capital of the UK is London.' },
  ],
  'oai-chat-stream-parallel': [
    {
      outcome: 'tool-calls',
      calls: [
        ['get_current_weather', { location: 'San Francisco' }],
        ['get_current_weather', { location: 'Boston' }],
      ],
      usage: NOT_REPORTED,
    },
    {
      outcome: 'tool-calls',
      calls: [
        ['get_current_weather', { location: 'San Francisco' }],
        ['get_current_weather', { location: 'Boston' }],
      ],
      usage: NOT_REPORTED,
    },
  ],
  'oai-resp-stream-tool': [
    { outcome: 'tool-calls', text: '', calls: [['get_capital', { country: 'France' }]] },
    { outcome: 'answered', text: 'The capital of France is Paris.' },
  ],
  'oai-resp-reasoning-tools': [
    { outcome: 'tool-calls', rawHolds: '"type":"reasoning"' },
    { outcome: 'answered', usage: [2087, 2048, 124, 0] },
  ],
  'oai-401': [{ outcome: 'auth', code: 'model-auth' }],
  'oai-404-model': [{ outcome: 'auth', code: 'model-auth' }],
  'oai-400-context': [{ outcome: 'invalid-request', code: 'model-context-too-long' }],
  'oai-429-quota': [{ outcome: 'quota', code: 'model-quota' }],
  'oai-resp-stream-quota': [{ outcome: 'quota', code: 'model-quota' }],
  'gem-stream-tool-signature': [
    { outcome: 'tool-calls', text: '', calls: [['get_country', {}]], usage: [29, 0, 212, 202], rawHolds: '"thoughtSignature":"EpwICpkI' },
    { outcome: 'answered', text: 'The capital of Mexico is Mexico City.', usage: [257, 0, 8, 0] },
  ],
  'gem-stream-parallel-signature': [
    {
      outcome: 'tool-calls',
      calls: [
        ['weather', { city: 'San Francisco' }],
        ['weather', { city: 'Santa Cruz' }],
      ],
      usage: [68, 0, 107, 79],
    },
  ],
  'gem-stream-multistep': [
    { outcome: 'tool-calls', calls: [['get_capital', { country: 'France' }]], usage: [52, 0, 5, 0] },
    { outcome: 'tool-calls', calls: [['get_temperature', { city: 'Paris' }]], usage: [64, 0, 5, 0] },
    { outcome: 'answered' },
  ],
  'gem-safety': [{ outcome: 'blocked', text: '', usage: [14, 0, 0, 0], code: 'model-blocked' }],
  'gem-prompt-blocked': [{ outcome: 'blocked', text: '', usage: NOT_REPORTED }],
  'gem-maxtokens-empty': [{ outcome: 'truncated', text: '', usage: [15, 0, 2, 2] }],
  'gem-400-bad-key': [{ outcome: 'auth', code: 'model-auth' }],
  'gem-429-retryinfo': [{ outcome: 'rate-limited', code: 'model-rate-limited' }],
  'gem-openai-compat-no-id': [
    { outcome: 'tool-calls', calls: [['get_current_time', {}]], usage: [35, 0, 74, 62], rawHolds: '"thought_signature"' },
    { outcome: 'answered', text: 'The current time is Noon.' },
  ],
};

/** A body that was recorded without streaming, as the stream that would have carried it. */
function asStream(api: string, body: Record<string, unknown>): SseEvent[] {
  if (api !== 'responses') return [{ data: body }];
  const output = body['output'] as Record<string, unknown>[];
  return [
    ...output.map((item, index) => ({
      event: 'response.output_item.done',
      data: { type: 'response.output_item.done', output_index: index, item },
    })),
    { event: 'response.completed', data: { type: 'response.completed', response: body } },
  ];
}

function replyOf(fixture: Fixture, exchange: Exchange): Reply {
  const text = readFileSync(new URL(exchange.response, `file://${FOLDER}`), 'utf8');
  if (exchange.response.endsWith('.sse')) return { events: parseEvents(text) };
  const body = JSON.parse(text) as Record<string, unknown>;
  if (exchange.status !== 200 || fixture.api === 'chat') return { status: exchange.status, body };
  return { events: asStream(fixture.api, body) };
}

const providerOf = (fixture: Fixture) => (fixture.api === 'chat' || fixture.id.includes('compat') ? 'openai-chat' : fixture.provider);

/** Empty where the shared cases are not beside the project. */
const FIXTURES: Fixture[] = existsSync(`${FOLDER}index.json`)
  ? (JSON.parse(readFileSync(`${FOLDER}index.json`, 'utf8')) as { fixtures: Fixture[] }).fixtures
  : [];

describe('recorded exchanges', () => {
  it('every recording that is here has an expectation', () => {
    expect(FIXTURES.filter((fixture) => EXPECTED[fixture.id]?.length !== fixture.exchanges.length).map((fixture) => fixture.id)).toEqual(
      [],
    );
  });

  it.each(
    FIXTURES.flatMap((fixture) =>
      fixture.exchanges.map((exchange, index) => [`${fixture.id} #${index}`, fixture, exchange, index] as const),
    ),
  )('%s', async (_name, fixture, exchange, index) => {
    const expected = EXPECTED[fixture.id]?.[index];
    if (expected === undefined) throw new Error(`no expectation for ${fixture.id} #${index}`);
    const fake = await startFakeServer({ judge: () => null });
    try {
      const reply = replyOf(fixture, exchange);
      fake.script(reply, reply, reply);
      const provider = providerOf(fixture);
      const clock = testClock();
      const model = createModel({
        provider,
        model: 'recorded',
        apiKey: 'invalid-key',
        baseUrl: provider === 'gemini' ? fake.origin : `${fake.origin}/v1`,
        clock,
      });
      const { end, streamed } = await collect(model, requestOf([user('x')], { tools: [] }));
      expect(end.outcome).toBe(expected.outcome);
      expect(streamed).toBe(end.text);
      if (expected.text !== undefined) expect(end.text).toBe(expected.text);
      else if (end.outcome === 'answered') expect(end.text.length).toBeGreaterThan(10);
      if (expected.calls !== undefined) expect(end.calls.map((call) => [call.name, call.arguments])).toEqual(expected.calls);
      else expect(end.calls.length > 0).toBe(end.outcome === 'tool-calls');
      if (expected.usage === null) expect(end.usage).toBeNull();
      else if (expected.usage !== undefined) {
        const { inputTokens, cacheReadTokens, outputTokens, reasoningTokens } = end.usage ?? {};
        expect([inputTokens, cacheReadTokens, outputTokens, reasoningTokens]).toEqual(expected.usage);
      } else if (end.error === null) expect(end.usage?.inputTokens).toBeGreaterThan(0);
      if (expected.code !== undefined) expect(end.error?.code).toBe(expected.code);
      if (expected.rawHolds !== undefined) expect(end.raw?.body).toContain(expected.rawHolds);
      expect(JSON.stringify(end)).not.toContain('invalid-key');
      if (fixture.id === 'gem-429-retryinfo') expect(clock.slept.every((ms) => ms >= 48_000)).toBe(true);
      // Once is enough where trying again cannot help.
      expect(fake.requests.length).toBe(end.error?.code === 'model-rate-limited' ? 3 : 1);
    } finally {
      await fake.close();
    }
  });
});
