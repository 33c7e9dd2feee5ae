/** Does I/O through the store under test: branches of a conversation. A store without branches answers none of these calls. */
import { expect, test } from 'vitest';
import type { BranchStore, LineMark, Store } from '../../electron/engine/ports.ts';
import { answer, conversationWith, incoming, nextId, question, START } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

const ENDED = { state: 'answered', outcome: 'answered', error: null, at: START + 500 } as const;

async function seenNow(store: Store, id: string): Promise<LineMark> {
  const [newest] = await store.conversations.readTurns(id, { limit: 1 });
  return { turnCount: newest?.turn ?? 0, runId: newest?.runId ?? null };
}

async function textsOf(store: Store, id: string): Promise<string[]> {
  const turns = await store.conversations.readTurns(id, { limit: 99 });
  return turns.toReversed().flatMap((turn) => turn.messages.map((message) => message.content));
}

/** Edits a turn and answers it; gives the id of the branch that left. */
async function edit(store: Store, branches: BranchStore, id: string, turn: number, text: string): Promise<string> {
  const [branchId, runId] = [nextId('branch'), nextId('run')];
  const seen = await seenNow(store, id);
  const edited = await branches.edit({ conversationId: id, turn, seen, branchId, message: question(text), runId, promptVersion: 'p1' });
  expect(edited).toMatchObject({ kind: 'started', record: { turn, runId, state: 'running' } });
  await store.conversations.endTurn(id, turn, runId, { ...ENDED, messages: [answer(`re ${text}`)] });
  return branchId;
}

async function goTo(store: Store, branches: BranchStore, id: string, branchId: string): Promise<string> {
  const stashId = nextId('branch');
  await branches.switchTo({ conversationId: id, branchId, seen: await seenNow(store, id), stashId, at: START + 900 });
  return stashId;
}

const THREE: [string, string][] = [
  ['one', 're one'],
  ['zwetschge', 're zwetschge'],
  ['three', 're three'],
];

export function branchContract(getStore: GetStore): void {
  const withBranches = (title: string, body: (store: Store, branches: BranchStore) => Promise<void>): void => {
    test(title, async () => {
      const store = getStore();
      // Shared stores keep none yet; the port says so by leaving the part out.
      if (store.branches === undefined) expect(store.kind).toMatch(/^mysql/);
      else await body(store, store.branches);
    });
  };

  withBranches('an edit keeps what it replaces; going back brings it all, byte for byte', async (store, branches) => {
    const id = await conversationWith(store, THREE);
    const before = await store.conversations.readTurns(id, { limit: 9 });
    await store.conversations.writeMemoryState(id, { strategy: 'stable', json: '"zwetschge"' });
    await store.conversations.writeDistilledTurn(id, 3);
    const left = await edit(store, branches, id, 2, 'quitte');
    expect(await textsOf(store, id)).toEqual(['one', 're one', 'quitte', 're quitte']);
    expect(await store.conversations.readMemoryState(id, 'stable')).toBeNull();
    expect(await store.conversations.readDistilledTurn(id)).toBe(1);
    expect(await branches.list(id)).toMatchObject([{ id: left, parent: null, turn: 2, ordinal: 1 }]);
    expect(await branches.readTurns(id, left)).toEqual(before.toReversed().slice(1));
    const found = async (search: string): Promise<boolean> =>
      (await store.conversations.list({ limit: 50, search })).items.some((item) => item.id === id);
    expect([await found('zwetschge'), await found('quitte')]).toEqual([false, true]);
    const stash = await goTo(store, branches, id, left);
    expect(await store.conversations.readTurns(id, { limit: 9 })).toEqual(before);
    expect(await store.conversations.readDistilledTurn(id)).toBe(3);
    expect([await found('zwetschge'), await found('quitte')]).toEqual([true, false]);
    expect(await branches.list(id)).toMatchObject([{ id: stash, parent: null, turn: 2, ordinal: 2 }]);
    expect(await store.conversations.get(id)).toMatchObject({ turnCount: 3, messageCount: 6 });
  });

  withBranches('a branch inside a branch comes and goes with it', async (store, branches) => {
    const id = await conversationWith(store, THREE);
    const inner = await edit(store, branches, id, 3, 'other three');
    const outer = await edit(store, branches, id, 2, 'other two');
    expect(await branches.list(id)).toMatchObject([
      { id: outer, parent: null },
      { id: inner, parent: outer },
    ]);
    await expect(goTo(store, branches, id, inner)).rejects.toMatchObject({ code: 'not-found' });
    expect(await textsOf(store, id)).toEqual(['one', 're one', 'other two', 're other two']);
    await goTo(store, branches, id, outer);
    await goTo(store, branches, id, inner);
    expect(await textsOf(store, id)).toEqual(THREE.flat());
  });

  withBranches('a line at work or one that went on is left alone; a repeated message id is known', async (store, branches) => {
    const id = await conversationWith(store, THREE);
    const seen = await seenNow(store, id);
    const first = (await store.conversations.readTurn(id, 2))?.messages[0];
    const left = await edit(store, branches, id, 2, 'again');
    const next = {
      conversationId: id,
      turn: 2,
      branchId: nextId('branch'),
      message: question('x'),
      runId: nextId('run'),
      promptVersion: 'p1',
    };
    await expect(branches.edit({ ...next, seen })).rejects.toMatchObject({ code: 'busy' });
    const now = await seenNow(store, id);
    await expect(branches.edit({ ...next, turn: 7, seen: now })).rejects.toMatchObject({ code: 'not-found' });
    const repeated = question('x', { id: first?.id ?? '' });
    expect(await branches.edit({ ...next, seen: now, message: repeated })).toEqual({ kind: 'known', turn: 2 });
    expect(await store.conversations.accept(incoming(id, repeated))).toEqual({ kind: 'known', turn: 2 });
    await store.conversations.accept(incoming(id, question('at work')));
    await expect(goTo(store, branches, id, left)).rejects.toMatchObject({ code: 'busy' });
    expect(await branches.list(id)).toHaveLength(1);
  });

  withBranches('a forgotten turn is forgotten on every line; deleting takes the branches along', async (store, branches) => {
    const id = await conversationWith(store, THREE);
    const left = await edit(store, branches, id, 2, 'quitte');
    await store.conversations.forgetTurn(id, 2, START + 700);
    const [second, third] = await branches.readTurns(id, left);
    expect(JSON.stringify(second)).not.toContain('zwetschge');
    expect(second?.forgottenAt).toBe(START + 700);
    expect(third?.messages[0]?.content).toBe('three');
    await store.conversations.delete(id);
    expect([await branches.list(id), await branches.readTurns(id, left)]).toEqual([[], []]);
  });

  withBranches(
    'whatever is edited and gone back to: no turn is lost, none stands twice, turns and messages have no gaps',
    async (store, branches) => {
      const id = await conversationWith(store, THREE);
      const written = new Set(THREE.map(([text]) => text));
      let random = 7;
      const below = (bound: number): number => {
        random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((random / 2_147_483_648) * bound);
      };
      for (let step = 0; step < 40; step += 1) {
        const { turnCount } = await seenNow(store, id);
        const open = (await branches.list(id)).filter((branch) => branch.parent === null);
        const target = open[below(open.length)];
        if (target !== undefined && below(2) === 0) await goTo(store, branches, id, target.id);
        else {
          written.add(`edit ${step}`);
          await edit(store, branches, id, 1 + below(turnCount), `edit ${step}`);
        }
        const active = await store.conversations.readTurns(id, { limit: 99 });
        expect(active.map((turn) => turn.turn)).toEqual(active.map((_turn, index) => active.length - index));
        const sequence = active.toReversed().flatMap((turn) => turn.messages.map((message) => message.seq));
        expect(sequence).toEqual(sequence.map((_seq, index) => index + 1));
        const stored = (await Promise.all((await branches.list(id)).map((branch) => branches.readTurns(id, branch.id)))).flat();
        const messages = [...active, ...stored].flatMap((turn) => turn.messages);
        expect(new Set(messages.map((message) => message.id)).size).toBe(messages.length);
        const asked = messages.filter((message) => message.role === 'user').map((message) => message.content);
        expect(asked.toSorted()).toEqual([...written].toSorted());
      }
    },
  );
}
