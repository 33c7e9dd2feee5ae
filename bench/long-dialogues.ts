/** Pure: a seeded generator of very long dialogues of two people over months, with questions about what was said once. No tools, no ids. */
import type { ChatMessage } from './chat-format.ts';
import type { Probe } from './conversations.ts';
import { CHATTER, SLOTS, SPEAKERS, type Thread, THREADS } from './dialogue-texts.ts';
import type { Generated } from './generator.ts';
import { Seeded } from './seeded.ts';

const SESSIONS = 28;
const MOST_DAYS_BETWEEN = 16;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2025, 1, 3, 17);
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const LEAST_SHARED = 2;
const MOST_SHARED = 4;
const SYSTEM = 'You talk with a friend. Answer from what was said.';

type Side = 0 | 1;

interface Told {
  thread: Thread;
  side: Side;
  at: number;
  values: Record<string, string>;
  /** Message, and which of the thread's texts it is. */
  open: { index: number; text: number };
  detail: { index: number; text: number };
}

/** `count` dialogues of some 500 to 700 messages. Every other one has the speaker's name before each text, the others as the message's name. */
export function longDialogues(seed: number, count: number): Generated {
  const random = new Seeded(seed);
  const made: Generated = { conversations: [], probes: [] };
  for (let number = 0; number < count; number += 1) {
    const { messages, probes } = new Dialogue(random, number % 2 === 0).played();
    made.conversations.push({ system: SYSTEM, tools: [], messages });
    made.probes.push(...probes.map((probe) => ({ ...probe, conversation: number })));
  }
  return made;
}

class Dialogue {
  readonly #messages: ChatMessage[] = [];
  readonly #told: Told[] = [];
  readonly #random: Seeded;
  readonly #prefixed: boolean;
  readonly #names: readonly [string, string];
  #at = FIRST_DAY;

  constructor(random: Seeded, prefixed: boolean) {
    this.#random = random;
    this.#prefixed = prefixed;
    this.#names = random.pick(SPEAKERS);
  }

  played(): { messages: ChatMessage[]; probes: Omit<Probe, 'conversation'>[] } {
    for (let session = 0; session < SESSIONS; session += 1) {
      this.#say(0, `Hey ${this.#names[1]}! Good to hear from you.`);
      this.#say(1, `Hi ${this.#names[0]}! ${this.#random.pick(['What is new?', 'Tell me everything.', 'How are things?'])}`);
      for (let part = this.#random.between(3, 5); part > 0; part -= 1) {
        this.#tell(this.#random.below(2) === 0 ? 0 : 1);
        if (this.#random.below(3) > 0) this.#chat();
      }
      this.#at += this.#random.between(2, MOST_DAYS_BETWEEN) * DAY_MS;
    }
    return { messages: this.#messages, probes: [...this.#told.flatMap((told) => this.#askedOf(told)), ...this.#askedOfAll()] };
  }

  #say(side: Side, text: string): number {
    const name = this.#names[side];
    this.#at += MINUTE_MS;
    const message: ChatMessage = {
      role: side === 0 ? 'user' : 'assistant',
      content: this.#prefixed ? `${name}: ${text}` : text,
      date: new Date(this.#at).toISOString(),
    };
    if (!this.#prefixed) message.name = name;
    this.#messages.push(message);
    return this.#messages.length - 1;
  }

  #chat(): void {
    const [said, answered] = this.#random.pick(CHATTER);
    const side: Side = this.#random.below(2) === 0 ? 0 : 1;
    this.#say(side, said);
    this.#say(other(side), answered);
  }

  #tell(side: Side): void {
    const thread = this.#random.pick(THREADS);
    const values = Object.fromEntries(Object.entries(SLOTS).map(([key, choices]) => [key, this.#random.pick(choices)]));
    const say = (by: Side, texts: readonly string[]): { index: number; text: number } => {
      const text = this.#random.below(texts.length);
      return { index: this.#say(by, filled(texts[text] ?? '', values)), text };
    };
    const at = this.#at;
    const open = say(side, thread.open);
    say(other(side), thread.react);
    const detail = say(side, thread.detail);
    this.#told.push({ thread, side, at, values, open, detail });
  }

  /** About half of the facts are asked for; a question that another thread could answer as well says the month. */
  #askedOf(told: Told): Omit<Probe, 'conversation'>[] {
    const values = { ...told.values, who: this.#names[told.side] };
    const isOpen = this.#random.below(2) === 0;
    if (this.#random.below(2) === 0) return [];
    const evidence = isOpen ? told.open : told.detail;
    const text = (isOpen ? told.thread.askedOpen : told.thread.askedDetail)[evidence.text] ?? '';
    const twins = this.#told.filter((one) => one.thread === told.thread && one.side === told.side);
    const saysWhich = [...text.matchAll(/\{(\w+)\}/g)].some(([, key]) => key !== 'who');
    const date = new Date(told.at);
    const month = twins.length > 1 && !saysWhich ? ` (in ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()})` : '';
    return [{ question: filled(text, values).replace(/\?$/, `${month}?`), evidence: [evidence.index] }];
  }

  #askedOfAll(): Omit<Probe, 'conversation'>[] {
    return THREADS.flatMap((thread) =>
      ([0, 1] as const).flatMap((side) => {
        const all = this.#told.filter((told) => told.thread === thread && told.side === side);
        if (all.length < LEAST_SHARED || all.length > MOST_SHARED) return [];
        return [{ question: filled(thread.askedAll, { who: this.#names[side] }), evidence: all.map((told) => told.open.index) }];
      }),
    );
  }
}

function other(side: Side): Side {
  return side === 0 ? 1 : 0;
}

function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_whole, key: string) => values[key] ?? '');
}
