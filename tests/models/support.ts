/** Shared by the model tests: a clock that does not wait, requests, and a reader that collects a stream. */
import type { Clock, LanguageModel, ModelEvent, ModelRequest } from '../../electron/engine/ports.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { ToolSpec } from '../../shared/tool.ts';
import type { FakeServer } from '../fakes/providers/fake-server.ts';

/** Real timers for limits, waits that are only written down. */
export function testClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => Date.now(),
    sleep: (ms, signal) => {
      slept.push(ms);
      return signal?.aborted === true ? Promise.reject(new ConsoleError('cancelled', 'stopped')) : Promise.resolve();
    },
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
}

export const ORDER_TOOL: ToolSpec = {
  name: 'get_order',
  description: 'One order of the customer',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { order_id: { type: 'integer' }, note: { type: 'string' } },
    required: ['order_id'],
    additionalProperties: false,
  },
};
export const LIST_TOOL: ToolSpec = {
  name: 'list_orders',
  description: 'All orders of the customer',
  effect: 'read',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
};

export const user = (content: string): ContextMessage => ({ role: 'user', content });
export const says = (content: string): ContextMessage => ({ role: 'assistant', content });

export function requestOf(messages: ContextMessage[], rest: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'You are Nimbus.', tools: [ORDER_TOOL, LIST_TOOL], messages, conversationId: 'c'.repeat(32), ...rest };
}

export type ModelEnd = Extract<ModelEvent, { type: 'model-end' }>;

export interface Collected {
  events: ModelEvent[];
  /** Concatenated deltas. */
  streamed: string;
  end: ModelEnd;
  notices: string[];
  retries: Extract<ModelEvent, { type: 'retry-start' }>[];
}

/** Reads a whole stream; fails unless it ends with exactly one `model-end`. */
export async function collect(model: LanguageModel, request: ModelRequest, signal = new AbortController().signal): Promise<Collected> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  const ends = events.filter((event): event is ModelEnd => event.type === 'model-end');
  const [end] = ends;
  if (ends.length !== 1 || end === undefined || events.at(-1) !== end)
    throw new Error(`expected one model-end at the end, got ${JSON.stringify(events)}`);
  return {
    events,
    end,
    streamed: events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join(''),
    notices: events.flatMap((event) => (event.type === 'notice' ? [event.message] : [])),
    retries: events.flatMap((event) => (event.type === 'retry-start' ? [event] : [])),
  };
}

/** The assistant message an engine would store for a finished step, and the results of its calls. */
export function storedStep(end: ModelEnd, results: Record<string, string> = {}): ContextMessage[] {
  const calls = end.calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments ?? {} }));
  const message: ContextMessage = { role: 'assistant', content: end.text, ...(calls.length > 0 ? { toolCalls: calls } : {}) };
  if (end.raw !== null) message.providerRaw = end.raw;
  return [
    message,
    ...calls.map(
      (call): ContextMessage => ({ role: 'tool', content: results[call.name] ?? '{"ok":true}', toolCallId: call.id, toolName: call.name }),
    ),
  ];
}

/** A list of a recorded request's body, e.g. `input`; fails when the request or the list is not there. */
export function sentList<T = Record<string, unknown>>(fake: FakeServer, index: number, key: string): T[] {
  const list = fake.modelRequests().at(index)?.body[key];
  if (!Array.isArray(list)) throw new Error(`request ${index} has no list "${key}"`);
  return list as T[];
}
