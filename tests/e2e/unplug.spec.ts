/** The unplug story: the shared database dies in mid-conversation, work goes on, and afterwards everything is there once, in every console. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startMariadb } from '../fakes/mariadb-server.ts';
import type { MariadbServer } from '../fakes/mariadb-server.ts';
import { ConsolePage } from './harness/console-page.ts';
import { PROJECT, temporaryFolder } from './harness/programs.ts';
import { expect, test, watchPage } from './harness/test.ts';

test.setTimeout(240_000);

/** What another console or program writes is on the screen within 2 s on a machine with nothing else to do; the time taken is noted, not judged. */
const LIVE_MS = 15_000;

function noteTime(what: string, since: number): void {
  test.info().annotations.push({ type: 'time', description: `${what}: ${Date.now() - since} ms` });
}
/** A server that was killed needs some seconds to come up again, and the console some to notice. */
const BACK_MS = 60_000;

let server: MariadbServer;
test.beforeAll(async () => {
  server = await startMariadb();
  await server.sql('CREATE DATABASE console');
  await server.sql(await readFile(path.join(PROJECT, 'schema.sql'), 'utf8'), 'console');
});
test.afterAll(async () => {
  await server?.stop();
});

/** The rows of a conversation in their order: role and text. */
async function rows(id: string): Promise<string[]> {
  const found = await server.sql(`SELECT role, content FROM messages WHERE conversation_id = '${id}' ORDER BY seq`, 'console');
  return found.split('\n').filter((line) => line !== '');
}

async function count(sql: string): Promise<number> {
  return Number((await server.sql(sql, 'console')).trim());
}

test('[SYN-1] [SYN-2] [SYN-3] the server is unplugged in mid-conversation: nothing is lost, nothing doubled, and other consoles see it live', async ({
  startHost,
  openConsole,
  browser,
  pageProblems,
  page,
}) => {
  const env = { NIMBUS_MYSQL_URL: server.url('console') };
  const other = temporaryFolder();
  const here = await openConsole(await startHost({ env }));
  const hostB = await startHost({ env, dataFolder: other.path });
  const pageB = await (await browser.newContext()).newPage();
  await watchPage(pageB, pageProblems);
  const badge = (which: typeof page) => which.getByRole('banner').getByRole('button', { name: /Show what is saved and synced/ });
  try {
    await expect(badge(page)).toHaveText('Online, synced');
    await here.startConversation('Jonas Lindqvist');
    await here.ask('Can I get a refund for order #1043?', 1);
    await expect(here.turn(1).getByText('Synced', { exact: true }).first()).toBeVisible();
    const id = (await server.sql('SELECT id FROM conversations', 'console')).trim();
    expect(id).toMatch(/^[0-9a-f]{32}$/);

    // Unplugged.
    await server.kill();
    await here.ask('OK. What about my other order, 1042?', 2);
    await expect(badge(page)).toHaveText(/^Offline, \d+ waiting$/, { timeout: 15_000 });
    await expect(here.turn(2).getByText('Saved', { exact: true }).first()).toBeVisible();
    await expect(here.turn(1).getByText('Synced', { exact: true }).first()).toBeVisible();
    await badge(page).click();
    const sync = page.getByRole('dialog', { name: 'Saved and synced' });
    await expect(sync).toContainText(/Offline since \d\d:\d\d:\d\d/);
    await expect(sync).toContainText(/\d+ changes are Saved and not yet Synced/);
    await page.keyboard.press('Escape');
    await here.ask('Thank you.', 3);

    // Plugged in again.
    await server.start();
    await expect(badge(page)).toHaveText('Online, synced', { timeout: BACK_MS });
    await expect(here.turn(3).getByText('Saved', { exact: true })).toHaveCount(0);
    const stored = await rows(id);
    const questions = ['Can I get a refund for order #1043?', 'OK. What about my other order, 1042?', 'Thank you.'];
    expect(stored.filter((line) => line.startsWith('user\t'))).toEqual(questions.map((question) => `user\t${question}`));
    const where = `FROM messages WHERE conversation_id = '${id}'`;
    expect(await count(`SELECT COUNT(DISTINCT uid) ${where}`)).toBe(stored.length);
    expect(await count(`SELECT COUNT(DISTINCT seq) ${where}`)).toBe(stored.length);
    expect(await count(`SELECT COUNT(*) FROM offline_branches WHERE messages_json <> '[]'`)).toBe(0);

    // The other console has all of it, and gets what is written from now on while it looks.
    await pageB.goto(await hostB.freshLink());
    const there = new ConsolePage(pageB);
    await there.ready();
    await there.rows().first().click();
    await expect(there.turn(3)).toContainText('Thank you.');
    for (const question of questions) await expect(there.log.getByText(question, { exact: true })).toHaveCount(1);
    await here.say('One more thing: when was it delivered?');
    const said = Date.now();
    await expect(there.log.getByText('One more thing: when was it delivered?', { exact: true })).toBeVisible({ timeout: LIVE_MS });
    noteTime('seen by the other console', said);
    await here.answer(4);

    // Another program, with the tutorial's own statements.
    const data = JSON.stringify({ role: 'user', content: 'Written by another program' });
    await server.sql(`INSERT INTO messages (conversation_id, role, data) VALUES ('${id}', 'user', '${data}')`, 'console');
    const written = Date.now();
    for (const each of [there, here]) {
      await expect(each.log.getByText('Written by another program', { exact: true })).toBeVisible({ timeout: LIVE_MS });
    }
    noteTime('rows of another program seen by both', written);
  } finally {
    await hostB.stop('SIGKILL');
    other.remove();
  }
});
