/** When the disk says no: nothing is pretended, everybody is told, and it goes on once the disk is back. */
import { describe, expect, it } from 'vitest';
import { CANNED_TEXT, INTERRUPTED_TEXT } from '../../electron/engine/agent/turn-messages.ts';
import { checkHistory } from '../../electron/models/history-rules.ts';
import { createInMemoryStore } from '../../electron/storage/in-memory-store.ts';
import { ConsoleError } from '../../shared/errors.ts';
import { createFaultyStore, PASS } from '../fakes/faulty-store.ts';
import type { Fault } from '../fakes/faulty-store.ts';
import { createManualTools } from '../fakes/manual-tools.ts';
import { answer, call, calls } from '../fakes/scripted-model.ts';
import { settle } from '../fakes/virtual-clock.ts';
import { brief, createEngine, send } from './engine-fixture.ts';

const full: Fault = { kind: 'fail', error: new ConsoleError('not-saved', 'the disk is full', { retryable: true }) };

/** Fails the named calls while `broken` says so. */
function breakable(...names: string[]) {
  const state = { broken: false, left: Number.POSITIVE_INFINITY };
  const inner = createInMemoryStore();
  const store = createFaultyStore(inner, (name) => {
    if (!state.broken || !names.includes(name) || state.left <= 0) return PASS;
    state.left -= 1;
    return full;
  });
  return { state, store, inner };
}

describe('a store that fails', () => {
  it('[SYN-1] a message that was not saved is refused, and nothing of it exists', async () => {
    const { state, store } = breakable('conversations.accept');
    const engine = await createEngine({ store, script: [answer('Yes.')] });
    state.broken = true;
    await expect(send(engine.service, engine.conversationId, 'Hi')).rejects.toMatchObject({ code: 'not-saved', retryable: true });
    state.broken = false;
    await engine.ask('Hi again');
    expect(brief(await engine.messages())).toEqual(['user: Hi again', 'assistant: Yes.']);
  });

  it('calls that could not be saved never run; the turn fails visibly, with results for its calls', async () => {
    const { state, store } = breakable('conversations.append');
    const tools = createManualTools({ act: 'internal' });
    const engine = await createEngine({ store, tools, script: [calls(call('act'))] });
    state.broken = true;
    await engine.ask('Go');
    expect(tools.begun).toEqual([]);
    expect(engine.ofType('notice')).toMatchObject([{ level: 'error', message: 'the disk is full' }]);
    expect(engine.ofType('turn-end')[0]).toMatchObject({ state: 'failed', record: { error: { code: 'not-saved' } } });
    const messages = await engine.messages();
    expect(checkHistory(messages)).toEqual([]);
    expect(brief(messages).at(-1)).toBe(`assistant[failed]: ${CANNED_TEXT.failed}`);
  });

  it('a result that could not be saved at once is saved with the end of the turn', async () => {
    const { state, store } = breakable('conversations.append');
    const tools = createManualTools({ act: 'internal', look: 'read' });
    const engine = await createEngine({ store, tools, script: [calls(call('act'), call('look'))] });
    await engine.ask('Go');
    state.broken = true;
    tools.waiting[0]?.answer({ ticket: 5001 });
    tools.waiting[1]?.answer({ seen: 1 });
    await settle();
    const messages = await engine.messages();
    expect(brief(messages)).toEqual([
      'user: Go',
      'assistant→act({})→look({}): ',
      'tool: {"ticket":5001}',
      'tool: {"seen":1}',
      `assistant[failed]: ${CANNED_TEXT.failed}`,
    ]);
  });

  it('an end that fails once is written at the second try', async () => {
    const { state, store } = breakable('conversations.endTurn');
    const engine = await createEngine({ store, script: [answer('Yes.')] });
    state.broken = true;
    state.left = 1;
    await engine.ask('Hi');
    expect(brief(await engine.messages())).toEqual(['user: Hi', 'assistant: Yes.']);
    expect(engine.ofType('notice')).toEqual([]);
  });

  it('an end that cannot be written is told, and the turn is closed once the disk is back', async () => {
    const { state, store } = breakable('conversations.endTurn');
    const engine = await createEngine({ store, script: [answer('Yes.'), answer('Two.')] });
    state.broken = true;
    await engine.ask('Hi');
    expect(engine.ofType('notice')[0]?.message).toContain('could not be saved');
    expect(engine.ofType('turn-end')[0]).toMatchObject({ state: 'failed', record: { error: { code: 'not-saved' } } });
    expect((await engine.messages()).map((message) => message.role)).toEqual(['user']);
    await expect(send(engine.service, engine.conversationId, 'again')).rejects.toMatchObject({ code: 'not-saved' });
    state.broken = false;
    await engine.ask('again');
    const messages = await engine.messages();
    expect(brief(messages)[0]).toBe('user: Hi');
    expect(messages[1]?.state).toBe('interrupted');
    expect(brief(messages).slice(2)).toEqual(['user: again', 'assistant: Two.']);
  });

  it('opening a conversation closes what could not be closed before', async () => {
    const { state, store } = breakable('conversations.endTurn');
    const engine = await createEngine({ store, script: [[...calls()]] });
    state.broken = true;
    await engine.ask('Hi');
    state.broken = false;
    expect(brief(await engine.messages())).toEqual(['user: Hi', `assistant[interrupted]: ${INTERRUPTED_TEXT}`]);
  });

  it('a history that cannot be read fails the turn and keeps the cause', async () => {
    const { state, store } = breakable('conversations.readMemoryState');
    const engine = await createEngine({ store });
    state.broken = true;
    await engine.ask('Hi');
    expect(brief(await engine.messages())).toEqual(['user: Hi', `assistant[failed]: ${CANNED_TEXT.failed}`]);
    expect(engine.ofType('turn-end')[0]?.record.error).toMatchObject({ code: 'not-saved' });
    expect(engine.model.requests).toEqual([]);
  });

  it('traces, usage lines and streamed text that cannot be written are logged and change nothing', async () => {
    const { state, store } = breakable('traces.saveRun', 'traces.save', 'usage.record', 'conversations.saveStreamedText');
    const engine = await createEngine({ store, script: [answer('Yes, of course.')] });
    state.broken = true;
    await engine.ask('Hi');
    expect(brief(await engine.messages())).toEqual(['user: Hi', 'assistant: Yes, of course.']);
    expect(engine.ofType('turn-end')[0]).toMatchObject({ state: 'answered' });
    expect(engine.logs.length).toBeGreaterThan(0);
  });

  it('a turn taken over by someone else is not written to', async () => {
    const inner = createInMemoryStore();
    const taken: Fault = { kind: 'fail', error: new ConsoleError('conflict', 'another run works on this turn') };
    const store = createFaultyStore(inner, (name) => (name === 'conversations.append' ? taken : PASS));
    const tools = createManualTools({ act: 'internal' });
    const engine = await createEngine({ store, tools, script: [calls(call('act'))] });
    await engine.ask('Go');
    expect(tools.begun).toEqual([]);
    expect(engine.ofType('notice')[0]).toMatchObject({ level: 'warning' });
    expect((await inner.conversations.readTurn(engine.conversationId, 1))?.messages).toHaveLength(1);
  });

  it('a tool that throws, against its contract, is data; a listener that throws stops nobody', async () => {
    const tools = createManualTools({ act: 'read' });
    const engine = await createEngine({ tools, script: [calls(call('act')), answer('Sorry.')] });
    const seen: string[] = [];
    engine.service.subscribe(() => {
      throw new Error('listener');
    });
    engine.service.subscribe((event) => seen.push(event.type));
    await engine.ask('Go');
    tools.waiting[0]?.fail(new Error('boom'));
    await settle();
    expect(JSON.parse((await engine.messages())[2]?.content ?? '')).toHaveProperty('error');
    expect(seen.at(-2)).toBe('turn-end');
    expect(engine.logs).toContain('an event listener failed');
  });
});
