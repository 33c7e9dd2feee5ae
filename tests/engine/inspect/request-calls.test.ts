/** Requests laid open, compared and tried under other settings and prompts; nothing changes by looking. */
import { describe, expect, it } from 'vitest';
import { SYSTEM_PROMPT } from '../../../electron/engine/system-prompt.ts';
import { answer, call, calls } from '../../fakes/scripted-model.ts';
import { createEngine } from '../engine-fixture.ts';

async function talked() {
  const engine = await createEngine({
    script: [calls(call('list_orders')), answer('One.'), answer('Two.'), answer('Three.'), answer('Four.')],
  });
  await engine.ask('first question');
  await engine.ask('second question');
  const { conversationId, service } = engine;
  const { requests } = await service.call('listRequests', { conversationId });
  return { engine, conversationId, service, requests };
}

describe('requests', () => {
  it('are listed in the order they left, with run, step, prompt and hash', async () => {
    const { service, conversationId, requests } = await talked();
    expect(requests.map(({ turn, step }) => [turn, step])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(requests.every((each) => each.promptVersion === SYSTEM_PROMPT.version && /^[0-9a-f]{64}$/u.test(each.sha256))).toBe(true);
    expect((await service.call('listRequests', { conversationId, turn: 2 })).requests).toEqual(requests.slice(2));
  });

  it('are laid open as they left, with their plan', async () => {
    const { engine, service, conversationId, requests } = await talked();
    const { request, plan } = await service.call('inspectRequest', { conversationId, request: { spanId: requests[2]?.spanId ?? '' } });
    expect(request.messages).toEqual(engine.model.requests[2]?.messages);
    expect(request.system).toBe(SYSTEM_PROMPT.text);
    expect(plan?.entries.map((entry) => entry.turn)).toEqual([1]);
    expect(request.cachedTokens).toBeGreaterThan(0);
    await expect(service.call('inspectRequest', { conversationId, request: { spanId: 'nope' } })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('of another conversation are not shown', async () => {
    const { service, requests } = await talked();
    const { conversation } = await service.call('createConversation', {});
    const name = { spanId: requests[0]?.spanId ?? '' };
    await expect(service.call('inspectRequest', { conversationId: conversation.id, request: name })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('are compared: the next step adds, a tried question differs', async () => {
    const { service, conversationId, requests } = await talked();
    const [first, second, third] = requests.map(({ spanId }) => ({ spanId }));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three requests were sent');
    const { diff } = await service.call('diffRequests', { conversationId, from: first, to: second });
    expect(diff).toMatchObject({ cause: 'new-step', lostTokens: 0 });
    const next = await service.call('diffRequests', { conversationId, from: third, to: { trial: { next: 'third question' } } });
    expect(next.diff.cause).toBe('new-turn');
  });

  it('that are erased say so, keep their hash, and cannot be compared', async () => {
    const { service, conversationId, requests } = await talked();
    await service.call('forgetTurn', { conversationId, turn: 1 });
    const name = { spanId: requests[0]?.spanId ?? '' };
    const { request } = await service.call('inspectRequest', { conversationId, request: name });
    expect(request).toMatchObject({ erased: true, system: '', messages: [], mark: { sha256: requests[0]?.sha256 } });
    await expect(service.call('diffRequests', { conversationId, from: name, to: name })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

describe('a preview under a trial', () => {
  it('obeys tried settings, tells cached share, and changes nothing', async () => {
    const { service, conversationId } = await talked();
    const trial = { conversationId, next: 'x', strategy: 'recent-turns' as const, measure: true };
    const usual = await service.call('previewContext', trial);
    const tried = await service.call('previewContext', { ...trial, settings: { 'memory.maxChars': 2 } });
    expect(tried.plan.entries.map((entry) => entry.disposition)).toEqual(['dropped', 'full']);
    expect(usual.plan.entries.map((entry) => entry.disposition)).toEqual(['full', 'full']);
    expect(usual.cachedTokens).toBeTypeOf('number');
    expect(await service.call('previewContext', trial)).toEqual(usual);
    const { settings } = await service.call('getSettings', {});
    expect(settings['memory.maxChars']).toBe(12_000);
  });

  it('refuses what is no memory setting or has no sense', async () => {
    const { service, conversationId } = await talked();
    const refused = (settings: Record<string, unknown>) => expect(service.call('previewContext', { conversationId, settings })).rejects;
    await refused({ 'agent.maxSteps': 3 }).toMatchObject({ code: 'invalid-input', message: /memory settings|memory setting/u });
    await refused({ 'memory.recentTurns': -1 }).toMatchObject({ code: 'invalid-input' });
  });
});

describe('versions of the system prompt', () => {
  it('are numbered, tried on a past request, activated, recorded by each turn, and rolled back', async () => {
    const { engine, service, conversationId, requests } = await talked();
    const { version } = await service.call('addPromptVersion', {
      text: 'Be brief.',
      author: 'Mara',
      note: 'shorter',
      basedOn: SYSTEM_PROMPT.version,
    });
    expect(version).toMatchObject({ version: 'v2', active: false, builtIn: false, note: 'shorter' });
    const past = { spanId: requests[2]?.spanId ?? '' };
    const { request } = await service.call('inspectRequest', { conversationId, request: { ...past, promptVersion: 'v2' } });
    expect(request).toMatchObject({ system: 'Be brief.', messages: engine.model.requests[2]?.messages });
    const { diff } = await service.call('diffRequests', { conversationId, from: past, to: { ...past, promptVersion: 'v2' } });
    expect(diff).toMatchObject({ cause: 'prompt', first: { part: 1, message: null } });
    await service.call('activatePromptVersion', { version: 'v2' });
    await engine.ask('third');
    expect(engine.model.requests.at(-1)?.system).toBe('Be brief.');
    await service.call('activatePromptVersion', { version: SYSTEM_PROMPT.version });
    await engine.ask('fourth');
    expect(engine.model.requests.at(-1)?.system).toBe(SYSTEM_PROMPT.text);
    const view = await service.call('openConversation', { conversationId });
    expect(view.turns.map((turn) => turn.promptVersion)).toEqual([
      SYSTEM_PROMPT.version,
      SYSTEM_PROMPT.version,
      'v2',
      SYSTEM_PROMPT.version,
    ]);
  });

  it('are chosen per conversation and given back', async () => {
    const { engine, service, conversationId } = await talked();
    await service.call('addPromptVersion', { text: 'Only here.', author: 'Mara' });
    await service.call('choosePromptVersion', { conversationId, version: 'v2' });
    expect((await service.call('previewContext', { conversationId })).promptVersion).toBe('v2');
    await engine.ask('third');
    expect(engine.model.requests.at(-1)?.system).toBe('Only here.');
    await service.call('choosePromptVersion', { conversationId, version: null });
    expect((await service.call('previewContext', { conversationId })).promptVersion).toBe(SYSTEM_PROMPT.version);
    const unknown = service.call('choosePromptVersion', { conversationId, version: 'v9' });
    await expect(unknown).rejects.toMatchObject({ code: 'not-found' });
  });
});
