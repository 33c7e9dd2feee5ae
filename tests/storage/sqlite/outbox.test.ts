import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openOutbox } from '../../../electron/storage/sqlite/sqlite-outbox.ts';
import type { SqliteOutbox } from '../../../electron/storage/sqlite/sqlite-outbox.ts';
import { newOperation, parametersOf } from '../../../electron/storage/sync/operation.ts';
import type { Operation } from '../../../electron/storage/sync/operation.ts';
import { nextId, START } from '../../contract/store-builders.ts';

let folder = '';
let outbox: SqliteOutbox;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nimbus-outbox-'));
  outbox = openOutbox(path.join(folder, 'outbox.db')).outbox;
});

afterEach(async () => {
  outbox.close();
  await rm(folder, { recursive: true });
});

function operation(conversationId: string | null, text = 'hello', at = START): Operation {
  const source = { id: nextId('op'), consoleId: 'console-1', conversationId, turn: 1, kind: 'conversations.saveDraft' as const, at };
  return newOperation(source, [conversationId, text, at]);
}

const ids = (entries: { id: string }[]): string[] => entries.map((entry) => entry.id);

test('an operation comes back as it was saved, hostile text included', () => {
  const saved = operation('c1', 'nul \u0000 😀 \u{10ffff} "\\');
  outbox.add(saved);
  const [entry] = outbox.ready(START, 9);
  expect(entry).toMatchObject({ ...saved, number: 1, state: 'pending', attempts: 0, result: null });
  expect(entry === undefined ? null : parametersOf(entry)).toEqual(['c1', 'nul \u0000 😀 \u{10ffff} "\\', START]);
});

test('[SYN-2] the same id again changes nothing', () => {
  const saved = operation('c1');
  outbox.add(saved);
  outbox.add({ ...saved, payload: '[]' });
  expect(outbox.waiting().map((entry) => entry.payload)).toEqual([saved.payload]);
});

test('[SYN-3] first in, first out within a conversation; conversations and free operations do not wait for each other', () => {
  const [a1, b1, a2, free1, free2] = [operation('a'), operation('b'), operation('a'), operation(null), operation(null)];
  for (const each of [a1, b1, a2, free1, free2]) outbox.add(each);
  expect(ids(outbox.ready(START, 9))).toEqual(ids([a1, b1, free1, free2]));
  expect(ids(outbox.ready(START, 2))).toEqual(ids([a1, b1]));
  outbox.acknowledge(a1.id, 'null');
  expect(ids(outbox.ready(START, 9))).toEqual(ids([b1, a2, free1, free2]));
  expect(ids(outbox.waiting())).toEqual(ids([b1, a2, free1, free2]));
});

test('a parked operation holds back its conversation only, until somebody decides', () => {
  const [a1, a2, b1] = [operation('a'), operation('a'), operation('b')];
  for (const each of [a1, a2, b1]) outbox.add(each);
  outbox.park(a1.id, 'too large', 1153);
  expect(ids(outbox.ready(START, 9))).toEqual([b1.id]);
  expect(outbox.stopped()).toMatchObject([{ id: a1.id, state: 'parked', reason: 'too large', lastErrno: 1153, attempts: 1 }]);
  expect(outbox.counts()).toEqual({ pending: 2, parked: 1, rejected: 0 });
  outbox.retry(a1.id);
  expect(ids(outbox.ready(START, 9))).toEqual(ids([a1, b1]));
  outbox.park(a1.id, 'still too large', null);
  outbox.discard(a1.id);
  expect(ids(outbox.ready(START, 9))).toEqual(ids([a2, b1]));
});

test('a postponed operation holds back its conversation until its time; a rejected one does not', () => {
  const [a1, a2] = [operation('a'), operation('a')];
  for (const each of [a1, a2]) outbox.add(each);
  outbox.postpone(a1.id, START + 100, 'server away', null);
  expect(outbox.ready(START + 99, 9)).toEqual([]);
  expect(outbox.ready(START + 100, 9)).toMatchObject([{ id: a1.id, attempts: 1, reason: 'server away' }]);
  outbox.reject(a1.id, 'conflict');
  expect(ids(outbox.ready(START, 9))).toEqual([a2.id]);
  outbox.discard(a2.id);
  expect(ids(outbox.waiting())).toEqual([a2.id]);
});

test('only acknowledged operations are forgotten with time', () => {
  const [acked, pending, parked] = [operation('a'), operation('b'), operation('c')];
  for (const each of [acked, pending, parked]) outbox.add(each);
  outbox.acknowledge(acked.id, '{"kind":"known"}');
  outbox.park(parked.id, 'x', null);
  expect(outbox.forgetAcknowledged(START)).toBe(0);
  expect(outbox.forgetAcknowledged(START + 1)).toBe(1);
  expect(ids(outbox.waiting())).toEqual(ids([pending, parked]));
});

test('[SYN-1] what was added is there after the file is opened again', () => {
  const saved = operation('a');
  outbox.add(saved);
  outbox.close();
  const again = openOutbox(path.join(folder, 'outbox.db'));
  outbox = again.outbox;
  expect([ids(outbox.waiting()), again.salvaged]).toEqual([[saved.id], null]);
});

describe('a damaged outbox is never silently reset', () => {
  async function damaged(change: (bytes: Buffer) => void): Promise<{ saved: Operation[]; before: Buffer }> {
    const saved = Array.from({ length: 200 }, (_, index) => operation(`c${index}`, `text ${index} ${'x'.repeat(500)}`));
    for (const each of saved) outbox.add(each);
    outbox.close();
    const file = path.join(folder, 'outbox.db');
    const bytes = await readFile(file);
    change(bytes);
    await writeFile(file, bytes);
    return { saved, before: bytes };
  }

  test('a page in the middle: all other operations are kept, in order, and the old file stays beside', async () => {
    const { saved, before } = await damaged((bytes) => bytes.fill(0x5a, 4096 * 12, 4096 * 13));
    const again = openOutbox(path.join(folder, 'outbox.db'));
    outbox = again.outbox;
    const kept = ids(outbox.waiting());
    expect(kept.length).toBeGreaterThan(150);
    expect(kept.length).toBeLessThan(200);
    expect(kept).toEqual(ids(saved).filter((id) => kept.includes(id)));
    expect(again.salvaged).toMatchObject({ kept: kept.length, file: path.join(folder, 'outbox.db.damaged') });
    expect((await readFile(path.join(folder, 'outbox.db.damaged'))).equals(before)).toBe(true);
    outbox.add(operation('new'));
    expect(outbox.waiting().length).toBe(kept.length + 1);
  });

  test('nothing readable: the old file stays, a new one begins, and the report says so', async () => {
    await damaged((bytes) => bytes.fill(0x5a));
    const again = openOutbox(path.join(folder, 'outbox.db'));
    outbox = again.outbox;
    expect(again.salvaged).toMatchObject({ kept: 0 });
    expect(outbox.waiting()).toEqual([]);
    expect(await readdir(folder)).toContain('outbox.db.damaged');
  });
});

test('an operation whose payload is not what was saved is refused', () => {
  const saved = operation('a');
  expect(() => parametersOf({ ...saved, payload: saved.payload.replace('hello', 'jello') })).toThrow(
    expect.objectContaining({ code: 'storage' }),
  );
});
