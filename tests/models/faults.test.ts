/** The fault table through the real adapters, and what a table cannot say: Stop, every cut, every framing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../electron/engine/ports.ts';
import { modelFor, runFault, startFakes } from './fault-runner.ts';
import { APIS, cut, good, SHOWN } from './fault-parts.ts';
import type { Api } from './fault-parts.ts';
import { FAULTS } from './fault-table.ts';
import type { Framing } from '../fakes/providers/framing.ts';
import { eventText, PLAIN } from '../fakes/providers/framing.ts';
import { collect, requestOf, testClock, user } from './support.ts';

let fakes: Awaited<ReturnType<typeof startFakes>>;
beforeAll(async () => {
  fakes = await startFakes();
});
afterAll(() => fakes.close());

const fakeOf = (api: Api) => (api === 'gemini' ? fakes.gemini : fakes.openai);
/** Text and two calls with characters of one to four bytes. */
const MIXED = {
  text: 'Ünï 注文 😀 done.',
  calls: [
    { name: 'get_order', arguments: { order_id: 1, note: '😀é' } },
    { name: 'list_orders', arguments: {} },
  ],
};

describe('fault table', () => {
  it.each(FAULTS.map((fault) => [`${fault.rule} ${fault.api}: ${fault.name}`, fault] as const))('%s', async (_title, fault) => {
    expect((await runFault(fault, fakes)).problems).toEqual([]);
  });
});

describe('P12 the hint', () => {
  it('P12 is sent with the second try only', async () => {
    const before = fakes.gemini.modelRequests().length;
    const malformed = { events: [{ data: { candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }] } }] };
    fakes.gemini.script(malformed, fakes.gemini.gemini({ text: 'ok' }));
    await collect(modelFor(fakes, 'gemini'), requestOf([user('x')]));
    const [first, second] = fakes.gemini.modelRequests().slice(before);
    expect(first?.bodyText).not.toContain('was not valid');
    expect(second?.bodyText).toContain('was not valid');
  });
});

describe.each(APIS)('P1 %s cut after every event', (api) => {
  it('P1 is never a success before its terminal event, keeps what was shown and runs no tool', async () => {
    const whole = good(fakes, api, MIXED);
    const total = whole.events?.length ?? 0;
    const fake = fakeOf(api);
    let successes = 0;
    for (let events = 0; events < total; events += 1) {
      const reply = cut(whole, events);
      fake.script(reply, reply, reply);
      const { end, streamed } = await collect(modelFor(fakes, api), requestOf([user('x')]));
      while (fake.remaining() > 0) fake.skip();
      expect(end.text).toBe(streamed);
      if (end.outcome === 'tool-calls') {
        successes += 1;
        expect(end.calls.map((call) => call.arguments)).toEqual(MIXED.calls.map((call) => call.arguments));
        continue;
      }
      expect(['interrupted', 'overloaded']).toContain(end.outcome);
      expect(end.calls).toEqual([]);
      expect(MIXED.text.startsWith(streamed)).toBe(true);
    }
    // Chat: the finish reason is the end; usage and [DONE] may be missing behind it.
    expect(successes).toBe(api === 'chat' ? 2 : 0);
  }, 60_000);
});

describe.each(APIS)('%s framing', (api) => {
  const framings: [string, Partial<Framing>][] = [
    ['CRLF', { lineEnd: '\r\n' }],
    ['one byte at a time', { pieces: 'byte' }],
    ['one byte at a time with CRLF', { pieces: 'byte', lineEnd: '\r\n' }],
    ['two events per piece', { pieces: 'pairs' }],
    ['all at once', { pieces: 'all' }],
    ['pieces of 7 bytes, splitting characters', { pieces: 7 }],
    ['comments between events', { comments: true }],
  ];
  it.each(framings)('gives the same answer with %s', async (_name, framing) => {
    fakeOf(api).script(good(fakes, api, MIXED, { framing }));
    const { end, streamed } = await collect(modelFor(fakes, api), requestOf([user('x')]));
    expect(end.outcome).toBe('tool-calls');
    expect(streamed).toBe(MIXED.text);
    expect(end.calls.map((call) => call.arguments)).toEqual(MIXED.calls.map((call) => call.arguments));
  });

  it('P1 a stream cut at any byte of an event is interrupted or, cut behind it, as if cut after it', async () => {
    const whole = good(fakes, api, MIXED);
    const events = whole.events ?? [];
    // The event with the emoji: its bytes hold characters of every length.
    const index = events.findIndex((event) => JSON.stringify(event.data).includes('😀'));
    const start = events.slice(0, index).reduce((sum, event) => sum + Buffer.byteLength(eventText(event, PLAIN)), 0);
    const event = events[index];
    if (event === undefined) throw new Error('no event with an emoji');
    const length = Buffer.byteLength(eventText(event, PLAIN));
    const fake = fakeOf(api);
    for (let bytes = start; bytes <= start + length; bytes += 1) {
      const reply = { ...whole, bytes };
      fake.script(reply, reply, reply);
      const { end, streamed } = await collect(modelFor(fakes, api), requestOf([user('x')]));
      while (fake.remaining() > 0) fake.skip();
      expect(end.outcome).toBe('interrupted');
      expect(end.calls).toEqual([]);
      expect(MIXED.text.startsWith(streamed)).toBe(true);
      expect(streamed.isWellFormed()).toBe(true);
    }
  }, 120_000);
});

describe.each(APIS)('P26 %s Stop', (api) => {
  it('P26 throws cancelled at once and the server sees the connection close', async () => {
    const fake = fakeOf(api);
    fake.script(cut(good(fakes, api), SHOWN[api], 'stall'));
    const controller = new AbortController();
    const seen: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of modelFor(fakes, api).stream(requestOf([user('x')]), controller.signal)) {
        seen.push(event);
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'ConsoleError', code: 'cancelled' });
    expect(seen.map((event) => event.type)).toEqual(['text-delta']);
    await expect.poll(() => fake.openConnections(), { timeout: 5000 }).toBe(0);
  });

  it('P4 Stop during a wait cancels the wait', async () => {
    fakeOf(api).script({ status: 503, body: { error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } } });
    const controller = new AbortController();
    const clock = {
      ...testClock(),
      sleep: (_ms: number, signal?: AbortSignal) => {
        controller.abort();
        return testClock().sleep(0, signal);
      },
    };
    const model = modelFor(fakes, api, { clock });
    await expect(collect(model, requestOf([user('x')]), controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(fakeOf(api).remaining()).toBe(0);
  });

  it('a reader that leaves early closes the connection', async () => {
    const fake = fakeOf(api);
    fake.script(cut(good(fakes, api), SHOWN[api], 'stall'));
    for await (const event of modelFor(fakes, api).stream(requestOf([user('x')]), new AbortController().signal)) {
      if (event.type === 'text-delta') break;
    }
    await expect.poll(() => fake.openConnections(), { timeout: 5000 }).toBe(0);
  });
});

describe.each(APIS)('%s with much to say', (api) => {
  it('two streams of one model do not mix, and stopping one leaves the other alone', async () => {
    const fake = fakeOf(api);
    const model = modelFor(fakes, api);
    fake.script(cut(good(fakes, api), SHOWN[api], 'stall'));
    const controller = new AbortController();
    const stopped = collect(model, requestOf([user('first')]), controller.signal);
    await expect.poll(() => fake.remaining()).toBe(0);
    fake.script(good(fakes, api, { text: 'The second one.' }));
    const second = await collect(model, requestOf([user('second')]));
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(second.end).toMatchObject({ outcome: 'answered', text: 'The second one.' });
  });

  it('an answer of 20,000 one-character pieces comes through whole', async () => {
    const text = 'Wörd 😀 '.repeat(5715).slice(0, 20_000);
    const piece = (character: string) => {
      if (api === 'gemini') return { data: { candidates: [{ content: { parts: [{ text: character }] } }] } };
      if (api === 'chat') return { data: { choices: [{ index: 0, delta: { content: character }, finish_reason: null }] } };
      return {
        event: 'response.output_text.delta',
        data: { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: character },
      };
    };
    const last = good(fakes, api, { text: '' }).events?.at(api === 'chat' ? -3 : -1);
    if (last === undefined) throw new Error('no last event');
    fakeOf(api).script({ events: [...Array.from(text, piece), last], framing: { pieces: 16_384 } });
    const { end, streamed } = await collect(modelFor(fakes, api), requestOf([user('x')]));
    expect(end.outcome).toBe('answered');
    expect(streamed === text && end.text === text).toBe(true);
  }, 60_000);
});
