/**
 * Does I/O: `npm run bench:ui [-- --json] [-- --short]`: how the console grows with its conversations, in Chromium against the compiled
 * browser host. Every long case is measured beside a short one in the same run; nothing is asserted. Needs `npm run build` and Chromium.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { openSqliteStore } from '../electron/storage/sqlite/sqlite-store.ts';
import { findChromium } from '../scripts/system-parts.mjs';
import { startLoopback, temporaryFolder } from '../tests/e2e/harness/programs.ts';
import { BASE_STEPS, BASE_TURNS, fillConversations, idOf } from './ui-fill.ts';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, short: { type: 'boolean', default: false } } });
/** The short form is a tenth of the long one. */
const SCALE = values.short ? 0.1 : 1;
const LOG_TURNS = 5000 * SCALE;
const CONTEXT_TURNS = 500 * SCALE;
const STEPS = 300 * SCALE;
const REPEATS = 3;
const KEYS = 'I would like to know when it arrives.';
const LIMIT_MS = 60_000;

interface Case {
  name: string;
  unit: 'ms' | 'KB';
  /** The short case; null: there is none. */
  base: number | null;
  full: number;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Milliseconds until `work` is done and the page has drawn once more. */
async function timed(page: Page, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
  return performance.now() - start;
}

/** Opens by the page's memory of the chosen conversation: from a reload until the newest turn stands there. */
async function openingTime(page: Page, turns: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < REPEATS; index += 1) {
    await choose(page, idOf(turns), 'conversations');
    times.push(
      await timed(page, async () => {
        await page.reload();
        await page.getByRole('article', { name: `Turn ${turns}`, exact: true }).waitFor();
      }),
    );
  }
  return median(times);
}

async function choose(page: Page, selectedId: string, area: string): Promise<void> {
  await page.evaluate(
    ([id, shown]) => localStorage.setItem('nimbus-console.preferences', JSON.stringify({ selectedId: id, area: shown })),
    [selectedId, area] as const,
  );
}

/** From a key to the frame that shows it, while an answer streams in. */
async function typingTime(page: Page, turns: number): Promise<number> {
  await choose(page, idOf(turns), 'conversations');
  await page.reload();
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('Can I get a refund for order #1043?');
  await message.press('Enter');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await page.evaluate(() => {
    const times: number[] = [];
    Reflect.set(globalThis, 'keyTimes', times);
    const note = () => {
      const start = performance.now();
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - start)));
    };
    document.addEventListener('keydown', note, { capture: true });
  });
  await message.pressSequentially(KEYS, { delay: 40 });
  const times = await page.evaluate(() => Reflect.get(globalThis, 'keyTimes') as number[]);
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden', timeout: LIMIT_MS });
  return median(times);
}

/** From a click on the run until its rows stand in the timeline. */
async function timelineTime(page: Page, steps: number): Promise<number> {
  await choose(page, idOf(BASE_TURNS), 'traces');
  const times: number[] = [];
  for (let index = 0; index < REPEATS; index += 1) {
    await page.reload();
    const run = page.getByRole('button', { name: `A run of ${steps} steps` });
    await run.waitFor();
    times.push(
      await timed(page, async () => {
        await run.click();
        await page
          .locator(`[role="option"][aria-setsize="${3 * steps + 1}"]`)
          .first()
          .waitFor();
      }),
    );
  }
  return median(times);
}

async function contextTime(page: Page, turns: number): Promise<number> {
  await choose(page, idOf(turns), 'context');
  const times: number[] = [];
  for (let index = 0; index < REPEATS; index += 1) {
    times.push(
      await timed(page, async () => {
        await page.reload();
        await page.getByRole('group', { name: 'Stored and sent, turn by turn' }).getByText(`question ${turns}`).first().waitFor();
      }),
    );
  }
  return median(times);
}

function bundle(): Case[] {
  const folder = new URL('../dist/renderer/assets/', import.meta.url);
  const sizes = (end: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(end))
      .reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, folder))).length, 0) / 1000;
  return [
    { name: 'scripts, gzip', unit: 'KB', base: null, full: sizes('.js') },
    { name: 'styles, gzip', unit: 'KB', base: null, full: sizes('.css') },
  ];
}

async function startTime(page: Page): Promise<number> {
  const times: number[] = [];
  await choose(page, '', 'conversations');
  for (let index = 0; index < REPEATS; index += 1) {
    times.push(
      await timed(page, async () => {
        await page.reload();
        await page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('button').first().waitFor();
      }),
    );
  }
  return median(times);
}

async function measureAll(page: Page): Promise<Case[]> {
  page.setDefaultTimeout(LIMIT_MS);
  const start = await startTime(page);
  const both = async (name: string, base: number, full: number, measure: (page: Page, size: number) => Promise<number>): Promise<Case> => ({
    name,
    unit: 'ms',
    base: await measure(page, base),
    full: await measure(page, full),
  });
  return [
    { name: 'start to usable', unit: 'ms', base: null, full: start },
    await both(`open ${2 * LOG_TURNS} messages`, BASE_TURNS, LOG_TURNS, openingTime),
    await both(`timeline of ${STEPS} steps`, BASE_STEPS, STEPS, timelineTime),
    await both(`context view of ${CONTEXT_TURNS} turns`, BASE_TURNS, CONTEXT_TURNS, contextTime),
    await both(`a key while streaming, ${2 * LOG_TURNS} messages`, BASE_TURNS, LOG_TURNS, typingTime),
    ...bundle(),
  ];
}

function table(cases: readonly Case[]): string {
  const lines = cases.map(({ name, unit, base, full }) => {
    const ratio = base === null ? '' : `${(full / base).toFixed(2)} ×`;
    return `| ${name} | ${base === null ? '' : `${base.toFixed(0)} ${unit}`} | ${full.toFixed(0)} ${unit} | ${ratio} |`;
  });
  return ['| case | short | long | ratio |', '| --- | ---: | ---: | ---: |', ...lines].join('\n');
}

const executablePath = findChromium();
if (executablePath === null) throw new Error('a Chromium browser is needed: install chromium or set CHROMIUM to its program');
const folder = temporaryFolder();
try {
  const store = await openSqliteStore({ folder: folder.path });
  await fillConversations(store, [...new Set([BASE_TURNS, LOG_TURNS, CONTEXT_TURNS])], [BASE_STEPS, STEPS]);
  await store.close();
  const host = await startLoopback({ dataFolder: folder.path, delayMs: 60 });
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(host.link);
    await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
    const cases = await measureAll(page);
    process.stdout.write(`${values.json ? JSON.stringify(cases, null, 2) : table(cases)}\n`);
  } finally {
    await browser.close();
    await host.stop('SIGKILL');
  }
} finally {
  folder.remove();
}
