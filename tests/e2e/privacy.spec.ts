/** The privacy page: what is masked, how long is kept, and a customer forgotten with a typed word and a proof. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';

test.setTimeout(180_000);

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(path.join(entry.parentPath, entry.name)).includes(text))
    .map((entry) => entry.name);
}

test('rule 12: a customer is searched for, looked at, confirmed by their id, and gone with a proof', async ({
  startHost,
  openConsole,
  page,
  dataFolder,
}) => {
  const console = await openConsole(await startHost());
  await console.startConversation('Jonas Lindqvist');
  await console.ask('Can I get a refund for order #1043?', 1);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('tab', { name: 'Privacy', exact: true }).click();
  const privacy = page.getByRole('tabpanel', { name: 'Privacy', exact: true });
  await expect(privacy.getByRole('switch')).toHaveCount(1);
  await expect(privacy).toContainText('Would delete 0 conversations now (unchanged for 30 days)');

  const search = privacy.getByRole('searchbox', { name: /^Forget a customer/ });
  await search.fill('nobody of this name');
  await expect(privacy).toContainText('No customer is found.');
  await search.fill('Jonas Lind');
  await privacy.getByRole('button', { name: 'Jonas Lindqvist · C-1001' }).press('Enter');
  await expect(privacy).toContainText(/This would go: conversations 1, messages 4/);
  const agree = privacy.getByRole('button', { name: 'Forget for good' });
  await expect(agree).toBeDisabled();
  await privacy.getByRole('textbox', { name: /Type C-1001 to confirm/ }).fill('C-1002');
  await expect(agree).toBeDisabled();
  expect(await seriousFindings(page)).toEqual([]);
  await privacy.getByRole('textbox', { name: /Type C-1001 to confirm/ }).fill('C-1001');
  await agree.click();
  await expect(privacy).toContainText('Nothing is left.', { timeout: 30_000 });
  await expect(privacy).toContainText(/Removed: conversations 1, messages 4/);
  await expect(privacy).toContainText(/Looked through \d+ files and \d+ columns/);
  expect(await seriousFindings(page)).toEqual([]);
  expect(filesWith(dataFolder, 'Jonas Lindqvist')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(console.rows()).toHaveCount(0);
});
