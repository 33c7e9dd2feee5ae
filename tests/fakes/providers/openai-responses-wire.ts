/** Pure: scripted steps as Responses stream events, and the rules the real API refuses requests with. */
import type { SseEvent } from './framing.ts';
import type { Refusal } from './fake-server.ts';
import type { ScriptedStep } from './script.ts';
import { argumentsText, deltas } from './script.ts';

type Json = Record<string, unknown>;

/** What a server remembers of its own answers, to check what comes back. */
export interface ResponsesMemory {
  counter: number;
  /** Reasoning id → its encrypted content as issued. */
  encrypted: Map<string, string>;
  /** Item id → the reasoning id it came with. */
  partner: Map<string, string>;
}

export function newResponsesMemory(): ResponsesMemory {
  return { counter: 0, encrypted: new Map(), partner: new Map() };
}

export function isReasoningName(model: string): boolean {
  return /^(gpt-5|o\d)/.test(model) && !model.includes('chat');
}

function event(type: string, rest: Json): SseEvent {
  return { event: type, data: { type, ...rest } };
}

/** The items a step is made of, with fresh ids, remembered. */
export function outputItems(step: ScriptedStep, memory: ResponsesMemory): Json[] {
  const items: Json[] = [];
  memory.counter += 1;
  const answer = memory.counter;
  let reasoningId: string | null = null;
  if (step.reasoning === true) {
    reasoningId = `rs_${answer}`;
    const encrypted = `gAAAA-sealed-${answer}-Ünï😀`;
    memory.encrypted.set(reasoningId, encrypted);
    items.push({ id: reasoningId, type: 'reasoning', summary: [], encrypted_content: encrypted });
  }
  const follow = (item: Json) => {
    if (reasoningId !== null) memory.partner.set(String(item['id']), reasoningId);
    items.push(item);
  };
  if (step.text !== undefined || step.refusal !== undefined) {
    const content =
      step.refusal === undefined ? { type: 'output_text', text: step.text, annotations: [] } : { type: 'refusal', refusal: step.refusal };
    follow({ id: `msg_${answer}`, type: 'message', role: 'assistant', status: 'completed', content: [content] });
  }
  for (const [index, call] of (step.calls ?? []).entries()) {
    const id = call.id ?? `call_${answer}_${index}`;
    follow({
      id: `fc_${answer}_${index}`,
      type: 'function_call',
      status: 'completed',
      call_id: id,
      name: call.name,
      arguments: argumentsText(call),
    });
  }
  return items;
}

/** The whole stream of one step. */
export function responsesEvents(step: ScriptedStep, memory: ResponsesMemory, model = 'gpt-5'): SseEvent[] {
  const items = outputItems(step, memory);
  const base = { id: `resp_${memory.counter}`, object: 'response', model };
  const events = [
    event('response.created', { response: { ...base, status: 'in_progress', output: [], usage: null } }),
    event('response.in_progress', { response: { ...base, status: 'in_progress', output: [], usage: null } }),
  ];
  for (const [index, item] of items.entries()) events.push(...itemEvents(item, index));
  events.push(event('response.completed', { response: { ...base, status: 'completed', output: items, usage: usageOf(step) } }));
  return events;
}

function usageOf(step: ScriptedStep): Json | null {
  if (step.usage === null) return null;
  const usage = step.usage ?? { input: 100, output: 20 };
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  };
}

function itemEvents(item: Json, index: number): SseEvent[] {
  const started = { ...item, status: 'in_progress' };
  if (item['type'] === 'reasoning') {
    // The encrypted content is whole only when the item is done.
    return [
      event('response.output_item.added', { output_index: index, item: { ...item, encrypted_content: 'partial' } }),
      event('response.output_item.done', { output_index: index, item }),
    ];
  }
  if (item['type'] === 'function_call') {
    // The item id of a delta may differ from the one of the item.
    const pieces = deltas(String(item['arguments']), 5).map((delta) =>
      event('response.function_call_arguments.delta', { item_id: `${String(item['id'])}-x`, output_index: index, delta }),
    );
    return [
      event('response.output_item.added', { output_index: index, item: { ...started, arguments: '' } }),
      ...pieces,
      event('response.function_call_arguments.done', { item_id: item['id'], output_index: index, arguments: item['arguments'] }),
      event('response.output_item.done', { output_index: index, item }),
    ];
  }
  const [content] = item['content'] as Json[];
  const refusal = content?.['type'] === 'refusal';
  const text = String(refusal ? content?.['refusal'] : content?.['text']);
  return [
    event('response.output_item.added', { output_index: index, item: { ...started, content: [] } }),
    event('response.content_part.added', { item_id: item['id'], output_index: index, content_index: 0, part: { ...content, text: '' } }),
    ...deltas(text).map((delta) =>
      event(refusal ? 'response.refusal.delta' : 'response.output_text.delta', {
        item_id: item['id'],
        output_index: index,
        content_index: 0,
        delta,
      }),
    ),
    event(refusal ? 'response.refusal.done' : 'response.output_text.done', {
      item_id: item['id'],
      output_index: index,
      content_index: 0,
      text,
    }),
    event('response.output_item.done', { output_index: index, item }),
  ];
}

export function openAiError(
  status: number,
  message: string,
  code: string | null = null,
  param: string | null = null,
  type = 'invalid_request_error',
): Refusal {
  return { status, body: { error: { message, type, param, code } } };
}

const KNOWN_KEYS = [
  'model',
  'instructions',
  'input',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'store',
  'stream',
  'include',
  'prompt_cache_key',
  'max_output_tokens',
  'reasoning',
  'text',
];

/** The first rule a request breaks, as the real API words it; null when it is accepted. */
export function refuseResponses(body: Json, memory: ResponsesMemory): Refusal | null {
  const model = String(body['model']);
  const unknown = Object.keys(body).find((key) => !KNOWN_KEYS.includes(key));
  if (unknown !== undefined) return openAiError(400, `Unknown parameter: '${unknown}'.`, 'unknown_parameter', unknown);
  if (body['store'] !== false) return openAiError(400, 'this fake keeps nothing: store must be false', null, 'store');
  const include = (body['include'] ?? []) as string[];
  if (include.includes('reasoning.encrypted_content') && !isReasoningName(model)) {
    return openAiError(400, 'Encrypted content is not supported with this model.', null, 'include');
  }
  const cacheKey = body['prompt_cache_key'];
  if (cacheKey !== undefined && (typeof cacheKey !== 'string' || cacheKey === '' || cacheKey.length > 64)) {
    return openAiError(400, "Invalid 'prompt_cache_key': string too long.", 'string_above_max_length', 'prompt_cache_key');
  }
  return refuseTools(body['tools']) ?? refuseInput(body['input'], memory, include);
}

function refuseTools(tools: unknown): Refusal | null {
  if (tools === undefined) return null;
  if (!Array.isArray(tools) || tools.length === 0) return openAiError(400, "Invalid 'tools': empty array.", 'empty_array', 'tools');
  for (const tool of tools as Json[]) {
    const broken = refuseFunction(String(tool['name']), tool['parameters'], tool['strict'] === true);
    if (broken !== null) return broken;
  }
  return null;
}

/** Name and schema of a function, for both OpenAI APIs. */
export function refuseFunction(name: string, parameters: unknown, strict: boolean): Refusal | null {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return openAiError(400, `Invalid function name '${name}'.`, 'invalid_value', 'tools');
  const reason = strict ? strictProblem(parameters as Json, '()') : null;
  return reason === null
    ? null
    : openAiError(400, `Invalid schema for function '${name}': In context=${reason}`, 'invalid_function_parameters', 'tools');
}

function strictProblem(schema: Json, where: string): string | null {
  for (const option of (schema['anyOf'] ?? []) as Json[]) {
    const inner = strictProblem(option, `${where}.anyOf`);
    if (inner !== null) return inner;
  }
  for (const keyword of ['$schema', 'default', 'oneOf', 'allOf', '$ref', 'patternProperties', 'minLength', 'maxLength']) {
    if (schema[keyword] !== undefined) return `${where}, '${keyword}' is not permitted.`;
  }
  const types = [schema['type']].flat();
  if (types.includes('array')) return strictProblem((schema['items'] ?? {}) as Json, `${where}.items`);
  if (!types.includes('object')) return null;
  if (schema['additionalProperties'] !== false) return `${where}, 'additionalProperties' is required to be supplied and to be false.`;
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const required = (schema['required'] ?? []) as string[];
  for (const [name, property] of Object.entries(properties)) {
    if (!required.includes(name)) return `${where}, 'required' is required to include every key in properties. Missing '${name}'.`;
    const inner = strictProblem(property, `${where}.${name}`);
    if (inner !== null) return inner;
  }
  return null;
}

function refuseInput(input: unknown, memory: ResponsesMemory, include: string[]): Refusal | null {
  if (!Array.isArray(input) || input.length === 0)
    return openAiError(400, "Missing required parameter: 'input'.", 'missing_required_parameter', 'input');
  const items = input as Json[];
  if (items[0]?.['role'] !== 'user')
    return openAiError(400, "Invalid 'input[0]': the first item must be a user message.", 'invalid_value', 'input[0]');
  const calls = new Map<string, boolean>();
  const itemIds = new Set<string>();
  for (const [index, item] of items.entries()) {
    const where = `input[${index}]`;
    const id = item['id'];
    if (typeof id === 'string') {
      if (itemIds.has(id)) return openAiError(400, `Duplicate item found with id ${id}.`, 'duplicate_item', where);
      itemIds.add(id);
    }
    const broken = refuseItem(item, items, index, calls) ?? refuseReasoning(item, items, index, memory, include);
    if (broken !== null) return broken;
  }
  for (const [id, answered] of calls) {
    if (!answered) return openAiError(400, `No tool output found for function call ${id}.`, null, 'input');
  }
  return null;
}

function refuseItem(item: Json, items: Json[], index: number, calls: Map<string, boolean>): Refusal | null {
  const where = `input[${index}]`;
  const callId = String(item['call_id']);
  if (item['type'] === 'function_call') {
    if (callId.length > 64)
      return openAiError(
        400,
        `Invalid '${where}.call_id': string too long. Expected a string with maximum length 64, but got a string with length ${callId.length} instead.`,
        'string_above_max_length',
        `${where}.call_id`,
      );
    if (calls.has(callId)) return openAiError(400, `Duplicate function call id ${callId}.`, 'invalid_value', where);
    calls.set(callId, false);
    return typeof item['arguments'] === 'string' && item['name'] !== ''
      ? null
      : openAiError(400, `Invalid '${where}.arguments'.`, 'invalid_type', where);
  }
  if (item['type'] === 'function_call_output') {
    if (!calls.has(callId)) return openAiError(400, `No tool call found for function call output with call_id ${callId}.`, null, 'input');
    if (calls.get(callId) === true) return openAiError(400, `Duplicate output for function call ${callId}.`, 'invalid_value', where);
    calls.set(callId, true);
    return typeof item['output'] === 'string' && item['output'] !== ''
      ? null
      : openAiError(400, `Invalid '${where}.output': empty string.`, 'empty_string', where);
  }
  if (item['type'] === 'reasoning') return null;
  for (const [id, answered] of calls) {
    if (!answered && items.slice(0, index).some((before) => before['type'] === 'function_call_output'))
      return openAiError(400, `No tool output found for function call ${id}.`, null, 'input');
  }
  const content = item['content'];
  const empty = content === '' || content === undefined || (Array.isArray(content) && content.length === 0);
  if (empty) return openAiError(400, `Invalid '${where}.content': empty string.`, 'empty_string', where);
  return item['role'] === 'user' || item['role'] === 'assistant'
    ? null
    : openAiError(400, `Invalid '${where}.role'.`, 'invalid_value', where);
}

/** A reasoning item never without its follower, an item that came with reasoning never without it, the sealed text never changed. */
function refuseReasoning(item: Json, items: Json[], index: number, memory: ResponsesMemory, include: string[]): Refusal | null {
  const id = String(item['id']);
  if (item['type'] === 'reasoning') {
    const next = items[index + 1];
    const follows = next !== undefined && next['role'] !== 'user' && next['type'] !== 'function_call_output';
    if (!follows)
      return openAiError(400, `Item '${id}' of type 'reasoning' was provided without its required following item.`, null, 'input');
    if (memory.encrypted.get(id) !== item['encrypted_content'])
      return openAiError(400, `The encrypted content for item ${id} could not be verified.`, 'invalid_encrypted_content', 'input');
    return include.length > 0
      ? null
      : openAiError(400, 'reasoning items need include reasoning.encrypted_content when store is false', null, 'include');
  }
  const partner = memory.partner.get(id);
  if (partner === undefined || items.slice(0, index).some((before) => before['id'] === partner)) return null;
  return openAiError(
    400,
    `Item '${id}' of type '${String(item['type'])}' was provided without its required 'reasoning' item: '${partner}'.`,
    null,
    'input',
  );
}
