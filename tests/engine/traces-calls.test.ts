/** Large payloads piece by piece, and the tools of turns. */
import { describe, expect, it } from 'vitest';
import { answer, call, calls } from '../fakes/scripted-model.ts';
import { createEngine } from './engine-fixture.ts';

async function engineWithToolRun() {
  const engine = await createEngine({ script: [calls(call('get_order', { order_id: 1042 }), call('list_orders')), answer('Done 😀.')] });
  await engine.ask('Go');
  const { trace } = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 1 });
  return { engine, spans: trace?.spans ?? [] };
}

describe('readSpanText', () => {
  it('gives the whole text in pieces, each beginning where the one before ended', async () => {
    const { engine, spans } = await engineWithToolRun();
    const spanId = spans.find((span) => span.kind === 'model-call')?.id ?? '';
    const { detail } = await engine.service.call('getSpanDetail', { spanId });
    for (const part of ['request', 'response'] as const) {
      const whole = JSON.stringify(detail?.[part], null, 2);
      let text = '';
      for (let offset: number | null = 0; offset !== null; ) {
        const piece: { text: string; total: number; next: number | null } = await engine.service.call('readSpanText', {
          spanId,
          part,
          offset,
          characters: 97,
        });
        expect(piece.text.length).toBeLessThanOrEqual(97);
        expect(piece.total).toBe(whole.length);
        text += piece.text;
        offset = piece.next;
      }
      expect(text).toBe(whole);
    }
  });

  it('never parts a surrogate pair', async () => {
    const { engine, spans } = await engineWithToolRun();
    const spanId = spans.findLast((span) => span.kind === 'model-call')?.id ?? '';
    const whole = await engine.service.call('readSpanText', { spanId, part: 'response' });
    const at = whole.text.indexOf('😀');
    const piece = await engine.service.call('readSpanText', { spanId, part: 'response', characters: at + 1 });
    expect(at).toBeGreaterThan(0);
    expect(piece).toMatchObject({ next: at, text: whole.text.slice(0, at) });
  });

  it('refuses a span without a detail and answers after the end with an empty last piece', async () => {
    const { engine, spans } = await engineWithToolRun();
    await expect(engine.service.call('readSpanText', { spanId: 'nobody', part: 'request' })).rejects.toMatchObject({ code: 'not-found' });
    const spanId = spans.find((span) => span.kind === 'tool-call')?.id ?? '';
    expect(await engine.service.call('readSpanText', { spanId, part: 'request', offset: 9999 })).toMatchObject({ text: '', next: null });
  });
});

describe('listToolsOfTurns', () => {
  it('names each tool of a turn once', async () => {
    const { engine } = await engineWithToolRun();
    const { turns } = await engine.service.call('listToolsOfTurns', { conversationId: engine.conversationId });
    expect(turns).toEqual([{ turn: 1, tools: ['get_order', 'list_orders'] }]);
  });
});
