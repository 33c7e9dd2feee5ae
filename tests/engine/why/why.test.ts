/** Why the model did or did not see a text: verdicts against the exact requests. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../electron/engine/ports.ts';
import { foldText, textMatcher } from '../../../electron/engine/why/text-match.ts';
import type { StoredMessage, StrategyName } from '../../../shared/conversation.ts';
import type { Settings } from '../../../shared/settings.ts';
import { createManualTools } from '../../fakes/manual-tools.ts';
import { answer, call, calls } from '../../fakes/scripted-model.ts';
import type { ScriptEntry } from '../../fakes/scripted-model.ts';
import { settle } from '../../fakes/virtual-clock.ts';
import { createEngine } from '../engine-fixture.ts';
import type { Engine } from '../engine-fixture.ts';

/** Small seeded generator (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const TURNS = 24;
const WORDS = 'parcel invoice Grüße refund Lieferung address warranty 返品 tracking colour size voucher étiquette label swap'.split(' ');

/** Turns with and without a lookup, each with words and ids of its own. */
async function converse(settings: Partial<Settings>, seed: number): Promise<Engine> {
  const next = random(seed);
  const phrase = (length: number): string => Array.from({ length }, () => WORDS[Math.floor(next() * WORDS.length)] ?? '').join(' ');
  const script: ScriptEntry[] = [];
  const tools = createManualTools({ look: 'read' });
  for (let turn = 1; turn <= TURNS; turn += 1) {
    if (turn % 3 === 0) script.push(calls(call('look', { order_id: 1000 + turn })));
    script.push(answer(`Answer ${turn}: ${phrase(14)} until 2026-0${(turn % 9) + 1}-11.`));
  }
  const engine = await createEngine({ script, tools, settings });
  engine.model.answerHelpers(() => answer('They talked about several parcels.'));
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await engine.ask(`Question ${turn}: ${phrase(9)} for order #${1000 + turn}?`);
    if (turn % 3 !== 0) continue;
    tools.waiting.at(-1)?.answer({ order_id: 1000 + turn, payment: `PAY-${7000 + turn}-X`, note: phrase(8) });
    await settle();
  }
  expect(engine.model.problems()).toEqual([]);
  return engine;
}

/** Everything a model reads of a request, written anew here. */
function textsOf(request: ModelRequest): string[] {
  const messages = request.messages.map((message) =>
    [message.content, ...(message.toolCalls ?? []).map((each) => ` ${each.name} ${JSON.stringify(each.arguments)}`)].join(''),
  );
  return [
    request.system,
    ...request.tools.map((tool) => `${tool.name} ${tool.description} ${JSON.stringify(tool.parameters)}`),
    ...messages,
  ];
}

function presentIn(request: ModelRequest, text: string): boolean {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
  return textsOf(request).some((each) =>
    each.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').includes(folded),
  );
}

/** The last request of each turn. */
function lastRequests(requests: readonly ModelRequest[]): Map<number, ModelRequest> {
  return new Map(requests.map((request) => [Math.max(...request.messages.map((message) => message.turn ?? 0)), request]));
}

function probe(next: () => number, messages: readonly StoredMessage[]): string {
  const pick = next();
  if (pick < 0.1) return `never said ${Math.floor(next() * 1e6)} qqq`;
  if (pick < 0.2) return ['Nimbus', 'customer', 'order', 'refund'][Math.floor(next() * 4)] ?? 'order';
  const message = messages[Math.floor(next() * messages.length)];
  const text = message === undefined || message.content === '' ? 'look' : message.content;
  const start = Math.floor(next() * Math.max(1, text.length - 12));
  const cut = text.slice(start, start + 6 + Math.floor(next() * 24)).trim();
  return cut === '' ? 'parcel' : pick < 0.6 ? cut : cut.toUpperCase();
}

const SETTINGS: [StrategyName, Partial<Settings>][] = [
  ['recent-turns', { 'memory.maxChars': 2500 }],
  ['recent-turns', {}],
  ['summary', { 'memory.maxHistoryTokens': 400 }],
  ['stable', { 'memory.historyTokens': 500 }],
];

describe('[MEM-8] the verdict', () => {
  it.each(SETTINGS)('equals presence in the exact request, 250 seeded probes of %s %o', async (strategy, settings) => {
    const engine = await converse({ ...settings, 'memory.strategy': strategy }, strategy.length + Object.keys(settings).length);
    const messages = (await engine.service.call('openConversation', { conversationId: engine.conversationId })).messages;
    const requests = lastRequests(engine.model.requests);
    const next = random(99);
    for (let round = 0; round < 250; round += 1) {
      const text = probe(next, messages);
      const turn = 1 + Math.floor(next() * TURNS);
      const request = requests.get(turn);
      if (request === undefined) throw new Error(`no request of turn ${turn}`);
      const why = await engine.service.call('explainAbsence', { conversationId: engine.conversationId, text, turn });
      expect([text, turn, why.seen, why.findings]).toEqual([text, turn, presentIn(request, text), why.findings]);
      expect(why.seen).toBe(why.findings.some((finding) => finding.sent));
      for (const { disposition, sent } of why.findings)
        expect([disposition, sent]).not.toEqual([
          ['dropped', 'filtered', 'redacted', 'later', 'never', 'erased'].includes(disposition) ? disposition : '',
          true,
        ]);
    }
  });
});

async function ask(engine: Engine, text: string, turn?: number) {
  const params = { conversationId: engine.conversationId, text, ...(turn !== undefined && { turn }) };
  const { findings } = await engine.service.call('explainAbsence', params);
  return findings.map(({ where, turn: at, disposition, setting }) => [where, at, disposition, setting]);
}

describe('each reason', () => {
  it('in full, as question and answer, filtered, dropped by budget, said later, never said', async () => {
    const engine = await converse({ 'memory.strategy': 'recent-turns', 'memory.maxChars': 2500 }, 5);
    expect(await ask(engine, 'order #1024')).toEqual([['history', 24, 'full', 'memory.recentTurns']]);
    expect(await ask(engine, 'order #1022')).toEqual([['history', 22, 'compacted', 'memory.recentTurns']]);
    expect(await ask(engine, 'PAY-7021-X')).toEqual([['history', 21, 'filtered', 'memory.recentTurns']]);
    expect(await ask(engine, 'order #1002')).toEqual([['history', 2, 'dropped', 'memory.maxChars']]);
    expect(await ask(engine, 'order #1007', 3)).toEqual([['history', 7, 'later', null]]);
    expect(await ask(engine, 'Answer 7:', 7)).toEqual([['history', 7, 'later', null]]);
    expect(await ask(engine, 'order #1007', 7)).toEqual([['history', 7, 'full', null]]);
    expect(await ask(engine, 'no such words')).toEqual([['nowhere', null, 'never', null]]);
    expect((await ask(engine, 'Nimbus')).slice(0, 1)).toEqual([['prompt', null, 'full', null]]);
  });

  it('redacted', async () => {
    const script = [answer('One.'), answer('Two.')];
    const engine = await createEngine({ script, settings: { 'privacy.redact': true, 'memory.strategy': 'recent-turns' } });
    await engine.ask('write to jo@mail.example');
    await engine.ask('did you?');
    const redacted = [['history', 1, 'redacted', 'privacy.redact']];
    expect(await ask(engine, 'jo@mail.example', 1)).toEqual(redacted);
    expect(await ask(engine, 'jo@mail.example', 2)).toEqual(redacted);
    expect(await ask(engine, 'jo@mail.example')).toEqual(redacted);
  });

  it('queued words wait; a turn without a request and a turn that is not there are named', async () => {
    const engine = await createEngine({ script: [[new Promise(() => undefined)]] });
    await engine.ask('first');
    await engine.ask('second canary');
    expect(await ask(engine, 'second canary')).toEqual([['queued', null, 'later', null]]);
    await expect(ask(engine, 'x', 9)).rejects.toMatchObject({ code: 'not-found' });
    const text = '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]}';
    const { ids } = await engine.service.call('importConversations', { text });
    const imported = engine.service.call('explainAbsence', { conversationId: ids[0] ?? '', text: 'hi', turn: 1 });
    await expect(imported).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('sent no request') });
  });
});

describe('matching', () => {
  it.each([
    ['ＧＲÜSSE', 'viele Grüsse aus Köln'],
    ['cafe', 'Un CAFÉ, s’il vous plaît'],
    ['DE89 3704', 'iban de893704'],
    ['pay70211x', 'PAY-7021-1X'],
    ['two  words', 'Two\nwords'],
    ['ﾊﾝﾄﾞ', 'ハンドバッグ'],
  ])('%s is found in %s', (wanted, text) => {
    expect(textMatcher(wanted)(text)).toBe(true);
  });

  it.each([
    ['1043', '21-0439'],
    ['', 'anything'],
    ['order 1043', 'order 104 3'],
  ])('%s is not found in %s', (wanted, text) => {
    expect(textMatcher(wanted)(text)).toBe(false);
  });

  it('folds to one form', () => {
    expect(foldText('  Ｃａｆé \n LAIT ')).toBe('cafe lait');
  });
});
