/** Stories of the shell: palette, keys, settings in pages, tour, language, appearance, panes; no serious accessibility finding in either theme. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';

const PAGES = ['Models and keys', 'Storage', 'Memory', 'Budgets', 'Appearance', 'Privacy', 'About'];

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

test('the palette finds commands and conversations by a few letters, and runs them by keyboard alone', async ({
  startHost,
  openConsole,
}) => {
  const console = await openConsole(await startHost());
  const { page } = console;
  await console.startConversation('Jonas Lindqvist');
  await console.ask('Can I get a refund for order #1043?', 1);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Commands' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.type('dark');
  await expect(palette.getByRole('option').first()).toHaveText(/Theme: dark/);
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('refund');
  const found = palette.getByRole('option').filter({ hasText: 'Jonas Lindqvist' });
  await expect(found).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('zzzz');
  await expect(palette.getByText('Nothing is called “zzzz”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
});

test('G and a letter changes the area, ? shows every key, and the command of a turn works without a mouse', async ({
  startHost,
  openConsole,
}) => {
  const console = await openConsole(await startHost());
  const { page } = console;
  await console.startConversation('Jonas Lindqvist');
  await console.ask('Can I get a refund for order #1043?', 1);
  await page.getByRole('heading', { name: 'Conversations', exact: true }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('button', { name: 'Traces area' })).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  // The chat takes the focus into its field, where every key is text.
  await expect(console.message).toBeFocused();
  await page.getByRole('heading', { name: 'Conversations', exact: true }).click();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(sheet.getByText('Find a command')).toBeVisible();
  await expect(sheet.getByText('Send the message')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('p');
  await expect(page.getByText('Turn 1 is pinned: it is sent in full while it fits.')).toBeVisible();
});

test('settings are pages; caps are typed in dollars, own prices in a table; what is refused says why', async ({
  startHost,
  openConsole,
}) => {
  const { page } = await openConsole(await startHost());
  await page.keyboard.press('Control+,');
  const dialog = settings(page);
  for (const theme of ['Light', 'Dark']) {
    await dialog.getByRole('tab', { name: 'Appearance' }).click();
    await dialog.getByRole('radio', { name: theme, exact: true }).click();
    for (const name of PAGES) {
      await dialog.getByRole('tab', { name, exact: true }).click();
      await expect(dialog.getByRole('tabpanel', { name })).toBeVisible();
      expect(await seriousFindings(page), `${name}, ${theme}`).toEqual([]);
    }
  }
  await dialog.getByRole('tab', { name: 'Budgets' }).click();
  const cap = dialog.getByRole('textbox', { name: /^Per conversation/ });
  await cap.fill('plenty');
  await cap.press('Enter');
  await expect(dialog.getByText('Write an amount in US dollars, such as 0.50.')).toBeVisible();
  await expect(cap).toHaveValue('plenty');
  await cap.fill('0.5');
  await cap.press('Enter');
  await expect(cap).toHaveValue('0.50');
  await dialog.getByRole('button', { name: 'Add a model' }).click();
  await dialog.getByRole('textbox', { name: 'PROVIDER/MODEL, 1' }).fill('openai-chat/our-own');
  await dialog.getByRole('textbox', { name: 'Input, openai-chat/our-own', exact: true }).fill('0.1');
  await dialog.getByRole('button', { name: 'Save prices' }).click();
  await expect(dialog.getByText('Row 1, Output: write an amount such as 0.25.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Output, openai-chat/our-own', exact: true }).fill('0.4');
  await dialog.getByRole('button', { name: 'Save prices' }).click();
  await expect(dialog.getByText('Row 1, Output')).toBeHidden();
  await page.reload();
  await page.keyboard.press('Control+,');
  await settings(page).getByRole('tab', { name: 'Budgets' }).click();
  await expect(settings(page).getByRole('textbox', { name: /^Per conversation/ })).toHaveValue('0.50');
  await expect(settings(page).getByRole('textbox', { name: 'Output, openai-chat/our-own', exact: true })).toHaveValue('0.40');
  // Pages by arrow keys.
  await settings(page).getByRole('tab', { name: 'Budgets' }).press('ArrowDown');
  await expect(settings(page).getByRole('tab', { name: 'Appearance' })).toBeFocused();
});

test('the tour is offered once, stands beside what it speaks of, and can be skipped and taken again', async ({
  startHost,
  openConsole,
}) => {
  const { page } = await openConsole(await startHost());
  await page.getByRole('button', { name: 'Take the tour' }).click();
  for (let step = 1; step <= 5; step += 1) {
    const card = page.getByRole('region', { name: `Tour, ${step} of 5` });
    await expect(card).toBeInViewport({ ratio: 1 });
    await card.getByRole('button', { name: step < 5 ? 'Next' : 'Done' }).press('Enter');
  }
  await expect(page.getByRole('region', { name: /^Tour/ })).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Nimbus is ready to answer.' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Take the tour' })).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tour');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Tour, 1 of 5' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: /^Tour/ })).toBeHidden();
});

test('German, compact and large: chosen, applied at once, kept over a reload; the width of a pane is set by keyboard', async ({
  startHost,
  openConsole,
}) => {
  const { page } = await openConsole(await startHost());
  await page.keyboard.press('Control+,');
  await settings(page).getByRole('tab', { name: 'Appearance' }).click();
  await settings(page).getByRole('radio', { name: 'Compact' }).click();
  await settings(page).getByRole('radio', { name: 'Large', exact: true }).click();
  await settings(page).getByRole('combobox', { name: 'Language' }).selectOption('de');
  await expect(page.getByRole('dialog', { name: 'Einstellungen' }).getByRole('tab', { name: 'Darstellung' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Bereich Abläufe' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  await expect(page.locator('html')).toHaveAttribute('data-text', 'large');
  const handle = page.getByRole('separator', { name: 'Breite der Liste' });
  const before = (await page.locator('.queue').boundingBox())?.width ?? 0;
  await handle.focus();
  await handle.press('ArrowRight');
  await expect.poll(async () => (await page.locator('.queue').boundingBox())?.width ?? 0).toBeGreaterThan(before);
});

test('a conversation is deleted only after a question, and leaves the list', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost());
  const { page } = console;
  await console.startConversation('Jonas Lindqvist');
  await console.ask('Can I get a refund for order #1043?', 1);
  const rows = await console.rows().count();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('delete the conversation');
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Delete this conversation?' });
  await question.getByRole('button', { name: 'Keep it' }).click();
  await expect(console.rows()).toHaveCount(rows);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('delete the conversation');
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(console.rows()).toHaveCount(rows - 1);
});
