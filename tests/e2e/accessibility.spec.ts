/** Every screen in both themes: no serious or critical finding of axe. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { QUESTIONS } from './harness/story.ts';
import { expect, test } from './harness/test.ts';

/** Twelve runs of axe on a busy machine. */
test.setTimeout(240_000);

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious, ${colorScheme}`, async ({ startHost, openConsole, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const console = await openConsole(await startHost());
    expect(await findings(page), 'first run').toEqual([]);
    await page.getByRole('button', { name: 'New conversation' }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await findings(page), 'new conversation').toEqual([]);
    await page.keyboard.press('Escape');
    await console.startConversation('Jonas Lindqvist');
    expect(await findings(page), 'empty conversation').toEqual([]);
    for (const [index, question] of QUESTIONS.entries()) await console.ask(question, index + 1);
    await console.tab('Trace').click();
    expect(await findings(page), 'conversation and trace').toEqual([]);
    await console.tab('Context').click();
    await expect(page.getByRole('tabpanel')).toBeVisible();
    expect(await findings(page), 'context').toEqual([]);
    await console.compacted.click();
    expect(await findings(page), 'compacted turns').toEqual([]);
  });
}
