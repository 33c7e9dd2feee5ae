import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { applyOperation } from '../../../electron/storage/mysql/apply-operation.ts';
import { mysqlConversations } from '../../../electron/storage/mysql/mysql-conversations.ts';
import { MysqlDatabase } from '../../../electron/storage/mysql/mysql-database.ts';
import { DEFAULT_TIMINGS, MysqlPool } from '../../../electron/storage/mysql/mysql-pool.ts';
import { mysqlTurns } from '../../../electron/storage/mysql/mysql-turns.ts';
import { parseMysqlUrl } from '../../../electron/storage/mysql/mysql-url.ts';
import { acquireLease, releaseLease, renewLease } from '../../../electron/storage/mysql/turn-lease.ts';
import type { TurnLease } from '../../../electron/storage/mysql/turn-lease.ts';
import { newOperation } from '../../../electron/storage/sync/operation.ts';
import type { Operation, OperationKind } from '../../../electron/storage/sync/operation.ts';
import { answer, conversation, incoming, nextId, question, START } from '../../contract/store-builders.ts';
import type { FaultProxy } from '../../fakes/fault-proxy.ts';
import { startFaultProxy } from '../../fakes/fault-proxy.ts';
import type { MariadbServer } from '../../fakes/mariadb-server.ts';
import { startMariadb } from '../../fakes/mariadb-server.ts';

vi.setConfig({ testTimeout: 60_000 });

let server: MariadbServer;
let proxy: FaultProxy;
let database: MysqlDatabase;

beforeAll(async () => {
  const schema = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  server = await startMariadb();
  await server.sql('CREATE DATABASE console');
  await server.sql(schema, 'console');
  proxy = await startFaultProxy(server.port);
  const address = parseMysqlUrl(server.url('console').replace(String(server.port), String(proxy.port)));
  const timings = { ...DEFAULT_TIMINGS, acquireMs: 2_000 };
  const options = { timings, packetBytes: 1 << 24, readOnlyReason: null, onStatement: () => undefined };
  database = new MysqlDatabase(new MysqlPool(address, timings), options);
}, 120_000);

afterAll(async () => {
  await database?.close();
  await proxy?.close();
  await server?.stop();
});

function operation(kind: OperationKind, conversationId: string, parameters: unknown[]): Operation {
  return newOperation({ id: nextId('op'), consoleId: 'console-1', conversationId, turn: null, kind, at: START }, parameters);
}

async function lease(conversationId: string, consoleId = 'console-1', ttlMs = 30_000): Promise<TurnLease> {
  const outcome = await acquireLease(database, {
    conversationId,
    turnId: nextId('turn'),
    consoleId,
    consoleName: `Desk of ${consoleId}`,
    ttlMs,
  });
  if (outcome.kind !== 'held') throw new Error('the lease is busy');
  return outcome.lease;
}

/** A conversation whose first turn runs as `run`. */
async function running(): Promise<string> {
  const source = conversation();
  await mysqlConversations(database).create(source);
  await mysqlTurns(database).accept(incoming(source.id, question('hello'), 'run'));
  return source.id;
}

const contents = async (id: string): Promise<string[]> =>
  (await mysqlTurns(database).readTurns(id, { limit: 99 })).toReversed().flatMap((turn) => turn.messages.map((message) => message.content));

describe('an operation is applied once', () => {
  test('[SYN-2] sent again it gives the stored answer and does nothing', async () => {
    const source = conversation();
    const create = operation('conversations.create', source.id, [source]);
    const accept = operation('conversations.accept', source.id, [incoming(source.id, question('hello'), 'run')]);
    for (const each of [create, accept]) {
      const first = await applyOperation(database, each, null);
      expect(first.kind).toBe('applied');
      expect(await applyOperation(database, each, null)).toEqual(first);
    }
    expect(await contents(source.id)).toEqual(['hello']);
  });

  test('[SYN-2] the same id with other content is parked and does nothing', async () => {
    const id = await running();
    const first = operation('conversations.saveDraft', id, [id, 'mine', START]);
    expect((await applyOperation(database, first, null)).kind).toBe('applied');
    const other = { ...operation('conversations.saveDraft', id, [id, 'other', START]), id: first.id };
    expect(await applyOperation(database, other, null)).toMatchObject({ kind: 'park', reason: expect.stringContaining('other content') });
    expect(await mysqlConversations(database).readDraft(id)).toBe('mine');
  });

  test('[SYN-2] cut before or after COMMIT is forwarded: once, with the same answer', async () => {
    const id = await running();
    const held = await lease(id);
    proxy.cutBefore(/^COMMIT/);
    const first = operation('conversations.append', id, [id, 1, 'run', [answer('first')]]);
    expect((await applyOperation(database, first, held)).kind).toBe('applied');
    proxy.cutAfter(/^COMMIT/);
    const second = operation('conversations.append', id, [id, 1, 'run', [answer('second')]]);
    const outcome = await applyOperation(database, second, held);
    expect(outcome.kind).toBe('applied');
    expect(await applyOperation(database, second, held)).toEqual(outcome);
    expect(await contents(id)).toEqual(['hello', 'first', 'second']);
  });

  test('a damaged payload is parked unsent; a server that is away means later', async () => {
    const id = await running();
    const draft = operation('conversations.saveDraft', id, [id, 'text', START]);
    expect(await applyOperation(database, { ...draft, payload: '["x"]' }, null)).toMatchObject({ kind: 'park' });
    await proxy.setDown(true);
    expect(await applyOperation(database, draft, null)).toMatchObject({ kind: 'later', error: { retryable: true } });
    await proxy.setDown(false);
    expect((await applyOperation(database, draft, null)).kind).toBe('applied');
  });

  test('what the rules refuse is rejected for good: a conversation that is gone, a ticket changed by somebody else', async () => {
    const gone = operation('conversations.saveDraft', 'f'.repeat(32), ['f'.repeat(32), 'x', START]);
    expect(await applyOperation(database, gone, null)).toMatchObject({ kind: 'rejected', error: { code: 'not-found' } });
    await server.sql(
      `INSERT INTO tickets (id, category, summary, status, created_at, updated_at, version) VALUES (7, 'c', 's', 'open', NOW(3), NOW(3), 4)`,
      'console',
    );
    const stale = newOperation({ id: nextId('op'), consoleId: 'c', conversationId: null, turn: null, kind: 'tickets.update', at: START }, [
      7,
      3,
      { status: 'solved' },
      START,
    ]);
    expect(await applyOperation(database, stale, null)).toMatchObject({ kind: 'rejected', error: { code: 'conflict' } });
  });
});

describe('turn lease', () => {
  test('one console holds it; another is told the holder’s name, and gets it with a larger fence when it is given back', async () => {
    const id = await running();
    const mine = await lease(id);
    const wanted = { conversationId: id, turnId: 't', consoleId: 'console-2', consoleName: 'Second', ttlMs: 30_000 };
    const busy = await acquireLease(database, wanted);
    expect(busy).toMatchObject({ kind: 'busy', consoleName: 'Desk of console-1' });
    expect(busy.kind === 'busy' && busy.expiresInMs > 20_000 && busy.expiresInMs <= 30_000).toBe(true);
    await releaseLease(database, mine);
    expect(await acquireLease(database, wanted)).toMatchObject({ kind: 'held', lease: { fence: mine.fence + 1 } });
  });

  test('ten consoles at once: exactly one holds it', async () => {
    const id = await running();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        acquireLease(database, { conversationId: id, turnId: 't', consoleId: `console-${index}`, consoleName: 'x', ttlMs: 30_000 }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'held').length).toBe(1);
  });

  test('[SYN-5] a holder that was paused: after another took over, its answers are refused and nothing of them is stored', async () => {
    const id = await running();
    const paused = await lease(id, 'console-1', 50);
    await wait(80);
    const taken = await lease(id, 'console-2');
    expect(taken.fence).toBe(paused.fence + 1);
    const late = operation('conversations.append', id, [id, 1, 'run', [answer('from the paused one')]]);
    expect(await applyOperation(database, late, paused)).toMatchObject({ kind: 'rejected', error: { code: 'conflict' } });
    expect(await renewLease(database, paused, 30_000)).toBe(false);
    await releaseLease(database, paused);
    const good = operation('conversations.append', id, [id, 1, 'run', [answer('from the holder')]]);
    expect((await applyOperation(database, good, taken)).kind).toBe('applied');
    expect(await contents(id)).toEqual(['hello', 'from the holder']);
  });

  test('a lease that ran out is lost even when nobody else took it; one that is renewed is not', async () => {
    const id = await running();
    const short = await lease(id, 'console-1', 60);
    expect(await renewLease(database, short, 30_000)).toBe(true);
    await wait(90);
    expect((await applyOperation(database, operation('conversations.append', id, [id, 1, 'run', [answer('a')]]), short)).kind).toBe(
      'applied',
    );
    expect(await renewLease(database, short, 1)).toBe(true);
    await wait(30);
    const late = operation('conversations.append', id, [id, 1, 'run', [answer('b')]]);
    expect((await applyOperation(database, late, short)).kind).toBe('rejected');
    expect(await renewLease(database, short, 30_000)).toBe(false);
  });

  test('answers without a lease are refused; a customer’s message needs none', async () => {
    const id = await running();
    const append = operation('conversations.append', id, [id, 1, 'run', [answer('x')]]);
    expect(await applyOperation(database, append, null)).toMatchObject({ kind: 'rejected', error: { code: 'conflict' } });
    const accept = operation('conversations.accept', id, [incoming(id, question('more'))]);
    expect(await applyOperation(database, accept, null)).toMatchObject({ kind: 'applied', result: expect.stringContaining('"queued"') });
  });
});
