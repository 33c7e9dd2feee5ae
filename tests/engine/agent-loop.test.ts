/** The agent loop on its good and bad days. */
import { describe, expect, it } from 'vitest';
import { CANNED_TEXT, CUT_OFF_TEXT } from '../../electron/engine/agent/turn-messages.ts';
import { SYSTEM_PROMPT } from '../../electron/engine/system-prompt.ts';
import { answer, call, calls, delta, end, failure } from '../fakes/scripted-model.ts';
import { brief, createEngine } from './engine-fixture.ts';

describe('one run per customer message', () => {
  it('answers: question saved, context built once, text streamed, answer saved, turn ended', async () => {
    const engine = await createEngine({ script: [answer('Hello, how can I help?')] });
    await engine.ask('Hi');
    expect(brief(await engine.messages())).toEqual(['user: Hi', 'assistant: Hello, how can I help?']);
    const beside: string[] = ['span-change', 'conversation-change', 'spending-change'];
    expect(engine.events.map((event) => event.type).filter((type) => !beside.includes(type))).toEqual([
      'turn-start',
      'context-built',
      'model-start',
      ...Array.from({ length: 5 }, () => 'text-delta'),
      'model-end',
      'step-end',
      'message-add',
      'turn-end',
    ]);
    expect(engine.ofType('turn-end')[0]).toMatchObject({ state: 'answered', outcome: 'answered', turn: 1 });
    expect(engine.model.problems()).toEqual([]);
    // The sweep for quiet conversations is the only one that goes on.
    expect(engine.clock.pending()).toBe(1);
  });

  it('[MEM-3] sends the system prompt fresh, never stores it, and the turn records its version', async () => {
    const engine = await createEngine({ script: [answer('One.'), answer('Two.')] });
    await engine.ask('first');
    await engine.ask('second');
    expect(engine.model.requests.map((request) => request.system)).toEqual([SYSTEM_PROMPT.text, SYSTEM_PROMPT.text]);
    expect(JSON.stringify(await engine.messages())).not.toContain('You are Nimbus');
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.turns.map((turn) => turn.promptVersion)).toEqual([SYSTEM_PROMPT.version, SYSTEM_PROMPT.version]);
    expect(engine.model.requests[1]?.messages.map((message) => message.content)).toEqual(['first', 'One.', 'second']);
  });

  it('runs tools and goes on: the request after them holds the calls and their results', async () => {
    const made = call('check_refund_eligibility', { order_id: 1043 });
    const engine = await createEngine({
      script: [[delta('Let me look. '), end('tool-calls', { text: 'Let me look. ', calls: [made] })], answer('No: 20 days.')],
    });
    await engine.ask('Refund for 1043?');
    const messages = await engine.messages();
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(messages[1]).toMatchObject({ content: 'Let me look. ', toolCalls: [{ id: made.id, arguments: { order_id: 1043 } }] });
    expect(JSON.parse(messages[2]?.content ?? '')).toMatchObject({ order_id: 1043, days_since_purchase: 20, eligible: false });
    expect(engine.model.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(messages.map((message) => [message.origin, message.trust])).toEqual([
      ['customer', 'untrusted'],
      ['model', 'untrusted'],
      ['tool:check_refund_eligibility', 'untrusted'],
      ['model', 'untrusted'],
    ]);
  });

  it('P15 P12 never runs malformed arguments or unknown tools, and tells the model', async () => {
    const engine = await createEngine({
      script: [calls(call('list_orders', null), call('drop_tables', { all: true }), call('bad name!', {})), answer('Sorry.')],
    });
    await engine.ask('Hi');
    const results = (await engine.messages()).filter((message) => message.role === 'tool');
    expect(results).toHaveLength(3);
    for (const result of results) expect(JSON.parse(result.content)).toHaveProperty('error');
    expect((await engine.messages())[1]?.toolCalls?.map((one) => one.name)).toEqual(['list_orders', 'drop_tables', 'unknown_tool']);
  });

  it('answers the third equal call with a pointer to the earlier result, whatever the order of its keys', async () => {
    const engine = await createEngine({
      script: [
        calls(call('search_help_center', { query: 'refund', limit: 2 })),
        calls(call('search_help_center', { limit: 2, query: 'refund' })),
        calls(call('search_help_center', { query: 'refund', limit: 2 })),
        answer('Done.'),
      ],
    });
    await engine.ask('Refund rules?');
    const results = (await engine.messages()).filter((message) => message.role === 'tool').map((message) => message.content);
    expect(results[0]).toBe(results[1]);
    expect(JSON.parse(results[2] ?? '').error).toContain('use the earlier result');
  });

  it('ends at the step limit with a marked canned answer', async () => {
    const engine = await createEngine({
      settings: { 'agent.maxSteps': 2 },
      script: [calls(call('list_orders', { n: 1 })), calls(call('list_orders', { n: 2 }))],
    });
    await engine.ask('Go');
    expect((await engine.messages()).at(-1)).toMatchObject({
      role: 'assistant',
      content: CANNED_TEXT['step-limit'],
      state: 'step-limit',
      origin: 'system',
      trust: 'trusted',
    });
    expect(engine.ofType('step-limit')).toMatchObject([{ steps: 2 }]);
    expect(engine.ofType('turn-end')[0]).toMatchObject({ state: 'failed', outcome: 'step-limit' });
    expect(engine.model.problems()).toEqual([]);
  });

  it('P13 an empty answer ends with a marked request to rephrase', async () => {
    const engine = await createEngine({ script: [[end('answered', { text: '  \n' })]] });
    await engine.ask('?');
    expect(brief(await engine.messages())).toEqual(['user: ?', `assistant[empty]: ${CANNED_TEXT.empty}`]);
    expect(engine.ofType('turn-end')[0]).toMatchObject({ outcome: 'empty-answer' });
  });

  it.each(['rate-limited', 'quota', 'auth', 'invalid-request', 'overloaded', 'unknown'] as const)(
    'an API error (%s) ends the turn with a marked apology and keeps its cause',
    async (outcome) => {
      const engine = await createEngine({ script: [failure(outcome, { code: 'model-quota', message: 'no credit left' })] });
      await engine.ask('Hi');
      expect(brief(await engine.messages())).toEqual(['user: Hi', `assistant[failed]: ${CANNED_TEXT.failed}`]);
      expect(engine.ofType('api-error')[0]?.error).toMatchObject({ code: 'model-quota', message: 'no credit left' });
      expect(engine.ofType('turn-end')[0]?.record).toMatchObject({ state: 'failed', outcome: 'api-error', error: { code: 'model-quota' } });
    },
  );

  it.each([
    ['truncated', CUT_OFF_TEXT],
    ['interrupted', CANNED_TEXT.failed],
  ] as const)('P1 P11 %s: runs no tool, keeps the text as partial and says so', async (outcome, said) => {
    const broken = end(outcome, {
      text: 'You will get',
      calls: [call('create_support_ticket', { category: 'refund', summary: 'x' })],
      error: { code: 'model-interrupted', message: 'cut', retryable: true },
    });
    const engine = await createEngine({ script: [[delta('You will get'), broken]] });
    await engine.ask('Hi');
    expect(brief(await engine.messages())).toEqual(['user: Hi', 'assistant[interrupted]: You will get', `assistant[failed]: ${said}`]);
    expect(engine.ofType('tool-call')).toEqual([]);
  });

  it('P1 a stream that ends without a model-end, or throws, counts as broken', async () => {
    const engine = await createEngine({
      script: [
        [delta('Half')],
        [
          delta('Other half'),
          () => {
            throw new TypeError('terminated');
          },
        ],
      ],
    });
    await engine.ask('one');
    await engine.ask('two');
    expect(brief(await engine.messages())).toEqual([
      'user: one',
      'assistant[interrupted]: Half',
      `assistant[failed]: ${CANNED_TEXT.failed}`,
      'user: two',
      'assistant[interrupted]: Other half',
      `assistant[failed]: ${CANNED_TEXT.failed}`,
    ]);
  });

  it('P12 malformed-tool runs nothing: its calls get error results and one more try, then the turn fails', async () => {
    const malformed = () => [
      end('malformed-tool', { calls: [call('list_orders', {})], error: { code: 'model-unknown', message: 'malformed', retryable: false } }),
    ];
    const engine = await createEngine({ script: [malformed(), answer('Fine now.'), malformed(), malformed()] });
    await engine.ask('one');
    await engine.ask('two');
    const messages = await engine.messages();
    expect(messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(JSON.parse(messages[2]?.content ?? '')).toHaveProperty('error');
    expect(messages.at(-1)?.state).toBe('failed');
    expect(engine.model.problems()).toEqual([]);
  });

  it('P21 a refusal is the answer; P10 a blocked text is not replayed', async () => {
    const engine = await createEngine({
      script: [[end('refused', { text: 'I cannot help with that.' })], failure('blocked', { code: 'model-blocked' }, 'bad words')],
    });
    await engine.ask('one');
    await engine.ask('two');
    expect(brief(await engine.messages())).toEqual([
      'user: one',
      'assistant: I cannot help with that.',
      'user: two',
      `assistant[blocked]: ${CANNED_TEXT.blocked}`,
    ]);
  });

  it('takes what was streamed where the adapter names no text at the end', async () => {
    const engine = await createEngine({ script: [[delta('Streamed '), delta('words.'), end('answered')]] });
    await engine.ask('Hi');
    expect(brief(await engine.messages())).toEqual(['user: Hi', 'assistant: Streamed words.']);
  });

  it("P19 keeps the provider's own message, unless what is stored differs from it", async () => {
    const raw = { provider: 'scripted', model: 'test-1', body: '{"x":1}' };
    const engine = await createEngine({
      script: [
        [end('tool-calls', { calls: [call('list_orders')], raw })],
        [end('tool-calls', { calls: [call('list_orders', null)], raw })],
        [end('answered', { text: 'Done.', raw })],
      ],
    });
    await engine.ask('Go');
    const assistants = (await engine.messages()).filter((message) => message.role === 'assistant');
    expect(assistants.map((message) => message.providerRaw)).toEqual([raw, undefined, raw]);
  });

  it('P17 call ids that were used before are told apart, so that the history stays valid', async () => {
    const engine = await createEngine({
      script: [
        calls(call('list_orders', { a: 1 }, 'same'), call('list_orders', { a: 2 }, 'same')),
        calls(call('list_orders', { a: 3 }, 'same')),
        answer('Done.'),
      ],
    });
    await engine.ask('Go');
    const ids = (await engine.messages()).flatMap((message) => (message.toolCalls ?? []).map((one) => one.id));
    expect(new Set(ids).size).toBe(3);
    expect((await engine.messages()).flatMap((message) => message.toolCallId ?? [])).toEqual(ids);
  });

  it('a handoff ends the turn as handed off and is noted on the conversation', async () => {
    const engine = await createEngine({
      script: [calls(call('handoff_to_human', { reason: 'asks for a person' })), answer('A colleague takes over.')],
    });
    await engine.ask('A human, please');
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.turns[0]).toMatchObject({ state: 'handed-off', outcome: 'handed-off' });
    expect(view.conversation.handoffReason).toBe('asks for a person');
  });
});
