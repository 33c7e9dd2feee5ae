/** Stories with real adapters in a browser: the compiled loopback host against the strict fakes of the providers. */
import type { Page } from '@playwright/test';
import { GEMINI_TEST_KEY, startFakeGemini, type FakeGemini } from '../fakes/providers/fake-gemini.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi, type FakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { FakeServer, Reply } from '../fakes/providers/fake-server.ts';
import type { Scenario, ScriptedStep } from '../fakes/providers/script.ts';
import scenarioFile from '../fakes/providers/scenarios/refund-in-three-turns.json' with { type: 'json' };
import { expectNoKeys, watchFrames } from './harness/canaries.ts';
import { expect, test } from './harness/test.ts';

const SCENARIO = scenarioFile as Scenario;
const CUSTOMER = 'Jonas Lindqvist';
const KEYS = [OPENAI_TEST_KEY, GEMINI_TEST_KEY];
const WRONG_KEY = 'sk-wrong-canary-9876543210fedcba';
const GEMINI = 'gemini/gemini-3-pro-preview';

let openai: FakeOpenAi;
let gemini: FakeGemini;
test.beforeAll(async () => {
  [openai, gemini] = await Promise.all([startFakeOpenAi(), startFakeGemini()]);
});
test.afterAll(() => Promise.all([openai.close(), gemini.close()]));
test.afterEach(() => {
  for (const fake of [openai, gemini]) {
    while (fake.remaining() > 0) fake.skip();
    fake.requests.length = 0;
  }
});

const addresses = (): Record<string, string> => ({ OPENAI_BASE_URL: openai.baseUrl, GOOGLE_GEMINI_BASE_URL: gemini.baseUrl });
const environment = (model: string): Record<string, string> => ({
  ...addresses(),
  NIMBUS_MODEL: model,
  OPENAI_API_KEY: OPENAI_TEST_KEY,
  GEMINI_API_KEY: GEMINI_TEST_KEY,
});
const lastText = (turn: number): string => SCENARIO.turns[turn]?.steps.at(-1)?.text ?? '';
const question = (turn: number): string => SCENARIO.turns[turn]?.question ?? '';

function expectAccepted(fake: FakeServer, requests: number): void {
  expect(fake.modelRequests().map((request) => request.refusal)).toEqual(Array.from({ length: requests }, () => null));
  expect(fake.remaining()).toBe(0);
}

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
}

/** One provider's part of the settings, opened. */
async function openProvider(page: Page, provider: string) {
  await openSettings(page);
  const entry = page.locator('.provider', { hasText: provider }).first();
  await entry.getByRole('button', { name: /^(Use|Change)$/ }).click();
  return entry;
}

async function useModel(page: Page, provider: string, model: string): Promise<void> {
  const entry = await openProvider(page, provider);
  await entry.getByRole('combobox', { name: 'Model' }).fill(model);
  await entry.getByRole('button', { name: 'Use this model' }).click();
  await expect(entry.getByText(`answers: ${model}`)).toBeVisible();
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeHidden();
}

const adapters: [string, () => FakeServer, (step: ScriptedStep) => Reply][] = [
  ['openai/gpt-5', () => openai, (step) => openai.responses(step)],
  ['openai-chat/gpt-4o-mini', () => openai, (step) => openai.chat(step)],
  [GEMINI, () => gemini, (step) => gemini.gemini(step)],
];
for (const [model, fakeOf, reply] of adapters) {
  test(`the three-turn conversation through ${model}, against its strict fake; no key anywhere`, async ({
    startHost,
    openConsole,
    page,
    dataFolder,
  }) => {
    const steps = SCENARIO.turns.flatMap((turn) => turn.steps);
    for (const step of steps) fakeOf().script(() => reply(step));
    const frames = watchFrames(page);
    const host = await startHost({ env: environment(model) });
    const console = await openConsole(host);
    await console.startConversation(CUSTOMER);
    for (const turn of SCENARIO.turns.keys()) expect(await console.ask(question(turn), turn + 1)).toBe(lastText(turn));
    await expect(console.turn(1).getByText('check_refund_eligibility')).toBeVisible();
    await expect(console.turn(3).getByText('create_support_ticket')).toBeVisible();
    expectAccepted(fakeOf(), steps.length);
    await console.tab('Trace').click();
    await openSettings(page);
    await expectNoKeys(KEYS, { page, frames, host, folder: dataFolder });
  });
}

test('P19 a switch in the settings, Gemini to OpenAI and back: both accept it, the loss is told, saved keys stay inside', async ({
  startHost,
  openConsole,
  page,
  dataFolder,
}) => {
  const withReasoning = (turn: number) => (SCENARIO.turns[turn]?.steps ?? []).map((step): ScriptedStep => ({ ...step, reasoning: true }));
  const frames = watchFrames(page);
  const host = await startHost({ env: { ...addresses(), GEMINI_API_KEY: GEMINI_TEST_KEY } });
  const console = await openConsole(host);
  await useModel(page, 'Gemini', 'gemini-3-pro-preview');
  await console.startConversation(CUSTOMER);
  for (const step of withReasoning(0)) gemini.script(() => gemini.gemini(step));
  expect(await console.ask(question(0), 1)).toBe(lastText(0));

  const entry = await openProvider(page, 'OpenAI');
  await entry.getByLabel('Key', { exact: true }).fill(OPENAI_TEST_KEY);
  await entry.getByRole('button', { name: 'Save key' }).click();
  await expect(entry.getByText('Key for this session')).toBeVisible();
  await expect(entry.getByLabel('Key', { exact: true })).toHaveValue('');
  await page.keyboard.press('Escape');
  await useModel(page, 'OpenAI', 'gpt-5');
  for (const step of withReasoning(1)) openai.script(() => openai.responses(step));
  expect(await console.ask(question(1), 2)).toBe(lastText(1));
  const loss = /\d+ thought signatures? could not travel to openai\/gpt-5/;
  await expect(page.getByText(loss).first()).toBeVisible();

  await useModel(page, 'Gemini', 'gemini-3-pro-preview');
  for (const step of withReasoning(2)) gemini.script(() => gemini.gemini(step));
  expect(await console.ask(question(2), 3)).toBe(lastText(2));
  await expect(page.getByText(/encrypted reasoning items? could not travel to gemini/).first()).toBeVisible();

  expectAccepted(gemini, withReasoning(0).length + withReasoning(2).length);
  expectAccepted(openai, withReasoning(1).length);
  expect(frames.sent.filter((frame) => frame.includes(OPENAI_TEST_KEY))).toEqual([expect.stringContaining('"saveKey"')]);
  await expectNoKeys(KEYS, { page, frames, host, folder: dataFolder });
});

test('P8 a refused key: the test of the connection and the failed turn say so in plain words, without the key', async ({
  startHost,
  openConsole,
  page,
  dataFolder,
}) => {
  const frames = watchFrames(page);
  const host = await startHost({ env: { ...addresses(), NIMBUS_MODEL: 'openai/gpt-5', OPENAI_API_KEY: WRONG_KEY } });
  const console = await openConsole(host);
  const entry = await openProvider(page, 'OpenAI');
  await entry.getByRole('button', { name: 'Test connection' }).click();
  await expect(entry.getByRole('status')).toContainText(/refused the key.*Check the key/s);
  await page.keyboard.press('Escape');
  await console.startConversation(CUSTOMER);
  await console.say('Hello');
  await expect(
    console
      .turn(1)
      .getByText(/refused the key/)
      .first(),
  ).toBeVisible();
  await expect(console.turn(1).getByRole('button', { name: 'Retry' })).toBeVisible();
  await expectNoKeys([WRONG_KEY], { page, frames, host, folder: dataFolder });
});
