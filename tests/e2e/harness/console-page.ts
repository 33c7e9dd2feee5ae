/** The console as a person uses it: by the names that assistive technology reads. */
import { expect, type Locator, type Page } from '@playwright/test';

const ANSWER_LIMIT_MS = 20_000;

export class ConsolePage {
  readonly page: Page;
  readonly message: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly conversations: Locator;
  readonly log: Locator;
  readonly meter: Locator;
  readonly compacted: Locator;

  constructor(page: Page) {
    this.page = page;
    this.message = page.getByRole('textbox', { name: 'Message', exact: true });
    this.send = page.getByRole('button', { name: 'Send', exact: true });
    this.stop = page.getByRole('button', { name: 'Stop', exact: true });
    this.conversations = page.getByRole('list', { name: 'Conversations', exact: true });
    this.log = page.getByRole('log', { name: 'Messages' });
    this.meter = page.getByRole('meter', { name: 'Context budget' });
    this.compacted = page.getByRole('switch', { name: 'Show compacted turns' });
  }

  /** The page has its engine: the list is there. */
  async ready(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Conversations', exact: true })).toBeVisible({ timeout: ANSWER_LIMIT_MS });
    await expect(this.conversations).toHaveAttribute('aria-busy', 'false');
  }

  rows(): Locator {
    return this.conversations.getByRole('button');
  }

  turn(number: number): Locator {
    return this.log.getByRole('article', { name: `Turn ${number}`, exact: true });
  }

  /** Brings a turn into view by its number: the log draws only what is near. */
  async goToTurn(number: number): Promise<Locator> {
    await expect(this.log).toBeVisible();
    await this.page.keyboard.press('Control+g');
    const field = this.page.getByRole('textbox', { name: 'Go to turn' });
    await field.fill(String(number));
    await field.press('Enter');
    const turn = this.turn(number);
    await expect(turn).toBeInViewport();
    return turn;
  }

  tab(name: 'Trace' | 'Context' | 'Customer'): Locator {
    return this.page.getByRole('tab', { name, exact: true });
  }

  /** A new conversation for the first customer of this name. */
  async startConversation(customer: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New conversation' }).first().click();
    const dialog = this.page.getByRole('dialog', { name: 'New conversation' });
    await dialog.getByRole('searchbox', { name: 'Find a customer' }).fill(customer);
    const found = dialog.getByRole('list', { name: 'Customers' }).getByRole('button');
    // The one customer and the visitor without an account: the search has settled.
    await expect(found).toHaveCount(2);
    await found.filter({ hasText: customer }).click();
    await expect(dialog).toBeHidden();
    await expect(this.message).toBeVisible();
  }

  /** Writes, sends, and waits until the turn has its whole answer. Returns the answer's text. */
  async ask(text: string, turn: number): Promise<string> {
    await this.say(text);
    return this.answer(turn);
  }

  async say(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
    await expect(this.message).toHaveValue('');
  }

  /** The last paragraph block that Nimbus wrote in a turn, once no run is at work. */
  async answer(turn: number): Promise<string> {
    const body = this.turn(turn).locator('.answer .body').last();
    await expect(body).toBeVisible({ timeout: ANSWER_LIMIT_MS });
    await expect(this.stop).toBeHidden({ timeout: ANSWER_LIMIT_MS });
    return (await body.innerText()).trim();
  }
}
