import { describe, expect, it } from 'vitest';
import { checkHistory } from '../../electron/models/history-rules.ts';
import { answer, call, calls, delta, end, failure, untilAborted } from '../fakes/scripted-model.ts';
import type { ScriptEntry } from '../fakes/scripted-model.ts';
import { settle } from '../fakes/virtual-clock.ts';
import { brief, createEngine, send } from './engine-fixture.ts';

const goOn = async ({ service, conversationId }: Awaited<ReturnType<typeof createEngine>>) => {
  const started = await service.call('continueTurn', { conversationId });
  await settle();
  return started;
};

describe('continueTurn', () => {
  it.each<[string, ScriptEntry, string]>([
    ['a broken stream', [delta('The refund '), end('interrupted', { text: 'The refund ', error: broken() })], 'interrupted'],
    ['P11 a cut at the output limit', [delta('The refund '), end('truncated', { text: 'The refund ', error: broken() })], 'interrupted'],
  ])('after %s the partial stays, the apology goes and the new text is a message of its own', async (_name, entry, state) => {
    const engine = await createEngine({ script: [entry, answer('takes five days.')] });
    await engine.ask('How long does a refund take?');
    const before = await engine.messages();
    expect(brief(before).slice(0, 2)).toEqual(['user: How long does a refund take?', `assistant[${state}]: The refund `]);
    expect(before).toHaveLength(3);
    expect(await goOn(engine)).toMatchObject({ turn: 1 });
    const after = await engine.messages();
    expect(brief(after)).toEqual(['user: How long does a refund take?', `assistant[${state}]: The refund `, 'assistant: takes five days.']);
    expect(after[1]?.id).toBe(before[1]?.id);
    const request = engine.model.requests[1];
    expect(request?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(request?.messages[2]?.content).toMatch(/Go on exactly where it stopped.*"The refund "/);
    expect(checkHistory(request?.messages ?? [])).toEqual([]);
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.turns[0]).toMatchObject({ state: 'answered', outcome: 'answered', error: null });
    expect(engine.model.problems()).toEqual([]);
  });

  it('after Stop, with calls made before: they stay, and later turns see the whole answer', async () => {
    const engine = await createEngine({
      script: [
        calls(call('list_orders')),
        (_request, signal) => [delta('You have '), () => untilAborted(signal)],
        answer('two orders.'),
        answer('Yes.'),
      ],
    });
    await send(engine.service, engine.conversationId, 'Which orders do I have?');
    await settle();
    await engine.service.call('stopRun', { conversationId: engine.conversationId });
    await goOn(engine);
    const roles = (await engine.messages()).map((message) => `${message.role}${message.state === undefined ? '' : `[${message.state}]`}`);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant[stopped]', 'assistant']);
    await engine.ask('Sure?');
    const sent = engine.model.requests[3]?.messages ?? [];
    expect(sent.map((message) => message.content)).toEqual(expect.arrayContaining(['You have ', 'two orders.', 'Sure?']));
    expect(sent.some((message) => message.content.includes('Go on exactly'))).toBe(false);
    expect(checkHistory(sent)).toEqual([]);
    expect(engine.model.problems()).toEqual([]);
  });

  it('tools that a continued answer calls follow the request to go on, in every step', async () => {
    const engine = await createEngine({
      script: [[delta('Let me '), end('interrupted', { text: 'Let me ', error: broken() })], calls(call('list_orders')), answer('two.')],
    });
    await engine.ask('Which?');
    await goOn(engine);
    expect(engine.model.requests[2]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant', 'tool']);
    expect(checkHistory(engine.model.requests[2]?.messages ?? [])).toEqual([]);
  });

  it('a continued answer that breaks again can be continued again', async () => {
    const engine = await createEngine({
      script: [
        [delta('One '), end('interrupted', { text: 'One ', error: broken() })],
        [delta('two '), end('interrupted', { text: 'two ', error: broken() })],
        answer('three.'),
      ],
    });
    await engine.ask('Count.');
    await goOn(engine);
    await goOn(engine);
    expect(brief(await engine.messages())).toEqual([
      'user: Count.',
      'assistant[interrupted]: One ',
      'assistant[interrupted]: two ',
      'assistant: three.',
    ]);
  });

  it('there is nothing to go on from after an answer, a failure without text, or in an empty conversation', async () => {
    const engine = await createEngine({ script: [answer('Hi.'), failure('quota', { code: 'model-quota' })] });
    const refused = { code: 'invalid-input' };
    const goOnNow = () => engine.service.call('continueTurn', { conversationId: engine.conversationId });
    await expect(goOnNow()).rejects.toMatchObject(refused);
    await engine.ask('Hello');
    await expect(goOnNow()).rejects.toMatchObject(refused);
    await engine.ask('Again');
    await expect(goOnNow()).rejects.toMatchObject(refused);
  });
});

describe('P9 a request that is too long', () => {
  const tooLong = () => failure('invalid-request', { code: 'model-context-too-long', message: 'The request is too long.' });

  it('is built once more with half the budget, and the answer comes', async () => {
    const engine = await createEngine({ script: [answer('One.'), answer('Two.'), tooLong(), answer('Three.')] });
    for (const text of ['first question', 'second question', 'third question']) await engine.ask(text);
    expect((await engine.messages()).at(-1)?.content).toBe('Three.');
    const [, , long, short] = engine.model.requests;
    expect(short?.messages.length).toBeLessThan(long?.messages.length ?? 0);
    expect(engine.ofType('notice').map((event) => event.message)).toEqual([expect.stringContaining('half the budget')]);
    expect(engine.ofType('context-built').filter((event) => event.turn === 3)).toHaveLength(2);
    expect(engine.model.problems()).toEqual([]);
  });

  it('is told when half is too long too, and when there is no history to leave out', async () => {
    const engine = await createEngine({ script: [tooLong(), answer('Two.'), tooLong(), tooLong()] });
    for (const text of ['first question', 'second question', 'third question']) await engine.ask(text);
    const ends = engine.ofType('turn-end').map((event) => event.record.error?.code ?? event.outcome);
    expect(ends).toEqual(['model-context-too-long', 'answered', 'model-context-too-long']);
    expect(engine.model.problems()).toEqual([]);
  });
});

function broken() {
  return { code: 'model-interrupted', message: 'the stream broke', retryable: true } as const;
}
