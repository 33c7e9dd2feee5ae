/** Stories of long conversations and long lists in a browser: 10,000 messages, more than 2,000 conversations. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { terminal } from './harness/programs.ts';
import { expect, test } from './harness/test.ts';

const TURNS = 5_000;
const OTHERS = 2_100;

function conversation(turns: number, name: string): string {
  const messages = Array.from({ length: turns }, (_, index) => [
    { role: 'user', content: `${name} question ${index + 1}: where is order ${1_000 + index}?${index === 1_233 ? ' Zanzibar' : ''}` },
    {
      role: 'assistant',
      content: `Answer ${index + 1}. ${'It is on its way. '.repeat(1 + (index % 9))}${index === 3_500 ? 'zanzibar, zanzibar' : ''}`,
    },
  ]);
  return JSON.stringify({ messages: messages.flat() });
}

test('10,000 messages: open, go to a turn, find all places, and the list beside them', async ({ startHost, openConsole, dataFolder }) => {
  test.setTimeout(180_000);
  const file = path.join(dataFolder, 'import.jsonl');
  const lines = Array.from({ length: OTHERS }, (_, index) => conversation(1, `返金 customer-${index}`));
  writeFileSync(file, [conversation(TURNS, 'long'), ...lines].join('\n'));
  expect((await terminal({ dataFolder, args: ['import', file] })).code).toBe(0);
  const console_ = await openConsole(await startHost());
  const { page, log } = console_;

  // The list: any row is one key away, and keeps the focus.
  await console_.rows().first().focus();
  await page.keyboard.press('End');
  await expect(page.locator(`[data-row="${OTHERS}"]`)).toBeFocused();
  await expect(console_.conversations.locator('li').last()).toHaveAttribute('aria-setsize', String(OTHERS + 1));
  await page.keyboard.press('Home');
  await expect(page.locator('[data-row="0"]')).toBeFocused();

  const search = page.getByRole('searchbox', { name: 'Search conversations' });
  await search.fill('返金 customer-77');
  await expect(console_.conversations.locator('mark').first()).toHaveText('返金');
  await search.fill('zanzibar');
  await expect(console_.rows()).toHaveCount(1);
  await expect(console_.conversations.locator('mark').first()).toHaveText('zanzibar');

  const start = Date.now();
  await console_.rows().first().click();
  await expect(console_.turn(TURNS)).toBeVisible();
  process.stdout.write(`10,000 messages opened in ${Date.now() - start} ms\n`);
  expect(await log.getByRole('article').count()).toBeLessThan(40);

  await page.keyboard.press('Control+g');
  await page.getByRole('textbox', { name: 'Go to turn' }).fill('2468');
  await page.keyboard.press('Enter');
  await expect(console_.turn(2_468)).toBeInViewport();

  await page.keyboard.press('Control+f');
  await page.getByRole('searchbox', { name: 'Text to find' }).fill('zanzibar');
  const place = page.getByRole('search').getByRole('status');
  await expect(place).toHaveText('2 of 3');
  await expect(console_.turn(3_501)).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(place).toHaveText('3 of 3');
  await page.keyboard.press('Enter');
  await expect(place).toHaveText('1 of 3');
  await expect(console_.turn(1_234)).toBeInViewport();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Jump to newest' }).click();
  await expect(console_.turn(TURNS)).toBeInViewport();
});

test('unread: a person marks it, filters by it, and opening reads it', async ({ startHost, openConsole }) => {
  const console_ = await openConsole(await startHost());
  const { page } = console_;
  await console_.startConversation('Jonas Lindqvist');
  await console_.ask('Can I get a refund for order #1043?', 1);
  await expect(console_.rows().first()).not.toContainText('unread');
  await page.getByRole('button', { name: 'Mark as unread' }).click();
  await expect(console_.rows().first()).toContainText('1 unread turn');
  await page.getByRole('button', { name: 'Filter conversations' }).click();
  await page.getByRole('checkbox', { name: 'Unread' }).check();
  await expect(console_.rows()).toHaveCount(1);
  await console_.rows().first().click();
  await expect(console_.rows().first()).not.toContainText('unread');
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
  await expect(page.getByText('No conversation matches these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(console_.rows()).toHaveCount(1);
});

test('a draft survives the death of the engine, and an input method does not send it', async ({ startHost, openConsole, pageProblems }) => {
  const host = await startHost();
  const console_ = await openConsole(host);
  await console_.startConversation('Jonas Lindqvist');
  await console_.message.fill('にほんご');
  await console_.message.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true });
  await expect(console_.message).toHaveValue('にほんご');
  await expect(console_.log.getByRole('article')).toHaveCount(0);
  // A draft is saved when typing pauses.
  await console_.page.waitForTimeout(1_000);
  await host.stop('SIGKILL');
  const again = await openConsole(await startHost());
  await again.rows().first().click();
  await expect(again.message).toHaveValue('にほんご');
  // The page looked for its dead engine, as it should; anything else is a problem.
  expect(pageProblems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  pageProblems.length = 0;
});
