/** Storage settings: a server is tested in plain words, gets its tables, is saved and used after a restart; a server that is away leads back. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { startMariadb } from '../fakes/mariadb-server.ts';
import type { MariadbServer } from '../fakes/mariadb-server.ts';
import { expectNoKeys, watchFrames } from './harness/canaries.ts';
import { expect, test, watchPage } from './harness/test.ts';

test.setTimeout(180_000);

const PASSWORD = 'canary-console-4711';
const ADMIN_PASSWORD = 'canary-admin-4712';

let server: MariadbServer;
test.beforeAll(async () => {
  server = await startMariadb();
  await server.sql(`CREATE DATABASE nimbus CHARACTER SET utf8mb4;
    CREATE USER 'nimbus_admin'@'%' IDENTIFIED BY '${ADMIN_PASSWORD}'; GRANT ALL ON nimbus.* TO 'nimbus_admin'@'%';
    CREATE USER 'nimbus'@'%' IDENTIFIED BY '${PASSWORD}'; GRANT SELECT, INSERT, UPDATE, DELETE ON nimbus.* TO 'nimbus'@'%';`);
});
test.afterAll(async () => {
  await server?.stop();
});

async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('tab', { name: 'Storage', exact: true }).click();
  return page.getByRole('region', { name: 'Where conversations are kept' });
}

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter((violation) => violation.impact === 'serious' || violation.impact === 'critical')
    .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

test('from this computer to MySQL and back, with every mistake on the way told in plain words', async ({
  startHost,
  openConsole,
  page,
  dataFolder,
}) => {
  const frames = watchFrames(page);
  const host = await startHost();
  const console = await openConsole(host);
  await console.startConversation('Jonas Lindqvist');
  await console.ask('Can I get a refund for order #1043?', 1);
  const storage = await openSettings(page);
  await expect(storage.getByRole('radio', { name: /^On this computer/ })).toBeChecked();
  await storage.getByRole('radio', { name: /^MySQL with offline cache/ }).check();
  const test = storage.getByRole('button', { name: 'Test connection' });
  const report = storage.getByRole('status');

  await test.click();
  await expect(storage.getByRole('alert')).toHaveText('Name the host of the server.');
  await storage.getByLabel('Host', { exact: true }).fill('127.0.0.1');
  await storage.getByLabel('Port', { exact: true }).fill('1');
  await storage.getByLabel('User', { exact: true }).fill('nimbus');
  await storage.getByLabel('Password', { exact: true }).fill('wrong');
  await test.click();
  await expect(report).toContainText('No database answers there.');
  await storage.getByLabel('Port', { exact: true }).fill(String(server.port));
  await test.click();
  await expect(report).toContainText('User or password is wrong.');
  await storage.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await test.click();
  await expect(report).toContainText('The tables of Nimbus Console are not there.');
  await storage.getByRole('button', { name: 'Create tables' }).click();
  await expect(storage.getByRole('alert')).toContainText('refused the login or its rights');
  await storage.getByLabel("Administrator's address").fill(`mysql://nimbus_admin:${ADMIN_PASSWORD}@127.0.0.1:${server.port}/nimbus`);
  await storage.getByRole('button', { name: 'Create tables' }).click();
  await expect(report).toContainText('The connection works.');
  expect(await seriousFindings(page)).toEqual([]);

  // A key store is in the desktop window only.
  await expect(storage).toContainText('must be typed again at the next start');
  await storage.getByRole('button', { name: 'Save for the next start' }).click();
  await expect(storage).toContainText('Saved. It is used from the next start on.');
  await storage.getByRole('button', { name: 'Restart to use it' }).click();
  const badge = page.getByRole('banner').getByRole('button', { name: /Show what is saved and synced/ });
  await expect(badge).toHaveText('Online, synced', { timeout: 20_000 });
  await console.startConversation('Jonas Lindqvist');
  await console.ask('Where is my order 1042?', 1);
  await expect.poll(() => server.sql('SELECT COUNT(*) FROM conversations', 'nimbus')).toBe('1\n');
  const file = readFileSync(path.join(dataFolder, 'storage.json'), 'utf8');
  expect(file).not.toContain('canary');
  expect(frames.received.filter((frame) => frame.includes('canary'))).toEqual([]);

  const again = await openSettings(page);
  await expect(again).toContainText('nimbus on 127.0.0.1');
  await again.getByRole('radio', { name: /^On this computer/ }).check();
  await again.getByRole('button', { name: 'Save for the next start' }).click();
  await again.getByRole('button', { name: 'Restart to use it' }).click();
  await expect(badge).toHaveText('Saved on this computer', { timeout: 20_000 });
  await expect(console.rows()).toHaveCount(1);
  await expect(console.rows().first()).toContainText('1043');
  await expectNoKeys([PASSWORD, ADMIN_PASSWORD], { page, frames, host, folder: dataFolder });
});

test('a server that is away at the start: the page says so, offers this computer for now, and finds the server again', async ({
  startHost,
  page,
  pageProblems,
}) => {
  await watchPage(page, pageProblems);
  await server.sql('CREATE DATABASE IF NOT EXISTS started');
  await server.sql(readFileSync(path.join(import.meta.dirname, '../../schema.sql'), 'utf8'), 'started');
  await server.kill();
  const host = await startHost({ env: { NIMBUS_MYSQL_URL: server.url('started') } });
  await page.goto(await host.freshLink());
  await expect(page.getByRole('heading', { name: 'The storage cannot be opened' })).toBeVisible();
  await expect(page.getByRole('alert').first()).toContainText('cannot be reached');
  const storage = page.getByRole('region', { name: 'Where conversations are kept' });
  await expect(storage.getByRole('note')).toContainText('Set by NIMBUS_MYSQL_URL');
  await expect(storage.getByLabel('Host', { exact: true })).toHaveAttribute('readonly');
  await expect(storage.getByRole('button', { name: 'Save for the next start' })).toHaveCount(0);
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Work on this computer for now' }).click();
  const badge = page.getByRole('banner').getByRole('button', { name: /Show what is saved and synced/ });
  await expect(badge).toHaveText('Saved on this computer', { timeout: 20_000 });
  await server.start();
  const settings = await openSettings(page);
  await expect(settings).toContainText('The chosen storage was left alone for this time.');
  await settings.getByRole('button', { name: 'Restart to use it' }).click();
  await expect(badge).toHaveText('Online, synced', { timeout: 20_000 });
});

test('a change that the server does not take is listed with its reason, and can be read, tried again and discarded', async ({
  startHost,
  openConsole,
  page,
}) => {
  await server.sql('CREATE DATABASE IF NOT EXISTS parked');
  await server.sql(readFileSync(path.join(import.meta.dirname, '../../schema.sql'), 'utf8'), 'parked');
  const console = await openConsole(await startHost({ env: { NIMBUS_MYSQL_URL: server.url('parked') } }));
  await console.startConversation('Jonas Lindqvist');
  await console.ask('Can I get a refund for order #1043?', 1);
  // Before the server goes: afterwards the change could be there sooner than the rule.
  // A table of another program's making: what is said from the second turn on does not fit any more.
  await server.sql('ALTER TABLE messages ADD CONSTRAINT short_texts CHECK (CHAR_LENGTH(content) < 30 OR turn = 1)', 'parked');
  await server.kill();
  await console.ask('Is this text too much for the table?', 2);
  const badge = page.getByRole('banner').getByRole('button', { name: /Show what is saved and synced/ });
  await expect(badge).toHaveText(/^Offline, \d+ waiting$/, { timeout: 15_000 });
  await server.start();
  await expect(badge).toHaveText(/parked$/, { timeout: 60_000 });
  await badge.click();
  const sync = page.getByRole('dialog', { name: 'Saved and synced' });
  const op = sync.getByRole('region', { name: 'Needs a person' }).getByRole('listitem', { name: 'message' }).first();
  await expect(op).toContainText('Is this text too much for the table?');
  await expect(op).toContainText('refused the data');
  await op.getByRole('button', { name: 'Content' }).click();
  await expect(op.locator('pre')).toContainText('"parameters"');
  const download = page.waitForEvent('download');
  await op.getByRole('button', { name: 'Export' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('Is this text too much for the table?');
  expect(await seriousFindings(page)).toEqual([]);
  // The reason still stands: tried again, it comes back.
  await op.getByRole('button', { name: 'Try again' }).click();
  await expect(badge).toHaveText(/parked$/, { timeout: 30_000 });
  await expect(op).toContainText('refused the data');
  await op.getByRole('button', { name: 'Discard' }).click();
  await op.getByRole('button', { name: 'Keep it' }).click();
  await op.getByRole('button', { name: 'Discard' }).click();
  await op.getByRole('button', { name: 'Discard for good' }).click();
  await expect(sync.getByRole('listitem', { name: 'message' })).toHaveCount(0);
});
