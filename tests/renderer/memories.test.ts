// Which memories the area shows, and in which order. Pure.
import { expect, test } from 'vitest';
import type { Memory } from '../../shared/memories.ts';
import { type MemoryFilter, shownMemories, successorOf } from '../../renderer/memories/memory-list.ts';

const ALL: MemoryFilter = { search: '', show: 'all', superseded: false };
const memory = (id: string, part: Partial<Memory> = {}): Memory => ({
  id,
  tenant: 'nimbus',
  scope: 'customer',
  customerId: 'c-1',
  text: `fact ${id}`,
  slot: null,
  trust: 'untrusted',
  origin: 'distilled',
  pinned: false,
  supersededBy: null,
  conversationId: null,
  turn: null,
  createdAt: 1,
  changedAt: 1,
  ...part,
});
const nameOf = (id: string) => (id === 'c-1' ? 'Amara Okonjo' : 'Jonas Lindqvist');
const idsOf = (memories: readonly Memory[], filter: Partial<MemoryFilter> = {}) =>
  shownMemories(memories, { ...ALL, ...filter }, nameOf).map(({ id }) => id);

test('pinned ones come first, then the newest; equal ones keep one order', () => {
  const list = [memory('b', { changedAt: 2 }), memory('a', { changedAt: 2 }), memory('p', { pinned: true }), memory('n', { changedAt: 9 })];
  expect(idsOf(list)).toEqual(['p', 'n', 'a', 'b']);
});

test('superseded ones are shown on request only, and name what took their place', () => {
  const list = [memory('old', { supersededBy: 'new' }), memory('new')];
  expect(idsOf(list)).toEqual(['new']);
  expect(idsOf(list, { superseded: true })).toEqual(['new', 'old']);
  expect(successorOf(list[0] ?? memory('x'), list)?.id).toBe('new');
  expect(successorOf(memory('x'), list)).toBeUndefined();
});

test('words are found in the fact, the customer and the tenant; choices narrow', () => {
  const list = [
    memory('1', { text: 'Likes tea' }),
    memory('2', { customerId: 'c-2' }),
    memory('3', { scope: 'tenant', customerId: null, tenant: 'acme', pinned: true }),
  ];
  expect(idsOf(list, { search: 'TEA' })).toEqual(['1']);
  expect(idsOf(list, { search: 'lindq' })).toEqual(['2']);
  expect(idsOf(list, { search: 'acme' })).toEqual(['3']);
  expect(idsOf(list, { show: 'tenant' })).toEqual(['3']);
  expect(idsOf(list, { show: 'pinned' })).toEqual(['3']);
});
