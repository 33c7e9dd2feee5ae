/** Legal texts that would overwhelm a parser or a page: every one is shown, nothing else on the page is lost. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConsolePage } from './harness/console-page.ts';
import { terminal } from './harness/programs.ts';
import { QUESTIONS } from './harness/story.ts';
import { expect, test } from './harness/test.ts';

const TEXTS: Record<string, string> = {
  quotes: `${'>'.repeat(2_000)} deep`,
  lists: Array.from({ length: 500 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth}`).join('\n'),
  brackets: '['.repeat(5_000),
  emphases: '*a '.repeat(8_000),
  lines: 'x\n'.repeat(20_000),
  line: 'word '.repeat(10_000),
  table: `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|\n'.repeat(300)}`,
};

test('every overwhelming text is shown at once, long ones folded', async ({ dataFolder, startHost, openConsole }) => {
  const file = path.join(dataFolder, 'overwhelming.jsonl');
  const messages = Object.entries(TEXTS).flatMap(([name, text]) => [
    { role: 'user', content: `Show ${name}` },
    { role: 'assistant', content: text },
  ]);
  writeFileSync(file, `${JSON.stringify({ messages })}\n`);
  const imported = await terminal({ dataFolder, args: ['import', file] });
  expect(imported.code, imported.stderr).toBe(0);
  const console = await openConsole(await startHost());
  await console.rows().first().click();
  const names = Object.keys(TEXTS);
  const seen = { nested: 0, folded: 0, alerts: 0 };
  for (const number of names.keys()) {
    const turn = await console.goToTurn(number + 1);
    seen.nested += await turn.getByText('Shown as plain text: too deeply nested').count();
    seen.folded += await turn.getByRole('button', { name: /^Show all/ }).count();
    seen.alerts += await turn.getByRole('alert').count();
  }
  expect(seen).toEqual({ nested: 2, folded: 4, alerts: 0 });
  const long = await console.goToTurn(names.indexOf('line') + 1);
  await long.getByRole('button', { name: 'Show all (48.8 KB)' }).click();
  await long.getByRole('button', { name: 'Show less' }).click();
  await expect(long.getByRole('button', { name: 'Show all (48.8 KB)' })).toBeVisible();
  // The longest time the page may not answer a click.
  const start = Date.now();
  await console.compacted.click();
  await expect(console.compacted).toHaveAttribute('aria-checked', 'true');
  expect(Date.now() - start).toBeLessThan(5_000);
});

test('a page whose host died says that nobody knows what the answer does, and comes back by itself', async ({ startHost, browser }) => {
  const first = await startHost({ delayMs: 250 });
  const port = new URL(first.origin).port;
  // The page sees its host go away: what the browser notes of that is no fault of the page.
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await first.freshLink());
  await page
    .getByRole('button', { name: /new conversation/i })
    .first()
    .waitFor();
  const console = new ConsolePage(page);
  await console.startConversation('Jonas Lindqvist');
  await console.say(QUESTIONS[0]);
  await expect(console.log.locator('.turn.live .body')).toContainText(/\w+ \w+ \w+/, { timeout: 20_000 });
  await first.stop('SIGKILL');
  await expect(console.log.getByText('connection lost, state unknown')).toBeVisible();
  await expect(console.stop).toBeDisabled();
  await expect(console.rows().first()).toContainText('Connection lost, state unknown');
  await expect(page.getByText('Nimbus is answering')).toHaveCount(0);

  const second = await startHost({ args: [`--port=${port}`] });
  await expect(page.getByText('This session has ended.', { exact: false })).toBeVisible({ timeout: 20_000 });
  const other = await context.newPage();
  await other.goto(await second.freshLink());
  await expect(
    console
      .turn(1)
      .getByText(/interrupted/i)
      .first(),
  ).toBeVisible({ timeout: 20_000 });
  await expect(console.stop).toBeHidden();
  await context.close();
});
