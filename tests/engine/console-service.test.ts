/** The console API over the engine: every call, its checks and its events. */
import { describe, expect, it } from 'vitest';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { CONSOLE_API } from '../../shared/console-api.ts';
import type { Method, Params } from '../../shared/console-api.ts';
import { ConsoleError } from '../../shared/errors.ts';
import { createFaultyStore, PASS } from '../fakes/faulty-store.ts';
import { createManualTools } from '../fakes/manual-tools.ts';
import { answer, call, calls, delta, end, forever } from '../fakes/scripted-model.ts';
import { settle } from '../fakes/virtual-clock.ts';
import { brief, createEngine, newMessageId, send } from './engine-fixture.ts';

const NO_SUCH_ID = 'f'.repeat(32);

describe('conversations', () => {
  it('are the demo customer’s unless somebody else is named', async () => {
    const { service } = await createEngine();
    const demo = (await service.call('createConversation', {})).conversation;
    expect(demo.customerId).not.toBeNull();
    expect(demo.actor).toEqual({ type: 'customer', id: demo.customerId });
    expect(demo.id).toMatch(/^[0-9a-f]{32}$/u);
    const nobody = (
      await service.call('createConversation', { customerId: null, actor: null, subject: { type: 'case', id: '7' }, tenant: 'acme' })
    ).conversation;
    expect(nobody).toMatchObject({ customerId: null, actor: null, subject: { type: 'case', id: '7' }, tenant: 'acme' });
    await expect(service.call('createConversation', { customerId: 'nobody' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('open by whole turns, page backwards, and say when they are complete', async () => {
    const engine = await createEngine({ script: Array.from({ length: 5 }, (_, n) => answer(`Answer ${n + 1}.`)) });
    for (let turn = 1; turn <= 5; turn += 1) await engine.ask(`question ${turn}`);
    const open = (rest: object) => engine.service.call('openConversation', { conversationId: engine.conversationId, ...rest });
    const newest = await open({ turns: 2 });
    expect(brief(newest.messages)).toEqual(['user: question 4', 'assistant: Answer 4.', 'user: question 5', 'assistant: Answer 5.']);
    expect(newest).toMatchObject({ complete: false, streaming: null, queued: [], draft: '' });
    expect(newest.turns.map((turn) => turn.turn)).toEqual([4, 5]);
    expect(newest.turns[0]).not.toHaveProperty('messages');
    const older = await open({ turns: 3, beforeTurn: 4 });
    expect(older.turns.map((turn) => turn.turn)).toEqual([1, 2, 3]);
    expect(older.complete).toBe(true);
    expect((await open({})).complete).toBe(true);
  });

  it('carry the text streamed so far, drafts and the customer', async () => {
    const engine = await createEngine({ script: [[delta('Half '), delta('an answer'), forever()]] });
    await engine.ask('Hi');
    await engine.service.call('saveDraft', { conversationId: engine.conversationId, text: 'next words' });
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.streaming).toMatchObject({ turn: 1, step: 1, text: 'Half an answer' });
    expect(view.draft).toBe('next words');
    expect(view.customer?.id).toBe(view.conversation.customerId);
    expect(view.conversation).toMatchObject({ turnState: 'running', title: 'Hi' });
  });

  it('tell the text of a step once: as streamed, or as its message when tools run', async () => {
    const tools = createManualTools({ look: 'read' });
    const script = [
      [delta('Let me look.'), end('tool-calls', { text: 'Let me look.', calls: [call('look')] })],
      [delta('Found'), forever()],
    ];
    const engine = await createEngine({ tools, script });
    const open = () => engine.service.call('openConversation', { conversationId: engine.conversationId });
    await engine.ask('Hi');
    const during = await open();
    expect(during.messages[1]?.content).toBe('Let me look.');
    expect(during.streaming).toMatchObject({ step: 1, text: '' });
    tools.waiting[0]?.answer({ ok: true });
    await settle();
    expect((await open()).streaming).toMatchObject({ step: 2, text: 'Found' });
  });

  it('a sent draft is gone, another one stays', async () => {
    const engine = await createEngine({ script: [answer('One.'), answer('Two.')] });
    const draft = () => engine.service.call('openConversation', { conversationId: engine.conversationId }).then((view) => view.draft);
    await engine.service.call('saveDraft', { conversationId: engine.conversationId, text: 'Hi there ' });
    await engine.ask('Hi there');
    expect(await draft()).toBe('');
    await engine.service.call('saveDraft', { conversationId: engine.conversationId, text: 'something else' });
    await engine.ask('Hi again');
    expect(await draft()).toBe('something else');
  });

  it('are listed, renamed, and announced', async () => {
    const engine = await createEngine({ script: [answer('Sure.')] });
    await engine.ask('Where is my parcel?');
    await engine.service.call('updateConversation', { conversationId: engine.conversationId, title: 'Parcel' });
    const list = await engine.service.call('listConversations', {});
    expect(list).toMatchObject({ total: 1, items: [{ title: 'Parcel', lastText: 'Sure.', turnState: 'answered' }] });
    expect(engine.ofType('conversation-change').at(-1)?.conversation.title).toBe('Parcel');
  });

  it.each([
    ['openConversation', { conversationId: NO_SUCH_ID }],
    ['updateConversation', { conversationId: NO_SUCH_ID, title: 'x' }],
    ['deleteConversation', { conversationId: NO_SUCH_ID }],
    ['sendMessage', { conversationId: NO_SUCH_ID, messageId: 'message-1', text: 'x' }],
    ['retryTurn', { conversationId: NO_SUCH_ID }],
    ['stopRun', { conversationId: NO_SUCH_ID }],
    ['saveDraft', { conversationId: NO_SUCH_ID, text: 'x' }],
    ['previewContext', { conversationId: NO_SUCH_ID }],
    ['listRuns', { conversationId: NO_SUCH_ID }],
    ['getTrace', { conversationId: NO_SUCH_ID, turn: 1 }],
    ['getTurnPlan', { conversationId: NO_SUCH_ID, turn: 1 }],
    ['exportConversation', { conversationId: NO_SUCH_ID, format: 'json' }],
  ] satisfies [Method, unknown][])('%s of an unknown conversation is not-found', async (method, params) => {
    const { service } = await createEngine();
    await expect(service.call(method, params as Params<typeof method>)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('checks', () => {
  it('bad parameters are refused with a sentence; nothing happens', async () => {
    const engine = await createEngine();
    const bad = (method: Method, params: object) => engine.service.call(method, params as Params<typeof method>);
    await expect(bad('sendMessage', { conversationId: 'x', messageId: 'message-1', text: 'hi' })).rejects.toThrow(/32 hexadecimal/u);
    await expect(bad('sendMessage', { conversationId: engine.conversationId, messageId: newMessageId(), text: '  ' })).rejects.toThrow(
      /write a message first/u,
    );
    await expect(bad('nonsense' as Method, {})).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await engine.messages()).toEqual([]);
  });

  it('any other failure reaches the caller as a ConsoleError', async () => {
    const store = createFaultyStore(createInMemoryStore(), (name) =>
      name === 'conversations.list' ? { kind: 'fail', error: new RangeError('odd') } : PASS,
    );
    const { service } = await createEngine({ store });
    const failure: unknown = await service.call('listConversations', {}).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConsoleError);
    expect(failure).toMatchObject({ code: 'internal', message: 'odd' });
  });

  it('has a handler for every call of the contract', async () => {
    const { service } = await createEngine();
    for (const method of Object.keys(CONSOLE_API) as Method[]) {
      const outcome: unknown = await service.call(method, {} as Params<typeof method>).catch((error: unknown) => error);
      // This engine has one fixed model: calls about providers are told so.
      if (outcome instanceof ConsoleError) expect(['invalid-input', 'unsupported']).toContain(outcome.code);
    }
  });
});

describe('settings', () => {
  it('defaults, stored values and overrides; all values are checked before one is stored', async () => {
    const store = createInMemoryStore();
    const engine = await createEngine({ store, settings: { 'agent.maxSteps': 3 } });
    const read = async () => (await engine.service.call('getSettings', {})).settings;
    expect((await read())['agent.maxSteps']).toBe(3);
    await expect(
      engine.service.call('changeSettings', { values: { 'memory.recentTurns': 5, 'agent.maxSteps': 0, nonsense: 1 } }),
    ).rejects.toThrow(/agent\.maxSteps[\s\S]*nonsense/u);
    expect((await read())['memory.recentTurns']).toBe(2);
    await engine.service.call('changeSettings', { values: { 'memory.recentTurns': '5', 'agent.maxSteps': 6 } });
    expect(await read()).toMatchObject({ 'memory.recentTurns': 5, 'agent.maxSteps': 6 });
    expect(engine.ofType('settings-change').at(-1)?.settings['memory.recentTurns']).toBe(5);
    await engine.service.call('changeSettings', { values: { 'memory.recentTurns': null } });
    expect((await read())['memory.recentTurns']).toBe(2);
    const next = await createEngine({ store });
    expect((await next.service.call('getSettings', {})).settings['agent.maxSteps']).toBe(6);
  });

  it('a stored value that no longer fits is ignored and logged', async () => {
    const store = createInMemoryStore();
    await store.preferences.write('settings', '{"agent.maxSteps":"many","memory.recentTurns":4,"gone":1}');
    const engine = await createEngine({ store });
    expect((await engine.service.call('getSettings', {})).settings).toMatchObject({ 'agent.maxSteps': 8, 'memory.recentTurns': 4 });
    expect(engine.logs.length).toBeGreaterThan(0);
  });
});

describe('shop and information', () => {
  it('seeds an empty shop once, lists customers, and tells which model answers', async () => {
    const engine = await createEngine({
      script: [calls(call('create_support_ticket', { category: 'refund', summary: 'Refund 1042', order_id: 1042 })), answer('Done.')],
    });
    const { customers } = await engine.service.call('listCustomers', { limit: 100 });
    expect(customers.length).toBeGreaterThanOrEqual(40);
    await engine.ask('Yes please');
    const ticket = engine.ofType('ticket-change')[0]?.ticket;
    expect(ticket?.id).toBe(5001);
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    const customer = await engine.service.call('getCustomer', { customerId: view.conversation.customerId ?? '' });
    expect(customer.orders.map((order) => order.id)).toEqual(expect.arrayContaining([1042, 1043]));
    expect(customer.tickets.map((one) => one.id)).toEqual([5001]);
    expect(await engine.service.call('getCustomer', { customerId: 'nobody' })).toEqual({ customer: null, orders: [], tickets: [] });
    expect(await engine.service.call('getAppInfo', {})).toMatchObject({ model: 'scripted/test-1', isDemo: false, storage: 'memory' });
  });

  it('a store open for reading only can be started and read', async () => {
    const inner = createInMemoryStore();
    const first = await createEngine({ store: inner, script: [answer('Yes.')] });
    await first.ask('Hi');
    const readOnly = createFaultyStore(inner, (name) =>
      /\.(seed|accept|endTurn|startQueued|write|save\w*|append)$/u.test(name)
        ? { kind: 'fail', error: new ConsoleError('read-only', 'read only') }
        : PASS,
    );
    const second = await createEngine({ store: readOnly, conversationId: first.conversationId });
    expect(brief(await second.messages())).toEqual(['user: Hi', 'assistant: Yes.']);
    await expect(send(second.service, first.conversationId, 'x')).rejects.toMatchObject({ code: 'read-only' });
  });
});

describe('transcripts', () => {
  const chat = (count: number) => {
    const messages: object[] = [];
    for (let turn = 0; messages.length < count; turn += 1) {
      messages.push(
        { role: 'user', content: `Question ${turn}` },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `c${turn}`, type: 'function', function: { name: 'get_order', arguments: `{"order_id":${turn}}` } }],
        },
        { role: 'tool', tool_call_id: `c${turn}`, content: `{"order_id":${turn}}` },
        { role: 'assistant', content: `Answer ${turn}` },
      );
    }
    return messages;
  };

  it('a tool-calling conversation of 60 messages is imported, exported to the same line, and gone on with', async () => {
    const engine = await createEngine({ script: [answer('Still here.')] });
    const source = `${JSON.stringify({ messages: chat(60) })}\n`;
    const { ids, notices } = await engine.service.call('importConversations', { text: source });
    expect(notices).toEqual([]);
    const [id = ''] = ids;
    expect((await engine.service.call('exportConversation', { conversationId: id, format: 'openai' })).text).toBe(source);
    await send(engine.service, id, 'And now?');
    await engine.clock.advance(0);
    const view = await engine.service.call('openConversation', { conversationId: id });
    expect(view.messages).toHaveLength(62);
    expect(brief(view.messages).slice(-2)).toEqual(['user: And now?', 'assistant: Still here.']);
    expect(view.turns.at(-1)?.turn).toBe(16);
    expect(engine.model.problems()).toEqual([]);
  });

  it('a broken file changes nothing and names every bad line', async () => {
    const engine = await createEngine();
    const before = await engine.service.call('listConversations', {});
    const text = `${JSON.stringify({ messages: chat(4) })}\n{"messages":[{"role":"user"}]}\nnonsense`;
    await expect(engine.service.call('importConversations', { text })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/^line 2: .*\nline 3: /u),
    });
    expect(await engine.service.call('listConversations', {})).toEqual(before);
  });

  it('a file whose second conversation cannot be stored leaves no first one behind', async () => {
    const inner = createInMemoryStore();
    let inserts = 0;
    const store = createFaultyStore(inner, (name) => {
      if (name === 'conversations.insertWhole') inserts += 1;
      return name === 'conversations.insertWhole' && inserts === 2 ? { kind: 'fail', error: new ConsoleError('not-saved', 'full') } : PASS;
    });
    const engine = await createEngine({ store });
    const text = `${JSON.stringify({ messages: chat(4) })}\n${JSON.stringify({ messages: chat(8) })}`;
    await expect(engine.service.call('importConversations', { text })).rejects.toMatchObject({ code: 'not-saved' });
    expect((await engine.service.call('listConversations', {})).total).toBe(1);
  });

  it('a welcome before the first question is kept, shown and exported, but not sent', async () => {
    const engine = await createEngine({ script: [answer('Two.')] });
    const text = `${JSON.stringify({
      messages: [
        { role: 'assistant', content: 'Welcome!' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ],
    })}\n`;
    const { ids } = await engine.service.call('importConversations', { text });
    const [id = ''] = ids;
    expect((await engine.service.call('exportConversation', { conversationId: id, format: 'openai' })).text).toBe(text);
    await send(engine.service, id, 'Next');
    await engine.clock.advance(0);
    expect(engine.model.requests[0]?.messages.map((message) => message.content)).toEqual(['Hi', 'Hello', 'Next']);
    const view = await engine.service.call('openConversation', { conversationId: id });
    expect(view.turns.map((turn) => turn.turn)).toEqual([0, 1, 2]);
    expect(view.complete).toBe(true);
  });
});
