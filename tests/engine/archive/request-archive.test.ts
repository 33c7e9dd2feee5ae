/** Requests as they left: rebuilt byte for byte for every call of a long conversation, under every strategy. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseRequest, requestSegments } from '../../../electron/engine/archive/request-text.ts';
import type { StrategyName } from '../../../shared/conversation.ts';
import { createManualTools } from '../../fakes/manual-tools.ts';
import { answer, call, calls } from '../../fakes/scripted-model.ts';
import type { ScriptEntry } from '../../fakes/scripted-model.ts';
import { settle } from '../../fakes/virtual-clock.ts';
import { createEngine } from '../engine-fixture.ts';
import type { Engine } from '../engine-fixture.ts';

const TURNS = 60;
const STRATEGIES: StrategyName[] = ['recent-turns', 'summary', 'stable'];
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const words = 'parcel invoice refund delivery address warranty replacement tracking colour size voucher return label'.split(' ');

function sentence(seed: number, length: number): string {
  return Array.from({ length }, (_, index) => words[(seed * 7 + index * 5 + (index % 3) * seed) % words.length]).join(' ');
}

/** Every third turn looks something up first. */
async function converse(strategy: StrategyName): Promise<Engine> {
  const script: ScriptEntry[] = [];
  const tools = createManualTools({ look: 'read' });
  for (let turn = 1; turn <= TURNS; turn += 1) {
    if (turn % 3 === 0) script.push(calls(call('look', { order_id: 1000 + turn })));
    script.push(answer(`Answer ${turn}: ${sentence(turn, 30)} order ${1000 + turn}, ${turn}.50 EUR.`));
  }
  const settings = { 'memory.strategy': strategy, 'memory.historyTokens': 800, 'memory.maxChars': 4000, 'memory.maxHistoryTokens': 700 };
  const engine = await createEngine({ script, tools, settings });
  engine.model.answerHelpers(() => answer('They talked about several parcels.'));
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await engine.ask(`Question ${turn} 🍣: ${sentence(turn + 3, 20)}?`);
    if (turn % 3 === 0) {
      tools.waiting.at(-1)?.answer({ order_id: 1000 + turn, status: 'shipped', note: sentence(turn, 12) });
      await settle();
    }
  }
  return engine;
}

describe('the request archive', () => {
  it.each(STRATEGIES)('rebuilds every request of %s byte for byte, for at most 1.2 times its unique content', async (strategy) => {
    const { store, model, conversationId, service } = await converse(strategy);
    expect(model.problems()).toEqual([]);
    const kept = (await store.archive.list(conversationId, { limit: 500 })).toReversed();
    expect(kept).toHaveLength(TURNS + TURNS / 3);
    for (const [index, request] of model.requests.entries()) {
      const text = requestSegments(request).join('');
      const archived = await store.archive.read(kept[index]?.spanId ?? '');
      expect(archived?.text).toBe(text);
      expect(archived?.sha256).toBe(sha256(text));
      expect(parseRequest(archived?.text ?? '')).toEqual(JSON.parse(JSON.stringify(request)));
    }
    const size = await store.archive.size(conversationId);
    const all = await store.archive.list(conversationId, { limit: 500, helpers: true });
    const helpers = all.filter((each) => each.purpose !== 'answer').map((each) => each.sha256);
    expect(helpers.toReversed()).toEqual(model.helperRequests.map((request) => sha256(requestSegments(request).join(''))));
    if (strategy === 'summary') expect(helpers.length).toBeGreaterThan(5);
    const left = [...model.requests, ...model.helperRequests];
    const unique = [...new Set(left.flatMap(requestSegments))].reduce((sum, segment) => sum + Buffer.byteLength(segment), 0);
    expect(size.payloadBytes + size.manifestBytes).toBeLessThanOrEqual(1.2 * unique);
    const { trace } = await service.call('getTrace', { conversationId, turn: TURNS });
    const span = trace?.spans.find((each) => each.kind === 'model-call');
    const { detail } = await service.call('getSpanDetail', { spanId: span?.id ?? '' });
    expect(detail?.request).toEqual(JSON.parse(JSON.stringify(model.requests.at(-2))));
    expect(span?.detailBytes).toBeGreaterThan(Buffer.byteLength(JSON.stringify(detail?.request)) * 0.9);
  });

  it('stores no request a second time with its span', async () => {
    const engine = await createEngine({ script: [answer('Sure, a word nobody else says.')] });
    await engine.ask('An unmistakable question');
    const { trace } = await engine.service.call('getTrace', { conversationId: engine.conversationId, turn: 1 });
    const span = trace?.spans.find((each) => each.kind === 'model-call');
    const stored = await engine.store.traces.readDetail(span?.id ?? '');
    expect(stored?.request).toBeNull();
    expect(JSON.stringify(stored?.response)).toContain('a word nobody else says');
  });

  it('a request whose conversation is gone reads as erased, with its hash', async () => {
    const engine = await createEngine({ script: [answer('Sure.')] });
    await engine.ask('Hi');
    const [kept] = await engine.store.archive.list(engine.conversationId, { limit: 1 });
    await engine.service.call('deleteConversation', { conversationId: engine.conversationId });
    const { detail } = await engine.service.call('getSpanDetail', { spanId: kept?.spanId ?? '' });
    expect(detail?.request).toEqual({ erased: true, sha256: kept?.sha256 });
  });

  it('text that is no request is none', () => {
    expect(parseRequest('')).toBeNull();
    expect(parseRequest('{"a":1}\n')).toBeNull();
    expect(parseRequest('not JSON')).toBeNull();
  });
});
