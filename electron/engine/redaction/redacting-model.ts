/** Pure over its model: the one place where requests lose personal data on their way out and answers get it back. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { ToolCall } from '../../../shared/tool.ts';
import type { LanguageModel, ModelEvent, ModelRequest, ModelToolCall } from '../ports.ts';
import type { PlaceholderTable } from './placeholders.ts';
import { placeholdersIn, StreamedRestoration } from './placeholders.ts';

type ModelEnd = Extract<ModelEvent, { type: 'model-end' }>;

/** The request as it leaves: no personal data in system prompt, texts, results and arguments. Ids of calls and tools stay. */
export function redactRequest(request: ModelRequest, table: PlaceholderTable): ModelRequest {
  return { ...request, system: table.hide(request.system), messages: request.messages.map((message) => redactMessage(message, table)) };
}

function redactMessage(message: ContextMessage, table: PlaceholderTable): ContextMessage {
  const { providerRaw, ...rest } = message;
  const hidden: ContextMessage = { ...rest, content: table.hide(message.content) };
  if (message.toolCalls) hidden.toolCalls = message.toolCalls.map((call) => redactCall(call, table));
  if (providerRaw !== undefined && isClean(providerRaw.body, hidden, table)) hidden.providerRaw = providerRaw;
  return hidden;
}

function redactCall(call: ToolCall, table: PlaceholderTable): ToolCall {
  return { ...call, arguments: mapTexts(call.arguments, (text) => table.hide(text)) as Record<string, unknown> };
}

/** The provider's own message may go back only when it says nothing that is hidden, and its placeholders mean what they meant. */
function isClean(body: string, hidden: ContextMessage, table: PlaceholderTable): boolean {
  const meant = new Set(placeholdersIn(JSON.stringify([hidden.content, hidden.toolCalls ?? []])));
  if (!placeholdersIn(body).every((placeholder) => meant.has(placeholder))) return false;
  return !table.values().some((value) => body.includes(value) || body.includes(JSON.stringify(value).slice(1, -1)));
}

/** The same value with every text in it changed, keys included. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]));
  return value;
}

/** The model behind a table: what it is sent is redacted, what it says is restored. */
export function redactingModel(model: LanguageModel, table: PlaceholderTable): LanguageModel {
  const stream: LanguageModel['stream'] = (request, signal, onSent) =>
    restoredStream(model.stream(redactRequest(request, table), signal, onSent), table);
  // Everything else a model may have is the model's own.
  return new Proxy(model, {
    get: (target, name) => {
      if (name === 'stream') return stream;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

async function* restoredStream(events: AsyncIterable<ModelEvent>, table: PlaceholderTable): AsyncGenerator<ModelEvent> {
  const streams = new Map<string, StreamedRestoration>();
  for await (const event of events) {
    if (event.type === 'text-delta') {
      const stream = streams.get(event.id) ?? new StreamedRestoration(table);
      streams.set(event.id, stream);
      const delta = stream.add(event.delta);
      if (delta !== '') yield { ...event, delta };
    } else if (event.type === 'model-end') {
      for (const [id, stream] of streams) {
        const delta = stream.end();
        if (delta !== '') yield { type: 'text-delta', id, delta };
      }
      yield restoredEnd(event, table);
    } else yield event;
  }
}

function restoredEnd(end: ModelEnd, table: PlaceholderTable): ModelEnd {
  const calls = end.calls.map((call): ModelToolCall => {
    if (call.arguments === null) return { ...call, argumentsText: table.restore(call.argumentsText) };
    const restored = mapTexts(call.arguments, (text) => table.restore(text)) as Record<string, unknown>;
    return { ...call, arguments: restored, argumentsText: JSON.stringify(restored) };
  });
  return { ...end, text: table.restore(end.text), calls };
}
