/** The command that forgets a customer, as a program of its own: what goes, the proof, mistakes and exit codes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run, temporaryFolder } from './program.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder: { path: string; remove(): void };
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const terminal = (argv: string[], options: Parameters<typeof run>[2] = {}) => run(folder.path, argv, options);

test('rule 12: forget-customer: a look first, then a word that it is meant, then the proof; the person is unknown afterwards', async () => {
  const chat = await terminal(['chat'], { input: 'Can I get a refund for order #1043?' });
  expect(chat.code).toBe(0);
  const look = await terminal(['forget-customer', 'C-1001', '--dry-run']);
  expect(look.code).toBe(0);
  expect(look.stdout).toContain('nothing was changed');
  expect(look.stdout).toContain('  conversations: 1\n');
  const counts = (JSON.parse((await terminal(['forget-customer', 'C-1001', '--dry-run', '--json'])).stdout) as { counts: object }).counts;

  const unsaid = await terminal(['forget-customer', 'C-1001']);
  expect(unsaid).toMatchObject({ code: 2, stdout: '' });
  expect(unsaid.stderr).toContain('say --yes');
  expect((await terminal(['conversations'])).stdout).toContain('1043');

  const done = await terminal(['forget-customer', 'C-1001', '--yes', '--json']);
  expect(done.code).toBe(0);
  const proof = JSON.parse(done.stdout) as { removed: object; copies: object; scanned: { files: number; texts: number }; matches: [] };
  expect(proof).toMatchObject({ removed: counts, matches: [] });
  expect(proof.scanned.texts).toBeGreaterThan(3);
  expect(proof.scanned.files).toBeGreaterThan(1);
  expect((await terminal(['conversations'])).stdout).not.toContain('1043');

  const again = await terminal(['forget-customer', 'C-1001', '--yes']);
  expect(again.stdout).toBe('');
  expect(again.stderr).toContain('Nothing is known about a customer "C-1001"');
  expect(again.code).toBe(2);
});

test('forget-customer with a wrong id, none, or one too many: a clear error and exit code 2', async () => {
  const unknown = await terminal(['forget-customer', 'c-1001x', '--dry-run']);
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('Nothing is known about a customer "c-1001x"');
  const missing = await terminal(['forget-customer', '--yes']);
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  const many = await terminal(['forget-customer', 'C-1001', 'C-1002', '--yes']);
  expect(many).toMatchObject({ code: 2, stdout: '' });
});
