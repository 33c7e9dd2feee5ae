/** Tapes in a browser: a conversation is saved as a file, imported elsewhere, and plays the same without any provider. */
import { readFileSync } from 'node:fs';
import { OPENAI_TEST_KEY, startFakeOpenAi } from '../fakes/providers/fake-openai.ts';
import type { Scenario } from '../fakes/providers/script.ts';
import scenarioFile from '../fakes/providers/scenarios/refund-in-three-turns.json' with { type: 'json' };
import { temporaryFolder } from './harness/programs.ts';
import { expect, test } from './harness/test.ts';

const SCENARIO = scenarioFile as Scenario;
const CUSTOMER = 'Jonas Lindqvist';

test('a conversation with a real model becomes a tape, and the tape plays it again offline', async ({
  startHost,
  openConsole,
  browser,
}) => {
  const fake = await startFakeOpenAi();
  for (const turn of SCENARIO.turns) for (const step of turn.steps) fake.script(() => fake.responses(step));
  const env = { NIMBUS_MODEL: 'openai/gpt-5', OPENAI_API_KEY: OPENAI_TEST_KEY, OPENAI_BASE_URL: fake.baseUrl };
  const console = await openConsole(await startHost({ env }));
  await console.startConversation(CUSTOMER);
  await expect(console.page.getByRole('button', { name: 'Save as tape' })).toBeDisabled();
  const answers: string[] = [];
  for (const [index, turn] of SCENARIO.turns.entries()) answers.push(await console.ask(turn.question, index + 1));
  const saving = console.page.waitForEvent('download');
  await console.page.getByRole('button', { name: 'Save as tape' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/\.tape\.json$/);
  const file = await saved.path();
  expect(readFileSync(file, 'utf8')).not.toContain(OPENAI_TEST_KEY);
  await fake.close();

  const elsewhere = temporaryFolder();
  const context = await browser.newContext();
  const offline = await startHost({ dataFolder: elsewhere.path });
  try {
    const other = await openConsole(offline, await context.newPage());
    await other.page.getByRole('button', { name: 'Settings', exact: true }).click();
    const entry = other.page.locator('.provider', { hasText: 'Recorded conversation' });
    await entry.getByRole('button', { name: 'Use', exact: true }).click();
    await entry.getByLabel('Tape file').setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await expect(entry.getByRole('alert')).toContainText(/broken\.json was not imported/);
    await entry.getByLabel('Tape file').setInputFiles(file);
    await expect(entry.getByRole('status')).toContainText(/3 turns of openai\/gpt-5/);
    await entry.getByRole('button', { name: 'Use this model' }).click();
    await expect(entry.getByText(/answers: /)).toBeVisible();
    await other.page.keyboard.press('Escape');
    await other.startConversation(CUSTOMER);
    for (const [index, turn] of SCENARIO.turns.entries()) expect(await other.ask(turn.question, index + 1)).toBe(answers[index]);
    await expect(other.turn(3).getByText('create_support_ticket')).toBeVisible();
  } finally {
    await context.close();
    await offline.stop();
    elsewhere.remove();
  }
});
