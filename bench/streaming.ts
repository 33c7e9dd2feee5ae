/**
 * Does I/O: `npm run -s bench:streaming`: a 200 KB answer in one-character deltas, from a strict fake through the compiled browser host
 * into Chromium. Prints one line: the page's largest JS heap and its most React commits within any second.
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { findChromium } from '../scripts/system-parts.mjs';
import { startLoopback, temporaryFolder } from '../tests/e2e/harness/programs.ts';
import type { Loopback } from '../tests/e2e/harness/programs.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi } from '../tests/fakes/providers/fake-openai.ts';
import type { FakeOpenAi } from '../tests/fakes/providers/fake-openai.ts';
import type { SseEvent } from '../tests/fakes/providers/framing.ts';

const ANSWER_CHARACTERS = 200_000;
const HEAP_LIMIT_MB = 200;
const COMMIT_LIMIT = 60;
const RUN_LIMIT_MS = 300_000;
const SAMPLE_MS = 250;
const END_MARK = 'The end of a long answer.';

export interface StreamingResult {
  characters: number;
  seconds: number;
  /** Largest heap in use at any sample, in MB of 1,000,000 bytes. */
  peakHeapMb: number;
  /** Heap in use after the answer and a collection. */
  keptHeapMb: number;
  /** Most commits within any second. */
  commitsPerSecond: number;
  commits: number;
}

/** Paragraphs of ordinary Markdown. */
function longAnswer(): string {
  const paragraph = (index: number) =>
    `Paragraph ${index}: your **order** left our warehouse, and the courier has it. It is on its way; \`1042\` is its number.\n\n`;
  let text = '';
  for (let index = 1; text.length < ANSWER_CHARACTERS - END_MARK.length; index += 1) text += paragraph(index);
  return `${text.slice(0, ANSWER_CHARACTERS - END_MARK.length - 2).trimEnd()}\n\n${END_MARK}`;
}

interface ChatDelta {
  choices: { delta: { content?: string } }[];
}

/** Every delta of text as one event per character. */
function inCharacters(events: readonly SseEvent[]): SseEvent[] {
  return events.flatMap((event) => {
    const { choices } = event.data as ChatDelta;
    const content = choices?.[0]?.delta.content ?? '';
    if (content.length < 2) return [event];
    return Array.from(content, (character) => ({
      ...event,
      data: { ...(event.data as object), choices: [{ ...choices[0], delta: { content: character } }] },
    }));
  });
}

/** React reports each commit to this hook where it is there before React is; nothing else of the tools is offered. */
function countCommits(): void {
  const times: number[] = [];
  Reflect.set(globalThis, 'commitTimes', times);
  Reflect.set(globalThis, '__REACT_DEVTOOLS_GLOBAL_HOOK__', {
    renderers: new Map(),
    supportsFiber: true,
    isDisabled: false,
    checkDCE: () => undefined,
    inject: () => 1,
    onCommitFiberRoot: () => times.push(performance.now()),
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
  });
}

/** Most times within any window of a second. Times are in milliseconds, in order. */
export function mostWithinASecond(times: readonly number[]): number {
  let most = 0;
  let start = 0;
  for (const [index, time] of times.entries()) {
    while ((times[start] ?? time) <= time - 1000) start += 1;
    most = Math.max(most, index - start + 1);
  }
  return most;
}

async function heapMb(session: CDPSession): Promise<number> {
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

async function watchAnswer(page: Page, session: CDPSession): Promise<Omit<StreamingResult, 'characters' | 'commits' | 'commitsPerSecond'>> {
  await page.getByRole('button', { name: 'New conversation' }).first().click();
  await page.getByRole('dialog').getByRole('list', { name: 'Customers' }).getByRole('button').first().click();
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await message.fill('Tell me everything.');
  const startedAt = performance.now();
  await message.press('Enter');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await stop.waitFor();
  let peakHeapMb = 0;
  while (await stop.isVisible()) {
    if (performance.now() - startedAt > RUN_LIMIT_MS) throw new Error(`the answer did not end within ${RUN_LIMIT_MS / 1000} s`);
    peakHeapMb = Math.max(peakHeapMb, await heapMb(session));
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await page.getByText(END_MARK).first().waitFor();
  await session.send('HeapProfiler.collectGarbage');
  return { seconds, peakHeapMb, keptHeapMb: await heapMb(session) };
}

async function measureIn(browser: Browser, host: Loopback): Promise<StreamingResult> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(countCommits);
  const session = await page.context().newCDPSession(page);
  await page.goto(host.link);
  await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor();
  const watched = await watchAnswer(page, session);
  const times = await page.evaluate(() => Reflect.get(globalThis, 'commitTimes') as number[]);
  if (times.length === 0) throw new Error('React reported no commits: this bench does not know its build');
  return { characters: ANSWER_CHARACTERS, ...watched, commits: times.length, commitsPerSecond: mostWithinASecond(times) };
}

function startHost(fake: FakeOpenAi, dataFolder: string): Promise<Loopback> {
  const env = { NIMBUS_MODEL: 'openai-chat/gpt-4o-mini', OPENAI_API_KEY: OPENAI_TEST_KEY, OPENAI_BASE_URL: fake.baseUrl };
  return startLoopback({ dataFolder, env, args: ['--set=agent.maxSeconds=600'] });
}

/** Needs `npm run build` and Chromium. Rejects with what is missing. */
export async function measureStreaming(): Promise<StreamingResult> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('a Chromium browser is needed: install chromium or set CHROMIUM to its program');
  const folder = temporaryFolder();
  const fake = await startFakeOpenAi();
  fake.script(() => {
    const reply = fake.chat({ text: longAnswer() });
    return { ...reply, events: inCharacters(reply.events ?? []) };
  });
  let host: Loopback | null = null;
  let browser: Browser | null = null;
  try {
    host = await startHost(fake, folder.path);
    browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
    return await measureIn(browser, host);
  } finally {
    await browser?.close();
    await host?.stop('SIGKILL');
    await fake.close();
    folder.remove();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await measureStreaming();
  const heap = `JS heap at most ${result.peakHeapMb.toFixed(0)} MB (limit ${HEAP_LIMIT_MB}), ${result.keptHeapMb.toFixed(0)} MB kept`;
  const commits = `at most ${result.commitsPerSecond} commits a second (limit ${COMMIT_LIMIT}), ${result.commits} in all`;
  process.stdout.write(
    `streaming  ${result.characters / 1000} KB in one-character deltas, ${result.seconds.toFixed(1)} s: ${heap}; ${commits}\n`,
  );
  if (result.peakHeapMb >= HEAP_LIMIT_MB || result.commitsPerSecond > COMMIT_LIMIT) process.exitCode = 1;
}
