/** The Memories area: added, found, edited, pinned, deleted; a memory of one customer is never sent for another. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './harness/test.ts';

test('memories are added, found, edited, pinned and deleted; another customer’s are not sent', async ({ startHost, openConsole }) => {
  const host = await startHost();
  const console = await openConsole(host);
  const { page } = console;
  await page.getByRole('button', { name: 'Memories area' }).click();
  await expect(page.getByText('Nothing is remembered yet')).toBeVisible();
  const add = async (whose: string, fact: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a memory' }).click();
    const form = page.getByRole('form', { name: 'Add a memory' });
    await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
    await form.getByRole('combobox', { name: 'Whose memory' }).selectOption(whose);
    await form.getByRole('textbox', { name: 'The fact' }).fill(fact);
    await page.keyboard.press('Enter');
    await expect(form).toBeHidden();
  };
  await add('Jonas Lindqvist', 'Prefers to be called Jon');
  await add('Amara Okonjo', 'Has a dog named Biscuit');
  await add('Everybody this tenant serves', 'The shop is closed on Sundays');
  const list = page.getByRole('list', { name: 'Memories' });
  await expect(list.getByRole('listitem')).toHaveCount(3);

  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)).toEqual([]);
  }

  await page.getByRole('searchbox', { name: 'Find a memory' }).fill('amara');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Find a memory' }).fill('');
  const jonas = list.getByRole('listitem', { name: 'Prefers to be called Jon', exact: true });
  await jonas.getByRole('button', { name: 'Edit' }).click();
  await jonas.getByRole('textbox', { name: 'Edit' }).fill('Prefers to be called Jonny');
  await page.keyboard.press('Enter');
  const edited = list.getByRole('listitem', { name: 'Prefers to be called Jonny' });
  await edited.getByRole('button', { name: 'Pin' }).click();
  await expect(list.getByRole('listitem').first()).toContainText('Prefers to be called Jonny');
  const sundays = list.getByRole('listitem', { name: 'The shop is closed on Sundays' });
  await sundays.getByRole('button', { name: 'Delete' }).click();
  await sundays.getByRole('button', { name: 'Keep it' }).press('Enter');
  await sundays.getByRole('button', { name: 'Delete' }).click();
  await sundays.getByRole('button', { name: 'Delete' }).click();
  await expect(sundays).toBeHidden();

  // What the next request of Jonas holds: his memory, not Amara's.
  await page.getByRole('button', { name: 'Conversations area' }).click();
  await console.startConversation('Jonas Lindqvist');
  await console.ask('Can I get a refund for order #1043?', 1);
  await page.getByRole('button', { name: 'Traces area' }).click();
  await page.getByText('demo/scripted').first().click();
  await expect(page.getByText('Prefers to be called Jonny').first()).toBeVisible();
  await expect(page.getByText('Biscuit')).toHaveCount(0);
});
