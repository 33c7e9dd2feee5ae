/** A conversation of the demo model with the real tools over the reference store, as the agent loop would run it. */
import type { Clock, IdSource, LanguageModel, ModelEvent } from '../../../electron/engine/ports.ts';
import { DEMO_CUSTOMER_ID, shopData } from '../../../electron/engine/shop/shop-data.ts';
import { createToolRegistry } from '../../../electron/engine/tools/registry.ts';
import { createDemoModel } from '../../../electron/models/demo/demo-model.ts';
import { createInMemoryStore } from '../../../electron/storage/in-memory-store.ts';
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { ToolCall } from '../../../shared/tool.ts';

export const NOW = Date.UTC(2026, 4, 17, 12);
export const CONVERSATION = 'd'.repeat(32);
export const clock: Clock = { now: () => NOW, sleep: async () => undefined, after: () => () => undefined };
const ids: IdSource = { uuid: () => '0', conversationId: () => CONVERSATION };
const MOST_STEPS = 8;

export interface DemoTurn {
  /** In wire order, the question first. */
  messages: ContextMessage[];
  /** Calls per step. */
  steps: ToolCall[][];
  results: unknown[];
  answer: string;
}

export async function collect(
  model: LanguageModel,
  messages: ContextMessage[],
  tools = createToolRegistry({ store: createInMemoryStore(), clock, ids }).specs(),
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ system: '', tools, messages, conversationId: CONVERSATION }, signal)) events.push(event);
  return events;
}

export async function createDemoShop(options: { customerId?: string | null } = {}) {
  const store = createInMemoryStore();
  await store.shop.seed(shopData(NOW));
  const registry = createToolRegistry({ store, clock, ids });
  const model = createDemoModel({ delayMs: 0, clock });
  const customerId = options.customerId === undefined ? DEMO_CUSTOMER_ID : options.customerId;

  /** One turn after `context`. Fails when the model does not come to an answer. */
  async function turn(context: readonly ContextMessage[], question: string): Promise<DemoTurn> {
    const messages: ContextMessage[] = [{ role: 'user', content: question }];
    const done: DemoTurn = { messages, steps: [], results: [], answer: '' };
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const events = await collect(model, [...context, ...messages], registry.specs());
      const end = events.at(-1);
      if (end?.type !== 'model-end' || end.error !== null) throw new Error(`the demo model failed: ${JSON.stringify(end)}`);
      if (end.outcome === 'answered') {
        messages.push({ role: 'assistant', content: end.text });
        return { ...done, answer: end.text };
      }
      const calls = end.calls.map(({ id, name, arguments: made }) => ({ id, name, arguments: made ?? {} }));
      messages.push({ role: 'assistant', content: '', toolCalls: calls });
      done.steps.push(calls);
      for (const call of calls) {
        const scope = { conversationId: CONVERSATION, customerId, turn: 1, signal: new AbortController().signal };
        const { result } = await registry.run(call, scope);
        done.results.push(result);
        messages.push({ role: 'tool', content: JSON.stringify(result), toolCallId: call.id, toolName: call.name });
      }
    }
    throw new Error(`no answer after ${MOST_STEPS} steps to: ${question}`);
  }

  /** A whole conversation with everything kept in the context. */
  async function talk(questions: readonly string[]): Promise<DemoTurn[]> {
    const turns: DemoTurn[] = [];
    for (const question of questions) {
      turns.push(
        await turn(
          turns.flatMap(({ messages }) => messages),
          question,
        ),
      );
    }
    return turns;
  }

  return { store, registry, model, turn, talk };
}

/** `check_refund_eligibility(1042)`, per step. */
export function callNames(turn: DemoTurn): string[][] {
  return turn.steps.map((calls) =>
    calls.map(({ name, arguments: made }) => {
      const number = made.order_id ?? made.ticket_id;
      return number === undefined ? name : `${name}(${JSON.stringify(number)})`;
    }),
  );
}
