/** Pure: scripted steps as Chat Completions chunks, with the quirks of compatible servers, and the rules requests are refused with. */
import type { Refusal } from './fake-server.ts';
import type { SseEvent } from './framing.ts';
import { openAiError, refuseFunction } from './openai-responses-wire.ts';
import type { ScriptedStep } from './script.ts';
import { argumentsText, deltas } from './script.ts';

type Json = Record<string, unknown>;

/** What compatible servers do differently. */
export interface ChatQuirks {
  /** No usage at all. */
  noUsage?: boolean;
  /** Tool call deltas without `index`. */
  noIndex?: boolean;
  /** Azure: a first chunk with `choices: []` and filter results. */
  emptyFirstChunk?: boolean;
  /** Whole calls in one chunk, as Ollama sends them. */
  wholeCalls?: boolean;
  /** Empty call ids, as Gemini's compatible endpoint sends them. */
  noIds?: boolean;
  /** No `[DONE]` line. */
  noDone?: boolean;
  /** Usage in the last choice chunk instead of a chunk of its own. */
  inlineUsage?: boolean;
  /** Gemini's compatible endpoint: a signature on the first call. */
  signature?: string;
  finishReason?: string;
}

export function chatEvents(step: ScriptedStep, answer: number, quirks: ChatQuirks = {}): SseEvent[] {
  const chunk = (choices: Json[], rest: Json = {}): SseEvent => ({
    data: { id: `chatcmpl-${answer}`, object: 'chat.completion.chunk', created: 1, model: 'fake', choices, ...rest },
  });
  const delta = (value: Json, finish: string | null = null) => chunk([{ index: 0, delta: value, finish_reason: finish }]);
  const events: SseEvent[] = [];
  if (quirks.emptyFirstChunk === true) events.push(chunk([], { prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] }));
  events.push(delta({ role: 'assistant', content: '', refusal: null }));
  for (const piece of deltas(step.text ?? '')) events.push(delta({ content: piece }));
  for (const piece of deltas(step.refusal ?? '')) events.push(delta({ refusal: piece }));
  const calls = step.calls ?? [];
  for (const [index, call] of calls.entries()) {
    const place = quirks.noIndex === true ? {} : { index };
    const id = quirks.noIds === true ? '' : (call.id ?? `call_${answer}_${index}`);
    const extra =
      quirks.signature !== undefined && index === 0 ? { extra_content: { google: { thought_signature: quirks.signature } } } : {};
    const head = { ...place, id, type: 'function', ...extra };
    if (quirks.wholeCalls === true) {
      events.push(delta({ tool_calls: [{ ...head, function: { name: call.name, arguments: argumentsText(call) } }] }));
      continue;
    }
    events.push(delta({ tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] }));
    for (const piece of deltas(argumentsText(call), 5)) events.push(delta({ tool_calls: [{ ...place, function: { arguments: piece } }] }));
  }
  const finish = quirks.finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const usage = step.usage === null || quirks.noUsage === true ? null : chatUsage(step);
  events.push(chunk([{ index: 0, delta: {}, finish_reason: finish }], quirks.inlineUsage === true ? { usage } : {}));
  if (usage !== null && quirks.inlineUsage !== true) events.push(chunk([], { usage }));
  if (quirks.noDone !== true) events.push({ data: '[DONE]' });
  return events;
}

function chatUsage(step: ScriptedStep): Json {
  const usage = step.usage ?? { input: 100, output: 20 };
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

/** The first rule a request breaks; null when it is accepted. */
export function refuseChat(body: Json): Refusal | null {
  const messages = body['messages'];
  if (!Array.isArray(messages) || messages.length === 0) return openAiError(400, "[] is too short - 'messages'");
  const tools = body['tools'];
  if (tools !== undefined && (!Array.isArray(tools) || tools.length === 0)) return openAiError(400, "[] is too short - 'tools'");
  for (const tool of (tools ?? []) as Json[]) {
    const definition = tool['function'] as Json;
    const broken = refuseFunction(String(definition['name']), definition['parameters'], definition['strict'] === true);
    if (broken !== null) return broken;
  }
  const first = (messages as Json[]).find((message) => message['role'] !== 'system' && message['role'] !== 'developer');
  if (first?.['role'] !== 'user') return openAiError(400, 'The first message after the system message must be from the user.');
  return refuseMessages(messages as Json[]);
}

function refuseMessages(messages: Json[]): Refusal | null {
  let open = new Set<string>();
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const where = `messages.[${index}]`;
    if (message['role'] === 'tool') {
      const id = String(message['tool_call_id']);
      if (!open.delete(id))
        return openAiError(
          400,
          `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (${where})`,
          null,
          `${where}.role`,
        );
      if (message['content'] === '' || message['content'] === null) return openAiError(400, `Invalid '${where}.content': empty string.`);
      continue;
    }
    if (open.size > 0) return openToolCalls(open, where);
    open = new Set();
    const calls = message['tool_calls'];
    if (calls !== undefined && (!Array.isArray(calls) || calls.length === 0))
      return openAiError(400, `[] is too short - '${where}.tool_calls'`);
    for (const call of (calls ?? []) as Json[]) {
      const id = String(call['id']);
      if (id.length > 40)
        return openAiError(
          400,
          `Invalid '${where}.tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length ${id.length} instead.`,
          'string_above_max_length',
        );
      if (seen.has(id) || id === '') return openAiError(400, `Duplicate tool call id '${id}' in ${where}.`);
      seen.add(id);
      open.add(id);
    }
    const content = message['content'];
    const empty = content === '' || content === undefined || content === null;
    if (empty && open.size === 0)
      return openAiError(400, `Invalid '${where}.content': expected a non-empty string.`, null, `${where}.content`);
  }
  return open.size > 0 ? openToolCalls(open, 'messages') : null;
}

function openToolCalls(open: Set<string>, where: string): Refusal {
  return openAiError(
    400,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    null,
    where,
  );
}
