/** The Context area: settings tried before they count, two requests compared, a request taken away, the system prompt's versions. */
import AxeBuilder from '@axe-core/playwright';
import { QUESTIONS } from './harness/story.ts';
import { expect, test } from './harness/test.ts';

test.setTimeout(120_000);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the context inspector, ${colorScheme}`, async ({ startHost, openConsole, page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const console = await openConsole(await startHost());
    await console.startConversation('Jonas Lindqvist');
    for (const [index, question] of QUESTIONS.entries()) await console.ask(question, index + 1);
    await page.getByRole('button', { name: 'Context area' }).click();
    const side = page.getByRole('complementary', { name: 'Why and what if' });

    const columns = page.getByRole('group', { name: 'Stored and sent, turn by turn' });
    await page.getByRole('combobox', { name: 'Turn whose request is shown' }).selectOption('2');
    await expect(page.getByRole('combobox', { name: 'Call of that turn' })).toBeVisible();
    await expect(columns.locator('[data-turn="2"]')).toContainText('asked in this request');
    await expect(columns.locator('[data-turn="3"]')).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Turn whose request is shown' }).selectOption('');
    await expect(columns.locator('[data-turn="3"]')).toHaveCount(1);

    await columns.getByRole('button', { name: 'Pin turn 1', exact: true }).click();
    await expect(columns.getByRole('button', { name: 'Unpin turn 1' })).toBeVisible();
    await columns.getByRole('button', { name: 'Forget turn 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await side.getByRole('searchbox', { name: 'Words to look for' }).fill(QUESTIONS[0] ?? '');
    await side.getByRole('button', { name: 'Show turn 1 in both columns' }).first().click();
    await expect(columns.locator('[data-turn="1"]')).toBeFocused();

    const slider = side.getByRole('slider', { name: 'History budget, tokens' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect(slider).toHaveAttribute('aria-valuenow', '200');
    await expect(side.getByText('Preview only.')).toBeVisible();
    await side.getByRole('button', { name: 'Reset' }).click();
    await expect(slider).toHaveAttribute('aria-valuenow', '3000');
    await slider.focus();
    await page.keyboard.press('Home');
    await side.getByRole('button', { name: 'Apply from the next question' }).click();
    await expect(side.getByText('Preview only.')).toBeHidden();
    await expect(slider).toHaveAttribute('aria-valuenow', '200');

    const requests = side.getByRole('region', { name: 'Requests' });
    await requests.getByRole('button', { name: 'Compare' }).click();
    await expect(requests.getByRole('region', { name: 'Differences' })).toContainText('First difference');
    await requests.getByRole('combobox', { name: 'Take away as' }).selectOption('curl');
    await requests.getByRole('button', { name: 'Show text' }).click();
    await expect(requests.getByLabel('Request as text')).toContainText('$NIMBUS_OPENAI_KEY');

    const prompt = side.getByRole('region', { name: 'System prompt' });
    await prompt.getByRole('textbox', { name: 'Text of the system prompt' }).fill('Be brief.');
    await prompt.getByRole('textbox', { name: 'Author' }).fill('Mara');
    await prompt.getByRole('button', { name: 'Save as new version' }).click();
    await expect(prompt.getByRole('combobox', { name: 'Version' })).toHaveValue('v2');
    await prompt.getByRole('button', { name: 'Preview on the last request' }).click();
    await expect(prompt.getByRole('region', { name: 'Differences' })).toContainText('Another version of the system prompt.');
    await prompt.getByRole('button', { name: 'Activate for all' }).click();
    await expect(prompt.getByRole('combobox', { name: 'Version' })).toContainText('v2 (active)');

    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
  });
}
