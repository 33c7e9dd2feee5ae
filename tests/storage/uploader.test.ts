import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openOutbox } from '../../electron/storage/sqlite/sqlite-outbox.ts';
import type { SqliteOutbox } from '../../electron/storage/sqlite/sqlite-outbox.ts';
import { newOperation } from '../../electron/storage/sync/operation.ts';
import type { ApplyOutcome, Operation } from '../../electron/storage/sync/operation.ts';
import { createUploader } from '../../electron/storage/sync/uploader.ts';
import type { UploadOutbox, Uploader } from '../../electron/storage/sync/uploader.ts';
import { nextId } from '../contract/store-builders.ts';

const AWAY: ApplyOutcome = { kind: 'later', error: { code: 'storage', message: 'cannot be reached', retryable: true }, errno: null };
const REJECTED: ApplyOutcome = { kind: 'rejected', error: { code: 'conflict', message: 'changed', retryable: false } };

/** The real outbox on an in-memory file, behind promises as the worker has it. */
function promised(outbox: SqliteOutbox): UploadOutbox {
  return {
    ready: async (now, limit) => outbox.ready(now, limit),
    acknowledge: async (id, result) => outbox.acknowledge(id, result),
    reject: async (id, reason) => outbox.reject(id, reason),
    park: async (id, reason, errno) => outbox.park(id, reason, errno),
    postpone: async (id, nextTryAt, reason, errno) => outbox.postpone(id, nextTryAt, reason, errno),
  };
}

interface World {
  outbox: SqliteOutbox;
  uploader: Uploader;
  /** Operations as the server did them, in order. */
  done: string[];
  clock: { now: number };
  server: { answer: (operation: Operation) => ApplyOutcome; isReachable: boolean };
}

function world(): World {
  const { outbox } = openOutbox(':memory:');
  const done: string[] = [];
  const clock = { now: 1_000_000 };
  const server: World['server'] = { answer: () => ({ kind: 'applied', result: 'null' }), isReachable: true };
  const uploader = createUploader({
    outbox: promised(outbox),
    apply: async (operation) => {
      const outcome = server.answer(operation);
      if (outcome.kind === 'applied' && !done.includes(operation.id)) done.push(operation.id);
      return outcome;
    },
    isReachable: async () => server.isReachable,
    now: () => clock.now,
    random: () => 1,
  });
  return { outbox, uploader, done, clock, server };
}

function add(outbox: SqliteOutbox, conversationId: string | null): string {
  const source = { id: nextId('op'), consoleId: 'c', conversationId, turn: null, kind: 'conversations.saveDraft' as const, at: 0 };
  const operation = newOperation(source, [conversationId, 'text', 0]);
  outbox.add(operation);
  return operation.id;
}

describe('upload', () => {
  test('[SYN-3] everything that waits is sent, in order within its conversation', async () => {
    const { outbox, uploader, done } = world();
    const [a1, b1, a2, a3] = [add(outbox, 'a'), add(outbox, 'b'), add(outbox, 'a'), add(outbox, 'a')];
    expect(await uploader.run()).toEqual({ applied: 4, rejected: 0, parked: 0, isOffline: false });
    expect(done.filter((id) => id !== b1)).toEqual([a1, a2, a3]);
    expect(outbox.counts()).toEqual({ pending: 0, parked: 0, rejected: 0 });
  });

  test('[SYN-1] a server that is away: nothing is lost or parked however long it takes, and the waits grow', async () => {
    const { outbox, uploader, done, clock, server } = world();
    const ids = [add(outbox, 'a'), add(outbox, 'a'), add(outbox, 'b')];
    server.isReachable = false;
    server.answer = () => AWAY;
    const waits: number[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await uploader.run()).toMatchObject({ applied: 0, parked: 0 });
      const next = Math.min(
        ...outbox
          .waiting()
          .filter((entry) => entry.attempts > 0)
          .map((entry) => entry.nextTryAt),
      );
      waits.push(next - clock.now);
      clock.now = next;
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
    expect(outbox.counts()).toEqual({ pending: 3, parked: 0, rejected: 0 });
    server.isReachable = true;
    server.answer = () => ({ kind: 'applied', result: '1' });
    clock.now += 60_000;
    expect(await uploader.run()).toMatchObject({ applied: 3, isOffline: false });
    expect([...done].sort()).toEqual([...ids].sort());
  });

  test('an operation that breaks the connection three times while the server answers otherwise is parked; others flow', async () => {
    const { outbox, uploader, done, clock, server } = world();
    const [large, behind, other] = [add(outbox, 'a'), add(outbox, 'a'), add(outbox, 'b')];
    server.answer = (operation) => (operation.id === large ? AWAY : { kind: 'applied', result: 'null' });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await uploader.run();
      clock.now += 60_000;
    }
    expect(outbox.stopped()).toMatchObject([{ id: large, state: 'parked', reason: expect.stringContaining('too large') }]);
    expect(done).toEqual([other]);
    outbox.discard(large);
    await uploader.run();
    expect(done).toEqual([other, behind]);
  });

  test('a refused operation is kept with its reason and the next one goes on', async () => {
    const { outbox, uploader, done, server } = world();
    const [refused, next] = [add(outbox, 'a'), add(outbox, 'a')];
    server.answer = (operation) => (operation.id === refused ? REJECTED : { kind: 'applied', result: 'null' });
    expect(await uploader.run()).toEqual({ applied: 1, rejected: 1, parked: 0, isOffline: false });
    expect(outbox.stopped()).toMatchObject([{ id: refused, state: 'rejected', reason: 'changed' }]);
    expect(done).toEqual([next]);
  });

  test('calls at the same time share one run', async () => {
    const { outbox, uploader, done } = world();
    const id = add(outbox, 'a');
    await Promise.all([uploader.run(), uploader.run(), uploader.run()]);
    expect(done).toEqual([id]);
  });

  test('[SYN-1] [SYN-2] [SYN-3] any mixture of failures ends with everything done once and in order', async () => {
    const step = fc.record({
      conversation: fc.constantFrom('a', 'b', 'c'),
      failures: fc.integer({ min: 0, max: 4 }),
      lostAnswer: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        const { outbox, uploader, done, clock, server } = world();
        const plan = new Map<string, { failures: number; lostAnswer: boolean }>();
        const expected = new Map<string, string[]>();
        for (const { conversation, failures, lostAnswer } of steps) {
          const id = add(outbox, conversation);
          plan.set(id, { failures, lostAnswer });
          expected.set(conversation, [...(expected.get(conversation) ?? []), id]);
        }
        server.answer = (operation) => {
          const fate = plan.get(operation.id);
          if (fate !== undefined && fate.failures > 0) {
            fate.failures -= 1;
            // The work is done, its answer is lost.
            if (fate.lostAnswer && !done.includes(operation.id)) done.push(operation.id);
            server.isReachable = false;
            return AWAY;
          }
          server.isReachable = true;
          return { kind: 'applied', result: 'null' };
        };
        for (let round = 0; round < 200 && outbox.waiting().length > 0; round += 1) {
          await uploader.run();
          clock.now += 60_000;
        }
        expect(outbox.waiting()).toEqual([]);
        for (const ids of expected.values()) expect(done.filter((id) => ids.includes(id))).toEqual(ids);
        expect(new Set(done).size).toBe(done.length);
      }),
      { numRuns: 60 },
    );
  });
});
