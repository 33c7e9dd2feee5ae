/** Strategy `stable`: prefix, budget, what survives, recall, pins; and the parts it is made of. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContextMessage, entryOfTurn } from '../../../shared/compaction.ts';
import type { StoredTurn } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import { ArchiveIndex } from '../../../electron/engine/memory/archive-index.ts';
import { digestTurn, shortenKeepingFacts } from '../../../electron/engine/memory/digest.ts';
import { scriptEstimator } from '../../../electron/engine/memory/estimate.ts';
import { factsOfJson, factsOfText } from '../../../electron/engine/memory/facts.ts';
import { stem } from '../../../electron/engine/memory/recall-terms.ts';
import { stable } from '../../../electron/engine/memory/stable.ts';
import { readState } from '../../../electron/engine/memory/stable-state.ts';
import type { MemoryInput, MemoryOutcome } from '../../../electron/engine/memory/strategy.ts';
import { checkHistory } from '../../../electron/models/history-rules.ts';
import {
  assistant,
  calls,
  historyArbitrary,
  inputFor,
  MINUTE,
  pin,
  readerOf,
  result,
  settingsWith,
  START,
  storedTurns,
  user,
} from './histories.ts';

/** Plays a conversation turn by turn as the engine does, the state stored as JSON text. */
async function play(
  turns: StoredTurn[],
  values: Partial<Settings> = {},
  options: { question?: (turn: number) => string; now?: (turn: number) => number; searchable?: boolean } = {},
) {
  const outcomes: MemoryOutcome[] = [];
  const archive = new ArchiveIndex();
  let state: unknown = null;
  for (let count = 0; count <= turns.length; count += 1) {
    const prior = turns.slice(0, count);
    const settings = settingsWith(values);
    const loaded = await stable.load(readerOf(prior).reader, state, settings, scriptEstimator);
    const first = loaded[0]?.turn ?? Number.POSITIVE_INFINITY;
    const question = options.question?.(count + 1) ?? turns[count]?.messages[0]?.content ?? 'And now?';
    const now = options.now?.(count + 1) ?? START + count * MINUTE;
    const input: MemoryInput = {
      ...inputFor(loaded, values),
      totalTurns: count,
      state,
      question,
      now,
      pinnedTurns: prior.filter((turn) => turn.pinned && turn.turn < first),
    };
    for (const turn of prior) archive.add(turn);
    const query = options.searchable === false ? null : (stable.query?.(input) ?? null);
    if (query !== null) {
      const hits = archive.search(query);
      input.recall = { hits, turns: prior.filter((turn) => hits.some((hit) => hit.turn === turn.turn)) };
    }
    const outcome = stable.plan(input);
    outcomes.push(outcome);
    state = JSON.parse(JSON.stringify(outcome.state)) as unknown;
  }
  return outcomes;
}

const text = (messages: readonly ContextMessage[]): string => messages.map((message) => message.content).join('\n');

/** A case whose payment id is looked up and never said, then many turns about other things. */
function refundThen(others: number) {
  const first = [
    user('I would like to return order 104377, the blue kettle.'),
    calls(['c1', 'get_order', { order_id: 104377 }]),
    result('c1', 'get_order', { order_id: 104377, payment_id: 'card_5551234', total: 58.9, email: 'jo@mail.example' }),
    assistant('Order 104377 can be returned. Shall I start the refund of €58.90?'),
  ];
  const chatter = Array.from({ length: others }, (_, index) => [
    user(`Something else, number ${index}: how do I change the colour of my account page?`),
    assistant(`Under Settings, then Colours, entry ${index}. ${'It is explained there at length. '.repeat(8)}`),
  ]);
  return [first, ...chatter];
}

describe('stable', () => {
  test('[MEM-23] between compactions every request extends the one before', async () => {
    const outcomes = await play(storedTurns(refundThen(60)), { 'memory.historyTokens': 1500 });
    let extended = 0;
    for (const [index, outcome] of outcomes.entries()) {
      const before = outcomes[index - 1];
      if (before === undefined || readState(before.state).throughTurn !== readState(outcome.state).throughTurn) continue;
      const start = outcome.plan.messages.slice(0, before.plan.messages.length);
      expect(JSON.stringify(start)).toBe(JSON.stringify(before.plan.messages));
      extended += 1;
    }
    expect(extended).toBeGreaterThan(30);
    expect(extended).toBeLessThan(60);
  });

  test('[MEM-24] the history stays within the budget, whatever the turns are, and is always valid', async () => {
    await fc.assert(
      fc.asyncProperty(
        historyArbitrary({ faults: true }, 18),
        fc.integer({ min: 150, max: 2500 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 18 }), { maxLength: 3 }),
        async (history, budget, pins) => {
          const turns = pin(storedTurns(history), ...pins);
          const before = JSON.stringify(turns);
          const outcomes = await play(turns, { 'memory.historyTokens': budget });
          for (const [count, { plan }] of outcomes.entries()) {
            expect(plan.tokens).toBeLessThanOrEqual(budget);
            expect(plan.budgetUsed).toBe(plan.tokens);
            expect(checkHistory([...plan.messages, user('And now?')])).toEqual([]);
            expect(plan.entries.map((entry) => entry.turn)).toEqual(turns.slice(0, count).map((turn) => turn.turn));
          }
          expect(JSON.stringify(turns)).toBe(before);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  });

  test('[MEM-25] what was looked up and never said survives for many turns, without any summariser', async () => {
    const outcomes = await play(storedTurns(refundThen(40)), { 'memory.historyTokens': 1500 }, { searchable: false });
    const last = outcomes.at(-1)?.plan;
    for (const fact of ['card_5551234', '104377', 'jo@mail.example', '58.9']) expect(text(last?.messages ?? [])).toContain(fact);
    expect(last?.entries[0]).toMatchObject({ turn: 1, disposition: 'compacted', setting: 'memory.historyTokens' });
  });

  test('[MEM-26] completed actions stay in the ledger, failed ones do not', async () => {
    const turns = storedTurns([
      [
        user('Cancel it please.'),
        calls(['a', 'cancel_order', { order_id: 1042 }]),
        result('a', 'cancel_order', { cancelled: true, reference: 'CX-77120' }),
        assistant('Cancelled.'),
      ],
      [
        user('And the other?'),
        calls(['b', 'cancel_order', { order_id: 1043 }]),
        result('b', 'cancel_order', { error: 'already sent' }),
        assistant('That one is on its way.'),
      ],
      ...refundThen(25),
    ]);
    const outcomes = await play(turns, { 'memory.historyTokens': 1200 });
    const ledger = outcomes.at(-1)?.plan.messages.find((message) => message.kind === 'ledger');
    expect(ledger).toMatchObject({ role: 'user' });
    expect(ledger?.content).toContain('1 cancel_order: 1042 CX-77120');
    expect(ledger?.content).not.toContain('1043');
    expect(digestTurn(turns[0] as StoredTurn, new Map([['cancel_order', 'read']])).actions).toEqual([]);
  });

  test('[MEM-27] "yes, go ahead" finds the case by the identifiers in play, directly before the question', async () => {
    const others = Array.from({ length: 120 }, (_, index) => [
      user(`And order ${500_000 + index * 7}?`),
      assistant(`Order ${500_000 + index * 7} has the reference RF-${index}71${index}.`),
    ]);
    const history = [...refundThen(0), ...others, [user('Back to the kettle.'), assistant('Shall I refund €58.90 for order 104377?')]];
    const turns = storedTurns(history);
    const [tight] = (
      await play(turns, { 'memory.historyTokens': 500 }, { question: (turn) => (turn > turns.length ? 'Yes, go ahead.' : 'Hm.') })
    ).slice(-1);
    const note = tight?.plan.messages.at(-1);
    expect(note).toMatchObject({ role: 'user', kind: 'recalled', trust: 'untrusted' });
    expect(note?.content).toContain('card_5551234');
    expect(tight?.plan.entries[0]).toMatchObject({ turn: 1, disposition: 'recalled' });
  });

  test('[MEM-27] a question in other word forms finds what was said long ago', async () => {
    const turns = storedTurns([
      [user('We are painting the kitchen, and my neighbour Marek takes parcels.'), assistant('Noted.')],
      ...refundThen(80),
    ]);
    const outcomes = await play(
      turns,
      { 'memory.historyTokens': 900 },
      { question: (turn) => (turn > turns.length ? 'Which neighbours could take a parcel, and who painted kitchens?' : 'Hm.') },
    );
    expect(outcomes.at(-1)?.plan.messages.at(-1)?.content).toContain('my neighbour Marek takes parcels');
  });

  test('[MEM-28] a recalled note stays where it was until the next compaction; one for a question that was never stored goes', async () => {
    const turns = storedTurns([[user('My neighbour Marek on the second floor takes parcels.'), assistant('Noted.')], ...refundThen(30)]);
    const asked = 'Which neighbour Marek on the second floor takes parcels?';
    const outcomes = await play(
      turns.slice(0, 31),
      { 'memory.historyTokens': 1500 },
      { question: (turn) => (turn === 31 ? asked : 'Hm.') },
    );
    const at = outcomes[30];
    const after = outcomes[31];
    expect(at?.plan.messages.at(-1)?.kind).toBe('recalled');
    if (readState(at?.state).throughTurn === readState(after?.state).throughTurn) {
      expect(after?.plan.messages[at?.plan.messages.length ? at.plan.messages.length - 1 : 0]).toEqual(at?.plan.messages.at(-1));
    }
    const again = stable.plan({
      ...inputFor(turns.slice(0, 30), { 'memory.historyTokens': 1500 }),
      totalTurns: 30,
      state: at?.state,
      question: 'Hm.',
      now: START + 31 * MINUTE,
    });
    expect(again.plan.messages.filter((message) => message.kind === 'recalled' && message.content.includes('Marek'))).toEqual([]);
  });

  test('[MEM-29] after a long silence the context is rewritten, because nothing is cached any more', async () => {
    const turns = storedTurns(refundThen(14));
    const quick = await play(turns, { 'memory.historyTokens': 3000 });
    const slow = await play(
      turns,
      { 'memory.historyTokens': 3000 },
      { now: (turn) => START + turn * MINUTE + (turn > turns.length ? 60 * MINUTE : 0) },
    );
    const through = (outcomes: MemoryOutcome[]): number => readState(outcomes.at(-1)?.state).throughTurn;
    expect(through(slow)).toBeGreaterThan(through(quick));
    expect(slow.at(-1)?.plan.tokens ?? 0).toBeLessThan(quick.at(-1)?.plan.tokens ?? 0);
  });

  test('[MEM-5] a pinned turn stays in full; one that cannot fit says so', async () => {
    const turns = pin(storedTurns(refundThen(40)), 1);
    const plan = (await play(turns, { 'memory.historyTokens': 1200 })).at(-1)?.plan;
    expect(plan?.entries[0]).toMatchObject({ disposition: 'full', pinned: true });
    expect(plan?.messages.filter((message) => message.turn === 1)).toHaveLength(4);
    const big = pin(storedTurns([[user('Long'), assistant('word '.repeat(3000))], ...refundThen(5)]), 1);
    expect(
      (await play(big, { 'memory.historyTokens': 1200 })).some((outcome) =>
        outcome.plan.notices.join(' ').includes('Turn 1 is pinned but does not fit'),
      ),
    ).toBe(true);
  });

  test('[MEM-6] reads back to the last compaction, and not further than digests can hold without one', async () => {
    const turns = storedTurns(refundThen(3000));
    const { reader, taken } = readerOf(turns);
    const loaded = await stable.load(reader, null, settingsWith({ 'memory.historyTokens': 1000 }), scriptEstimator);
    expect(taken()).toBeLessThan(300);
    const state = stable.plan({ ...inputFor(loaded, { 'memory.historyTokens': 1000 }) }).state;
    const second = readerOf(turns);
    await stable.load(second.reader, state, settingsWith({ 'memory.historyTokens': 1000 }), scriptEstimator);
    expect(second.taken()).toBeLessThan(12);
  });

  test('[MEM-7] a canned answer is no fact', () => {
    const [turn] = storedTurns([[user('Where is 104377?'), assistant('Sorry, please try again, incident 998877.', 'failed')]]);
    const digest = digestTurn(turn as StoredTurn);
    expect(digest.text).toContain('a failure on our side');
    expect(digest.facts.map((fact) => fact.text)).toEqual(['104377']);
  });

  test('[MEM-8] a turn that is neither sent nor noted says that the digests are over the budget', async () => {
    const turns = storedTurns(
      Array.from({ length: 150 }, (_, index) => [
        user(`Order ${500_000 + index} and ${700_000 + index}?`),
        assistant(`Reference RF-${index}00${index} for €${index + 30}.50`),
      ]),
    );
    const plan = (await play(turns, { 'memory.historyTokens': 600 }, { searchable: false })).at(-1)?.plan;
    expect(plan?.entries[0]).toMatchObject({ disposition: 'dropped', setting: 'memory.historyTokens', tokens: 0 });
    expect(plan?.entries[0]?.reason).toContain('archive');
  });

  test('[MEM-8] a very long conversation has one entry for the turns far back, and every turn has its verdict', async () => {
    const turns = storedTurns(refundThen(1500));
    const loaded = await stable.load(readerOf(turns).reader, null, settingsWith({ 'memory.historyTokens': 800 }), scriptEstimator);
    const { plan } = stable.plan(inputFor(loaded, { 'memory.historyTokens': 800 }));
    expect(plan.entries.length).toBeLessThan(600);
    expect(plan.entries[0]).toMatchObject({ turn: 1, disposition: 'dropped', tokens: 0 });
    for (const turn of [1, 2, 700, 1000, 1001, 1002, 1400, 1501]) expect(entryOfTurn(plan, turn)).toBeDefined();
    expect(entryOfTurn(plan, 1501)?.disposition).toBe('full');
    expect(entryOfTurn(plan, 1502)).toBeUndefined();
    const told = plan.entries.map((entry) => [entry.turn, entry.throughTurn ?? entry.turn]);
    for (const [index, [turn]] of told.entries()) expect(turn).toBe((told[index - 1]?.[1] ?? 0) + 1);
  });

  test('a state of another form starts afresh', () => {
    const turns = storedTurns(refundThen(3));
    for (const state of [undefined, 7, 'x', [], { format: 99 }, { format: 1, throughTurn: 'no' }]) {
      expect(stable.plan(inputFor(turns, {}, { state })).plan.messages).toHaveLength(10);
    }
  });
});

describe('facts and digests', () => {
  test('[MEM-25] facts of texts in several languages', () => {
    const facts = (value: string): string[] => factsOfText(value).map((fact) => `${fact.kind} ${fact.text}`);
    expect(facts('Order #1043 cost $1,250.00 on May 20th, mail Jo@mail.example by 2026-01-31.')).toEqual([
      'id #1043',
      'amount $1,250.00',
      'date May 20th',
      'email Jo@mail.example',
      'date 2026-01-31',
    ]);
    expect(facts('注文104377は2026年5月20日に58円で')).toEqual(['id 104377', 'date 2026年5月20日', 'amount 58円']);
    expect(facts('Rechnung INV-2026-0071 über 19,90 € am 3. Mai')).toEqual(expect.arrayContaining(['id INV-2026-0071', 'amount 19,90 €']));
    expect(facts('The 20th time, 14 days, at 06:00, v2, h1')).toEqual([]);
    expect(facts('Your reservation ID is **HATHAT**, I COULD swear.')).toEqual(['id HATHAT']);
  });

  test('[MEM-25] facts of a JSON result: ids by key or form, amounts, dates, statuses', () => {
    const facts = factsOfJson({
      payment_methods: { card_5551234: { last_four: '7447' } },
      code: 'ABC',
      seats: 3,
      price: 9,
      total: 250,
      when: '2026-01-05',
      status: 'open',
      note: null,
    });
    expect(facts.map((fact) => `${fact.kind} ${fact.text}`)).toEqual([
      'id card_5551234',
      'id 7447',
      'id ABC',
      'amount 9',
      'amount 250',
      'date 2026-01-05',
      'status open',
    ]);
  });

  test('[MEM-25] facts never throw, whatever the value, and deep nesting is no limit', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(Array.isArray(factsOfJson(value))).toBe(true);
      }),
    );
    let deep: unknown = 'card_5551234';
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(factsOfJson(deep).map((fact) => fact.text)).toEqual(['card_5551234']);
  });

  test('[MEM-10] [MEM-25] a shortened text keeps the facts behind the cut and stays well-formed', () => {
    const long = `${'👩‍👩‍👧‍👦 words '.repeat(30)} order 104377 for €58.90`;
    const short = shortenKeepingFacts(long, 100);
    expect(short).toContain('104377');
    expect(short).toContain('€58.90');
    expect(short.isWellFormed()).toBe(true);
    expect(short.length).toBeLessThan(140);
  });

  test('[MEM-25] a digest is the same every time and names each call with what it returned', () => {
    const [turn] = storedTurns(refundThen(0));
    const digest = digestTurn(turn as StoredTurn);
    expect(digest.text.split('\n')).toEqual([
      '1 C: I would like to return order 104377, the blue kettle.',
      ' get_order(): card_5551234 jo@mail.example',
      ' N: Order 104377 can be returned. Shall I start the refund of €58.90?',
    ]);
    expect(digestTurn(turn as StoredTurn)).toEqual(digest);
  });
});

describe('archive', () => {
  test('[MEM-27] word forms share a stem', () => {
    for (const words of [
      ['painting', 'painted', 'paints', 'paint'],
      ['cities', 'city'],
      ['planned', 'plan', 'planning'],
      ['bought', 'buy', 'buying'],
      ['called', 'calls', 'call'],
      ['took', 'taking', 'take'],
    ]) {
      expect(new Set(words.map(stem)).size).toBe(1);
    }
    expect(stem('bus')).toBe('bus');
    expect(stem('返金')).toBe('返金');
  });

  test('[MEM-27] finds Japanese text, ids in results and dates; the answer stands beside what was asked', () => {
    const turns = storedTurns([
      [user('ヘッドホンが壊れました。'), assistant('保証書はありますか。')],
      [
        user('Any news?'),
        calls(['a', 'get_order', { order_id: 1 }]),
        result('a', 'get_order', { tracking: 'TRK9911' }),
        assistant('It is on its way.'),
      ],
      [user('What do you play in the evening?'), assistant('Mostly the cello.')],
      ...Array.from({ length: 20 }, (_, index) => [user(`Hello ${index}`), assistant('Hello')]),
    ]);
    const archive = new ArchiveIndex();
    for (const turn of turns) archive.add(turn);
    const find = (question: string, inPlay: string[] = []) =>
      archive.search({ question, inPlay, throughTurn: 99, limit: 5 }).map((hit) => hit.turn);
    expect(find('壊れたヘッドホン')[0]).toBe(1);
    expect(find('Yes', ['TRK9911'])[0]).toBe(2);
    expect(find('What is played in the evenings?')[0]).toBe(3);
    expect(find('what is it')).toEqual([]);
    expect(archive.search({ question: 'cello', inPlay: [], throughTurn: 2, limit: 5 })).toEqual([]);
    archive.add(turns[0] as StoredTurn);
    expect(archive.newestTurn).toBe(23);
  });
});
