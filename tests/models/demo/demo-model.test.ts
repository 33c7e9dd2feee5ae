/** The demo model behind its port: streaming, forgetting, abort, determinism, any history. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock, ModelEvent } from '../../../electron/engine/ports.ts';
import { createDemoModel } from '../../../electron/models/demo/demo-model.ts';
import { checkHistory } from '../../../electron/models/history-rules.ts';
import type { ContextMessage } from '../../../shared/compaction.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { callNames, clock, collect, createDemoShop, type DemoTurn } from './demo-shop.ts';

const model = createDemoModel({ delayMs: 0, clock });
const user = (content: string): ContextMessage => ({ role: 'user', content });
const assistant = (content: string): ContextMessage => ({ role: 'assistant', content });
const note = (content: string, kind: ContextMessage['kind'] = 'digest'): ContextMessage => ({ role: 'user', content, kind });
const isCancelled = (error: unknown): boolean => error instanceof ConsoleError && error.code === 'cancelled';

async function refundTalk(): Promise<{ shop: Awaited<ReturnType<typeof createDemoShop>>; turns: DemoTurn[] }> {
  const shop = await createDemoShop();
  return { shop, turns: await shop.talk(['Can I get a refund for order #1043?', 'What about my other order, 1042?']) };
}

/** An older turn as `recent-turns` shortens it. */
const compacted = ({ messages, answer }: DemoTurn): ContextMessage[] => [...messages.slice(0, 1), assistant(answer)];

describe('the port', () => {
  test('says what it is', () => {
    expect([model.provider, model.model, model.label, model.windowTokens]).toEqual([
      'demo',
      'scripted',
      'demo model (scripted, not an AI)',
      128_000,
    ]);
  });

  test('streams word by word; the pieces are the text; exactly one end', async () => {
    const events = await collect(model, [user('hello')]);
    const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []));
    const end = events.at(-1);
    expect(deltas.length).toBeGreaterThan(10);
    for (const delta of deltas) expect(delta.trim()).not.toMatch(/\s/);
    expect(end).toMatchObject({
      type: 'model-end',
      outcome: 'answered',
      text: deltas.join(''),
      calls: [],
      raw: null,
      usage: null,
      error: null,
    });
    expect(events.filter(({ type }) => type === 'model-end')).toHaveLength(1);
  });

  test('calls come with the text of their arguments and ids unique in the conversation', async () => {
    const shop = await createDemoShop();
    const question = 'refund for 1042 and 1043?';
    const turns = await shop.talk([question, question, question, 'list my orders', question]);
    const calls = turns.flatMap(({ steps }) => steps.flat());
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    const end = (await collect(model, [user(question)], shop.registry.specs())).at(-1);
    if (end?.type !== 'model-end') throw new Error('the stream did not end');
    for (const call of end.calls) expect(JSON.parse(call.argumentsText)).toEqual(call.arguments);
  });

  test('the same request gives the same events; the system prompt changes nothing', async () => {
    const messages = [user('Can I get a refund for order 1042?')];
    const first = await collect(model, messages);
    expect(await collect(createDemoModel({ delayMs: 0, clock }), messages)).toEqual(first);
    const events: ModelEvent[] = [];
    const request = { system: 'Always say no. Order 7 is refundable.', tools: [], messages, conversationId: 'x' };
    for await (const event of model.stream({ ...request, system: '' }, new AbortController().signal)) events.push(event);
    const other: ModelEvent[] = [];
    for await (const event of model.stream(request, new AbortController().signal)) other.push(event);
    expect(other).toEqual(events);
  });

  test('a tool that is not offered is not called', async () => {
    const events = await collect(model, [user('Can I get a refund for order 1042?')], []);
    expect(events.at(-1)).toMatchObject({
      outcome: 'answered',
      text: expect.stringContaining('check_refund_eligibility is not available') as string,
    });
  });

  test('an incomplete history is repaired with a notice, and the unknown result is not taken for an answer', async () => {
    const broken: ContextMessage[] = [
      user('Can I get a refund for order 1042?'),
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'check_refund_eligibility', arguments: { order_id: 1042 } }] },
    ];
    const events = await collect(model, broken);
    expect(events[0]).toMatchObject({ type: 'notice' });
    expect(events.at(-1)).toMatchObject({ outcome: 'answered', text: expect.stringContaining('could not look up order #1042') as string });
  });

  test('an empty request is refused as data', async () => {
    const events = await collect(model, []);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ outcome: 'invalid-request', error: { code: 'model-invalid-request', retryable: false } });
  });
});

describe('stopping', () => {
  test('an aborted signal throws cancelled before anything is streamed', async () => {
    await expect(collect(model, [user('hello')], [], AbortSignal.abort())).rejects.toSatisfy(isCancelled);
  });

  test('an abort between words ends the stream at once', async () => {
    const controller = new AbortController();
    const seen: ModelEvent[] = [];
    const stop = async (): Promise<void> => {
      for await (const event of model.stream(
        { system: '', tools: [], messages: [user('hello')], conversationId: 'x' },
        controller.signal,
      )) {
        seen.push(event);
        if (seen.length === 3) controller.abort();
      }
    };
    await expect(stop()).rejects.toSatisfy(isCancelled);
    expect(seen.map(({ type }) => type)).toEqual(['text-delta', 'text-delta', 'text-delta']);
  });

  test("the pause before each word is the clock's, and an abort reaches into it", async () => {
    const controller = new AbortController();
    const pauses: number[] = [];
    const slowClock: Clock = {
      ...clock,
      sleep: async (ms, signal) => {
        pauses.push(ms);
        if (pauses.length === 2) controller.abort();
        if (signal?.aborted) throw new ConsoleError('cancelled', 'stopped');
      },
    };
    const slow = createDemoModel({ delayMs: 30, clock: slowClock });
    await expect(collect(slow, [user('hello')], [], controller.signal)).rejects.toSatisfy(isCancelled);
    expect(pauses).toEqual([30, 30]);
  });
});

describe('it knows only what it is sent', () => {
  test('a turn that memory dropped is forgotten: "my other order" is asked about', async () => {
    const { shop } = await refundTalk();
    const turn = await shop.turn([], 'What about my other order?');
    expect(turn.answer).toContain('Which order do you mean');
    expect(turn.answer).toContain('what would you like to know');
    expect(callNames(turn)).toEqual([['list_orders']]);
  });

  test('a dropped offer is forgotten: "yes please" is asked about and opens nothing', async () => {
    const { shop, turns } = await refundTalk();
    const [first] = turns;
    if (first === undefined) throw new Error('no first turn');
    for (const context of [[], first.messages]) {
      const turn = await shop.turn(context, 'Yes please.');
      expect(callNames(turn)).toEqual([]);
      expect(turn.answer).toContain('what your yes is for');
    }
  });

  test('a turn shortened to question and answer is enough for both follow-ups', async () => {
    const { shop, turns } = await refundTalk();
    const [first, second] = turns;
    if (first === undefined || second === undefined) throw new Error('turns are missing');
    expect(callNames(await shop.turn(compacted(first), 'What about my other order?'))).toEqual([
      ['list_orders'],
      ['check_refund_eligibility(1042)'],
    ]);
    const ticket = await shop.turn([...compacted(first), ...compacted(second)], 'Yes please.');
    expect(callNames(ticket)).toEqual([['create_support_ticket(1042)']]);
    expect(ticket.steps[0]?.[0]?.arguments.summary).toBe('Customer requests a refund for order 1042.');
  });

  test.each([
    ['summary', 'Summary of the earlier conversation: the customer asked for a refund of order #1043; it was refused after 20 days.'],
    ['digest', 'Turn 1. Customer: Can I get a refund for order #1043? check_refund_eligibility: order_id=1043, eligible=false.'],
    ['ledger', 'Done so far: refund check of order 1043.'],
    ['recalled', '{"order_id":1043,"days_since_purchase":20,"eligible":false} refund'],
  ] as const)('a %s is read as text', async (kind, text) => {
    const shop = await createDemoShop();
    const turn = await shop.turn([note(text, kind)], 'What about my other order?');
    expect(callNames(turn)).toEqual([['list_orders'], ['check_refund_eligibility(1042)']]);
  });

  test.each([
    "1 C: refund for 1043? N: I'm sorry, I can't find order #9999 in your account.",
    '1 C: 1043 get_order(order_id=9999): error=not_found',
  ])('a number that a note tells was not found is no candidate: %s', async (text) => {
    const shop = await createDemoShop();
    const turn = await shop.turn([note(text), user('refund for 1043?'), assistant('Order #1043 is not eligible.')], 'And my other order?');
    expect(callNames(turn)[0]).toEqual(['list_orders']);
  });

  test('a note directly before the question is not the question', async () => {
    const shop = await createDemoShop();
    const turn = await shop.turn(
      [user('hi'), assistant('Hello!'), note('Earlier: refund for order #1043, not eligible.', 'recalled')],
      'And my other order?',
    );
    expect(callNames(turn)).toEqual([['list_orders'], ['check_refund_eligibility(1042)']]);
  });

  test('an offer inside the newest note can be accepted, one with turns after it not', async () => {
    const shop = await createDemoShop();
    const offer = note('Nimbus: Would you like me to open a refund request for order #1042?');
    expect(callNames(await shop.turn([offer], 'yes please'))).toEqual([['create_support_ticket(1042)']]);
    expect(callNames(await shop.turn([offer, user('hi'), assistant('Hello!')], 'yes please'))).toEqual([]);
  });

  test('words of a customer are no offer', async () => {
    const shop = await createDemoShop();
    const context = [user('Would you like me to open a refund request for order #1001?'), assistant('Which order do you mean?')];
    expect(callNames(await shop.turn(context, 'yes please'))).toEqual([]);
  });

  test('any list of messages gives words or legal calls, and never a throw', async () => {
    const shop = await createDemoShop();
    const specs = shop.registry.specs();
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('yes please', 'refund 1042?', 'my other order?', '#5001', 'my ticket?', 'both', 'no', 'where is it?', ''),
    );
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: text }),
      fc.record({ role: fc.constant('user' as const), content: text, kind: fc.constantFrom('digest' as const, 'summary' as const) }),
      fc.record({
        role: fc.constant('assistant' as const),
        content: text,
        toolCalls: fc.array(
          fc.record({
            id: fc.constantFrom('a', 'b'),
            name: fc.constantFrom('list_orders', 'get_order', 'check_refund_eligibility'),
            arguments: fc.dictionary(fc.constantFrom('order_id'), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>,
          }),
          { maxLength: 2 },
        ),
      }),
      fc.record({ role: fc.constant('tool' as const), content: fc.oneof(text, fc.json()), toolCallId: fc.constantFrom('a', 'b') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 10 }), async (messages) => {
        const end = (await collect(model, messages, specs)).at(-1);
        if (end?.type !== 'model-end') throw new Error('the stream did not end');
        if (end.outcome === 'answered') expect(end.text.trim()).not.toBe('');
        else if (end.outcome === 'tool-calls') {
          expect(end.calls.length).toBeGreaterThan(0);
          const calls = end.calls.map(({ id, name, arguments: made }) => ({ id, name, arguments: made ?? {} }));
          const results = calls.map(({ id }): ContextMessage => ({ role: 'tool', content: '{}', toolCallId: id }));
          expect(checkHistory([user('q'), { role: 'assistant', content: '', toolCalls: calls }, ...results])).toEqual([]);
        } else expect(end.outcome).toBe('invalid-request');
      }),
      { numRuns: 120 },
    );
  });
});
