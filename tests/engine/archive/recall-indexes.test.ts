/** A turn that another console forgot must not be quoted from this console's index. */
import { expect, test } from 'vitest';
import type { NewMessage } from '../../../shared/conversation.ts';
import { createRecallIndexes } from '../../../electron/engine/archive/recall-indexes.ts';
import { createInMemoryStore } from '../../../electron/storage/in-memory-store.ts';

const QUERY = { question: 'zanzibar swordfish', inPlay: [], throughTurn: 2, limit: 5 };

function message(id: string, role: 'user' | 'assistant', content: string): NewMessage {
  return { id, role, content, at: 1_700_000_000_000, origin: 'imported', trust: 'untrusted' };
}

async function twoTurns() {
  const { conversations } = createInMemoryStore();
  const texts = ['The zanzibar word is swordfish', 'The weather is fine'];
  await conversations.insertWhole(
    { id: 'c1', tenant: 't', actor: null, subject: null, customerId: null, title: 't', strategy: null, at: 1 },
    texts.map((text, turn) => ({
      state: 'answered',
      messages: [message(`u${turn}`, 'user', text), message(`a${turn}`, 'assistant', 'Noted')],
    })),
  );
  const indexes = createRecallIndexes(conversations);
  const found = async () => JSON.stringify((await indexes.search('c1', QUERY)).turns);
  return { conversations, indexes, found };
}

test('a turn forgotten elsewhere is not found once the store told of a change', async () => {
  const { conversations, indexes, found } = await twoTurns();
  expect(await found()).toContain('swordfish');
  await conversations.forgetTurn('c1', 1, 5);
  indexes.doubt('c1');
  expect(await found()).not.toContain('swordfish');
  expect(await found()).not.toContain('swordfish');
});

test('a change that took nothing away leaves what is found as it is', async () => {
  const { indexes, found } = await twoTurns();
  const before = await found();
  indexes.doubt('c1');
  expect(await found()).toBe(before);
  expect(await found()).toBe(before);
});
