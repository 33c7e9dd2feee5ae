/** I/O: OpenAI's Responses API, stateless: nothing is stored there, every output item goes back in order (P20). */
import type { LanguageModel, ModelRequest, ModelToolCall } from '../engine/ports.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import type { Usage } from '../../shared/usage.ts';
import { languageModel, randomCallId } from './adapter.ts';
import type { AdapterOptions } from './adapter.ts';
import { isReasoningModel } from './catalog.ts';
import { toWellFormedValue } from './history-rules.ts';
import type { AttemptEnd, AttemptScope, TextDelta } from './model-stream.ts';
import { failedEnd } from './model-stream.ts';
import { hostOf, loadOpenAi, OPENAI_BASE_URL, openAiClient, openAiVendorError, translateOpenAiError } from './openai-client.ts';
import type { ErrorContext, Failure } from './provider-errors.ts';
import {
  blockedFailure,
  classify,
  emptyAnswerFailure,
  emptyBodyFailure,
  interruptedFailure,
  truncatedFailure,
  unknownFinishFailure,
} from './provider-errors.ts';
import { isRecord, readRaw, responsesText } from './raw-forms.ts';
import type { RawItem } from './raw-forms.ts';
import { appendArguments, readCall, uniqueCallId } from './tool-arguments.ts';
import { openAiTool } from './tool-schemas.ts';
import { wireIds } from './wire-history.ts';

const PROVIDER = 'openai';
/** The API's own limit for a call id. */
const CALL_ID_LENGTH = 64;
const CACHE_KEY_LENGTH = 64;

/** The variant whose bodies ask for sealed reasoning. */
const SEALED = 'sealed';

/** Kept as long as the adapter lives. */
interface Learned {
  /** Whether the model gives its reasoning in sealed form. A guess for models the catalog does not hold. */
  sealed: boolean;
}

/** A model without reasoning refuses to be asked for it; then once more without. */
function learn(failed: Failure, error: unknown, learned: Learned): Failure {
  const refused =
    failed.outcome === 'invalid-request' && error instanceof Error && /encrypted[_ ]content is not supported/i.test(error.message);
  if (!refused || !learned.sealed) return failed;
  learned.sealed = false;
  return { ...failed, retry: 'once' };
}

/** Creates the adapter. It needs a key; `baseUrl` defaults to OpenAI's. */
export function createOpenAiResponses(options: AdapterOptions): LanguageModel {
  const baseUrl = options.baseUrl ?? OPENAI_BASE_URL;
  const endpoint = { apiKey: options.apiKey, baseUrl, jsonBecomesEvent: false };
  const learned: Learned = { sealed: isReasoningModel(PROVIDER, options.model) };
  return languageModel(options, {
    provider: PROVIDER,
    label: 'OpenAI',
    host: hostOf(baseUrl),
    needsKey: true,
    load: loadOpenAi,
    variant: () => (learned.sealed ? SEALED : ''),
    translate: (error, context) => learn(translateOpenAiError(error, context, options.clock.now()), error, learned),
    async *attempt(request, messages, scope, context) {
      const client = await openAiClient(endpoint, scope);
      const body = responsesBody(options.model, request, messages, scope.variant === SEALED);
      // The wire form is our own contract with the API; the SDK's types cannot express items kept verbatim.
      const events = await client.responses.create(body as never, { signal: scope.signal });
      return yield* readEvents(events as unknown as AsyncIterable<unknown>, {
        request,
        scope,
        context,
        model: options.model,
        makeId: options.makeId ?? randomCallId,
      });
    },
  });
}

/** The request body; stable from call to call, so that the provider's prefix cache works. */
export function responsesBody(
  model: string,
  request: ModelRequest,
  messages: readonly ContextMessage[],
  sealed = isReasoningModel(PROVIDER, model),
): Record<string, unknown> {
  const tools = request.tools.map((tool) => ({ type: 'function', ...openAiTool(tool) }));
  return toWellFormedValue({
    model,
    instructions: request.system,
    input: inputItems(model, messages),
    ...(tools.length === 0 ? {} : { tools, tool_choice: 'auto', parallel_tool_calls: true }),
    store: false,
    stream: true,
    ...(sealed ? { include: ['reasoning.encrypted_content'] } : {}),
    prompt_cache_key: request.conversationId.slice(0, CACHE_KEY_LENGTH),
    ...(request.maxOutputTokens === undefined ? {} : { max_output_tokens: request.maxOutputTokens }),
  });
}

function inputItems(model: string, messages: readonly ContextMessage[]): RawItem[] {
  const ids = wireIds(messages, CALL_ID_LENGTH);
  const idOf = (id: string | undefined) => ids.get(id ?? '') ?? id ?? '';
  return messages.flatMap((message): RawItem[] => {
    if (message.role === 'tool') return [{ type: 'function_call_output', call_id: idOf(message.toolCallId), output: message.content }];
    if (message.role === 'user') return [{ role: 'user', content: message.content }];
    const raw = readRaw(message, { provider: PROVIDER, model });
    if (raw !== null) return withFollowers(raw);
    const calls = (message.toolCalls ?? []).map((call) => ({
      type: 'function_call',
      call_id: idOf(call.id),
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    }));
    return [...(message.content.trim() === '' ? [] : [{ role: 'assistant', content: message.content }]), ...calls];
  });
}

/**
 * Items as they may go back: a reasoning item without the item it led to is refused, so a trailing one is left out. One that came without its
 * sealed text means nothing to a server that stored nothing; then all reasoning goes, and with it the ids that point to it.
 */
export function withFollowers(items: readonly RawItem[]): RawItem[] {
  const kept = items.filter((item) => item['type'] !== undefined);
  while (kept.at(-1)?.['type'] === 'reasoning') kept.pop();
  if (kept.every((item) => item['type'] !== 'reasoning' || typeof item['encrypted_content'] === 'string')) return kept;
  return kept.filter((item) => item['type'] !== 'reasoning').map(({ id: _id, ...rest }) => rest);
}

interface ReadScope {
  request: ModelRequest;
  scope: AttemptScope;
  context: ErrorContext;
  model: string;
  makeId: () => string;
}

/** What was received so far. Items are kept by output index: their ids may change between events (P16). */
interface Received {
  items: Map<number, RawItem>;
  /** Indexes whose last form arrived; only that one carries the encrypted reasoning. */
  done: Set<number>;
  argumentText: Map<number, string>;
  /** Text items that streamed something, so that a final item is not shown twice. */
  shownText: Set<number>;
  text: string;
  events: number;
}

async function* readEvents(events: AsyncIterable<unknown>, read: ReadScope): AsyncGenerator<TextDelta, AttemptEnd> {
  const received: Received = { items: new Map(), done: new Set(), argumentText: new Map(), shownText: new Set(), text: '', events: 0 };
  for await (const event of events) {
    if (!isRecord(event)) continue;
    received.events += 1;
    const ended = endOf(event, received, read);
    if (ended !== null) {
      yield* showUnstreamed(received);
      return ended();
    }
    yield* readEvent(event, received);
  }
  const failed =
    received.events === 0 ? emptyBodyFailure(read.context) : interruptedFailure(read.context, 'the stream ended without its last event');
  return failedEnd(failed, { text: received.text });
}

function* readEvent(event: RawItem, received: Received): Generator<TextDelta> {
  const index = typeof event['output_index'] === 'number' ? event['output_index'] : 0;
  const delta = typeof event['delta'] === 'string' ? event['delta'] : '';
  switch (event['type']) {
    case 'response.output_item.added':
    case 'response.output_item.done':
      if (isRecord(event['item'])) received.items.set(index, event['item']);
      if (event['type'] === 'response.output_item.done') received.done.add(index);
      break;
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      yield* show(received, index, delta);
      break;
    case 'response.function_call_arguments.delta':
      received.argumentText.set(index, appendArguments(received.argumentText.get(index) ?? '', delta));
      break;
    default:
      break;
  }
}

/** Streams a piece; two text items are kept apart by an empty line, in the stream and in the final text alike. */
function* show(received: Received, index: number, delta: string): Generator<TextDelta> {
  if (delta === '') return;
  const piece = received.text !== '' && !received.shownText.has(index) ? `\n\n${delta}` : delta;
  received.shownText.add(index);
  received.text += piece;
  yield { type: 'text-delta', id: `text-${index}`, delta: piece };
}

/** Text of items whose deltas never came. */
function* showUnstreamed(received: Received): Generator<TextDelta> {
  for (const [index, item] of [...received.items].sort(([a], [b]) => a - b)) {
    if (!received.shownText.has(index)) yield* show(received, index, responsesText([item]));
  }
}

/** The end this event brings, to be made after the last text was shown; null for an event that ends nothing. */
function endOf(event: RawItem, received: Received, read: ReadScope): (() => AttemptEnd) | null {
  const response = isRecord(event['response']) ? event['response'] : {};
  const usage = responsesUsage(response['usage']);
  const fail = (failed: Failure) => () => failedEnd(failed, { text: received.text, usage });
  switch (event['type']) {
    case 'response.completed':
      fillItems(received, response['output']);
      return () => completedEnd(received, read, usage);
    case 'response.incomplete': {
      fillItems(received, response['output']);
      const details = isRecord(response['incomplete_details']) ? response['incomplete_details'] : {};
      const reason = typeof details['reason'] === 'string' ? details['reason'] : 'incomplete';
      if (reason === 'max_output_tokens') return fail(truncatedFailure(reason));
      return fail(reason === 'content_filter' ? blockedFailure(read.context, reason) : unknownFinishFailure(read.context, reason));
    }
    case 'response.failed':
      return fail(classify(openAiVendorError(isRecord(response['error']) ? response['error'] : {}, { status: null }), read.context));
    case 'response.cancelled':
      return fail(unknownFinishFailure(read.context, 'cancelled'));
    case 'error':
      return fail(classify(openAiVendorError(isRecord(event['error']) ? event['error'] : event, { status: null }), read.context));
    default:
      return null;
  }
}

/** The final response repeats all items; one whose own last event was missing is taken from there. */
function fillItems(received: Received, output: unknown): void {
  if (!Array.isArray(output)) return;
  for (const [index, item] of output.entries()) {
    if (isRecord(item) && !received.done.has(index)) received.items.set(index, item);
  }
}

function completedEnd(received: Received, read: ReadScope, usage: Usage | null): AttemptEnd {
  const used = new Set(read.request.messages.flatMap((message) => (message.toolCalls ?? []).map((call) => call.id)));
  const calls: ModelToolCall[] = [];
  const items = [...received.items]
    .sort(([a], [b]) => a - b)
    .map(([index, item]) => {
      if (item['type'] !== 'function_call') return item;
      const offered = typeof item['call_id'] === 'string' ? item['call_id'] : '';
      const id = uniqueCallId(offered, used, read.makeId);
      const whole = typeof item['arguments'] === 'string' && item['arguments'] !== '' ? item['arguments'] : null;
      const name = typeof item['name'] === 'string' ? item['name'] : '';
      calls.push(readCall(id, name, whole ?? received.argumentText.get(index) ?? '', read.request.tools));
      return id === offered ? item : { ...item, call_id: id };
    });
  const end = { text: received.text, usage, finishReason: 'completed', failure: null };
  const refused = items.some(
    (item) => Array.isArray(item['content']) && item['content'].some((part) => isRecord(part) && part['type'] === 'refusal'),
  );
  // A call that is no JSON object would be refused by some servers when it comes back, so only its neutral form is kept.
  const keep = calls.every((call) => call.arguments !== null);
  const raw = keep ? { provider: PROVIDER, model: read.model, body: JSON.stringify(items) } : null;
  if (refused) return { ...end, outcome: 'refused', calls: [], raw: null };
  if (calls.length > 0) return { ...end, outcome: 'tool-calls', calls, raw };
  if (received.text.trim() !== '') return { ...end, outcome: 'answered', calls, raw };
  return failedEnd(emptyAnswerFailure(read.context, 'completed'), { usage });
}

/** Reported tokens; null when there are none. Cached tokens are part of the input, reasoning part of the output. */
export function responsesUsage(usage: unknown): Usage | null {
  if (!isRecord(usage) || typeof usage['input_tokens'] !== 'number' || typeof usage['output_tokens'] !== 'number') return null;
  const detail = (group: unknown, name: string) => (isRecord(group) && typeof group[name] === 'number' ? group[name] : 0);
  return {
    inputTokens: usage['input_tokens'],
    cacheReadTokens: detail(usage['input_tokens_details'], 'cached_tokens'),
    cacheWriteTokens: detail(usage['input_tokens_details'], 'cache_write_tokens'),
    outputTokens: usage['output_tokens'],
    reasoningTokens: detail(usage['output_tokens_details'], 'reasoning_tokens'),
  };
}
