/** Stories of a turn's menu: by keyboard, pinned, looked up, forgotten only after a yes. */
import { expect, test } from './harness/test.ts';

const SECRET = 'My order #1043 came to Elm Street 99.';

test('[MEM-5] the menu of a turn works by keyboard: pinned turns say so, a forgotten one has no text left', async ({
  startHost,
  openConsole,
}, info) => {
  const console = await openConsole(await startHost());
  await console.startConversation('Jonas Lindqvist');
  await console.ask(SECRET, 1);
  await console.ask('What about my other order, 1042?', 2);
  const button = console.turn(1).getByRole('button', { name: 'Actions for turn 1' });
  const menu = console.page.getByRole('menu');

  await button.focus();
  await console.page.keyboard.press('Enter');
  await expect(menu.getByRole('menuitem', { name: 'Copy answer' })).toBeFocused();
  await console.page.screenshot({ path: info.outputPath('menu.png') });
  await menu.getByRole('menuitem', { name: /^Pin/u }).press('Enter');
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await expect(menu.getByRole('menuitem', { name: 'Unpin' })).toBeVisible();
  await menu.getByRole('menuitem', { name: 'Show in context' }).click();
  await expect(console.tab('Context')).toHaveAttribute('aria-selected', 'true');

  await button.click();
  await menu.getByRole('menuitem', { name: /^Forget/u }).click();
  const sheet = console.page.getByRole('dialog', { name: 'Forget turn 1?' });
  await console.page.screenshot({ path: info.outputPath('forget.png') });
  // The whole warning can be read: nothing of it is cut off at the sheet's edge.
  expect(await sheet.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await expect(console.turn(1)).toContainText('Elm Street 99');
  await button.click();
  await menu.getByRole('menuitem', { name: /^Forget/u }).click();
  await sheet.getByRole('button', { name: 'Forget this turn' }).click();
  await expect(console.turn(1)).not.toContainText('Elm Street 99');
  await expect(console.turn(2)).toContainText('1042');
});
