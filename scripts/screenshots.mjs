// npm run screenshots: starts the console on demo data, drives it in Chromium and writes docs/screenshots/*.png (1440 × 900, light).
// To look at other sizes and themes: npm run screenshots -- --size=1280x800 --theme=dark --output=FOLDER
import './check-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from './system-parts.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { values: chosen } = parseArgs({
  options: {
    size: { type: 'string', default: '1440x900' },
    theme: { type: 'string', default: 'light' },
    output: { type: 'string', default: path.join(root, 'docs/screenshots') },
  },
});
const size = /^(\d{3,4})x(\d{3,4})$/u.exec(chosen.size);
if (size === null || !['light', 'dark'].includes(chosen.theme)) {
  console.error('Usage: npm run screenshots -- [--size=WIDTHxHEIGHT] [--theme=light|dark] [--output=FOLDER]');
  process.exit(2);
}
const output = path.resolve(chosen.output);
const VIEWPORT = { width: Number(size[1]), height: Number(size[2]) };
/** The theme the pictures are not in, for the one that shows the other. */
const OTHER = chosen.theme === 'light' ? 'dark' : 'light';
const LARGEST_BYTES = 400_000;
const WAIT_MS = 20_000;

/** Conversations that are there before the one that is shown, oldest first. */
const EARLIER = [
  ['C-1005', 'How long is the warranty on a kettle?'],
  ['C-1002', 'Where is my order?'],
  ['C-1009', 'I want to talk to a human.'],
  ['C-1004', 'How long does shipping take?'],
  ['C-1010', 'How do I change my password?'],
];
const QUESTIONS = ['Can I get a refund for order #1043?', 'OK. What about my other order, 1042?', 'Yes please.'];

const folder = mkdtempSync(path.join(tmpdir(), 'nimbus-screenshots-'));
const env = { ...process.env, NIMBUS_DATA_DIR: path.join(folder, 'Nimbus'), NIMBUS_DEMO_DELAY_MS: '0' };

function ask(customer, question) {
  const args = ['scripts/run-terminal.mjs', 'ask', question, `--customer=${customer}`];
  const ended = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`ask failed: ${ended.stderr}`);
}

/** Starts the browser host; resolves to its link. */
function startHost() {
  const child = spawn(process.execPath, ['scripts/start.mjs', '--browser', '--no-open'], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const link = new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /^Nimbus Console: (\S+)$/m.exec(text);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the browser host ended with ${code}`)));
  });
  return { child, link };
}

async function converse(page) {
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('searchbox').fill('Jonas');
  await dialog.getByRole('button', { name: /Jonas Lindqvist/ }).click();
  for (const [index, question] of QUESTIONS.entries()) {
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill(question);
    await message.press('Enter');
    await page
      .getByRole('article', { name: `Turn ${index + 1}` })
      .locator('.answer .body')
      .last()
      .waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  }
}

async function shoot(page, name) {
  const file = path.join(output, `${name}.png`);
  // Fonts, the forecast and the trace arrive a moment after the answer.
  await page.waitForTimeout(1200);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  const bytes = statSync(file).size;
  if (bytes > LARGEST_BYTES) throw new Error(`${name}.png has ${bytes} bytes, more than ${LARGEST_BYTES}`);
  console.log(`${path.relative(root, file)} ${Math.round(bytes / 1000)} kB`);
}

async function takeAll(browser) {
  const empty = await open(browser);
  await shoot(empty.page, 'empty');
  await empty.close();
  for (const [customer, question] of EARLIER) ask(customer, question);
  const shown = await open(browser);
  const { page } = shown;
  await converse(page);
  await page.getByRole('tab', { name: 'Trace' }).click();
  await shoot(page, 'main');
  await page.emulateMedia({ colorScheme: OTHER });
  await shoot(page, OTHER);
  await page.emulateMedia({ colorScheme: chosen.theme });
  await page.getByRole('tabpanel').getByText('create_support_ticket').first().click();
  await shoot(page, 'trace');
  await page.getByRole('tab', { name: 'Context' }).click();
  await page.getByRole('switch', { name: 'Show compacted turns' }).click();
  await shoot(page, 'context');
  await page.getByRole('tab', { name: 'Customer' }).click();
  await shoot(page, 'customer');
  await page.getByRole('button', { name: 'Details' }).click();
  await shoot(page, 'meter');
  await page.keyboard.press('Escape');
  await takeAreas(page);
  await takeSheets(page);
  await shown.close();
}

async function takeAreas(page) {
  await page.getByRole('button', { name: 'Traces area' }).click();
  await page.getByText('demo/scripted').first().click();
  await shoot(page, 'traces');
  await page.getByRole('button', { name: 'Context area' }).click();
  await shoot(page, 'context-area');
  await page.getByRole('button', { name: 'Memories area' }).click();
  for (const fact of ['Prefers to be called Jon', 'Asked for invoices by post, because the mailbox is shared']) {
    await page.getByRole('button', { name: 'Add a memory' }).click();
    await page.getByRole('combobox', { name: 'Whose memory' }).selectOption('Jonas Lindqvist');
    await page.getByRole('textbox', { name: 'The fact' }).fill(fact);
    await page.keyboard.press('Enter');
    await page.getByRole('listitem', { name: fact }).waitFor();
  }
  await shoot(page, 'memories');
  await page.getByRole('button', { name: 'Conversations area' }).click();
}

async function takeSheets(page) {
  await page.keyboard.press('Control+k');
  await shoot(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  for (const tab of await settings.getByRole('tab').all()) {
    await tab.click();
    await shoot(page, `settings-${(await tab.innerText()).toLowerCase().replaceAll(' ', '-')}`);
  }
  await page.keyboard.press('Escape');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Show what is saved/ })
    .click();
  await shoot(page, 'saved-and-synced');
  await page.keyboard.press('Escape');
}

async function open(browser) {
  const { child, link } = startHost();
  const context = await browser.newContext({ viewport: VIEWPORT, colorScheme: chosen.theme, reducedMotion: 'reduce' });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await page.goto(await link);
  await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
  return {
    page,
    async close() {
      await context.close();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

const executablePath = findChromium();
if (executablePath === null) {
  console.error('a Chromium browser is needed: install chromium or set CHROMIUM to its program');
  process.exit(1);
}
mkdirSync(output, { recursive: true });
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
try {
  await takeAll(browser);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
