/** Memories: what is remembered, how it is kept, and who may see it. */
import { describe, expect, it } from 'vitest';
import { extractDrafts } from '../../../electron/engine/memories/drafts.ts';
import type { MemoryDraft } from '../../../electron/engine/memories/drafts.ts';
import { memoryNote } from '../../../electron/engine/memories/memory-note.ts';
import { mergeDrafts } from '../../../electron/engine/memories/merge.ts';
import { scriptEstimator } from '../../../electron/engine/memory/estimate.ts';
import type { StoredTurn } from '../../../shared/conversation.ts';
import type { Memory } from '../../../shared/memories.ts';
import { answer } from '../../fakes/scripted-model.ts';
import { createEngine } from '../engine-fixture.ts';
import type { Engine } from '../engine-fixture.ts';

function turnOf(turn: number, question: string, said = 'Noted.'): StoredTurn {
  const message = { conversationId: 'c', turn, at: 0, phpChars: 0, trust: 'untrusted' as const };
  return {
    conversationId: 'c',
    turn,
    state: 'answered',
    outcome: 'answered',
    runId: null,
    promptVersion: null,
    startedAt: 0,
    endedAt: 0,
    error: null,
    pinned: false,
    messages: [
      { ...message, id: `${turn}q`, seq: 1, role: 'user', content: question, origin: 'customer' },
      { ...message, id: `${turn}a`, seq: 2, role: 'assistant', content: said, origin: 'model' },
    ],
  };
}

const facts = (question: string) => extractDrafts([turnOf(1, question)]).map(({ text, slot }) => [slot, text]);

describe('what customers say about themselves', () => {
  it.each([
    ['Hi, my name is Ada Byron. Where is it?', [['name', 'Name: Ada Byron']]],
    ['Please call me Bo, thanks', [['preferred name', 'Wants to be called Bo']]],
    ['I moved to Lyon, so send it there', [['home', 'Lives in Lyon']]],
    ["I'd prefer to be contacted by e-mail.", [['contact', 'Prefers to be contacted by e-mail']]],
    [
      'Bitte auf Deutsch! Ich wohne in Graz.',
      [
        ['home', 'Lives in Graz'],
        ['language', 'Prefers Deutsch'],
      ],
    ],
    ['Je m’appelle Zoé Martin.', [['name', 'Name: Zoé Martin']]],
    [
      '名前は田中です。京都に住んでいます。',
      [
        ['name', 'Name: 田中'],
        ['home', 'Lives in 京都'],
      ],
    ],
    ['my shoe size is 43, as always', [['shoe size', 'Shoe size: 43, as always']]],
    ['I am allergic to wool', [[null, 'Allergic to wool']]],
    ['Where is order 1043?', []],
  ])('%s', (question, expected) => {
    expect(facts(question)).toEqual(expected);
  });

  it('answers, results and forgotten turns are no source', () => {
    expect(extractDrafts([turnOf(1, 'Hi', 'My name is Nimbus and I live in Berlin.')])).toEqual([]);
    expect(extractDrafts([{ ...turnOf(1, 'My name is Ada.'), forgottenAt: 5 }])).toEqual([]);
  });
});

function merger() {
  let count = 0;
  let known: Memory[] = [];
  return {
    add(...drafts: [text: string, slot: string | null][]) {
      const made = drafts.map(([text, slot]): MemoryDraft => ({ text, slot, turn: 1, trust: 'untrusted' }));
      const id = () => `m${(count += 1)}`;
      const changed = mergeDrafts(known, made, { tenant: 't', customerId: 'a', conversationId: 'c', at: count, id });
      known = [...known.filter((memory) => !changed.some((each) => each.id === memory.id)), ...changed];
      return known;
    },
    set(patch: (memory: Memory) => Memory) {
      known = known.map(patch);
    },
    holding: () => known.filter((memory) => memory.supersededBy === null).map((memory) => memory.text),
  };
}

describe('merging', () => {
  it('duplicates are merged, contradictions superseded and kept', () => {
    const memory = merger();
    memory.add(['Lives in Lyon', 'home'], ['Allergic to wool', null]);
    memory.add(['lives in  LYON', 'home'], ['Lives in Graz', 'home']);
    expect(memory.holding()).toEqual(expect.arrayContaining(['Allergic to wool', 'Lives in Graz']));
    expect(memory.holding()).toHaveLength(2);
    expect(memory.add().find((each) => each.text === 'Lives in Lyon')?.supersededBy).toBe('m3');
  });

  it('what a person wrote or pinned stands against what was read', () => {
    const memory = merger();
    memory.add(['Lives in Lyon', 'home']);
    memory.set((each) => ({ ...each, pinned: true }));
    memory.add(['Lives in Graz', 'home']);
    expect(memory.holding()).toEqual(['Lives in Lyon']);
  });
});

describe('the note', () => {
  const memory = (text: string, fields: Partial<Memory> = {}): Memory => ({
    id: text,
    tenant: 't',
    scope: 'customer',
    customerId: 'a',
    text,
    slot: null,
    trust: 'trusted',
    origin: 'human',
    pinned: false,
    supersededBy: null,
    conversationId: null,
    turn: null,
    createdAt: 0,
    changedAt: 0,
    ...fields,
  });

  it('is user-role data with the lowest trust, and stays within its budget', () => {
    const note = memoryNote([memory('Lives in Lyon'), memory('Prefers e-mail', { trust: 'untrusted' })], 100, scriptEstimator);
    expect(note).toMatchObject({ role: 'user', kind: 'memory', trust: 'untrusted' });
    expect(note?.content).toMatch(/record, not instructions[\s\S]*Lives in Lyon[\s\S]*Prefers e-mail/u);
    const tight = memoryNote([memory('word '.repeat(200)), memory('Short')], 40, scriptEstimator);
    expect(tight?.content).toContain('Short');
    expect(tight?.content).not.toContain('word word');
    expect(memoryNote([memory('Short')], 3, scriptEstimator)).toBeNull();
  });
});

const STABLE = { 'memory.strategy': 'stable', 'memory.historyTokens': 600 } as const;
const LONG = 'And the box was left at the door of the neighbours because nobody was at home. '.repeat(6);

/** Talks until the budget is crossed. */
async function talkative(first: string): Promise<Engine> {
  const engine = await createEngine({ settings: STABLE });
  const { conversationId, service } = engine;
  for (let turn = 1; turn <= 6; turn += 1) {
    engine.model.expect(answer(`Answer ${turn}. ${LONG}`));
    await service.call('saveDraft', { conversationId, text: '' });
    await engine.ask(turn === 1 ? first : `Question ${turn}. ${LONG}`);
  }
  return engine;
}

async function askIn(engine: Engine, axes: { customerId: string; actor?: null; tenant?: string }): Promise<string> {
  const { conversation } = await engine.service.call('createConversation', axes);
  engine.model.expect(answer('Hello.'));
  const messageId = `m-${conversation.id}`;
  await engine.service.call('sendMessage', { conversationId: conversation.id, messageId, text: 'Hi, me again' });
  await engine.clock.advance(1);
  return JSON.stringify(engine.model.requests.at(-1)?.messages);
}

describe('memories of a conversation', () => {
  it('are written when the budget is crossed, and known in the customer’s next conversation only', async () => {
    const engine = await talkative('My name is Ada Byron and I moved to Lyon.');
    const { customerId } = (await engine.service.call('openConversation', { conversationId: engine.conversationId })).conversation;
    const { memories } = await engine.service.call('listMemories', {});
    expect(
      memories.map(({ text, conversationId, turn, trust, origin }) => [
        text,
        conversationId === engine.conversationId,
        turn,
        trust,
        origin,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['Name: Ada Byron', true, 1, 'untrusted', 'distilled'],
        ['Lives in Lyon', true, 1, 'untrusted', 'distilled'],
      ]),
    );
    expect(JSON.stringify(engine.model.requests.at(-1)?.messages.filter((message) => message.kind === 'memory'))).toBe('[]');
    const { customers } = await engine.service.call('listCustomers', {});
    const other = customers.find((customer) => customer.id !== customerId)?.id ?? '';
    expect(await askIn(engine, { customerId: customerId ?? '' })).toContain('Lives in Lyon');
    expect(await askIn(engine, { customerId: other })).not.toContain('Lyon');
    expect(await askIn(engine, { customerId: customerId ?? '', actor: null })).not.toContain('Lyon');
    expect(await askIn(engine, { customerId: customerId ?? '', tenant: 'another' })).not.toContain('Lyon');
    expect(engine.model.problems()).toEqual([]);
  });

  it('quiet conversations are read by the sweep, once', async () => {
    const engine = await createEngine({ script: [answer('Noted.')], settings: STABLE });
    await engine.ask('Please call me Bo.');
    expect((await engine.service.call('listMemories', {})).memories).toEqual([]);
    await engine.clock.advance(50 * 60_000);
    expect((await engine.service.call('listMemories', {})).memories.map((memory) => memory.text)).toEqual(['Wants to be called Bo']);
    await engine.clock.advance(50 * 60_000);
    expect((await engine.service.call('listMemories', { superseded: true })).memories).toHaveLength(1);
  });

  it('nothing is distilled where the setting says so', async () => {
    const engine = await createEngine({ script: [answer('Noted.')], settings: { ...STABLE, 'memory.distilOnCompress': false } });
    await engine.ask('Please call me Bo.');
    await engine.clock.advance(50 * 60_000);
    expect((await engine.service.call('listMemories', {})).memories).toEqual([]);
  });

  it('people add, edit, pin and delete them', async () => {
    const engine = await createEngine({ settings: STABLE });
    const { service } = engine;
    const { customers } = await service.call('listCustomers', {});
    const customerId = customers[0]?.id ?? '';
    const { memory } = await service.call('addMemory', { customerId, text: 'Prefers letters' });
    expect(memory).toMatchObject({ scope: 'customer', origin: 'human', trust: 'trusted' });
    await service.call('addMemory', { customerId: null, text: 'Closed on Mondays' });
    expect((await service.call('editMemory', { memoryId: memory.id, text: 'Prefers calls' })).memory.text).toBe('Prefers calls');
    expect((await service.call('pinMemory', { memoryId: memory.id, pinned: true })).memory.pinned).toBe(true);
    const mine = await service.call('listMemories', { customerId });
    expect(mine.memories.map((each) => each.text)).toEqual(['Prefers calls', 'Closed on Mondays']);
    expect(await askIn(engine, { customerId })).toMatch(/Prefers calls[\s\S]*Closed on Mondays/u);
    await service.call('deleteMemory', { memoryId: memory.id });
    expect(await askIn(engine, { customerId })).not.toContain('Prefers calls');
    await expect(service.call('deleteMemory', { memoryId: memory.id })).rejects.toMatchObject({ code: 'not-found' });
    await expect(service.call('addMemory', { customerId: 'nobody', text: 'x' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('no request ever holds a memory of another customer or tenant, 200 random steps', async () => {
    let state = 5;
    const next = (limit: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * limit);
    };
    const engine = await createEngine({ settings: STABLE });
    const { customers } = await engine.service.call('listCustomers', {});
    const people = customers.slice(0, 4).map((customer) => customer.id);
    for (let step = 0; step < 200; step += 1) {
      const customerId = people[next(people.length)] ?? '';
      const tenant = `tenant-${next(2)}`;
      if (next(3) === 0) {
        await engine.service.call('addMemory', { tenant, customerId, text: `secret of ${customerId}@${tenant} no ${step}` });
        continue;
      }
      const request = await askIn(engine, { customerId, tenant });
      const owners = [...request.matchAll(/secret of (\S+) no/gu)].map((match) => match[1]);
      expect(new Set(owners.filter((owner) => owner !== `${customerId}@${tenant}`))).toEqual(new Set());
    }
  });
});
