/** The bench's own parts: the harness form, the generator, and the checks that its numbers rest on. */
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../bench/chat-format.ts';
import { chain, turnsOf } from '../../../bench/conversations.ts';
import { generate } from '../../../bench/generator.ts';
import { identifiersIn } from '../../../bench/identifiers.ts';
import { strategies } from '../../../bench/memory-strategies.ts';
import { longDialogues } from '../../../bench/long-dialogues.ts';
import { plainBm25 } from '../../../bench/plain-bm25.ts';
import { emptyTotals, evidencePresent, holds, replay } from '../../../bench/replay.ts';
import { countTokens } from '../../../bench/tokens.ts';
import { parseBenchArguments } from '../../../bench/arguments.ts';

const { conversations, probes } = generate(3, 4);

describe('bench', () => {
  test('[MEM-24] every strategy answers in the harness form, sends stored messages as the same objects, and is never refused', async () => {
    for (const [name, strategy] of Object.entries(strategies)) {
      const totals = emptyTotals();
      const build = async (prior: readonly ChatMessage[], question: string, state: object): Promise<ChatMessage[]> => {
        const built = await strategy.buildContext(prior, question, { budgetTokens: 900, state: state as Record<string, unknown> });
        const stored = new Set(prior);
        for (const message of built) expect(stored.has(message) || message.role !== 'tool').toBe(true);
        return built;
      };
      for (const conversation of conversations.slice(0, 2)) await replay(conversation, { name, build }, totals);
      expect(totals.refusedCalls, totals.firstRefusal).toBe(0);
      expect(totals.calls).toBeGreaterThan(40);
      if (name === 'full-replay') expect([totals.carried, totals.far]).toEqual([totals.carriedOf, totals.farOf]);
    }
  });

  test('the same seed gives the same conversations, and probes point at what customers said', () => {
    expect(generate(3, 4)).toEqual({ conversations, probes });
    expect(probes.length).toBeGreaterThan(10);
    for (const probe of probes) expect(conversations[probe.conversation]?.messages[probe.evidence[0] ?? -1]?.role).toBe('user');
  });

  test('woven chains play first halves, then second halves, in whole turns', () => {
    const [woven] = chain(conversations, 40, 'woven');
    const [seq] = chain(conversations, 40, 'seq');
    expect(turnsOf(woven?.messages ?? [])).toHaveLength(40);
    expect(new Set(woven?.messages.map((message) => message.content))).toEqual(new Set(seq?.messages.map((message) => message.content)));
    expect(woven?.messages.map((message) => message.content)).not.toEqual(seq?.messages.map((message) => message.content));
  });

  test('identifiers are ids, addresses and amounts from 20 up, and are found as whole words', () => {
    const found = identifiersIn('Order #1043, card_4421486, NO6JO3, jo@mail.example, $1,250.00 and 19 on 2026-01-05 at 06:00');
    expect([...found].toSorted()).toEqual(['#1043', '1250', 'NO6JO3', 'card_4421486', 'jo@mail.example']);
    expect([holds('pay 386.80 now', '386.8'), holds('x1043', '#1043'), holds('(1043)', '#1043')]).toEqual([true, false, true]);
  });

  test('[MEM-24] [MEM-27] in a long dialogue the archive fills the budget, and finds more than plain BM25 over single messages', async () => {
    const made = longDialogues(11, 2);
    expect(longDialogues(11, 2)).toEqual(made);
    const asked = made.probes.filter((_probe, index) => index % 5 === 0);
    for (const budget of [1000, 3000]) {
      const found = { stable: 0, plain: 0, all: 0 };
      const plain = plainBm25(budget);
      for (const probe of asked) {
        const messages = made.conversations[probe.conversation]?.messages ?? [];
        const evidence = probe.evidence.flatMap((index) => messages[index] ?? []);
        const options = { budgetTokens: budget, countTokens, state: {} };
        const context = await strategies.stable.buildContext(messages, probe.question, options);
        const size = context.reduce((sum, message) => sum + countTokens(message.content ?? ''), 0);
        expect(size).toBeLessThanOrEqual(budget);
        expect(size).toBeGreaterThan((budget * 2) / 3);
        found.stable += evidencePresent(context, evidence);
        found.plain += evidencePresent(await plain.build(messages, probe.question, {}), evidence);
        found.all += evidence.length;
      }
      expect(found.all).toBeGreaterThan(20);
      expect(found.stable).toBeGreaterThan(found.plain);
      expect(found.stable / found.all).toBeGreaterThan(budget === 1000 ? 0.6 : 0.85);
    }
  });

  test('bad options say what to change', () => {
    expect(() => parseBenchArguments(['--how=diagonal'])).toThrow('--how is seq or woven');
    expect(() => parseBenchArguments(['--budget=many'])).toThrow('--budget needs a whole number');
    expect(parseBenchArguments([])).toMatchObject({ budgets: [1000, 3000, 8000], how: 'seq', json: false });
  });
});
