/** The terminal commands about memory, as programs on a real data folder. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run, temporaryFolder } from './program.ts';

// Each command is a program that starts, opens the folder and ends.
vi.setConfig({ testTimeout: 180_000 });

let folder: ReturnType<typeof temporaryFolder>;
let id = '';

const terminal = (...argv: string[]) => run(folder.path, argv);

beforeAll(async () => {
  folder = temporaryFolder();
  const asked = await terminal('ask', 'Can I get a refund for order #1043? The canary word is zebrafish.');
  id = /^conversation: ([0-9a-f]{32})$/mu.exec(asked.stdout)?.[1] ?? '';
  expect(id).not.toBe('');
}, 90_000);

afterAll(() => folder.remove());

describe('memory in the terminal', () => {
  it('why says where a text stands, as text and as JSON', async () => {
    const asked = await terminal('why', id, 'zebrafish', '--turn=1', '--json');
    expect(asked.code).toBe(0);
    expect(JSON.parse(asked.stdout)).toEqual([
      { where: 'history', turn: 1, disposition: 'full', reason: 'belongs to the turn that was asked', setting: null },
    ]);
    expect((await terminal('why', id, 'never said that')).stdout).toMatch(/^nowhere: never: /u);
    expect((await terminal('why', id, 'x', '--turn=zero')).code).toBe(2);
    expect((await terminal('why', id, 'x', '--turn=7')).code).toBe(2);
  });

  it('pins, compacts, and counts what a tenant used', async () => {
    expect((await terminal('pin', id, '1')).stdout).toContain('turn 1 is pinned');
    expect((await terminal('pin', id, '1', '--off')).stdout).toContain('no longer pinned');
    expect((await terminal('pin', id, 'one')).code).toBe(2);
    expect((await terminal('compact', id)).stdout).toMatch(/^turns up to 1 are shortened: ~\d+ tokens became ~\d+\n$/u);
    expect((await terminal('compact', id, '--strategy=stable')).stdout).toMatch(/^nothing changed: /u);
    expect((await terminal('usage', '--tenant=nimbus')).stdout).toMatch(/^nimbus: \d+ calls/u);
    expect((await terminal('memories', '--json')).stdout.trim()).toBe('[]');
  });

  it('prints and changes what holds for a conversation; one wrong word changes nothing', async () => {
    expect((await terminal('set', id)).stdout).toBe('tenant=nimbus\nactor=customer:C-1001\nsubject=none\nstrategy=default\nredact=true\n');
    const bad = await terminal('set', id, 'tenant=acme', 'memory.historyTokens=none', 'colour=red', 'actor=me', 'loose');
    expect(bad.code).toBe(2);
    for (const word of ['memory.historyTokens', 'colour', 'actor is TYPE:ID', '"loose" is no KEY=VALUE'])
      expect(bad.stderr).toContain(word);
    expect((await terminal('set', id, 'tenant=acme', 'budget.dayMicroUsd=5')).code).toBe(2);
    expect((await terminal('set', id)).stdout).toContain('tenant=nimbus');
    const words = ['tenant=acme', 'actor=none', 'subject=case:7', 'strategy=summary', 'redact=false', 'memory.maxHistoryTokens=900'];
    const changed = await terminal('set', id, ...words, '--json');
    const held = { tenant: 'acme', actor: 'none', subject: 'case:7', strategy: 'summary', redact: false, 'memory.maxHistoryTokens': 900 };
    expect(JSON.parse(changed.stdout)).toEqual(held);
    expect((await terminal('show', id, '--context')).stdout).toMatch(/of 900 tokens are taken, so nothing is folded into a summary/u);
    const back = [
      'tenant=nimbus',
      'actor=customer:C-1001',
      'subject=none',
      'strategy=default',
      'redact=true',
      'memory.maxHistoryTokens=default',
    ];
    expect((await terminal('set', id, ...back)).stdout).toContain('strategy=default\nredact=true\n');
  });

  it('forgets a turn for good', async () => {
    expect((await terminal('forget', id, '1')).code).toBe(0);
    for (const argv of [['show', id], ['show', id, '--context', '--json'], ['export', id], ['conversations']])
      expect((await terminal(...argv)).stdout).not.toContain('zebrafish');
    expect((await terminal('why', id, 'zebrafish')).stdout).toMatch(/^nowhere: never: /u);
  });
});
