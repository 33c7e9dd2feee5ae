/** The Customer tab: whose conversation it is, what is remembered of them alone, and its own settings, which hold from the next question. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';

test.setTimeout(120_000);

async function remember(page: Page, whose: string, fact: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a memory' }).click();
  const form = page.getByRole('form', { name: 'Add a memory' });
  await form.getByRole('combobox', { name: 'Whose memory' }).selectOption(whose);
  await form.getByRole('textbox', { name: 'The fact' }).fill(fact);
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
}

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

test('the tab shows the customer’s records and memories, and nothing that is remembered of another', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost());
  const { page } = console;
  await page.getByRole('button', { name: 'Memories area' }).click();
  await remember(page, 'Jonas Lindqvist', 'Prefers to be called Jon');
  await remember(page, 'Amara Okonjo', 'Has a dog named Biscuit');
  await page.getByRole('button', { name: 'Conversations area' }).click();
  await console.startConversation('Jonas Lindqvist');
  await console.tab('Context').click();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Customer', exact: true })).toBeFocused();
  const panel = page.getByRole('tabpanel', { name: 'Customer' });
  await expect(panel.getByRole('region', { name: 'Customer', exact: true })).toContainText('Jonas Lindqvist');
  await expect(panel.getByRole('region', { name: /^Orders/u }).getByText('#1043')).toBeVisible();
  const memories = panel.getByRole('region', { name: /^Memories/u });
  await expect(memories.getByText('Prefers to be called Jon')).toBeVisible();
  await expect(page.getByText('Biscuit')).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await seriousFindings(page), colorScheme).toEqual([]);
  }

  // Nobody speaks: the memories of the customer are out of reach at once.
  const actor = panel.getByRole('textbox', { name: 'Actor: who speaks' });
  await actor.fill('');
  await actor.press('Enter');
  await expect(memories.getByText('Nobody speaks here')).toBeVisible();
  await expect(memories.getByText('Prefers to be called Jon')).toHaveCount(0);

  await console.startConversation('Amara Okonjo');
  await expect(memories.getByText('Has a dog named Biscuit')).toBeVisible();
  await expect(page.getByText('Prefers to be called Jon')).toHaveCount(0);
});

test('own settings hold from the next question on; what is refused stays typed with its reason', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost());
  const { page } = console;
  await console.startConversation('Jonas Lindqvist');
  for (const turn of [1, 2, 3]) await console.ask('Can I get a refund for order #1043?', turn);
  await page.getByRole('tab', { name: 'Customer', exact: true }).click();
  const own = page.getByRole('region', { name: 'This conversation' });
  await own.getByRole('combobox', { name: 'Strategy' }).selectOption('recent-turns');
  const recent = own.getByRole('textbox', { name: 'Recent turns in full' });
  await recent.fill('none');
  await recent.press('Enter');
  await expect(own.getByRole('alert')).toContainText('not a whole number');
  await expect(recent).toHaveValue('none');
  await recent.fill('0');
  await recent.press('Enter');
  await expect(own.getByRole('alert')).toContainText('memory.recentTurns');
  await expect(recent).toHaveValue('0');
  await recent.fill('1');
  await recent.press('Enter');
  await expect(own.getByText('For this conversation only.')).toBeVisible();
  const budget = own.getByRole('textbox', { name: 'History budget, characters' });
  await budget.fill('2');
  await budget.press('Enter');
  await expect(own.getByText('For this conversation only.')).toHaveCount(2);
  await console.ask('Can I get a refund for order #1043?', 4);
  await page.getByRole('tab', { name: 'Context', exact: true }).click();
  await page
    .getByRole('radio', { name: 'Sent in turn 4' })
    .or(page.getByRole('radio', { name: /turn 4/iu }))
    .first()
    .click();
  await expect(page.getByRole('tabpanel', { name: 'Context' })).toContainText(/left out|dropped/iu);

  await page.getByRole('tab', { name: 'Customer', exact: true }).click();
  const title = own.getByRole('textbox', { name: 'Title' });
  await title.fill('Refund of the lamp');
  await title.press('Enter');
  await expect(title).toHaveValue('Refund of the lamp');
  const subject = own.getByRole('textbox', { name: /^Subject/u });
  await subject.fill('1043');
  await subject.press('Enter');
  await expect(own.getByRole('alert')).toContainText('TYPE:ID');
  await subject.fill('order:1043');
  await subject.press('Enter');
  await expect(own.getByRole('alert')).toHaveCount(0);
  await expect(own.getByRole('status')).toHaveText(/the application’s switch is off/u);
  await own.getByRole('switch', { name: 'Mask in this conversation' }).click();
  await expect(own.getByRole('status')).toHaveText(/both switches are off/u);
  await page.reload();
  await console.ready();
  await expect(own.getByRole('textbox', { name: /^Subject/u })).toHaveValue('order:1043');
  await expect(title).toHaveValue('Refund of the lamp');
  await expect(own.getByRole('switch', { name: 'Mask in this conversation' })).not.toBeChecked();

  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('tab', { name: 'Budgets' }).click();
  const usage = page.getByRole('table', { name: 'Usage by tenant' });
  await expect(usage.getByRole('row')).toHaveCount(2);
  expect(await seriousFindings(page)).toEqual([]);
});
