/** Redaction in a run: what leaves, what comes back, and both switches. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../electron/engine/ports.ts';
import { createManualTools } from '../../fakes/manual-tools.ts';
import { answer, call, calls, delta, end } from '../../fakes/scripted-model.ts';
import { settle } from '../../fakes/virtual-clock.ts';
import { createEngine } from '../engine-fixture.ts';
import type { EngineOptions } from '../engine-fixture.ts';

const ON = { 'privacy.redact': true };
const MAIL = 'jo.smith@mail.example';

async function engineWith(options: EngineOptions) {
  const engine = await createEngine({ settings: ON, ...options });
  const view = await engine.service.call('openConversation', { conversationId: engine.conversationId });
  if (view.customer === null) throw new Error('the demo customer is missing');
  return { ...engine, customer: view.customer };
}

const sent = (request: ModelRequest | undefined): string => JSON.stringify(request);

describe('a run with both switches on', () => {
  it('sends no personal data and stores what was really said', async () => {
    const tools = createManualTools({ write: 'internal' });
    const script = [
      calls(call('write', { to: '[EMAIL_1]', order: 1043 })),
      [
        delta('Sent to [EM'),
        delta('AIL_1], '),
        delta('[NAME'),
        delta('_1]. [not one]'),
        end('answered', { text: 'Sent to [EMAIL_1], [NAME_1]. [not one]' }),
      ],
      answer('Bye.'),
    ];
    const engine = await engineWith({ tools, script });
    await engine.ask(`I am ${engine.customer.name}, write to ${MAIL} about order 1043.`);
    const [waiting] = tools.waiting;
    expect(waiting?.call.arguments).toEqual({ to: MAIL, order: 1043 });
    waiting?.answer({ wrote: MAIL, order: 1043, phone: engine.customer.phone });
    await settle();
    await engine.ask('Thanks');
    const said = `Sent to ${MAIL}, ${engine.customer.name}. [not one]`;
    expect((await engine.messages())[3]?.content).toBe(said);
    const streamed = engine
      .ofType('text-delta')
      .filter((event) => event.turn === 1)
      .map((event) => event.delta);
    expect(streamed.join('')).toBe(said);
    const archived = await engine.store.archive.list(engine.conversationId, { limit: 9 });
    const texts = await Promise.all(archived.map(async ({ spanId }) => (await engine.store.archive.read(spanId))?.text ?? ''));
    for (const request of [...engine.model.requests.map(sent), ...texts]) {
      expect(request).toContain('1043');
      for (const secret of [MAIL, engine.customer.name, engine.customer.email, engine.customer.phone])
        expect(request).not.toContain(secret);
    }
    expect(texts).toHaveLength(3);
    expect(engine.model.problems()).toEqual([]);
  });

  it('a placeholder means the same in a later process', async () => {
    const first = await engineWith({ script: [answer('Noted: [EMAIL_1].')] });
    await first.ask(`First ${MAIL}`);
    const { store, conversationId } = first;
    await first.service.stop();
    const second = await createEngine({ store, conversationId, settings: ON, script: [answer('Both: [EMAIL_1] and [EMAIL_2].')] });
    await second.ask('Then other@mail.example');
    expect(sent(second.model.requests[0])).toContain('[EMAIL_2]');
    expect((await second.messages()).at(-1)?.content).toBe(`Both: ${MAIL} and other@mail.example.`);
  });

  it('the provider’s own message goes back only while it holds nothing that is hidden', async () => {
    const raw = (body: string) => ({ provider: 'scripted', model: 'test-1', body });
    const script = [
      [end('answered', { text: 'Hello [EMAIL_1]', raw: raw('{"said":"Hello [EMAIL_1]"}') })],
      [end('answered', { text: 'Hello again', raw: raw(`{"said":"${MAIL}"}`) })],
      answer('Bye.'),
    ];
    const engine = await engineWith({ script });
    await engine.ask(`I am ${MAIL}`);
    await engine.ask('And?');
    await engine.ask('Bye');
    const bodies = engine.model.requests[2]?.messages.map((message) => message.providerRaw?.body);
    expect(bodies).toContain('{"said":"Hello [EMAIL_1]"}');
    expect(bodies?.join()).not.toContain(MAIL);
  });
});

describe('either switch off', () => {
  it.each([
    ['the application’s', { 'privacy.redact': false }, undefined],
    ['the conversation’s', ON, false],
  ])('%s: everything is sent as it is', async (_name, settings, redact) => {
    const engine = await engineWith({ settings, script: [answer('Sure.')] });
    if (redact !== undefined) await engine.service.call('updateConversation', { conversationId: engine.conversationId, redact });
    await engine.ask(`I am ${MAIL}`);
    expect(sent(engine.model.requests[0])).toContain(MAIL);
  });
});
