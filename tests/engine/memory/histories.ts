/** Pure: stored turns for tests, by hand and at random. */
import * as fc from 'fast-check';
import type { MessageState, NeutralMessage, StoredMessage, StoredTurn, TurnState } from '../../../shared/conversation.ts';
import type { MemoryInput, MemoryStrategy } from '../../../electron/engine/memory/strategy.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import { scriptEstimator } from '../../../electron/engine/memory/estimate.ts';
import { phpChars } from '../../../electron/engine/memory/php-measure.ts';

export const CONVERSATION = '0123456789abcdef0123456789abcdef';
export const START = Date.UTC(2026, 0, 5, 9);
export const MINUTE = 60_000;

export function user(content: string): NeutralMessage {
  return { role: 'user', content };
}

export function assistant(content: string, state?: MessageState): NeutralMessage {
  return state === undefined ? { role: 'assistant', content } : { role: 'assistant', content, state };
}

export function calls(...made: [id: string, name: string, args: Record<string, unknown>][]): NeutralMessage {
  return { role: 'assistant', content: '', toolCalls: made.map(([id, name, args]) => ({ id, name, arguments: args })) };
}

export function result(toolCallId: string, toolName: string, value: unknown): NeutralMessage {
  return { role: 'tool', toolCallId, toolName, content: JSON.stringify(value) };
}

/** Stored turns from neutral messages, one list per turn, a minute apart. */
export function storedTurns(turns: readonly NeutralMessage[][], change: Partial<StoredTurn> = {}): StoredTurn[] {
  let seq = 0;
  return turns.map((messages, index) => {
    const turn = index + 1;
    const stored = messages.map((message): StoredMessage => {
      seq += 1;
      return {
        ...message,
        id: `message-${seq}`,
        conversationId: CONVERSATION,
        turn,
        seq,
        origin: message.role === 'user' ? 'customer' : message.role === 'tool' ? `tool:${message.toolName ?? ''}` : 'model',
        trust: message.role === 'assistant' ? 'trusted' : 'untrusted',
        at: START + index * MINUTE,
        phpChars: phpChars(message),
      };
    });
    const state: TurnState = messages.some((message) => message.state === 'failed') ? 'failed' : 'answered';
    return {
      conversationId: CONVERSATION,
      turn,
      state,
      outcome: state === 'failed' ? 'api-error' : 'answered',
      runId: null,
      promptVersion: null,
      startedAt: START + index * MINUTE,
      endedAt: START + index * MINUTE + 1000,
      error: null,
      pinned: false,
      messages: stored,
      ...change,
    };
  });
}

export function pin(turns: StoredTurn[], ...numbers: number[]): StoredTurn[] {
  return turns.map((turn) => (numbers.includes(turn.turn) ? { ...turn, pinned: true } : turn));
}

export function settingsWith(values: Partial<Settings>): Settings {
  return { ...defaultSettings(), ...values };
}

export function inputFor(turns: StoredTurn[], values: Partial<Settings> = {}, change: Partial<MemoryInput> = {}): MemoryInput {
  return {
    turns,
    totalTurns: turns.at(-1)?.turn ?? 0,
    state: null,
    question: 'And now?',
    now: START + 10_000 * MINUTE,
    settings: settingsWith(values),
    estimator: scriptEstimator,
    ...change,
  };
}

/** Newest first, and how many were taken. */
export function readerOf(turns: readonly StoredTurn[]): { reader: AsyncIterable<StoredTurn>; taken: () => number } {
  let taken = 0;
  async function* backwards(): AsyncGenerator<StoredTurn> {
    for (const turn of turns.toReversed()) {
      taken += 1;
      yield turn;
    }
  }
  return { reader: backwards(), taken: () => taken };
}

/** Loads and plans as the engine does. */
export async function loadAndPlan(
  strategy: MemoryStrategy,
  turns: StoredTurn[],
  change: Partial<MemoryInput> = {},
  values: Partial<Settings> = {},
) {
  const input = inputFor(turns, values, change);
  const loaded = await strategy.load(readerOf(turns).reader, input.state, input.settings, input.estimator);
  const first = loaded[0]?.turn ?? Number.POSITIVE_INFINITY;
  return strategy.plan({ ...input, turns: loaded, pinnedTurns: turns.filter((turn) => turn.pinned && turn.turn < first) });
}

const texts = fc.oneof(
  { weight: 6, arbitrary: fc.lorem({ maxCount: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '返金をお願いします。注文 1043',
      '👩‍👩‍👧‍👦 ok 👍🏽',
      'a/b\\c "quoted"\n\ttab',
      'Ünïcode – “quotes”',
      'مرحبا 1043',
      '<script>x</script>',
    ),
  },
);
const argumentValues = fc.dictionary(
  fc.constantFrom('order_id', 'query', 'reason', 'nested', 'ключ'),
  fc.oneof(
    fc.integer({ min: -9999, max: 999_999 }),
    texts,
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 3 }),
  ),
  { maxKeys: 3 },
);

export interface HistoryOptions {
  /** Calls without results, stray results, missing answers, canned answers. */
  faults: boolean;
}

/** One turn: a question, up to four steps of up to five parallel calls, an answer. */
function turnArbitrary(options: HistoryOptions): fc.Arbitrary<NeutralMessage[]> {
  return fc
    .record({
      question: texts.filter((text) => text.trim() !== ''),
      steps: fc.array(
        fc.record({
          text: fc.oneof(fc.constant(''), texts),
          calls: fc.array(argumentValues, { minLength: 1, maxLength: 5 }),
          raw: fc.boolean(),
          lost: fc.nat(5),
        }),
        { maxLength: 4 },
      ),
      answer: texts.filter((text) => text.trim() !== ''),
      end: options.faults
        ? fc.constantFrom('answer', 'answer', 'failed', 'step-limit', 'none', 'stopped', 'lost-results', 'stray-result')
        : fc.constant('answer'),
      salt: fc.nat(1_000_000),
    })
    .map((made) => {
      const messages: NeutralMessage[] = [user(made.question)];
      for (const [number, step] of made.steps.entries()) {
        const list = step.calls.map((args, index) => ({
          id: `call_${made.salt}_${number}_${index}`,
          name: `tool_${index}`,
          arguments: args,
        }));
        const message: NeutralMessage = { role: 'assistant', content: step.text, toolCalls: list };
        if (step.raw)
          message.providerRaw = {
            provider: 'gemini',
            model: 'm',
            body: JSON.stringify({ parts: [{ thought: step.text, sig: 'a/b+c=' }] }),
          };
        messages.push(message);
        const lost = made.end === 'lost-results' && number === made.steps.length - 1 ? step.lost : 0;
        for (const call of list.slice(0, Math.max(0, list.length - lost))) messages.push(result(call.id, call.name, call.arguments));
      }
      if (made.end === 'stray-result') messages.push(result('call_nobody', 'tool_0', { stray: true }));
      if (made.end === 'answer') messages.push(assistant(made.answer));
      if (made.end === 'failed') messages.push(assistant('Sorry, I am having trouble right now. Please try again in a moment.', 'failed'));
      if (made.end === 'step-limit') messages.push(assistant('Sorry, this is taking more steps than I expected.', 'step-limit'));
      if (made.end === 'stopped' && made.answer.length > 1) messages.push(assistant(made.answer, 'stopped'));
      return messages;
    });
}

export function historyArbitrary(options: HistoryOptions, most = 14): fc.Arbitrary<NeutralMessage[][]> {
  return fc
    .array(turnArbitrary(options), { maxLength: most })
    .map((turns) => turns.map((messages, index) => messages.map((message) => withCallIds(message, index))));
}

/** Call ids are unique within a conversation. */
function withCallIds(message: NeutralMessage, turn: number): NeutralMessage {
  const id = (of: string): string => `${of}_t${turn}`;
  if (message.toolCalls !== undefined) return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: id(call.id) })) };
  return message.toolCallId === undefined ? message : { ...message, toolCallId: id(message.toolCallId) };
}
