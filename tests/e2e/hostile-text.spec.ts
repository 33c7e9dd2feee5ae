/** [X5] Texts that would load or run something are shown and do neither: as customer's words, tool result and model's answer. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostileConversation, hostileTexts, importLine } from './harness/imports.ts';
import { PROJECT, terminal } from './harness/programs.ts';
import { expect, test } from './harness/test.ts';

test('[X5] hostile Markdown makes no request, runs nothing and leads nowhere', async ({
  dataFolder,
  startHost,
  openConsole,
  page,
  context,
}) => {
  const texts = hostileTexts(PROJECT);
  const file = path.join(dataFolder, 'hostile.jsonl');
  writeFileSync(file, importLine(hostileConversation(texts)));
  const imported = await terminal({ dataFolder, args: ['import', file] });
  expect(imported.code, imported.stderr).toBe(0);

  const host = await startHost();
  const foreign: string[] = [];
  const dialogs: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(`${host.origin}/`)) foreign.push(request.url());
  });
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const console = await openConsole(host);
  await console.rows().first().click();
  await console.tab('Context').click();
  await expect(page.getByRole('tabpanel')).toBeVisible();
  for (let number = 1; number <= texts.length; number += 1) {
    const turn = await console.goToTurn(number);
    await turn.locator('details > summary').click();
    await expect(turn.locator('details[open]')).toHaveCount(1);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('img, iframe, object, embed, video, form[action], [href^="javascript:"], base').count()).toBe(0);
  }

  expect(foreign).toEqual([]);
  expect(dialogs).toEqual([]);
  expect(context.pages()).toHaveLength(1);
  expect(page.url().startsWith(`${host.origin}/`)).toBe(true);
});

test('[X5] a link of a message is shown in full before it opens', async ({ dataFolder, startHost, openConsole, page, context }) => {
  const file = path.join(dataFolder, 'link.jsonl');
  const address = 'https://shop.example/returns?order=1042';
  writeFileSync(
    file,
    importLine([
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: `[Returns](${address})` },
    ]),
  );
  await terminal({ dataFolder, args: ['import', file] });
  const console = await openConsole(await startHost());
  await console.rows().first().click();
  await console
    .turn(1)
    .getByRole('button', { name: /Returns/ })
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(address);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect(context.pages()).toHaveLength(1);
});
