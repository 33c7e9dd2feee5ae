/** Traces: the waterfall by mouse and keyboard, the list of runs with its filters, from a message to its step and back, the meter. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { QUESTIONS } from './harness/story.ts';
import { expect, test } from './harness/test.ts';

test.setTimeout(120_000);

async function expectNoGraveViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a run from its message to its step and back, ${colorScheme}`, async ({ startHost, openConsole, page }, info) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const console = await openConsole(await startHost());
    await console.startConversation('Jonas Lindqvist');
    for (const [index, question] of QUESTIONS.entries()) await console.ask(question, index + 1);

    // From a message to its step.
    const card = console.turn(1).locator('details.tool').first();
    await card.locator('summary').click();
    await card.getByRole('button', { name: 'Show in the trace' }).click();
    const detail = page.getByRole('region', { name: 'Selected span' });
    await expect(detail.getByRole('heading', { name: /^Tool call/ })).toBeVisible();
    await expect(detail.getByText('Result', { exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Traces area' }).click();
    const runs = page.getByRole('table', { name: 'Runs' });
    await expect(runs.getByRole('row')).toHaveCount(QUESTIONS.length + 1);

    // Filters: a tool, a cost, problems.
    await page.getByRole('radio', { name: 'Used tools' }).click();
    const tool = page.getByRole('combobox', { name: 'Tool', exact: true });
    await expect(tool.getByRole('option').nth(1)).toBeAttached();
    await tool.selectOption({ index: 1 });
    await expect(runs.getByRole('row').nth(1)).toBeVisible();
    await page.getByRole('radio', { name: 'Costly' }).click();
    await page.getByRole('textbox', { name: 'Cost over, in cents' }).fill('5');
    await expect(page.getByText('No run fits')).toBeVisible();
    await page.getByRole('radio', { name: 'All', exact: true }).click();

    // Keyboard: rows, zoom, the detail.
    await runs.getByRole('row').nth(QUESTIONS.length).getByRole('button').click();
    const spans = page.getByRole('listbox', { name: 'Spans' });
    await spans.focus();
    await page.keyboard.press('Home');
    await expect(spans.getByRole('option', { selected: true })).toHaveAccessibleName(/^Run/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('+');
    await expect(page.getByText('zoomed 2×')).toBeVisible();
    await page.keyboard.press('0');
    await expect(page.getByText('zoomed 2×')).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(detail).toBeFocused();

    // Pointer: numbers under it, Ctrl and wheel.
    const call = spans.getByRole('option', { name: /^Model call/ }).first();
    await call.hover();
    const tip = page.locator('.span-tip');
    await expect(tip).toContainText('First token');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    await expect(page.getByText(/^zoomed /)).toBeVisible();
    await page.getByRole('button', { name: 'Whole run' }).click();
    await call.click();
    await expect(detail.getByText('Request, in the order sent')).toBeVisible();
    await page.mouse.move(4, 4);
    await expect(tip).toBeHidden();
    await expectNoGraveViolation(page);
    await info.attach(`traces ${colorScheme}`, { body: await page.screenshot(), contentType: 'image/png' });

    await page.getByRole('button', { name: 'Details', exact: true }).focus();
    await page.keyboard.press('Enter');
    const box = page.getByRole('dialog', { name: 'Tokens and money in detail' });
    await expect(box.getByRole('row', { name: /^Next request ~/ })).toBeVisible();
    await expect(box).toContainText('Compaction, in the next request');
    await expect(box).toContainText('An estimate: no request was reported yet.');
    await expectNoGraveViolation(page);
    await info.attach(`meter ${colorScheme}`, { body: await page.screenshot(), contentType: 'image/png' });
    await page.keyboard.press('Escape');
    await expect(box).toBeHidden();

    // And back.
    await detail.getByRole('button', { name: 'Show in the conversation' }).click();
    await expect(console.turn(1)).toBeInViewport();
  });
}
