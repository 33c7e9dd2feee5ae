/** Pure but for the clock: how long a strategy takes to build the next context at a number of stored messages. */
import type { ChatMessage } from './chat-format.ts';
import { generate } from './generator.ts';
import type { BenchStrategy } from './memory-strategies.ts';

export interface TimingRow {
  strategy: string;
  budget: number;
  messages: number;
  /** Median milliseconds for the next question: loading, searching, planning. */
  milliseconds: number;
  /** The same with a question that nothing is searched for. */
  withoutRecall: number;
}

const ROUNDS = 15;
const SEED = 5;

/** A conversation of so many messages, made of generated ones. */
export function longConversation(messages: number): ChatMessage[] {
  const { conversations } = generate(SEED, 12);
  const parts = conversations.flatMap((conversation) => conversation.messages);
  const long: ChatMessage[] = [];
  while (long.length < messages) long.push(...parts.map((message) => ({ ...message, date: undefined })));
  return long.slice(0, messages);
}

/** Plays the last turns of a long conversation, then asks one more question several times with a copy of what was kept. */
export async function timeStrategy(name: string, strategy: BenchStrategy, budget: number, count: number): Promise<TimingRow> {
  const messages = longConversation(count);
  const state: Record<string, unknown> = {};
  const build = (question: string, prior: ChatMessage[]) => strategy.buildContext(prior, question, { budgetTokens: budget, state });
  const starts = messages.flatMap((message, index) => (message.role === 'user' ? [index] : [])).slice(-10);
  for (const start of starts) await build(messages[start]?.content ?? '', messages.slice(0, start));
  const median = async (question: string): Promise<number> => {
    const taken: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const kept = state['memory'];
      const began = performance.now();
      await build(question, messages);
      taken.push(performance.now() - began);
      state['memory'] = kept;
    }
    return taken.toSorted((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? 0;
  };
  const milliseconds = await median('When did I say that my sister collects the parcel with the piano lamp?');
  return { strategy: name, budget, messages: count, milliseconds, withoutRecall: await median('') };
}
