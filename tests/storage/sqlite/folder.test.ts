import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../../../electron/storage/sqlite/sqlite-store.ts';
import { answer, conversation, conversationWith, incoming, question, START } from '../../contract/store-builders.ts';
import type { Child } from './child-process.ts';
import { startChild } from './child-process.ts';

// Each test starts processes or threads; a busy machine takes its time.
vi.setConfig({ testTimeout: 90_000 });

let folder = '';
const children: Child[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nimbus-folder-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) await child.kill();
  await rm(folder, { recursive: true, force: true });
});

function started(task: 'hold' | 'write'): Child {
  const child = startChild('hold-folder', [folder, task]);
  children.push(child);
  return child;
}

const IN_USE = { name: 'ConsoleError', code: 'folder-in-use' };

describe('one engine per data folder', () => {
  test('a second process is refused with the holder’s pid before it opens another file, and may come when the first has left', async () => {
    const holder = started('hold');
    await holder.line('open');
    const files = (await readdir(folder)).sort();
    const second = started('hold');
    const refusal = JSON.parse((await second.line('refused')).slice('refused '.length)) as unknown;
    expect(refusal).toEqual({ code: 'folder-in-use', message: `Nimbus is already running on ${folder} (pid ${holder.process.pid})` });
    expect((await readdir(folder)).sort()).toEqual(files);
    expect(await holder.finish()).toBe(0);
    const store = await openSqliteStore({ folder });
    await store.close();
    expect(await readdir(folder)).not.toContain('engine.pid');
  });

  test('a second store in the same process is refused too', async () => {
    const store = await openSqliteStore({ folder });
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      ...IN_USE,
      message: expect.stringContaining(`(pid ${process.pid})`),
    });
    await store.close();
    await (await openSqliteStore({ folder })).close();
  });

  test('SIGKILL frees the lock at once', async () => {
    const holder = started('hold');
    await holder.line('open');
    await expect(openSqliteStore({ folder })).rejects.toMatchObject(IN_USE);
    await holder.kill();
    await (await openSqliteStore({ folder })).close();
  });

  test('the folder is made when missing, for its owner only', async () => {
    const deep = path.join(folder, 'a/b');
    await (await openSqliteStore({ folder: deep })).close();
    expect((await readdir(deep)).includes('nimbus.db')).toBe(true);
  });

  test('a folder that cannot be made is refused in words', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, 'x');
    await expect(openSqliteStore({ folder: path.join(file, 'inside') })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('--data-dir'),
    });
  });

  test('a folder below one of the system that takes none is refused, not tried for ever', async () => {
    await expect(openSqliteStore({ folder: '/proc/nimbus/data' })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('--data-dir'),
    });
  });
});

test('[SYN-1] kill -9 in the middle of writing: everything that was answered as saved is there, whole and once', async () => {
  const child = started('write');
  const id = (await child.line('conversation ')).slice('conversation '.length);
  await child.line('saved 25');
  await child.kill();
  const saved = child.lines.filter((line) => line.startsWith('saved ')).length;
  const store = await openSqliteStore({ folder });
  const turn = await store.conversations.readTurn(id, 1);
  const texts = turn?.messages.map((message) => message.content) ?? [];
  expect(turn?.state).toBe('running');
  expect(texts.length - 1).toBeGreaterThanOrEqual(saved);
  expect(texts.length - 1).toBeLessThanOrEqual(saved + 1);
  expect(texts).toEqual(['begin', ...texts.slice(1).map((_, index) => `answer ${index} ${'x'.repeat(2_000)}`)]);
  expect((await store.conversations.listOpenTurns()).map((open) => open.conversationId)).toEqual([id]);
  await store.conversations.endTurn(id, 1, 'run', { state: 'interrupted', outcome: 'interrupted', error: null, at: START, messages: [] });
  expect(await store.conversations.accept(incoming(id, question('next')))).toMatchObject({ kind: 'started', record: { turn: 2 } });
  await store.close();
});

describe('reading beside a running engine', () => {
  test('a read-only store sees what the engine saves, writes nothing and needs no lock', async () => {
    const store = await openSqliteStore({ folder });
    const id = await conversationWith(store, [['Where is it?', 'Here.']]);
    const reader = await openSqliteStore({ folder, readOnly: true });
    expect((await reader.conversations.list({ limit: 9, search: 'where' })).items.map((item) => item.id)).toEqual([id]);
    await store.conversations.accept(incoming(id, question('And now?')));
    expect((await reader.conversations.readTurns(id, { limit: 1 }))[0]?.messages[0]?.content).toBe('And now?');
    const refused = [
      () => reader.conversations.create(conversation()),
      () => reader.conversations.saveDraft(id, 'x', START),
      () => reader.conversations.delete(id),
      () => reader.conversations.append(id, 2, 'r', [answer('x')]),
      () => reader.preferences.write('a', '1'),
      () => reader.shop.seed({ customers: [], products: [], orders: [], articles: [], tickets: [] }),
    ];
    for (const call of refused) await expect(call()).rejects.toMatchObject({ name: 'ConsoleError', code: 'read-only' });
    await reader.close();
    expect((await store.conversations.get(id))?.messageCount).toBe(3);
    await store.close();
  });

  test('it reads a folder whose engine was killed', async () => {
    const child = started('write');
    const id = (await child.line('conversation ')).slice('conversation '.length);
    await child.line('saved 3');
    await child.kill();
    const reader = await openSqliteStore({ folder, readOnly: true });
    expect((await reader.conversations.readTurn(id, 1))?.messages.length).toBeGreaterThanOrEqual(5);
    await reader.close();
  });

  test('a folder without a database reads as empty and stays as it is', async () => {
    for (const each of [folder, path.join(folder, 'missing')]) {
      const reader = await openSqliteStore({ folder: each, readOnly: true });
      expect(await reader.conversations.list({ limit: 9 })).toEqual({ items: [], nextCursor: null, total: 0 });
      await expect(reader.conversations.create(conversation())).rejects.toMatchObject({ code: 'read-only' });
      await reader.close();
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('files that are no healthy database of ours', () => {
  async function bytes(): Promise<Buffer> {
    return readFile(path.join(folder, 'nimbus.db'));
  }

  test('a damaged page: the error says what to do and the file stays byte for byte', async () => {
    const store = await openSqliteStore({ folder });
    const filler = Array.from({ length: 40 }, (_, index): [string, string] => [
      `question ${index} ${'y'.repeat(900)}`,
      `answer ${'z'.repeat(900)}`,
    ]);
    await conversationWith(store, filler);
    await store.close();
    const damaged = await bytes();
    damaged.fill(0xa5, 8192, damaged.length - 4096);
    await writeFile(path.join(folder, 'nimbus.db'), damaged);
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      name: 'ConsoleError',
      code: 'storage',
      message: expect.stringMatching(/nimbus\.db is damaged .*backups/),
    });
    expect((await bytes()).equals(damaged)).toBe(true);
  });

  test.each([
    ['text', Buffer.from('this is not a database, it is a note that someone left here\n'.repeat(40))],
    ['zeros', Buffer.alloc(8192)],
  ])('a file of %s is refused and kept', async (_name, content) => {
    await writeFile(path.join(folder, 'nimbus.db'), content);
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('nimbus.db') });
    expect((await bytes()).equals(content)).toBe(true);
    await expect(openSqliteStore({ folder, readOnly: true })).rejects.toMatchObject({ code: 'storage' });
  });

  test('after a refusal the folder is free again', async () => {
    await writeFile(path.join(folder, 'nimbus.db'), 'not a database, and long enough to be looked at as one'.repeat(20));
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code: 'storage' });
    await rm(path.join(folder, 'nimbus.db'));
    await (await openSqliteStore({ folder })).close();
  });
});
