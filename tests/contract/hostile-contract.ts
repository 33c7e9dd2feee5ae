/** Does I/O through the store under test: every text comes back byte for byte, every id stays distinct. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIFFERENT_IDS, HOSTILE } from './hostile-strings.ts';
import { answer, conversation, incoming, nextId, question, run, span, START, toolResult } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

export function hostileContract(getStore: GetStore): void {
  test('every hostile text survives as message, call, result, provider message, draft, state, title and error', async () => {
    const { conversations } = getStore();
    for (const { text, expected } of HOSTILE) {
      const created = await conversations.create(
        conversation({ title: text, tenant: 'shop', subject: { type: 't', id: text.slice(0, 50) } }),
      );
      const { id } = created;
      expect(created.title).toBe(expected);
      await conversations.saveDraft(id, text, START);
      await conversations.writeMemoryState(id, { strategy: 'stable', json: JSON.stringify({ text: expected }) });
      const runId = nextId('run');
      await conversations.accept(incoming(id, question(text), runId));
      await conversations.accept(incoming(id, question(text)));
      const calls = [{ id: 'call', name: 'tool', arguments: { [`key ${text.slice(0, 20)}`.toWellFormed()]: [text] } }];
      const body = JSON.stringify({ text: expected });
      await conversations.append(id, 1, runId, [
        answer(text, { toolCalls: calls, providerRaw: { provider: 'p', model: 'm', body } }),
        toolResult('call', text),
      ]);
      await conversations.saveStreamedText(id, 1, runId, text);
      expect(await conversations.readStreamedText(id, 1)).toBe(expected);
      const error = { code: 'internal', message: text, retryable: false } as const;
      await conversations.endTurn(id, 1, runId, { state: 'failed', outcome: 'api-error', error, at: START, messages: [] });
      const turn = await conversations.readTurn(id, 1);
      expect(turn?.messages.map((message) => message.content)).toEqual([expected, expected, expected]);
      const [key, value] = Object.entries(turn?.messages[1]?.toolCalls?.[0]?.arguments ?? {})[0] ?? [];
      expect([key, value]).toEqual([`key ${text.slice(0, 20)}`.toWellFormed(), [expected]]);
      expect(turn?.messages[1]?.providerRaw?.body).toBe(body);
      expect(turn?.error?.message).toBe(expected);
      expect(await conversations.readDraft(id)).toBe(expected);
      expect((await conversations.listQueued(id))[0]?.text).toBe(expected);
      expect((await conversations.readMemoryState(id, 'stable'))?.json).toBe(JSON.stringify({ text: expected }));
    }
  });

  test('any text at all comes back, with lone surrogates replaced', async () => {
    const { conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const runId = nextId('run');
    await conversations.accept(incoming(id, question('hello'), runId));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const [stored] = await conversations.append(id, 1, runId, [answer(content)]);
        expect(stored?.content).toBe(content.toWellFormed());
        expect((await conversations.readTurn(id, 1))?.messages.at(-1)).toEqual(stored);
      }),
      { numRuns: 60 },
    );
  });

  test('any JSON comes back from arguments and span details', async () => {
    const { conversations, traces } = getStore();
    const { id } = await conversations.create(conversation());
    const runId = nextId('run');
    await conversations.accept(incoming(id, question('hello'), runId));
    await traces.saveRun(run(id, { id: runId }));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        const call = { id: nextId('call'), name: 'tool', arguments: { value } };
        const [stored] = await conversations.append(id, 1, runId, [answer('', { toolCalls: [call] })]);
        expect(stored?.toolCalls?.[0]?.arguments).toEqual({ value: json });
        const each = span(runId);
        await traces.save({ spans: [each], events: [], details: [{ spanId: each.id, request: value, response: [value] }] });
        expect(await traces.readDetail(each.id)).toEqual({ spanId: each.id, request: json, response: [json] });
      }),
      { numRuns: 40 },
    );
  });

  test('an argument named __proto__ is an argument', async () => {
    const { conversations } = getStore();
    const { id } = await conversations.create(conversation());
    await conversations.accept(incoming(id, question('hello'), 'run'));
    const toolCalls = [{ id: 'c', name: 't', arguments: JSON.parse('{"__proto__":{"a":1},"b":2}') as Record<string, unknown> }];
    await conversations.append(id, 1, 'run', [answer('', { toolCalls })]);
    const back = (await conversations.readTurn(id, 1))?.messages[1]?.toolCalls?.[0]?.arguments;
    expect(JSON.stringify(back)).toBe('{"__proto__":{"a":1},"b":2}');
  });

  describe('ids that look alike', () => {
    test.each(DIFFERENT_IDS)('%j and %j are different messages, preferences, articles and customers', async (one, two) => {
      const { conversations, preferences, shop } = getStore();
      const { id } = await conversations.create(conversation());
      await conversations.accept(incoming(id, question('hello'), 'run'));
      await conversations.append(id, 1, 'run', [answer('1', { id: one }), answer('2', { id: two })]);
      expect((await conversations.readTurn(id, 1))?.messages.map((message) => message.id).slice(1)).toEqual([one, two]);
      await preferences.write(one, '1');
      await preferences.write(two, '2');
      expect([await preferences.read(one), await preferences.read(two)]).toEqual(['1', '2']);
      const article = { title: 't', body: 'b', source: 'seed' };
      await shop.changeArticles({ put: [one, two].map((each) => ({ id: each, ...article })), remove: [] });
      await shop.changeArticles({ put: [], remove: [one] });
      const ids = (await shop.articles()).map((each) => each.id);
      expect([ids.includes(one), ids.includes(two)]).toEqual([false, true]);
    });
  });

  test('instants keep their milliseconds, around the change of clocks and after 2038', async () => {
    const { conversations } = getStore();
    for (const instant of [
      '2026-03-29T01:30:00.123Z',
      '2026-10-25T01:30:00.001Z',
      '2038-01-19T03:14:08.999Z',
      '2001-01-01T00:00:00.000Z',
    ]) {
      const at = Date.parse(instant);
      const { id } = await conversations.create(conversation({ at }));
      await conversations.accept(incoming(id, question('hello', { at: at + 1 }), 'run'));
      expect((await conversations.get(id))?.createdAt).toBe(at);
      expect((await conversations.readTurn(id, 1))?.messages[0]?.at).toBe(at + 1);
    }
  });
}
