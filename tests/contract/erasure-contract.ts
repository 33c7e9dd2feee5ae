/** Does I/O through the store under test: forgetting a customer. */
import { expect, test } from 'vitest';
import { conversation, conversationWith, nextConversationId, nextId, run, span, START } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

const NOTHING = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };

export function erasureContract(getStore: GetStore): void {
  test('rule 12: forgetting a customer removes conversations, memories, tickets and traces of all tenants, keeps what was paid, and counts', async () => {
    const store = getStore();
    const [gone, stays] = [nextId('gone'), nextId('stays')];
    const secret = `my parcel for ${gone} never came to the back door`;
    const mine = await conversationWith(store, [[secret, 'I am sorry']], { customerId: gone });
    const elsewhere = await conversationWith(store, [[secret, 'Again']], { tenant: 'other', subject: { type: 'customer', id: gone } });
    const other = await conversationWith(store, [['Something of another person entirely', 'Yes']], { customerId: stays });
    const traced = run(mine);
    await store.traces.saveRun(traced);
    await store.traces.save({ spans: [span(traced.id)], events: [], details: [] });
    const spanId = nextId('span');
    await store.archive.keep({ spanId, conversationId: mine, turn: 1, at: START, segments: [secret] });
    await store.tickets.create({
      customerId: gone,
      conversationId: null,
      orderId: null,
      category: 'c',
      summary: secret,
      status: 'open',
      at: START,
    });
    const memoryFields = {
      slot: null,
      trust: 'untrusted',
      origin: 'distilled',
      pinned: false,
      supersededBy: null,
      turn: null,
      createdAt: START,
      changedAt: START,
    } as const;
    const memory = {
      id: nextId('memory'),
      tenant: 'other',
      scope: 'customer',
      customerId: gone,
      text: secret,
      conversationId: null,
      ...memoryFields,
    } as const;
    await store.memories.put([memory]);
    const line = {
      conversationId: mine,
      turn: 1,
      runId: traced.id,
      step: 1,
      purpose: 'answer' as const,
      provider: 'p',
      model: 'm',
      usage: NOTHING,
      costMicroUsd: 7,
      at: START,
    };
    await store.usage.record({ ...line, id: nextId('usage'), tenant: gone });

    expect(await store.erasure.conversationsOf(gone)).toEqual([mine, elsewhere].sort());
    const counts = await store.erasure.count(gone);
    expect(counts).toMatchObject({
      conversations: 2,
      messages: 4,
      turns: 2,
      runs: 1,
      spans: 1,
      archived_requests: 1,
      tickets: 1,
      memories: 1,
      usage_ledger: 1,
    });
    expect(await store.erasure.textsOf(gone)).toEqual([secret]);
    expect((await store.erasure.search([secret])).matches).not.toEqual([]);

    // A console with a cache also clears its own outbox, which no count of the shared database holds.
    const { outbox: _own, ...forgotten } = await store.erasure.forget(gone, START);
    expect(forgotten).toEqual(counts);
    expect(await store.erasure.count(gone)).toEqual({});
    const after = await store.erasure.search([secret]);
    expect(after.matches).toEqual([]);
    expect(after.columns).toBeGreaterThan(10);
    expect(await store.conversations.get(mine)).toBeNull();
    expect(await store.archive.read(spanId)).toMatchObject({ text: null });
    expect(await store.memories.get(memory.id)).toBeNull();
    expect(await store.tickets.list({ customerId: gone, limit: 5 })).toEqual([]);
    expect((await store.usage.totals({ conversationId: mine })).costMicroUsd).toBe(0);
    expect((await store.usage.totals({ tenant: gone })).costMicroUsd).toBe(7);
    expect(await store.conversations.get(other)).not.toBeNull();
    expect((await store.conversations.list({ limit: 5, search: gone })).items).toEqual([]);
    // Again, as after a crash, changes nothing.
    expect(await store.erasure.forget(gone, START)).toEqual({});
  });

  test('a customer nobody knows has nothing to forget', async () => {
    const store = getStore();
    const { id } = await store.conversations.create(conversation({ id: nextConversationId() }));
    expect(await store.erasure.forget(nextId('nobody'), START)).toEqual({});
    expect(await store.conversations.get(id)).not.toBeNull();
  });
}
