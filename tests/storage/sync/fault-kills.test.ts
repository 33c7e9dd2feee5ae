import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { checkHistory } from '../../../electron/models/history-rules.ts';
import { brief } from '../../engine/engine-fixture.ts';
import { startChildProgram } from '../child-program.ts';
import { dyingConsole, startConsole } from './child-plan.ts';
import type { ChildPlan } from './child-plan.ts';
import { ask, engineOver } from './sync-engine.ts';
import { eventually, startSyncSetup } from './sync-setup.ts';
import type { SyncSetup } from './sync-setup.ts';

vi.setConfig({ testTimeout: 90_000 });

let setup: SyncSetup;

beforeAll(async () => {
  setup = await startSyncSetup();
}, 120_000);

afterEach(async () => {
  await setup.closeAll();
});

afterAll(async () => {
  await setup?.stop();
});

const TEXT = 'Where is my order 1043?';

async function prepared(plan: Pick<ChildPlan, 'story' | 'dieAt'>) {
  const database = await setup.database();
  const folder = await setup.folder();
  return { database, folder, plan: { folder, url: database.url, text: TEXT, leaseMs: 2_000, ...plan } };
}

/** Opens the dead console's folder again and reads the conversation after recovery. */
async function reopened(url: string, folder: string, id: string) {
  const store = await setup.open(url, { folder });
  const service = engineOver(store);
  await service.start();
  await eventually(() => expect(store.sync?.status().waiting).toBe(0));
  const view = await service.call('openConversation', { conversationId: id });
  return { store, service, view, history: brief(view.messages) };
}

const CLOSED = 'assistant[interrupted]: [interrupted before an answer]';

async function messagesInMysql(database: { sql(text: string): Promise<string> }, id: string): Promise<string[]> {
  const text = await database.sql(`SELECT role, content FROM messages WHERE conversation_id = '${id}' ORDER BY seq`);
  return text.split('\n').filter((line) => line !== '');
}

test('[SYN-1] X before the customer’s message commits: draft text restored in the composer, 0 rows', async () => {
  const { database, folder, plan } = await prepared({ story: 'answer', dieAt: 'before-saved conversations.accept' });
  const id = await dyingConsole(plan);
  const { view } = await reopened(database.url, folder, id);
  expect(view.draft).toBe(TEXT);
  expect(view.messages).toEqual([]);
  expect(await messagesInMysql(database, id)).toEqual([]);
});

test('[SYN-1] X after SQLite commit, before upload: uploaded at next start, once', async () => {
  const { database, folder, plan } = await prepared({ story: 'answer', dieAt: 'saved conversations.accept' });
  const id = await dyingConsole(plan);
  expect(await messagesInMysql(database, id)).toEqual([]);
  const { history } = await reopened(database.url, folder, id);
  expect(history).toEqual([`user: ${TEXT}`, CLOSED]);
  await eventually(async () =>
    expect(await messagesInMysql(database, id)).toEqual([`user\t${TEXT}`, 'assistant\t[interrupted before an answer]']),
  );
});

test('[SYN-2] X after MySQL COMMIT, before local acknowledgement: no duplicate', async () => {
  const { database, folder, plan } = await prepared({ story: 'answer', dieAt: 'applied conversations.accept' });
  const id = await dyingConsole(plan);
  expect(await messagesInMysql(database, id)).toEqual([`user\t${TEXT}`]);
  const { history } = await reopened(database.url, folder, id);
  expect(history).toEqual([`user: ${TEXT}`, CLOSED]);
  await eventually(async () => expect((await messagesInMysql(database, id)).length).toBe(2));
});

test('[SYN-5] X while streaming: partial kept as interrupted, never as an answer; next request valid', async () => {
  const { database, folder, plan } = await prepared({ story: 'long-answer', dieAt: '' });
  const id = await dyingConsole(plan);
  const { history, service, view } = await reopened(database.url, folder, id);
  expect(history).toEqual([`user: ${TEXT}`, 'assistant[interrupted]: Let me look.']);
  expect(view.turns[0]?.state).toBe('interrupted');
  await ask(service, id, 'And order 1042?');
  const { messages } = await service.call('openConversation', { conversationId: id });
  expect(messages.at(-1)).toMatchObject({ role: 'assistant' });
  expect(checkHistory(messages)).toEqual([]);
});

test('[SYN-4] X after tool calls saved, before the tool: not run; turn closed with synthetic results', async () => {
  const { database, folder, plan } = await prepared({ story: 'ticket', dieAt: 'before ledger' });
  const id = await dyingConsole(plan);
  const { history } = await reopened(database.url, folder, id);
  expect(history.slice(2)).toEqual(['tool[synthetic]: {"status":"unknown","reason":"interrupted"}', CLOSED]);
  expect(await database.sql('SELECT COUNT(*) FROM tickets WHERE id > 5000')).toBe('0\n');
});

test('[SYN-4] X after started, before the effect: looked up, effect 0 times', async () => {
  const { database, folder, plan } = await prepared({ story: 'ticket', dieAt: 'before tool create_support_ticket' });
  const id = await dyingConsole(plan);
  const { history } = await reopened(database.url, folder, id);
  expect(history.slice(2)).toEqual(['tool[synthetic]: {"status":"unknown","reason":"interrupted"}', CLOSED]);
  expect(await database.sql('SELECT COUNT(*) FROM tickets WHERE id > 5000')).toBe('0\n');
  expect(await database.sql('SELECT state FROM tool_runs')).toBe('started\n');
});

test('[SYN-4] X after the effect, before its result: looked up, effect 1 time, result recovered', async () => {
  const { database, folder, plan } = await prepared({ story: 'ticket', dieAt: 'after tool create_support_ticket' });
  const id = await dyingConsole(plan);
  const { history } = await reopened(database.url, folder, id);
  expect(history.slice(2)).toEqual(['tool: {"created":true,"ticket_id":5001,"status":"open"}', CLOSED]);
  expect(await database.sql('SELECT COUNT(*) FROM tickets WHERE id > 5000')).toBe('1\n');
});

test('[SYN-4] X between two parallel calls: first real, second unknown, both answered, order kept', async () => {
  const { database, folder, plan } = await prepared({ story: 'two-calls', dieAt: 'after first result' });
  const id = await dyingConsole(plan);
  const { view } = await reopened(database.url, folder, id);
  const results = view.messages.filter((message) => message.role === 'tool');
  expect(results.map((message) => [message.toolCallId, message.state ?? 'real'])).toEqual([
    ['call-1', 'real'],
    ['call-2', 'synthetic'],
  ]);
  expect(checkHistory(view.messages)).toEqual([]);
});

test('[SYN-3] X before lease release: next console takes over within the TTL, fence + 1', async () => {
  const { database, plan } = await prepared({ story: 'thinking', dieAt: '' });
  const other = await setup.open(database.url, { consoleName: 'Other desk' });
  const service = engineOver(other);
  await service.start();
  const child = startConsole(plan);
  const id = (await child.line('conversation ')).slice('conversation '.length);
  await child.line('sent');
  const fence = Number(await database.sql(`SELECT fence FROM turn_leases WHERE conversation_id = '${id}'`));
  expect(await other.changes?.holder(id)).toBe('Child desk');
  child.kill();
  await child.ended;
  const killedAt = Date.now();
  await eventually(async () => {
    const { messages } = await service.call('openConversation', { conversationId: id });
    expect(brief(messages)).toEqual([`user: ${TEXT}`, CLOSED]);
  });
  expect(Date.now() - killedAt).toBeLessThan(8_000);
  expect(await database.sql(`SELECT fence, console_name FROM turn_leases WHERE conversation_id = '${id}'`)).toBe(
    `${fence + 1}\tOther desk\n`,
  );
  await service.stop();
});

test.each(['before', 'after'])('[SYN-1] X inside a migration step, %s its COMMIT: old or new schema, outbox intact', async (when) => {
  const database = await setup.database();
  const folder = await setup.folder();
  const files = [path.join(folder, 'cache.db'), path.join(folder, 'outbox.db')];
  const child = startChildProgram(new URL('./children/migrate.ts', import.meta.url), [...files, when]);
  expect([await child.ended, child.problems().replaceAll(/.*Warning.*\n/g, '')]).toEqual(['SIGKILL', '']);
  const store = await setup.open(database.url, { folder });
  await eventually(() => expect(store.sync?.status().waiting).toBe(0));
  expect(await store.conversations.get('00000000000000000000000000000abc')).toMatchObject({ title: 'kept' });
});
