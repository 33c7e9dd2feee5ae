import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../../../electron/engine/ports.ts';
import { answer, conversation, incoming, nextConversationId, nextId, question, START } from '../../contract/store-builders.ts';
import { DEFAULT_TIMINGS, MysqlPool } from '../../../electron/storage/mysql/mysql-pool.ts';
import { parseMysqlUrl } from '../../../electron/storage/mysql/mysql-url.ts';
import { eventually, startSyncSetup } from './sync-setup.ts';
import type { SyncSetup, TestDatabase } from './sync-setup.ts';

vi.setConfig({ testTimeout: 90_000 });

let setup: SyncSetup;
let database: TestDatabase;

beforeAll(async () => {
  setup = await startSyncSetup(['--max-allowed-packet=2M']);
  database = await setup.database();
}, 120_000);

afterEach(async () => {
  await setup.proxy.setDown(false);
  await setup.closeAll();
});

afterAll(async () => {
  await setup?.stop();
});

const END = { state: 'answered', outcome: 'answered', error: null, at: START + 9 } as const;

/** A whole turn. */
async function turn(store: Store, id: string, asked: string, answered: string): Promise<void> {
  const runId = nextId('run');
  const accepted = await store.conversations.accept(incoming(id, question(asked), runId));
  if (accepted.kind !== 'started') throw new Error(`not started but ${accepted.kind}`);
  await store.conversations.endTurn(id, accepted.record.turn, runId, { ...END, messages: [answer(answered)] });
}

async function contents(store: Store, id: string): Promise<string[]> {
  const turns = await store.conversations.readTurns(id, { limit: 99 });
  return turns.toReversed().flatMap((each) => each.messages.map((message) => message.content));
}

async function inMysql(id: string): Promise<string[]> {
  const text = await database.sql(`SELECT content FROM messages WHERE conversation_id = '${id}' ORDER BY seq`);
  return text.split('\n').filter((line) => line !== '');
}

test('[SYN-1] MySQL killed mid-transaction, restarted: all or nothing; backlog drains in order', async () => {
  const store = await setup.open(database.directUrl);
  const { id } = await store.conversations.create(conversation());
  await turn(store, id, 'one', '1');
  await store.settled();
  await setup.server.kill();
  await turn(store, id, 'two', '2');
  await turn(store, id, 'three', '3');
  expect(store.sync?.status()).toMatchObject({ state: 'offline', waiting: 4 });
  expect(await contents(store, id)).toEqual(['one', '1', 'two', '2', 'three', '3']);
  await setup.server.start();
  await eventually(() => expect(store.sync?.status()).toMatchObject({ state: 'online', waiting: 0 }), 30_000);
  expect(await inMysql(id)).toEqual(['one', '1', 'two', '2', 'three', '3']);
  expect(await contents(store, id)).toEqual(['one', '1', 'two', '2', 'three', '3']);
});

test.each([
  ['before', (pattern: RegExp) => setup.proxy.cutBefore(pattern)],
  ['after', (pattern: RegExp) => setup.proxy.cutAfter(pattern)],
] as const)('[SYN-2] cut %s COMMIT is forwarded: once', async (_when, cut) => {
  const store = await setup.open(database.url);
  const { id } = await store.conversations.create(conversation());
  cut(/^COMMIT/i);
  await turn(store, id, 'one', '1');
  await eventually(() => expect(store.sync?.status()).toMatchObject({ state: 'online', waiting: 0 }));
  expect(await inMysql(id)).toEqual(['one', '1']);
  expect(await contents(store, id)).toEqual(['one', '1']);
});

test('[SYN-1] half-open socket: offline badge within 10 s, the work goes on', async () => {
  const store = await setup.open(database.url);
  const { id } = await store.conversations.create(conversation());
  await store.settled();
  setup.proxy.freezeAt(/SELECT/);
  const frozenAt = Date.now();
  await turn(store, id, 'one', '1');
  await eventually(async () => {
    expect(await contents(store, id)).toEqual(['one', '1']);
  });
  expect(Date.now() - frozenAt).toBeLessThan(10_000);
  await eventually(async () => expect(await inMysql(id)).toEqual(['one', '1']), 20_000);
});

test('[SYN-1] half-open socket while nobody writes: offline badge within 10 s, online again by itself', async () => {
  const store = await setup.open(database.url);
  await store.conversations.create(conversation());
  const states: string[] = [];
  store.changes?.subscribe((change) => {
    if (change.type === 'sync') states.push(change.status.state);
  });
  setup.proxy.freezeAt(/AS kind/);
  await eventually(() => expect(states).toContain('offline'), 10_000);
  await eventually(() => expect(store.sync?.status().state).toBe('online'), 20_000);
});

test('[SYN-1] no connection at all: offline, and online again when there is one', async () => {
  const store = await setup.open(database.url);
  await setup.proxy.setDown(true);
  await eventually(() => expect(store.sync?.status().state).toBe('offline'), 10_000);
  await setup.proxy.setDown(false);
  await eventually(() => expect(store.sync?.status().state).toBe('online'), 20_000);
});

test('[SYN-1] deadlock, lock-wait timeout: whole transaction redone', async () => {
  const store = await setup.open(database.directUrl, { poolTimings: { lockMs: 1_000 }, timings: { answerMs: 1_500 } });
  const { id } = await store.conversations.create(conversation());
  // Another program holds the row for longer than a lock wait lasts.
  const holding = database.sql(`BEGIN; SELECT id FROM conversations WHERE id = '${id}' FOR UPDATE; SELECT SLEEP(4); ROLLBACK;`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await turn(store, id, 'one', '1');
  await holding;
  await eventually(async () => expect(await inMysql(id)).toEqual(['one', '1']), 20_000);
  expect(store.sync?.status().parked).toBe(0);
});

test('[SYN-1] [SYN-2] real deadlock (1213), this console is the victim: whole transaction redone, once', async () => {
  const store = await setup.open(database.directUrl);
  const { id } = await store.conversations.create(conversation());
  await turn(store, id, 'one', '1');
  await store.settled();
  await database.sql('CREATE TABLE IF NOT EXISTS weight (number INT PRIMARY KEY) ENGINE=InnoDB');
  const deadlocks = async (): Promise<number> =>
    Number(await database.sql("SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'"));
  const before = await deadlocks();
  // The other side takes the lease's row first and the conversation's second; it has changed more, so the server ends ours.
  const numbers = Array.from({ length: 200 }, (_, index) => `(${index})`).join(',');
  const other =
    database.sql(`BEGIN; INSERT INTO weight VALUES ${numbers}; SELECT fence FROM turn_leases WHERE conversation_id = '${id}' FOR UPDATE;
    SELECT SLEEP(1); SELECT id FROM conversations WHERE id = '${id}' FOR UPDATE; SELECT SLEEP(0.2); ROLLBACK;`);
  await new Promise((resolve) => setTimeout(resolve, 400));
  const runId = nextId('run');
  const accepted = await store.conversations.accept(incoming(id, question('two'), runId));
  expect(accepted).toMatchObject({ kind: 'started', record: { turn: 2 } });
  await other;
  expect(await deadlocks()).toBe(before + 1);
  await store.conversations.endTurn(id, 2, runId, { ...END, messages: [answer('2')] });
  expect(store.sync?.status()).toMatchObject({ state: 'online', waiting: 0, parked: 0 });
  expect(await inMysql(id)).toEqual(['one', '1', 'two', '2']);
});

test('[SYN-1] leaked transaction: what one user of a connection left open reaches neither the next one nor the database', async () => {
  const pool = new MysqlPool(parseMysqlUrl(database.directUrl), DEFAULT_TIMINGS);
  const connectionId = async (connection: Awaited<ReturnType<MysqlPool['acquire']>>): Promise<number> => {
    const [rows] = await connection.query('SELECT CONNECTION_ID() AS id');
    return (rows as { id: number }[])[0]?.id ?? 0;
  };
  try {
    const [leaked, next] = [nextConversationId(), nextConversationId()];
    const careless = await pool.acquire();
    const id = await connectionId(careless);
    await careless.query('SET SESSION sql_mode = ?', ['']);
    await careless.beginTransaction();
    await careless.query('INSERT INTO conversations (id) VALUES (?)', [leaked]);
    careless.release();
    // A connection is given out again once it is reset.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const careful = await pool.acquire();
    expect(await connectionId(careful)).toBe(id);
    const [state] = await careful.query('SELECT @@in_transaction AS open, @@autocommit AS auto, @@sql_mode AS mode');
    expect((state as { mode: string }[])[0]).toMatchObject({ open: 0, auto: 1, mode: expect.stringContaining('STRICT_ALL_TABLES') });
    // Outside a transaction a statement is kept by itself: nothing of the careless one may swallow it.
    await careful.query('INSERT INTO conversations (id) VALUES (?)', [next]);
    pool.discard(careful);
    expect(await database.sql(`SELECT id FROM conversations WHERE id IN ('${leaked}', '${next}')`)).toBe(`${next}\n`);
  } finally {
    await pool.close();
  }
});

test('[SYN-1] oversized op: parked and visible, later ops flow', async () => {
  const store = await setup.open(database.directUrl);
  const [large, other] = [conversation(), conversation()];
  await store.conversations.create(large);
  await store.conversations.create(other);
  await store.settled();
  const text = 'x'.repeat(1_700_000);
  await turn(store, large.id, text, 'answered all the same');
  expect(await contents(store, large.id)).toEqual([text, 'answered all the same']);
  await turn(store, other.id, 'one', '1');
  expect(await inMysql(other.id)).toEqual(['one', '1']);
  const [parked] = (await store.sync?.listParked()) ?? [];
  expect(parked).toMatchObject({ kind: 'parked', conversationId: large.id, what: 'message', reason: expect.stringContaining('larger') });
  expect(await store.sync?.export(parked?.id ?? '')).toContain(text);
  const listed = (await store.conversations.list({ limit: 50 })).items.map((item) => item.id);
  expect(listed.filter((id) => id === large.id || id === other.id).length).toBe(2);
});

test('[SYN-1] a server that takes no changes: read-only is shown, changes wait', async () => {
  const name = 'reader';
  await setup.server.sql(
    `CREATE USER IF NOT EXISTS '${name}'@'127.0.0.1' IDENTIFIED BY 'x'; GRANT ALL ON ${database.name}.* TO '${name}'@'127.0.0.1'`,
  );
  const store = await setup.open(database.directUrl.replace('console:console', `${name}:x`));
  const { id } = await store.conversations.create(conversation());
  await setup.server.sql('SET GLOBAL read_only = 1');
  try {
    await turn(store, id, 'one', '1');
    expect(store.sync?.status()).toMatchObject({ state: 'read-only', waiting: 2 });
  } finally {
    await setup.server.sql('SET GLOBAL read_only = 0');
  }
  await eventually(async () => expect(await inMysql(id)).toEqual(['one', '1']), 40_000);
});

test('[SYN-2] pool exhausted: clear error within 10 s, nothing swallowed', async () => {
  const store = await setup.open(database.directUrl);
  const { id } = await store.conversations.create(conversation());
  const blocked = database.sql(`BEGIN; SELECT id FROM conversations WHERE id = '${id}' FOR UPDATE; SELECT SLEEP(3); ROLLBACK;`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const startedAt = Date.now();
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => store.conversations.accept(incoming(id, question(`message ${index}`)))),
  );
  expect(results.every((result) => result.status === 'fulfilled')).toBe(true);
  expect(Date.now() - startedAt).toBeLessThan(40_000);
  await blocked;
  await eventually(async () => {
    const queued = Number(await database.sql(`SELECT COUNT(*) FROM queued_messages WHERE conversation_id = '${id}'`));
    expect(queued + (await inMysql(id)).length).toBe(30);
  }, 30_000);
});
