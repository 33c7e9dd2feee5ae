import { existsSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../../../electron/engine/ports.ts';
import type { NewMessage } from '../../../shared/conversation.ts';
import { answer, conversation, incoming, nextConversationId, nextId, question, START } from '../../contract/store-builders.ts';
import { HOSTILE } from '../../contract/hostile-strings.ts';
import { eventually, startSyncSetup } from './sync-setup.ts';
import type { SyncSetup, TestDatabase } from './sync-setup.ts';

vi.setConfig({ testTimeout: 90_000 });

let setup: SyncSetup;
let database: TestDatabase;

beforeAll(async () => {
  setup = await startSyncSetup();
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

async function begin(store: Store, id: string, message: NewMessage): Promise<{ turn: number; runId: string }> {
  const runId = nextId('run');
  const accepted = await store.conversations.accept(incoming(id, message, runId));
  if (accepted.kind !== 'started') throw new Error(`not started but ${accepted.kind}`);
  return { turn: accepted.record.turn, runId };
}

async function turn(store: Store, id: string, asked: string, answered: string): Promise<void> {
  const { turn: number, runId } = await begin(store, id, question(asked));
  await store.conversations.endTurn(id, number, runId, { ...END, messages: [answer(answered)] });
}

async function contents(store: Store, id: string): Promise<string[]> {
  const turns = await store.conversations.readTurns(id, { limit: 99 });
  return turns.toReversed().flatMap((each) => each.messages.map((message) => message.content));
}

async function desks(): Promise<[Store, Store]> {
  return [await setup.open(database.url, { consoleName: 'First desk' }), await setup.open(database.url, { consoleName: 'Second desk' })];
}

const DAY_MS = 86_400_000;
const TICKET = { customerId: 'c-1', conversationId: null, orderId: 1042, category: 'refund', summary: 'please', status: 'open' } as const;

test('[SYN-3] two consoles, one conversation: one holds the lease, the other is told its name and may queue', async () => {
  const [first, second] = await desks();
  const { id } = await first.conversations.create(conversation());
  const run = await begin(first, id, question('one'));
  expect(await second.changes?.holder(id)).toBe('First desk');
  expect(await second.conversations.accept(incoming(id, question('two')))).toMatchObject({ kind: 'queued' });
  await expect(second.conversations.append(id, run.turn, run.runId, [answer('x')])).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('First desk'),
  });
  await first.conversations.endTurn(id, run.turn, run.runId, { ...END, messages: [answer('1')] });
  expect(await first.conversations.startQueued(id, { runId: 'next', promptVersion: 'p' })).toMatchObject({ message: { content: 'two' } });
  expect(await contents(second, id)).toEqual(['one', '1', 'two']);
});

test('[SYN-6] two consoles, one ticket: exactly one update of a field wins, the loser sees both; other fields stand beside it', async () => {
  const [first, second] = await desks();
  const ticket = await first.tickets.create({ ...TICKET, at: START });
  await eventually(async () => expect(await second.tickets.get(ticket.id)).not.toBeNull());
  for (const store of [first, second]) await eventually(() => cachedTicket(store, ticket.id));
  await first.tickets.update(ticket.id, 1, { summary: 'theirs' }, START + 1);
  await expect(second.tickets.update(ticket.id, 1, { summary: 'mine' }, START + 2)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/mine.*theirs/),
  });
  expect(await second.tickets.update(ticket.id, 1, { category: 'other' }, START + 3)).toMatchObject({
    summary: 'theirs',
    category: 'other',
    version: 3,
  });
});

/** The copy has it: only then what was seen can be compared. */
async function cachedTicket(store: Store, id: number): Promise<void> {
  await (store as Awaited<ReturnType<SyncSetup['open']>>).tick();
  expect(await store.tickets.get(id)).not.toBeNull();
}

test('[SYN-6] tickets are not numbered while MySQL is away, and an update made then waits', async () => {
  const store = await setup.open(database.url);
  const ticket = await store.tickets.create({ ...TICKET, at: START });
  await store.tick();
  await setup.proxy.setDown(true);
  await expect(store.tickets.create({ ...TICKET, at: START })).rejects.toMatchObject({ code: 'storage', retryable: true });
  expect(await store.tickets.update(ticket.id, 1, { status: 'solved' }, START + 1)).toMatchObject({ status: 'solved', version: 2 });
  await setup.proxy.setDown(false);
  await eventually(async () => expect(await database.sql(`SELECT status FROM tickets WHERE id = ${ticket.id}`)).toBe('solved\n'), 20_000);
});

test('[SYN-6] rule 11: a ticket is closed there while it is solved here without MySQL: neither is lost, a person picks', async () => {
  const store = await setup.open(database.url);
  const there = await setup.open(database.directUrl);
  const [clashing, apart] = [await store.tickets.create({ ...TICKET, at: START }), await store.tickets.create({ ...TICKET, at: START })];
  await store.tick();
  await setup.proxy.setDown(true);
  await store.tickets.update(clashing.id, 1, { status: 'pending' }, START + 1);
  await store.tickets.update(apart.id, 1, { status: 'pending' }, START + 1);
  await expect(store.tickets.update(apart.id, 2, { status: 'solved' }, START + 2)).resolves.toMatchObject({ status: 'solved' });
  await there.tickets.update(clashing.id, 1, { status: 'closed' }, START + 1);
  await there.tickets.update(apart.id, 1, { summary: 'theirs' }, START + 1);
  await setup.proxy.setDown(false);
  await eventually(() => expect(store.sync?.status()).toMatchObject({ state: 'online', waiting: 0 }), 20_000);
  expect(await there.tickets.get(clashing.id)).toMatchObject({ status: 'closed', version: 2 });
  const refused = ((await store.sync?.listParked()) ?? []).filter((op) => op.what === `ticket ${clashing.id}`);
  expect(refused).toMatchObject([{ kind: 'rejected', reason: expect.stringMatching(/"pending".*"closed"/) }]);
  expect(await there.tickets.get(apart.id)).toMatchObject({ summary: 'theirs', status: 'solved' });
});

test('[SYN-3] holder paused beyond its lease, then resumed: its writes are refused', async () => {
  const [first, second] = await desks();
  const { id } = await first.conversations.create(conversation());
  const run = await begin(first, id, question('one'));
  // By the server's clock a minute goes by in which the holder does nothing.
  await database.sql(`UPDATE turn_leases SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 60 SECOND WHERE conversation_id = '${id}'`);
  const closing = {
    ...END,
    state: 'interrupted',
    outcome: 'interrupted',
    messages: [answer('', { content: '[interrupted before an answer]' })],
  } as const;
  await second.conversations.endTurn(id, run.turn, run.runId, { ...closing, messages: [...closing.messages] });
  await expect(first.conversations.append(id, run.turn, run.runId, [answer('late')])).rejects.toMatchObject({ code: 'conflict' });
  expect(await contents(first, id)).toEqual(['one', '[interrupted before an answer]']);
});

test('[SYN-3] clock of a console ±2 days: order and leases unaffected', async () => {
  const day = DAY_MS;
  const clockAt = (shift: number) => ({ now: () => Date.now() + shift, sleep: (ms: number) => wait(ms), after: afterMs });
  const past = await setup.open(database.url, { consoleName: 'Past', clock: clockAt(-2 * day) });
  const future = await setup.open(database.url, { consoleName: 'Future', clock: clockAt(2 * day) });
  const { id } = await future.conversations.create(conversation({ at: Date.now() + 2 * day }));
  await turn(future, id, 'one', '1');
  await turn(past, id, 'two', '2');
  const run = await begin(past, id, question('three', { at: Date.now() - 2 * day }));
  expect(await future.changes?.holder(id)).toBe('Past');
  await expect(future.conversations.append(id, run.turn, run.runId, [answer('x')])).rejects.toMatchObject({ code: 'conflict' });
  await past.conversations.endTurn(id, run.turn, run.runId, { ...END, messages: [answer('3')] });
  for (const store of [past, future]) expect(await contents(store, id)).toEqual(['one', '1', 'two', '2', 'three', '3']);
});

test.each([
  ['ahead', 2],
  ['back', -2],
])('[SYN-3] rule 13: the server’s time moves two days %s (SET SESSION timestamp): order kept, the clock is told', async (_way, days) => {
  const store = await setup.open(database.url, { consoleName: 'Desk' });
  const other = await setup.open(database.url, { consoleName: 'Other desk' });
  const notices: string[] = [];
  store.changes?.subscribe((change) => {
    if (change.type === 'sync-notice') notices.push(change.message);
  });
  const { id } = await store.conversations.create(conversation());
  await turn(store, id, 'one', '1');
  const run = await begin(store, id, question('two'));
  expect(store.sync?.status().clockSkewMs).toBeLessThan(5_000);
  setup.proxy.moveServerTime(days * DAY_MS);
  try {
    await eventually(() => expect(Math.abs((store.sync?.status().clockSkewMs ?? 0) + days * DAY_MS)).toBeLessThan(5_000));
    expect(notices).toEqual([expect.stringContaining(days > 0 ? '2 days behind the shared database' : '2 days ahead of the shared')]);
    // The lease that the jump ended is taken again by its holder; nobody else has the turn.
    await store.conversations.append(id, run.turn, run.runId, [answer('2, first part')]);
    expect(await other.changes?.holder(id)).toBe('Desk');
    await expect(other.conversations.append(id, run.turn, run.runId, [answer('x')])).rejects.toMatchObject({ code: 'conflict' });
    await store.conversations.endTurn(id, run.turn, run.runId, { ...END, messages: [answer('2')] });
    await turn(other, id, 'three', '3');
  } finally {
    setup.proxy.moveServerTime(0);
  }
  await turn(store, id, 'four', '4');
  const all = ['one', '1', 'two', '2, first part', '2', 'three', '3', 'four', '4'];
  for (const each of [store, other]) await eventually(async () => expect(await contents(each, id)).toEqual(all));
  expect(store.sync?.status()).toMatchObject({ state: 'online', waiting: 0 });
});

function afterMs(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

test('[SYN-3] rule 8: the conversation went on elsewhere while MySQL was away: question in the main line, answer kept as a draft', async () => {
  const away = await setup.open(database.url, { consoleName: 'Away desk' });
  const there = await setup.open(database.directUrl, { consoleName: 'There desk' });
  const { id } = await away.conversations.create(conversation());
  await turn(away, id, 'one', '1');
  await away.settled();
  await setup.proxy.setDown(true);
  await turn(away, id, 'asked offline', 'answered offline');
  expect((await away.conversations.readTurn(id, 2))?.messages.map((message) => message.unsynced)).toEqual([true, true]);
  await turn(there, id, 'asked there', 'answered there');
  await setup.proxy.setDown(false);
  await eventually(() => expect(away.sync?.status()).toMatchObject({ state: 'online', waiting: 0 }), 20_000);
  const main = ['one', '1', 'asked there', 'answered there', 'asked offline', '[interrupted before an answer]'];
  for (const store of [away, there]) await eventually(async () => expect(await contents(store, id)).toEqual(main), 30_000);
  const drafts = ((await there.sync?.listParked()) ?? []).filter((op) => op.conversationId === id);
  expect(drafts).toMatchObject([{ kind: 'draft', text: 'answered offline', what: 'answer made on Away desk' }]);
});

test('[SYN-1] what was answered offline in a quiet conversation goes in as it is, and the mark goes', async () => {
  const store = await setup.open(database.url);
  const { id } = await store.conversations.create(conversation());
  await store.settled();
  await setup.proxy.setDown(true);
  const synced: string[] = [];
  store.changes?.subscribe((change) => {
    if (change.type === 'synced') synced.push(...change.messageIds);
  });
  await turn(store, id, 'one', '1');
  const offline = (await store.conversations.readTurn(id, 1))?.messages ?? [];
  await setup.proxy.setDown(false);
  await eventually(() => expect(store.sync?.status().waiting).toBe(0), 20_000);
  const online = (await store.conversations.readTurn(id, 1))?.messages ?? [];
  expect(online.map((message) => message.unsynced)).toEqual([undefined, undefined]);
  expect(online).toEqual(offline.map(({ unsynced: _unsynced, ...message }) => message));
  await eventually(() => expect(synced).toEqual(offline.map((message) => message.id)));
});

test('[SYN-1] corrupt cache file: rebuilt, old file kept aside, what waits is shown and sent', async () => {
  const folder = await setup.folder();
  const store = await setup.open(database.url, { folder });
  const { id } = await store.conversations.create(conversation());
  await turn(store, id, 'one', '1');
  await setup.proxy.setDown(true);
  await turn(store, id, 'two', '2');
  await setup.closeAll();
  await scribble(path.join(folder, 'cache.db'));
  await setup.proxy.setDown(false);
  const again = await setup.open(database.url, { folder });
  await eventually(async () => expect(await contents(again, id)).toEqual(['one', '1', 'two', '2']), 20_000);
  expect(await readdir(folder)).toContain('cache.db.damaged');
});

test('[SYN-1] corrupt outbox file: readable rows salvaged and sent, the old file kept, never silently reset', async () => {
  const folder = await setup.folder();
  const errors: string[] = [];
  const logger = { warn: () => undefined, error: (message: string) => errors.push(message) };
  const store = await setup.open(database.url, { folder });
  const { id } = await store.conversations.create(conversation());
  await store.settled();
  await setup.proxy.setDown(true);
  for (let index = 0; index < 40; index += 1) await turn(store, id, `question ${index} ${'long '.repeat(200)}`, `answer ${index}`);
  await setup.closeAll();
  await scribble(path.join(folder, 'outbox.db'), 0.5);
  await setup.proxy.setDown(false);
  await setup.open(database.url, { folder, logger });
  expect(errors).toEqual([expect.stringContaining('outbox was damaged')]);
  expect(existsSync(path.join(folder, 'outbox.db.damaged'))).toBe(true);
  await eventually(async () => {
    const count = Number(await database.sql(`SELECT COUNT(*) FROM messages WHERE conversation_id = '${id}'`));
    expect(count).toBeGreaterThan(20);
  }, 30_000);
});

/** Overwrites pages in the middle, as a failing disk would. */
async function scribble(file: string, place = 0.1): Promise<void> {
  const size = (await readFile(file)).length;
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(8_192, 0xa5), 0, 8_192, Math.max(4_096, Math.floor((size * place) / 4_096) * 4_096));
  await handle.close();
}

test('[SYN-1] app older than the schema: read-only; newer: read-only until db:migrate has run', async () => {
  const own = await setup.database();
  const writer = await setup.open(own.url);
  const { id } = await writer.conversations.create(conversation());
  await own.sql('UPDATE schema_info SET version = 99, min_writer = 99');
  const older = await setup.open(own.url);
  expect(older.sync?.status().state).toBe('read-only');
  await expect(older.conversations.accept(incoming(id, question('x')))).rejects.toMatchObject({
    code: 'read-only',
    message: expect.stringMatching(/newer/),
  });
  expect(await older.conversations.get(id)).not.toBeNull();
  await own.sql('UPDATE schema_info SET version = 0, min_writer = 0, min_reader = 0');
  const newer = await setup.open(own.url);
  await expect(newer.conversations.accept(incoming(id, question('x')))).rejects.toMatchObject({
    code: 'read-only',
    message: expect.stringMatching(/db:migrate/),
  });
});

test('second instance on the same folder: refused before opening files', async () => {
  const folder = await setup.folder();
  await setup.open(database.url, { folder });
  await expect(setup.open(database.url, { folder })).rejects.toMatchObject({
    code: 'folder-in-use',
    message: `Nimbus is already running on ${folder} (pid ${process.pid})`,
  });
});

test('[SYN-1] hostile values: exact round trip through outbox, MySQL and cache', async () => {
  const store = await setup.open(database.url);
  const reader = await setup.open(database.directUrl);
  const { id } = await store.conversations.create(conversation());
  await store.settled();
  await setup.proxy.setDown(true);
  const texts = [...HOSTILE.map((each) => each.text), '7088992364139642880', 'Ä 😀 🍣 🍺', 'a\u0000b', '\u202Eabc'];
  const run = await begin(store, id, question('start'));
  const raw = { provider: 'openai', model: 'm', body: '{"b":1,"a":9007199254740993,"c":1e2}' };
  const messages = texts.map((text) =>
    answer(text, { providerRaw: raw, toolCalls: [{ id: text.toWellFormed().slice(0, 9), name: 'x', arguments: { text } }] }),
  );
  await store.conversations.endTurn(id, run.turn, run.runId, { ...END, messages });
  const own = (await store.conversations.readTurn(id, 1))?.messages.map(({ unsynced: _unsynced, ...message }) => message);
  await setup.proxy.setDown(false);
  await eventually(() => expect(store.sync?.status().waiting).toBe(0), 20_000);
  expect((await reader.conversations.readTurn(id, 1))?.messages).toEqual(own);
  expect(own?.slice(1).map((message) => message.content)).toEqual(texts.map((text) => text.toWellFormed()));
});

test('[SYN-3] live: what another program writes with the tutorial’s statements appears within 2 s', async () => {
  const store = await setup.open(database.url, { timings: { pollMs: 500 } });
  const id = nextConversationId();
  const seen: string[] = [];
  store.changes?.subscribe((change) => {
    if (change.type === 'conversation') seen.push(change.conversationId);
  });
  await database.sql(`INSERT INTO conversations (id) VALUES ('${id}')`);
  await database.sql(`INSERT INTO messages (conversation_id, role, data) VALUES ('${id}', 'user', '{"role":"user","content":"from PHP"}')`);
  await eventually(() => expect(seen).toContain(id), 4_000);
  expect(await contents(store, id)).toEqual(['from PHP']);
  await database.sql(`DELETE FROM conversations WHERE id = '${id}'`);
  await eventually(async () => expect(await store.conversations.get(id)).toBeNull());
});
