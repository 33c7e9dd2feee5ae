/** Messages that wait: what a Stop does to them, and the same id with another text. */
import { describe, expect, it } from 'vitest';
import { STOPPED_TEXT } from '../../electron/engine/agent/turn-messages.ts';
import { answer, delta, forever } from '../fakes/scripted-model.ts';
import { settle } from '../fakes/virtual-clock.ts';
import { brief, createEngine, newMessageId, send } from './engine-fixture.ts';

describe('messages that wait', () => {
  it('one Stop halts all: what waits stays waiting until the next message, then all are answered in order', async () => {
    const engine = await createEngine({ script: [[forever()], answer('Two.'), answer('Three.'), answer('Four.')] });
    await engine.ask('one');
    await send(engine.service, engine.conversationId, 'two');
    await send(engine.service, engine.conversationId, 'three');
    expect(await engine.service.call('stopRun', { conversationId: engine.conversationId })).toEqual({ stopped: true });
    await settle();
    const stopped = ['user: one', `assistant[stopped]: ${STOPPED_TEXT}`];
    expect(brief(await engine.messages())).toEqual(stopped);
    const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
    expect(view.queued.map((message) => message.text)).toEqual(['two', 'three']);
    expect(await send(engine.service, engine.conversationId, 'four')).toMatchObject({ queued: true });
    await settle();
    expect(brief(await engine.messages())).toEqual([
      ...stopped,
      'user: two',
      'assistant: Two.',
      'user: three',
      'assistant: Three.',
      'user: four',
      'assistant: Four.',
    ]);
  });

  it.each(['retryTurn', 'continueTurn'] as const)('after a Stop %s takes the stopped turn up, then what waits', async (method) => {
    const engine = await createEngine({ script: [[delta('Par'), forever()], answer('tial.'), answer('Two.')] });
    await engine.ask('one');
    await send(engine.service, engine.conversationId, 'two');
    await engine.service.call('stopRun', { conversationId: engine.conversationId });
    expect(await engine.service.call(method, { conversationId: engine.conversationId })).toMatchObject({ turn: 1 });
    await settle();
    const messages = brief(await engine.messages());
    expect(messages.slice(-2)).toEqual(['user: two', 'assistant: Two.']);
    expect(messages[0]).toBe('user: one');
  });

  it('a known message id with another text is refused, running, waiting or answered; the first text stays', async () => {
    const hold = Promise.withResolvers<void>();
    const engine = await createEngine({ script: [[hold.promise, ...answer('One.')], answer('Two.')] });
    const [first, waiting] = [newMessageId(), newMessageId()];
    await send(engine.service, engine.conversationId, 'a', first);
    await send(engine.service, engine.conversationId, 'b', waiting);
    const refused = { name: 'ConsoleError', code: 'invalid-input', message: expect.stringContaining('new id') };
    await expect(send(engine.service, engine.conversationId, 'not a', first)).rejects.toMatchObject(refused);
    await expect(send(engine.service, engine.conversationId, 'not b', waiting)).rejects.toMatchObject(refused);
    hold.resolve();
    await settle();
    await expect(send(engine.service, engine.conversationId, 'not b', waiting)).rejects.toMatchObject(refused);
    expect(brief(await engine.messages())).toEqual(['user: a', 'assistant: One.', 'user: b', 'assistant: Two.']);
  });
});
