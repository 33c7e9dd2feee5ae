/** Stories of the console in a browser: the compiled loopback host and page. */
import { QUESTIONS, expectStory } from './harness/story.ts';
import { expect, test } from './harness/test.ts';

const CUSTOMER = 'Jonas Lindqvist';
/** Slow enough to act while an answer streams. */
const SLOW_MS = 250;

test('the three-turn conversation: same answers, with tool calls, trace, context and meter', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost({ args: ['--strategy=recent-turns'] }));
  await console.startConversation(CUSTOMER);
  const answers: string[] = [];
  for (const [index, question] of QUESTIONS.entries()) answers.push(await console.ask(question, index + 1));
  expectStory(answers);
  await expect(console.turn(1).getByText('check_refund_eligibility')).toBeVisible();
  await expect(console.turn(3).getByText('create_support_ticket')).toBeVisible();

  await console.tab('Trace').click();
  const panel = console.page.getByRole('tabpanel');
  await expect(panel.getByText('create_support_ticket').first()).toBeVisible();
  await console.tab('Context').click();
  await expect(panel.getByText(/compacted/i).first()).toBeVisible();
  await expect(console.meter).toHaveAttribute('aria-valuetext', /of 12,000 .*about [\d,]+ tokens/);
  await expect(console.page.getByRole('region', { name: 'Tokens and budgets' })).toContainText(/~\s?[\d,]+/);
  const used = Number(await console.meter.getAttribute('aria-valuenow'));
  expect(used).toBeGreaterThan(0);
});

test('compacted turns can be shown: the tool call of turn 1 goes and comes back', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost({ args: ['--strategy=recent-turns'] }));
  await console.startConversation(CUSTOMER);
  for (const [index, question] of QUESTIONS.entries()) await console.ask(question, index + 1);
  const call = console.turn(1).getByText('check_refund_eligibility');
  await expect(call).toBeVisible();
  await expect(console.compacted).toHaveAttribute('aria-checked', 'false');
  await console.compacted.click();
  await expect(console.compacted).toHaveAttribute('aria-checked', 'true');
  await expect(call).toBeHidden();
  await expect(console.turn(3).getByText('create_support_ticket')).toBeVisible();
  await console.compacted.click();
  await expect(call).toBeVisible();
});

test('a reload loses nothing: conversation, place and the draft', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost());
  await console.startConversation(CUSTOMER);
  const answer = await console.ask(QUESTIONS[0], 1);
  await console.message.fill('a thought that is not finished');
  await console.page.reload();
  await console.ready();
  await expect(console.message).toHaveValue('a thought that is not finished');
  expect(await console.answer(1)).toBe(answer);
  await expect(console.rows().first()).toHaveAttribute('aria-current', 'true');
});

test('Stop stops: the text so far stays, marked, and the next question works', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost({ delayMs: SLOW_MS }));
  await console.startConversation(CUSTOMER);
  await console.say(QUESTIONS[0]);
  const streaming = console.log.locator('.turn.live .body');
  await expect(streaming).toContainText(/\w+ \w+ \w+/, { timeout: 20_000 });
  await console.stop.click();
  await expect(console.stop).toBeHidden();
  await expect(
    console
      .turn(1)
      .getByText(/stopped/i)
      .first(),
  ).toBeVisible();
  const kept = await console.answer(1);
  expect(kept.length).toBeGreaterThan(0);
  await console.say('Hello');
  await expect(console.turn(2).locator('.answer .body')).toContainText(/\w+/, { timeout: 20_000 });
});

test('kill -9 in the middle of an answer: message there, turn interrupted, next question works', async ({
  startHost,
  openConsole,
  browser,
}) => {
  const first = await startHost({ delayMs: SLOW_MS });
  const context = await browser.newContext();
  const before = await openConsole(first, await context.newPage());
  await before.startConversation(CUSTOMER);
  await before.say(QUESTIONS[0]);
  await expect(before.log.locator('.turn.live .body')).toContainText(/\w+ \w+ \w+/, { timeout: 20_000 });
  await context.close();
  await first.stop('SIGKILL');

  const console = await openConsole(await startHost());
  await console.rows().first().click();
  await expect(console.turn(1)).toContainText(QUESTIONS[0]);
  await expect(
    console
      .turn(1)
      .getByText(/interrupted/i)
      .first(),
  ).toBeVisible();
  expect(await console.ask(QUESTIONS[0], 2)).toMatch(/20 days/);
});

test('a message sent while an answer streams is saved, queued and answered', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost({ delayMs: SLOW_MS }));
  await console.startConversation(CUSTOMER);
  await console.say(QUESTIONS[0]);
  await expect(console.stop).toBeVisible();
  await console.say('And what about order 1042?');
  await expect(console.log.getByText(/queued/i)).toBeVisible();
  await expect(console.turn(2)).toContainText('And what about order 1042?', { timeout: 40_000 });
  await expect(console.turn(2).locator('.answer .body').last()).toContainText(/1042/, { timeout: 40_000 });
});

test('two pages see the same conversation grow', async ({ startHost, openConsole, browser }) => {
  const host = await startHost();
  const one = await openConsole(host);
  await one.startConversation(CUSTOMER);
  await one.ask(QUESTIONS[0], 1);
  const other = await browser.newContext();
  const two = await openConsole(host, await other.newPage());
  await two.rows().first().click();
  await expect(two.turn(1)).toContainText(QUESTIONS[0]);
  const answer = await one.ask(QUESTIONS[1], 2);
  await expect(two.turn(2)).toContainText(QUESTIONS[1]);
  expect(await two.answer(2)).toBe(answer);
  await two.startConversation('Amara Okonjo');
  await two.ask('Hello', 1);
  await expect(one.rows()).toHaveCount(2);
  await expect(one.rows().first()).toContainText('Amara Okonjo');
  await other.close();
});

test('the list by keyboard: arrows move, Enter opens, search finds', async ({ startHost, openConsole }) => {
  const console = await openConsole(await startHost());
  for (const customer of [CUSTOMER, 'Amara Okonjo', 'Liam Gallaway']) {
    await console.startConversation(customer);
    await console.ask('Hello', 1);
  }
  await expect(console.rows()).toHaveCount(3);
  await console.rows().first().focus();
  await console.page.keyboard.press('ArrowDown');
  await expect(console.rows().nth(1)).toBeFocused();
  await console.page.keyboard.press('End');
  await expect(console.rows().nth(2)).toBeFocused();
  await console.page.keyboard.press('Enter');
  await expect(console.rows().nth(2)).toHaveAttribute('aria-current', 'true');
  await expect(console.page.getByRole('heading', { name: CUSTOMER })).toBeVisible();
  await console.page.getByRole('searchbox', { name: 'Search conversations' }).fill('Gallaway');
  await expect(console.rows()).toHaveCount(1);
  await expect(console.rows().first()).toContainText('Liam Gallaway');
});

test('Shift+Enter breaks the line, an empty message is not sent, and the demo model says what it is', async ({
  startHost,
  openConsole,
}) => {
  const console = await openConsole(await startHost());
  await console.startConversation(CUSTOMER);
  await expect(console.send).toBeDisabled();
  await console.message.fill('   ');
  await console.message.press('Enter');
  await expect(console.log.getByRole('article')).toHaveCount(0);
  await console.message.fill('one');
  await console.message.press('Shift+Enter');
  await console.message.pressSequentially('two');
  await expect(console.message).toHaveValue('one\ntwo');
  await expect(console.page.getByText('demo model (scripted, not an AI)').first()).toBeVisible();
});
