/** What a person sees when a provider makes trouble: the compiled loopback host against the strict fakes. */
import { GEMINI_TEST_KEY, startFakeGemini, type FakeGemini } from '../fakes/providers/fake-gemini.ts';
import { OPENAI_TEST_KEY, startFakeOpenAi, type FakeOpenAi } from '../fakes/providers/fake-openai.ts';
import { expect, test } from './harness/test.ts';

const CUSTOMER = 'Jonas Lindqvist';
const COUNTDOWN = /next try in (\d+) s/i;

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

const environment = (model: string): Record<string, string> => ({
  NIMBUS_MODEL: model,
  OPENAI_API_KEY: OPENAI_TEST_KEY,
  OPENAI_BASE_URL: openai.baseUrl,
  GEMINI_API_KEY: GEMINI_TEST_KEY,
  GOOGLE_GEMINI_BASE_URL: gemini.baseUrl,
});

test('P4 a rate limit: the wait is shown and Stop ends it', async ({ startHost, openConsole, page }) => {
  openai.script({ status: 429, headers: { 'retry-after': '40' }, body: { error: { message: 'Slow down', code: 'rate_limit_exceeded' } } });
  const console = await openConsole(await startHost({ env: environment('openai/gpt-5') }));
  await console.startConversation(CUSTOMER);
  await console.say('Hello');
  const live = console.log.locator('.turn.live');
  await expect(live).toContainText(COUNTDOWN);
  const before = Number(COUNTDOWN.exec(await live.innerText())?.[1]);
  await expect.poll(async () => Number(COUNTDOWN.exec(await live.innerText())?.[1])).toBeLessThan(before);
  await console.stop.click();
  await expect(console.stop).toBeHidden();
  await expect(
    console
      .turn(1)
      .getByText(/stopped/i)
      .first(),
  ).toBeVisible();
  expect(openai.modelRequests()).toHaveLength(1);
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('P11 an answer cut at the output limit is kept, marked, and continued', async ({ startHost, openConsole }) => {
  const cut = gemini.gemini({ text: 'Refunds are possible within' }, { finishReason: 'MAX_TOKENS' });
  gemini.script(cut, () => gemini.gemini({ text: ' 14 days.' }));
  const console = await openConsole(await startHost({ env: environment('gemini/gemini-3-pro-preview') }));
  await console.startConversation(CUSTOMER);
  await console.say('Until when?');
  await console.turn(1).getByRole('button', { name: 'Continue' }).click();
  await expect(console.turn(1).locator('.answer').last()).toContainText('14 days.');
  await expect(console.turn(1)).toContainText('Refunds are possible within');
  expect(gemini.modelRequests().map((request) => request.refusal)).toEqual([null, null]);
});

test('P5 a used-up quota: the turn says what to do, and the next one asks nobody', async ({ startHost, openConsole }) => {
  openai.script({
    status: 429,
    body: { error: { message: 'You exceeded your current quota', code: 'insufficient_quota', type: 'insufficient_quota' } },
  });
  const console = await openConsole(await startHost({ env: environment('openai/gpt-5') }));
  await console.startConversation(CUSTOMER);
  await console.say('Hello');
  await expect(console.turn(1)).toContainText(/Fix billing/);
  await console.say('Hello?');
  await expect(console.turn(2)).toContainText(/not asked again until you test the connection/);
  expect(openai.modelRequests()).toHaveLength(1);
});
