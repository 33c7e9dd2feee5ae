/** Recalled turns: what a turn says it used is what its archived requests hold, and the tool stays inside its conversation. */
import { describe, expect, it } from 'vitest';
import { parseRequest } from '../../../electron/engine/archive/request-text.ts';
import { RECALL_TOOL } from '../../../electron/engine/tools/recall-conversation.ts';
import { DEMO_CUSTOMER_ID } from '../../../electron/engine/shop/shop-data.ts';
import { createInMemoryStore } from '../../../electron/storage/in-memory-store.ts';
import { answer, call, calls } from '../../fakes/scripted-model.ts';
import { createEngine, type Engine } from '../engine-fixture.ts';

const FILLER = 'parcel invoice address warranty colour size voucher return label tracking'.repeat(6);
const SECRET = 'The engraving shall read moonflower peacock';
const TURNS = 12;

/** The third turn says something that no later one repeats. */
async function longTalk(options: Parameters<typeof createEngine>[0] = {}): Promise<Engine> {
  const script = Array.from({ length: TURNS }, (_, index) => answer(`Answer ${index + 1}: ${FILLER}`));
  const settings = { 'memory.strategy': 'stable', 'memory.historyTokens': 600 } as const;
  const engine = await createEngine({ ...options, script, settings });
  for (let turn = 1; turn <= TURNS; turn += 1) await engine.ask(turn === 3 ? `${SECRET}, please.` : `Question ${turn}: ${FILLER}?`);
  return engine;
}

/** Turn numbers at the start of the lines of recalled notes, in the bytes of the newest request of a turn. */
async function turnsInBytes(engine: Engine, turn: number): Promise<number[]> {
  const [kept] = await engine.store.archive.list(engine.conversationId, { turn, limit: 1 });
  const archived = await engine.store.archive.read(kept?.spanId ?? '');
  const notes = (parseRequest(archived?.text ?? '')?.messages ?? []).filter((message) => message.kind === 'recalled');
  const numbers = notes.flatMap((note) => [...note.content.matchAll(/^(\d+) (?:C|N|[a-z_]+): /gmu)].map((match) => Number(match[1])));
  return [...new Set(numbers)].sort((left, right) => left - right);
}

async function usedBy(engine: Engine, turn: number): Promise<number[]> {
  return (await engine.store.conversations.readTurn(engine.conversationId, turn))?.recalledTurns ?? [];
}

describe('recalled turns', () => {
  it('[MEM-27] a turn says which older turns the archive gave it, and they are those in the bytes that left', async () => {
    const engine = await longTalk();
    engine.model.expect(answer('It reads moonflower peacock.'));
    await engine.ask('What shall the engraving read, moonflower peacock?');
    const used = await usedBy(engine, TURNS + 1);
    expect(used).toContain(3);
    for (let turn = 1; turn <= TURNS + 1; turn += 1) expect(await usedBy(engine, turn)).toEqual(await turnsInBytes(engine, turn));
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.turns.at(-1)?.recalledTurns).toEqual(used);
  });

  it('the tool is offered once turns are out of the request, finds them, and what it found counts as used', async () => {
    const engine = await longTalk();
    expect(engine.model.requests[0]?.tools.map((tool) => tool.name)).not.toContain(RECALL_TOOL);
    engine.model.expect(calls(call(RECALL_TOOL, { query: 'engraving moonflower' })), answer('Found it.'));
    await engine.ask('Hm.');
    expect(engine.model.requests.at(-1)?.tools.map((tool) => tool.name)).toContain(RECALL_TOOL);
    const result = JSON.parse((await engine.messages()).findLast((message) => message.role === 'tool')?.content ?? '{}');
    expect(result.found[0]).toMatchObject({ turn: 3, speaker: 'customer', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/u) });
    expect(result.found[0].text).toContain('moonflower');
    expect(await usedBy(engine, TURNS + 1)).toContain(3);
  });

  it('[MEM-30] finds nothing that another customer said, nor what was said in another conversation of the same one', async () => {
    const store = createInMemoryStore();
    const first = await longTalk({ store });
    const { customers } = await first.service.call('listCustomers', { limit: 50 });
    const stranger = customers.find((customer) => customer.id !== DEMO_CUSTOMER_ID);
    if (stranger === undefined) throw new Error('the shop has one customer only');
    for (const customerId of [stranger.id, DEMO_CUSTOMER_ID]) {
      const { conversation } = await first.service.call('createConversation', { customerId });
      const other = await createEngine({ store, settings: { 'memory.strategy': 'stable' }, conversationId: conversation.id });
      other.model.expect(calls(call(RECALL_TOOL, { query: 'engraving moonflower peacock' })), answer('Nothing.'));
      await other.ask('What did the others say?');
      expect((await other.service.call('openConversation', { conversationId: conversation.id })).conversation.customerId).toBe(customerId);
      const result = (await other.messages()).find((message) => message.role === 'tool')?.content ?? '';
      expect(JSON.parse(result)).toMatchObject({ found: [] });
      expect(JSON.stringify(other.model.requests)).not.toContain(SECRET);
      expect((await store.conversations.readTurn(conversation.id, 1))?.recalledTurns).toBeUndefined();
    }
  });
});
