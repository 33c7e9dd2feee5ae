/** Does I/O through the store under test: archived requests, forgotten and pinned turns, memories, tenants. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Memory } from '../../shared/memories.ts';
import { conversation, conversationWith, incoming, nextId, question, run, span, START, toolResult, answer } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

function memory(fields: Partial<Memory> = {}): Memory {
  return {
    id: nextId('memory'),
    tenant: nextId('tenant'),
    scope: 'customer',
    customerId: 'c-1',
    text: 'prefers e-mail',
    slot: 'contact',
    trust: 'untrusted',
    origin: 'distilled',
    pinned: false,
    supersededBy: null,
    conversationId: null,
    turn: null,
    createdAt: START,
    changedAt: START,
    ...fields,
  };
}

export function archiveContract(getStore: GetStore): void {
  test('a request comes back byte for byte, whatever it shares with earlier ones', async () => {
    const { archive, conversations } = getStore();
    const { id: conversationId } = await conversations.create(conversation());
    const requests = Array.from({ length: 70 }, (_, index) => {
      const history = Array.from({ length: index + 1 }, (_each, line) => `{"line":${line},"text":"Grüezi 🍣 ${'x'.repeat(60)}"}\n`);
      // Every ninth request forgets its oldest lines, as a compaction does.
      return ['{"system":"s"}\n', ...history.slice(index % 9 === 0 ? Math.floor(index / 2) : 0)];
    });
    const spans = requests.map(() => nextId('span'));
    for (const [index, segments] of requests.entries())
      await archive.keep({ spanId: spans[index] ?? '', conversationId, turn: index + 1, at: START + index, segments });
    for (const [index, segments] of requests.entries()) {
      const text = segments.join('');
      expect(await archive.read(spans[index] ?? '')).toEqual({
        spanId: spans[index],
        conversationId,
        turn: index + 1,
        sentAt: START + index,
        purpose: 'answer',
        wire: null,
        sha256: sha256(text),
        bytes: Buffer.byteLength(text),
        text,
      });
    }
    const size = await archive.size(conversationId);
    const unique = new Set(requests.flat());
    expect(size.requests).toBe(70);
    expect(size.payloadBytes).toBe([...unique].reduce((sum, segment) => sum + Buffer.byteLength(segment), 0));
    expect((await archive.list(conversationId, { limit: 2 })).map((each) => each.turn)).toEqual([70, 69]);
    expect((await archive.list(conversationId, { limit: 9, turn: 3 })).map((each) => each.spanId)).toEqual([spans[2]]);
  });

  test('what left over a wire keeps the hash of its body; what the console asked for itself is listed on demand; both outlive the text', async () => {
    const { archive, conversations } = getStore();
    const { id: conversationId } = await conversations.create(conversation());
    const wire = { provider: 'openai', model: 'gpt 5 "x"', variant: 'sealed', sha256: sha256('body'), bytes: 4_000_000_000 };
    const [asked, summed] = [nextId('span'), nextId('span')];
    await archive.keep({ spanId: asked, conversationId, turn: 1, at: START, segments: ['a'], wire });
    await archive.keep({ spanId: summed, conversationId, turn: 1, at: START, segments: ['a', 'b'], wire, purpose: 'summary' });
    expect(await archive.read(summed)).toMatchObject({ purpose: 'summary', wire, text: 'ab' });
    const spans = async (helpers: boolean) => (await archive.list(conversationId, { limit: 9, helpers })).map((each) => each.spanId);
    expect(await spans(false)).toEqual([asked]);
    expect(await spans(true)).toEqual([summed, asked]);
    expect((await archive.list(conversationId, { limit: 9, turn: 1, helpers: true })).map((each) => each.purpose)).toEqual([
      'summary',
      'answer',
    ]);
    await conversations.delete(conversationId);
    expect(await archive.read(summed)).toMatchObject({ purpose: 'summary', wire, text: null });
  });

  test('the same span is kept once, an unknown one is null, an unknown conversation is refused', async () => {
    const { archive, conversations } = getStore();
    const { id: conversationId } = await conversations.create(conversation());
    const request = { spanId: nextId('span'), conversationId, turn: 1, at: START, segments: ['a', 'b'] };
    await archive.keep(request);
    await archive.keep({ ...request, segments: ['other'] });
    expect((await archive.read(request.spanId))?.text).toBe('ab');
    expect(await archive.read('unknown')).toBeNull();
    const nowhere = { ...request, spanId: nextId('span'), conversationId: 'f'.repeat(32) };
    await expect(archive.keep(nowhere)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('deleting a conversation erases its requests and keeps their hashes', async () => {
    const { archive, conversations } = getStore();
    const { id: conversationId } = await conversations.create(conversation());
    const spanId = nextId('span');
    await archive.keep({ spanId, conversationId, turn: 1, at: START, segments: ['secret'] });
    await conversations.delete(conversationId);
    expect(await archive.read(spanId)).toMatchObject({ sha256: sha256('secret'), text: null });
    expect((await archive.size(conversationId)).payloadBytes).toBe(0);
  });

  test('a forgotten turn leaves a tombstone and no text; other turns keep theirs', async () => {
    const store = getStore();
    const { conversations, archive, traces } = store;
    const id = await conversationWith(store, [['canary eins', 'answer 1']]);
    const runId = nextId('run');
    const asked = question('canary zwei');
    await conversations.accept(incoming(id, asked, runId));
    const call = { id: 'call-1', name: 'get_order', arguments: { order: 'canary' } };
    const raw = { provider: 'openai', model: 'm', body: '"canary"' };
    await conversations.append(id, 2, runId, [answer('', { toolCalls: [call], providerRaw: raw }), toolResult('call-1', '"canary"')]);
    const end = { state: 'answered', outcome: 'answered', error: null, at: START + 9 } as const;
    await conversations.endTurn(id, 2, runId, { ...end, messages: [answer('canary drei')] });
    await traces.saveRun(run(id, { id: runId, turn: 2, question: 'canary zwei' }));
    const each = span(runId, { note: 'canary' });
    await traces.save({ spans: [each], events: [], details: [{ spanId: each.id, request: 'canary', response: 'canary' }] });
    await conversations.writeMemoryState(id, { strategy: 'stable', json: '"canary"' });
    const before = { spanId: nextId('span'), conversationId: id, turn: 1, at: START, segments: ['canary eins'] };
    const after = { spanId: nextId('span'), conversationId: id, turn: 2, at: START, segments: ['canary eins', 'canary zwei'] };
    await archive.keep(before);
    await archive.keep(after);
    const record = await conversations.forgetTurn(id, 2, START + 20);
    expect(record).toMatchObject({ turn: 2, state: 'answered', forgottenAt: START + 20 });
    const stored = await conversations.readTurn(id, 2);
    expect(JSON.stringify(stored)).not.toContain('canary');
    expect(stored?.messages.map((message) => [message.role, message.content])).toEqual([
      ['user', '[forgotten]'],
      ['assistant', ''],
      ['tool', '[forgotten]'],
      ['assistant', '[forgotten]'],
    ]);
    expect(stored?.messages[1]?.toolCalls).toEqual([{ id: 'call-1', name: 'get_order', arguments: {} }]);
    expect((await conversations.readTurn(id, 1))?.messages[0]?.content).toBe('canary eins');
    expect((await conversations.list({ limit: 9, search: 'zwei' })).items.filter((item) => item.id === id)).toEqual([]);
    expect((await conversations.list({ limit: 9, search: 'eins' })).items.map((item) => item.id)).toContain(id);
    expect(JSON.stringify([await traces.readRun(runId), await traces.readSpans(runId)])).not.toContain('canary');
    expect(await traces.readDetail(each.id)).toBeNull();
    expect(await conversations.readMemoryState(id, 'stable')).toBeNull();
    expect((await archive.read(before.spanId))?.text).toBe('canary eins');
    expect(await archive.read(after.spanId)).toMatchObject({ text: null, sha256: sha256('canary einscanary zwei') });
    expect((await conversations.forgetTurn(id, 2, START + 99)).forgottenAt).toBe(START + 20);
    await expect(conversations.forgetTurn(id, 7, START)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('a turn at work cannot be forgotten; a forgotten first question takes the title along', async () => {
    const store = getStore();
    const { conversations } = store;
    const id = await conversationWith(store, [['my canary title', 'answer']]);
    await conversations.accept(incoming(id, question('next')));
    await expect(conversations.forgetTurn(id, 2, START)).rejects.toMatchObject({ code: 'conflict' });
    await conversations.forgetTurn(id, 1, START);
    expect((await conversations.summary(id))?.title).toBe('[forgotten]');
  });

  test('[MEM-5] pinned turns are read by themselves, oldest first', async () => {
    const store = getStore();
    const id = await conversationWith(store, [
      ['one', '1'],
      ['two', '2'],
      ['three', '3'],
    ]);
    await store.conversations.setPinned(id, 3, true);
    await store.conversations.setPinned(id, 1, true);
    const read = async (before: number) => (await store.conversations.readPinned(id, before)).map((turn) => turn.messages[0]?.content);
    expect(await read(9)).toEqual(['one', 'three']);
    expect(await read(3)).toEqual(['one']);
  });

  test('axes, settings and the privacy switch of a conversation change and stay', async () => {
    const { conversations } = getStore();
    const { id } = await conversations.create(conversation());
    const patch = {
      tenant: 'acme',
      actor: null,
      subject: { type: 'case', id: '7' },
      settings: { 'memory.historyTokens': 900 },
      redact: false,
    } as const;
    expect(await conversations.update(id, patch, START + 1)).toMatchObject(patch);
    expect(await conversations.get(id)).toMatchObject(patch);
    await conversations.update(id, { settings: {}, redact: true, actor: { type: 'customer', id: 'c-2' } }, START + 2);
    const read = await conversations.get(id);
    expect(read).toMatchObject({ tenant: 'acme', actor: { type: 'customer', id: 'c-2' }, subject: { type: 'case', id: '7' } });
    expect(read).not.toHaveProperty('settings');
    expect(read).not.toHaveProperty('redact');
  });

  test('memories of one customer are never those of another, pinned and newest first', async () => {
    const { memories } = getStore();
    const tenant = nextId('tenant');
    const [mine, pinned, theirs, shared, elsewhere] = [
      memory({ tenant, text: 'mine', createdAt: START + 5 }),
      memory({ tenant, text: 'pinned', pinned: true }),
      memory({ tenant, text: 'theirs', customerId: 'c-2' }),
      memory({ tenant, text: 'shared', scope: 'tenant', customerId: null }),
      memory({ text: 'elsewhere' }),
    ];
    await memories.put([mine, pinned, theirs, shared, elsewhere]);
    const texts = async (customerId: string | null) => (await memories.list({ tenant, customerId, limit: 9 })).map((each) => each.text);
    expect(await texts('c-1')).toEqual(['pinned', 'mine', 'shared']);
    expect(await texts('c-2')).toEqual(expect.arrayContaining(['theirs', 'shared']));
    expect(await texts(null)).toEqual(['shared']);
    expect((await memories.listAll({ tenant, limit: 9, search: 'THEIR' })).map((each) => each.text)).toEqual(['theirs']);
    expect(await memories.get(mine.id)).toEqual(mine);
  });

  test('a superseded memory is hidden, and holds again when its successor is deleted', async () => {
    const { memories } = getStore();
    const tenant = nextId('tenant');
    const later = memory({ tenant, text: 'later' });
    const earlier = memory({ tenant, text: 'earlier', supersededBy: later.id });
    await memories.put([earlier, later]);
    const texts = async (superseded: boolean) =>
      (await memories.list({ tenant, customerId: 'c-1', limit: 9, superseded })).map((each) => each.text).sort();
    expect(await texts(false)).toEqual(['later']);
    expect(await texts(true)).toEqual(['earlier', 'later']);
    await memories.delete(later.id);
    expect(await texts(false)).toEqual(['earlier']);
    await expect(memories.delete(later.id)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('quiet conversations with unread turns are found until they are marked', async () => {
    const store = getStore();
    const id = await conversationWith(store, [['one', '1']]);
    const found = async (quietSince: number) => (await store.conversations.listUndistilled({ quietSince, limit: 500 })).includes(id);
    expect(await found(START + 1_000_000)).toBe(true);
    expect(await found(START - 1)).toBe(false);
    await store.conversations.writeDistilledTurn(id, 1);
    expect(await store.conversations.readDistilledTurn(id)).toBe(1);
    expect(await found(START + 1_000_000)).toBe(false);
  });

  test('usage is added up by the tenant that paid', async () => {
    const { usage } = getStore();
    const tenant = nextId('tenant');
    const line = {
      conversationId: null,
      turn: null,
      runId: null,
      step: null,
      purpose: 'answer',
      provider: 'p',
      model: 'm',
      at: START,
    } as const;
    const tokens = { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 };
    await usage.record({ ...line, id: nextId('usage'), tenant, usage: tokens, costMicroUsd: 5 });
    await usage.record({ ...line, id: nextId('usage'), tenant: nextId('tenant'), usage: tokens, costMicroUsd: 7 });
    await usage.record({ ...line, id: nextId('usage'), usage: tokens, costMicroUsd: 9 });
    expect(await usage.totals({ tenant })).toMatchObject({ calls: 1, inputTokens: 10, costMicroUsd: 5 });
    expect(await usage.tenants()).toContain(tenant);
  });
}
