import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createDispatcher, pushCoalesced } from '../../electron/hosts/rpc-dispatcher.ts';
import { CONSOLE_API } from '../../shared/console-api.ts';
import type { ConsoleApi, ConsoleEvent } from '../../shared/console-api.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { RpcEvents } from '../../shared/rpc.ts';

const ID = '0123456789abcdef0123456789abcdef';

/** Records what reaches the engine. */
function recordingApi(answer: (method: string, params: unknown) => unknown = () => ({})) {
  const calls: { method: string; params: unknown }[] = [];
  const listeners = new Set<(event: ConsoleEvent) => void>();
  const api: ConsoleApi = {
    async call(method, params) {
      calls.push({ method, params });
      return answer(method, params) as never;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { api, calls, listeners, emit: (event: ConsoleEvent) => listeners.forEach((listener) => listener(event)) };
}

function delta(id: string, text: string, runId = 'run'): ConsoleEvent {
  return { type: 'text-delta', conversationId: ID, turn: 1, runId, step: 1, id, delta: text };
}

describe('E17b requests', () => {
  test('parameters are checked and defaults filled in before the engine sees them', async () => {
    const { api, calls } = recordingApi();
    const dispatcher = createDispatcher(api);
    expect(await dispatcher.dispatch({ id: 1, method: 'listConversations', params: {} })).toEqual({ id: 1, ok: true, result: {} });
    expect(calls).toEqual([{ method: 'listConversations', params: { limit: 50 } }]);
  });

  test.each([
    [{ id: 2, method: 'nope', params: {} }, 'unsupported'],
    [{ id: 2, method: 'toString', params: {} }, 'unsupported'],
    [{ id: 2, method: '__proto__', params: {} }, 'unsupported'],
    [{ id: 2, method: 'stopRun', params: { conversationId: 'x' } }, 'invalid-input'],
    [{ id: 2, method: 'stopRun' }, 'invalid-input'],
    [{ id: 2, method: 'sendMessage', params: { conversationId: ID, messageId: 'message-1', text: '  ' } }, 'invalid-input'],
    [{ id: 2, method: 7, params: {} }, 'invalid-input'],
    [{ id: 2, method: 'saveDraft', params: { conversationId: ID, text: 'x'.repeat(1 << 20) } }, 'invalid-input'],
    [{ id: 2, method: 'getAppInfo', params: { big: 1n } }, 'invalid-input'],
  ])('%o never reaches the engine', async (request, code) => {
    const { api, calls } = recordingApi();
    const reply = await createDispatcher(api).dispatch(request);
    expect(reply).toMatchObject({ id: 2, ok: false, error: { code } });
    expect(calls).toEqual([]);
  });

  test('whatever is thrown behind it becomes a reply', async () => {
    for (const thrown of [new ConsoleError('busy', 'later', { retryable: true }), new Error('boom'), 'text', undefined, null]) {
      const { api } = recordingApi(() => {
        throw thrown;
      });
      const reply = await createDispatcher(api).dispatch({ id: 3, method: 'getAppInfo', params: {} });
      expect(reply).toMatchObject({ id: 3, ok: false });
    }
  });

  test('X3 no error carries a key to the page', async () => {
    const { api } = recordingApi(() => {
      throw new Error('401: Incorrect API key provided: sk-canary12345678, mysql://nimbus:canary@db/shop');
    });
    const reply = await createDispatcher(api).dispatch({ id: 4, method: 'getAppInfo', params: {} });
    expect(JSON.stringify(reply)).not.toContain('canary');
    expect(reply).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  test('any value at all gets a reply, and only valid calls reach the engine', async () => {
    const { api, calls } = recordingApi();
    const dispatcher = createDispatcher(api, {
      monotonicNow: (() => {
        let at = 0;
        return () => (at += 1_000);
      })(),
    });
    const method = fc.oneof(fc.constantFrom(...Object.keys(CONSOLE_API)), fc.string());
    const request = fc.oneof(
      fc.anything({ withBigInt: true, withMap: true }),
      fc.record({ id: fc.anything(), method, params: fc.anything() }),
    );
    await fc.assert(
      fc.asyncProperty(request, async (value) => {
        calls.length = 0;
        const reply = await dispatcher.dispatch(value);
        expect(typeof reply.ok).toBe('boolean');
        expect(Number.isSafeInteger(reply.id)).toBe(true);
        for (const call of calls) {
          expect(CONSOLE_API[call.method as keyof typeof CONSOLE_API].params.safeParse(call.params).success).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a flood is refused and told to come back, then works again', async () => {
    let now = 0;
    const { api, calls } = recordingApi();
    const dispatcher = createDispatcher(api, { monotonicNow: () => now });
    const replies = await Promise.all(
      Array.from({ length: 1_000 }, (_, id) => dispatcher.dispatch({ id, method: 'getAppInfo', params: {} })),
    );
    const refused = replies.filter((reply) => !reply.ok);
    expect(refused.length).toBe(1_000 - calls.length);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ error: { code: 'busy', retryable: true } });
    now += 1_000;
    expect(await dispatcher.dispatch({ id: 1, method: 'getAppInfo', params: {} })).toMatchObject({ ok: true });
  });
});

describe('events', () => {
  test('text of one stream is joined, order is kept, other streams stay apart', () => {
    const batch: ConsoleEvent[] = [];
    for (const event of [delta('a', 'He'), delta('a', 'llo'), delta('b', 'x'), delta('a', '!'), delta('a', '?', 'other')]) {
      pushCoalesced(batch, event);
    }
    expect(batch.map((event) => event.type === 'text-delta' && event.delta)).toEqual(['Hello', 'x', '!', '?']);
  });

  test('joining changes no event that was given', () => {
    const first = delta('a', 'He');
    const batch: ConsoleEvent[] = [];
    pushCoalesced(batch, first);
    pushCoalesced(batch, delta('a', 'llo'));
    expect(first).toMatchObject({ delta: 'He' });
  });

  test('200,000 characters in single-character deltas cross in few batches and bytes', async () => {
    vi.useFakeTimers();
    try {
      const { api, emit } = recordingApi();
      const batches: RpcEvents[] = [];
      const stop = createDispatcher(api).listen((batch) => batches.push(batch));
      for (let index = 0; index < 200_000; index += 1) emit(delta('a', 'x'));
      await vi.advanceTimersByTimeAsync(50);
      expect(batches).toHaveLength(1);
      expect(JSON.stringify(batches).length).toBeLessThan(3 * 200_000);
      stop();
      emit(delta('a', 'late'));
      await vi.advanceTimersByTimeAsync(50);
      expect(batches).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('waiting events cross before a reply, which may already hold what they say', async () => {
    const { api, emit } = recordingApi((method) => {
      emit(delta('a', 'Hello'));
      if (method === 'getSettings') throw new Error('not now');
      return { text: 'Hello' };
    });
    const crossed: string[] = [];
    const dispatcher = createDispatcher(api, { coalesceMs: 60_000 });
    const stop = dispatcher.listen(({ events }) => crossed.push(...events.map((event) => event.type)));
    for (const method of ['getAppInfo', 'getSettings']) {
      await dispatcher.dispatch({ id: 1, method, params: {} }).then((reply) => crossed.push(reply.ok ? 'reply' : 'error'));
    }
    expect(crossed).toEqual(['text-delta', 'reply', 'text-delta', 'error']);
    stop();
    emit(delta('a', 'late'));
    await dispatcher.dispatch({ id: 1, method: 'getAppInfo', params: {} });
    expect(crossed).toHaveLength(4);
  });

  test('a listener that throws costs nobody else anything', async () => {
    const { api, emit, listeners } = recordingApi();
    const dispatcher = createDispatcher(api, { coalesceMs: 1 });
    dispatcher.listen(() => {
      throw new Error('page is gone');
    });
    const { promise, resolve } = Promise.withResolvers<RpcEvents>();
    dispatcher.listen(resolve);
    emit(delta('a', 'x'));
    expect((await promise).events).toHaveLength(1);
    expect(listeners.size).toBe(2);
  });
});
