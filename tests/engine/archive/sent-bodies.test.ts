/** Requests as bytes: what a provider received is what the archive gives back, for every call, with tools, compaction, recall and helpers. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleService } from '../../../electron/engine/console-service.ts';
import { createConsoleService } from '../../../electron/engine/console-service.ts';
import { scriptEstimator } from '../../../electron/engine/memory/estimate.ts';
import type { Store } from '../../../electron/engine/ports.ts';
import { DEMO_CUSTOMER_ID } from '../../../electron/engine/shop/shop-data.ts';
import { RECALL_TOOL } from '../../../electron/engine/tools/recall-conversation.ts';
import { tapeDeck } from '../../../electron/models/tape-deck.ts';
import { createModelWorkshop } from '../../../electron/models/model-workshop.ts';
import { createInMemoryStore } from '../../../electron/storage/in-memory-store.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { RecordedRequest, Reply } from '../../fakes/providers/fake-server.ts';
import type { ScriptedStep } from '../../fakes/providers/script.ts';
import type { Api } from '../../models/fault-parts.ts';
import { startFakes } from '../../models/fault-runner.ts';
import { testClock } from '../../models/support.ts';
import { GEMINI_TEST_KEY } from '../../fakes/providers/fake-gemini.ts';
import { OPENAI_TEST_KEY } from '../../fakes/providers/fake-openai.ts';
import { countedIds, newMessageId } from '../engine-fixture.ts';
import { memoryVault } from '../provider-fixture.ts';

const TURNS = 52;
/** Above the usual limit of a test: hundreds of requests over real sockets. */
const LONG_TEST_MS = 120_000;
const NAMES = { responses: 'openai/gpt-5', chat: 'openai-chat/gpt-4o-mini', gemini: 'gemini/gemini-2.5-flash' } as const;
const WORDS = 'parcel invoice refund delivery address warranty replacement tracking colour size voucher return label'.split(' ');
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

let fakes: Awaited<ReturnType<typeof startFakes>>;
beforeEach(async () => {
  fakes = await startFakes();
});
afterEach(() => fakes.close());

function sentence(seed: number, length: number): string {
  return Array.from({ length }, (_, index) => WORDS[(seed * 7 + index * 5 + (index % 3) * seed) % WORDS.length]).join(' ');
}

interface Console {
  service: ConsoleService;
  store: Store;
  conversationId: string;
  ask: (text: string) => Promise<void>;
}

/** A console whose models are the real adapters, pointed at the fakes. */
async function openConsole(api: Api, settings: Partial<Settings>): Promise<Console> {
  const store = createInMemoryStore();
  const clock = testClock();
  const environment = {
    openai: { apiKey: OPENAI_TEST_KEY, baseUrl: fakes.openai.baseUrl },
    'openai-chat': { apiKey: OPENAI_TEST_KEY, baseUrl: fakes.openai.baseUrl },
    gemini: { apiKey: GEMINI_TEST_KEY, baseUrl: fakes.gemini.baseUrl },
  };
  const service = createConsoleService({
    store,
    clock,
    providers: {
      workshop: createModelWorkshop({ clock, delayMs: 0 }),
      vault: memoryVault(),
      deck: tapeDeck,
      environment,
      startedWith: NAMES[api],
      onSecret: () => undefined,
    },
    ids: countedIds(),
    estimator: scriptEstimator,
    logger: { warn: () => undefined, error: () => undefined },
    appInfo: {
      version: '0.0.0',
      storage: store.kind,
      dataFolder: 'memory',
      host: 'terminal',
      platform: 'test',
      demoCustomerId: DEMO_CUSTOMER_ID,
    },
    settingOverrides: settings,
  });
  await service.start();
  const { conversation } = await service.call('createConversation', { customerId: DEMO_CUSTOMER_ID });
  const conversationId = conversation.id;
  return {
    service,
    store,
    conversationId,
    async ask(text) {
      const ended = new Promise<void>((resolve) => {
        const stop = service.subscribe((event) => {
          if (event.type !== 'turn-end') return;
          stop();
          resolve();
        });
      });
      await service.call('sendMessage', { conversationId, messageId: newMessageId(), text });
      await ended;
    },
  };
}

/** Writes a step as the API's own answer. */
function reply(api: Api, step: ScriptedStep): Reply {
  if (api === 'gemini') return fakes.gemini.gemini(step);
  return api === 'chat' ? fakes.openai.chat(step) : fakes.openai.responses(step);
}

/** Looks something up every fourth turn, recalls in every tenth, is busy once, and answers what the console asks for itself. */
function play(api: Api): void {
  const fake = api === 'gemini' ? fakes.gemini : fakes.openai;
  let busy = true;
  const next = (request: RecordedRequest): Reply => {
    if (request.body['tools'] === undefined) return reply(api, { text: 'They talked about several parcels.' });
    const list = request.body[api === 'gemini' ? 'contents' : api === 'chat' ? 'messages' : 'input'] as Record<string, unknown>[];
    const last = JSON.stringify(list.at(-1));
    const turn = Number(/Question (\d+)/u.exec(last)?.[1] ?? 0);
    if (turn === 9 && busy) {
      busy = false;
      return { status: 503, body: { error: { message: 'overloaded', status: 'UNAVAILABLE', code: 503 } } };
    }
    const offered = bodyText(request).includes(RECALL_TOOL);
    if (turn > 0 && turn % 10 === 0 && offered)
      return reply(api, { calls: [{ name: RECALL_TOOL, arguments: { query: 'Question 3 engraving moonflower' } }], reasoning: true });
    if (turn > 0 && turn % 4 === 0) return reply(api, { calls: [{ name: 'get_order', arguments: { order_id: 1043 } }], reasoning: true });
    const text = `Reply 🍣 ${turn}: ${sentence(turn + 2, 24)} order ${1000 + turn}, ${turn}.50 EUR.`;
    return reply(api, { text, reasoning: turn % 3 === 0 });
  };
  fake.script(...Array.from({ length: TURNS * 5 }, () => next));
}

function bodyText({ bodyText: text }: RecordedRequest): string {
  return text;
}

function bodies(api: Api): string[] {
  return (api === 'gemini' ? fakes.gemini : fakes.openai).modelRequests().map(bodyText);
}

/** Resolves when the console has asked for itself what there was to ask: no request for a while. */
async function quiet(api: Api): Promise<void> {
  for (let seen = -1, look = 0; seen !== bodies(api).length && look < 100; look += 1) {
    seen = bodies(api).length;
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
  }
}

describe('the bodies that left', () => {
  const CASES: [Api, Settings['memory.strategy']][] = [
    ['responses', 'stable'],
    ['responses', 'summary'],
    ['chat', 'stable'],
    ['chat', 'recent-turns'],
    ['gemini', 'stable'],
    ['gemini', 'summary'],
  ];
  it.each(CASES)(
    '%s under %s: every body received is rebuilt with the same hash, for at most 1.2 times what is unique',
    async (api, strategy) => {
      play(api);
      const settings = {
        'memory.strategy': strategy,
        'privacy.redact': strategy !== 'stable',
        'memory.historyTokens': 1500,
        'memory.maxChars': 6000,
        'memory.maxHistoryTokens': 1200,
      };
      const { service, store, conversationId, ask } = await openConsole(api, settings);
      for (let turn = 1; turn <= TURNS; turn += 1)
        await ask(
          `Question ${turn} "quoted" \\ é: ${turn === 3 ? 'the engraving reads moonflower' : sentence(turn + 3, 20)} anna@example.org?`,
        );
      await quiet(api);
      await service.stop();
      const received = bodies(api);
      const { requests } = await service.call('listArchived', { conversationId, limit: 500 });
      expect(requests.map((request) => request.wire?.sha256)).not.toContain(undefined);
      const rebuilt = new Set<string>();
      for (const { spanId, wire } of requests) {
        const answer = (await service.call('rebuildRequest', { conversationId, spanId })).rebuilt;
        expect(answer.state).toBe('same');
        expect(sha256(answer.body ?? '')).toBe(wire?.sha256);
        expect(Buffer.byteLength(answer.body ?? '')).toBe(wire?.bytes);
        rebuilt.add(answer.body ?? '');
      }
      expect([...rebuilt].toSorted()).toEqual([...new Set(received)].toSorted());
      expect(received.length).toBeGreaterThan(TURNS * 1.2);
      if (strategy !== 'stable') expect(received.join('')).not.toContain('anna@example.org');
      const archived = await Promise.all(requests.map(async ({ spanId }) => (await store.archive.read(spanId))?.text ?? ''));
      const unique = [...new Set(archived.flatMap((text) => text.split('\n').map((line) => `${line}\n`)))];
      const size = await store.archive.size(conversationId);
      expect(size.payloadBytes + size.manifestBytes).toBeLessThanOrEqual(1.2 * Buffer.byteLength(unique.join('')));
      if (strategy === 'summary') expect(requests.map((request) => request.purpose)).toContain('summary');
      if (strategy === 'stable')
        expect((await store.conversations.readTurn(conversationId, 40))?.messages.map((each) => each.toolName)).toContain(RECALL_TOOL);
    },
    LONG_TEST_MS,
  );

  it('a forgotten turn leaves hashes only of what quoted it, helpers included, and other requests stay the same', async () => {
    play('responses');
    const { service, conversationId, ask } = await openConsole('responses', {
      'memory.strategy': 'summary',
      'memory.maxHistoryTokens': 100,
    });
    for (let turn = 1; turn <= 8; turn += 1) await ask(`Question ${turn}: ${turn === 3 ? 'canary' : sentence(turn, 30)}?`);
    await quiet('responses');
    await service.call('forgetTurn', { conversationId, turn: 3 });
    const { requests } = await service.call('listArchived', { conversationId, limit: 500 });
    expect(requests.some((request) => request.purpose === 'summary' && request.turn >= 3)).toBe(true);
    for (const { spanId, turn, wire } of requests) {
      const { rebuilt } = await service.call('rebuildRequest', { conversationId, spanId });
      expect(rebuilt.state).toBe(turn >= 3 ? 'erased' : 'same');
      expect(rebuilt.wire?.sha256).toBe(wire?.sha256);
      expect(rebuilt.wire?.sha256).toMatch(/^[0-9a-f]{64}$/u);
    }
    await service.stop();
  });

  it('a try with another body is kept beside the first: a hint after a call that was not valid, a server that takes no stream options', async () => {
    const malformed = {
      events: [{ data: JSON.stringify({ candidates: [{ content: { parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL' }] }) }],
    };
    fakes.gemini.script(malformed, reply('gemini', { text: 'Yes.' }));
    const refusal = { status: 400, body: { error: { message: 'Unrecognized request argument supplied: stream_options' } } };
    fakes.openai.script(refusal, reply('chat', { text: 'Yes.' }));
    for (const api of ['gemini', 'chat'] as const) {
      const { service, conversationId, ask } = await openConsole(api, {});
      await ask('Hello?');
      await service.stop();
      const { requests } = await service.call('listArchived', { conversationId, limit: 9 });
      const rebuilt = await Promise.all(
        requests.map(async ({ spanId }) => (await service.call('rebuildRequest', { conversationId, spanId })).rebuilt.body),
      );
      expect(rebuilt.toReversed()).toEqual(bodies(api));
      expect(new Set(rebuilt).size).toBe(2);
    }
  });
});
