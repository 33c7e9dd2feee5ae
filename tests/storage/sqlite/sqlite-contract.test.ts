import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../electron/storage/sqlite/sqlite-store.ts';
import { answer, conversationWith, incoming, question, START } from '../../contract/store-builders.ts';
import { storeContract } from '../../contract/store-contract.ts';

storeContract('SQLite', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nimbus-sqlite-'));
  return { store: await openSqliteStore({ folder }), dispose: () => rm(folder, { recursive: true }) };
});

test('[MEM-30] the older turns that a turn was given are there after the file was closed and opened again', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'nimbus-sqlite-'));
  try {
    const first = await openSqliteStore({ folder });
    const id = await conversationWith(first, [['one', '1']]);
    await first.conversations.accept(incoming(id, question('two'), 'run-2'));
    const end = { state: 'answered', outcome: 'answered', error: null, at: START + 90, messages: [answer('2')] } as const;
    await first.conversations.endTurn(id, 2, 'run-2', { ...end, messages: [...end.messages], recalledTurns: [1] });
    await first.close();
    const second = await openSqliteStore({ folder });
    const turns = await second.conversations.readTurns(id, { limit: 9 });
    expect(turns.map((turn) => [turn.turn, turn.recalledTurns])).toEqual([
      [2, [1]],
      [1, undefined],
    ]);
    await second.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
