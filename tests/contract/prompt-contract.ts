/** Does I/O through the store under test: versions of the system prompt. */
import { expect, test } from 'vitest';
import type { PromptVersion } from '../../shared/prompts.ts';
import { nextId, START } from './store-builders.ts';
import type { GetStore } from './store-contract.ts';

const prompt = (fields: Partial<PromptVersion> = {}): PromptVersion => ({
  version: nextId('v'),
  text: 'Be short.\n日本語 — "quoted"',
  author: 'Mara',
  note: '',
  basedOn: null,
  createdAt: START,
  activatedAt: null,
  ...fields,
});

export function promptContract(getStore: GetStore): void {
  test('versions come back whole, newest first; a text is never replaced', async () => {
    const { prompts } = getStore();
    const first = prompt();
    const second = prompt({ createdAt: START + 1, basedOn: first.version, note: 'friendlier' });
    await prompts.add(first);
    await prompts.add(second);
    const listed = (await prompts.list()).filter((each) => [first.version, second.version].includes(each.version));
    expect(listed).toEqual([second, first]);
    await expect(prompts.add({ ...first, text: 'other' })).rejects.toMatchObject({ code: 'conflict' });
    expect((await prompts.list()).find((each) => each.version === first.version)?.text).toBe(first.text);
  });

  test('activation sets its time and nothing else; what is not there cannot be activated', async () => {
    const { prompts } = getStore();
    const one = prompt({ createdAt: START + 5 });
    await prompts.add(one);
    await prompts.activate(one.version, START + 9);
    await prompts.activate(one.version, START + 9);
    expect((await prompts.list()).find((each) => each.version === one.version)).toEqual({ ...one, activatedAt: START + 9 });
    await expect(prompts.activate(nextId('v'), START)).rejects.toMatchObject({ code: 'not-found' });
  });
}
