/** Pure apart from the stream it reads: Chat Completions chunks, with the quirks of compatible servers, into one neutral end. */
import type { ModelRequest, ModelToolCall } from '../engine/ports.ts';
import type { Usage } from '../../shared/usage.ts';
import type { AttemptEnd, TextDelta } from './model-stream.ts';
import { failedEnd } from './model-stream.ts';
import { openAiVendorError } from './openai-client.ts';
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
import { isRecord } from './raw-forms.ts';
import type { RawItem } from './raw-forms.ts';
import { appendArguments, parseArguments, readCall, uniqueCallId } from './tool-arguments.ts';

const TEXT_ID = 'text-0';
/** Words for a normal end; some servers pass their engine's own. */
const NORMAL_FINISH = ['stop', 'tool_calls', 'function_call', 'eos', 'eos_token', 'end_turn', 'stop_sequence'];

export interface ChatReadScope {
  request: ModelRequest;
  context: ErrorContext;
  provider: string;
  model: string;
  makeId: () => string;
}

interface PartialCall {
  index: number | null;
  id: string;
  name: string;
  argumentsText: string;
  /** Fields of the server's own, e.g. a thought signature. */
  extra: RawItem;
}

interface Received {
  chunks: number;
  text: string;
  refusal: string;
  calls: PartialCall[];
  finish: string | null;
  usage: Usage | null;
  /** Fields of the message itself that its server wants back. */
  extra: RawItem;
  failed: Failure | null;
}

/** Reads all chunks of one try. */
export async function* readChatChunks(chunks: AsyncIterable<unknown>, scope: ChatReadScope): AsyncGenerator<TextDelta, AttemptEnd> {
  const received: Received = { chunks: 0, text: '', refusal: '', calls: [], finish: null, usage: null, extra: {}, failed: null };
  try {
    for await (const chunk of chunks) {
      if (!isRecord(chunk)) continue;
      received.chunks += 1;
      received.usage = chatUsage(chunk['usage']) ?? received.usage;
      const choice = Array.isArray(chunk['choices']) ? chunk['choices'].find(isRecord) : undefined;
      if (choice === undefined) continue;
      if (isRecord(choice['error'])) received.failed = classify(openAiVendorError(choice['error'], { status: null }), scope.context);
      const delta = isRecord(choice['delta']) ? choice['delta'] : choice['message'];
      if (isRecord(delta)) yield* readDelta(delta, received);
      if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'] !== '') received.finish = choice['finish_reason'];
    }
  } catch (error) {
    // Behind the finish reason the answer is complete, whatever happens to the connection.
    if (received.finish === null) throw error;
  }
  return endOf(received, scope);
}

function* readDelta(delta: RawItem, received: Received): Generator<TextDelta> {
  const piece = contentText(delta['content']);
  const refusal = typeof delta['refusal'] === 'string' ? delta['refusal'] : '';
  received.refusal += refusal;
  if (piece + refusal !== '') {
    received.text += piece + refusal;
    yield { type: 'text-delta', id: TEXT_ID, delta: piece + refusal };
  }
  for (const call of Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []) {
    if (isRecord(call)) readCallDelta(call, received.calls);
  }
  if (isRecord(delta['extra_content'])) received.extra['extra_content'] = delta['extra_content'];
  const details = delta['reasoning_details'];
  if (Array.isArray(details)) {
    const before = received.extra['reasoning_details'];
    received.extra['reasoning_details'] = [...(Array.isArray(before) ? before : []), ...details];
  }
}

/** Text as a string or as a list of text parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

function readCallDelta(delta: RawItem, calls: PartialCall[]): void {
  const definition = isRecord(delta['function']) ? delta['function'] : {};
  const name = typeof definition['name'] === 'string' ? definition['name'] : '';
  const id = typeof delta['id'] === 'string' ? delta['id'] : '';
  const index = typeof delta['index'] === 'number' ? delta['index'] : null;
  const given = definition['arguments'];
  const text = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given);
  const call = findCall(calls, { index, id, name }) ?? { index, id, name: '', argumentsText: '', extra: {} };
  if (!calls.includes(call)) calls.push(call);
  if (call.id === '') call.id = id;
  if (call.name === '') call.name = name;
  call.argumentsText = appendArguments(call.argumentsText, text);
  if (isRecord(delta['extra_content'])) call.extra = { extra_content: delta['extra_content'] };
}

/**
 * The call a delta continues, by index, else by id, else the last one (P16). Some servers give every parallel call index 0, or none at all:
 * then another id, or a name after finished arguments, starts a new call.
 */
function findCall(calls: PartialCall[], delta: { index: number | null; id: string; name: string }): PartialCall | undefined {
  const candidates = delta.index === null ? calls : calls.filter((call) => call.index === delta.index);
  if (delta.id !== '') {
    const same = candidates.find((call) => call.id === delta.id);
    if (same !== undefined) return same;
    const last = candidates.at(-1);
    return last !== undefined && last.id === '' && delta.name === '' ? last : undefined;
  }
  const last = candidates.at(-1);
  const startsAnew = delta.name !== '' && last !== undefined && last.name !== '' && parseArguments(last.argumentsText) !== null;
  return startsAnew ? undefined : last;
}

function endOf(received: Received, scope: ChatReadScope): AttemptEnd {
  const { finish, usage, text } = received;
  const fail = (failed: Failure) => failedEnd(failed, { text, usage });
  if (received.failed !== null) return fail(received.failed);
  if (received.chunks === 0) return fail(emptyBodyFailure(scope.context));
  if (finish === null) return fail(interruptedFailure(scope.context, 'the stream ended without a finish reason'));
  if (finish === 'length') return fail(truncatedFailure(finish));
  if (finish === 'content_filter') return fail(blockedFailure(scope.context, finish));
  if (!NORMAL_FINISH.includes(finish)) return fail(unknownFinishFailure(scope.context, finish));
  const end = { text, usage, finishReason: finish, failure: null, raw: null };
  if (received.refusal !== '') return { ...end, outcome: 'refused', calls: [] };
  const used = new Set(scope.request.messages.flatMap((message) => (message.toolCalls ?? []).map((call) => call.id)));
  const calls = received.calls.map((call) =>
    readCall(uniqueCallId(call.id, used, scope.makeId), call.name, call.argumentsText, scope.request.tools),
  );
  if (calls.length === 0 && text.trim() === '') return fail(emptyAnswerFailure(scope.context, finish));
  const raw = rawMessage(received, calls, scope);
  return calls.length > 0 ? { ...end, raw, outcome: 'tool-calls', calls } : { ...end, raw, outcome: 'answered', calls: [] };
}

/** Kept only where the server added fields that it wants back; otherwise the neutral form says everything. */
function rawMessage(received: Received, calls: ModelToolCall[], scope: ChatReadScope): AttemptEnd['raw'] {
  const extras = received.calls.map((call) => call.extra);
  if (Object.keys(received.extra).length === 0 && extras.every((extra) => Object.keys(extra).length === 0)) return null;
  const message = {
    role: 'assistant',
    content: received.text,
    ...received.extra,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call, index) => ({
            ...extras[index],
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.argumentsText },
          })),
        }),
  };
  return { provider: scope.provider, model: scope.model, body: JSON.stringify([message]) };
}

/** Reported tokens; null when there are none. What a total holds beyond prompt and completion is hidden thinking, billed as output. */
export function chatUsage(usage: unknown): Usage | null {
  if (!isRecord(usage)) return null;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  if (typeof prompt !== 'number' || typeof completion !== 'number') return null;
  const detail = (group: unknown, name: string) => (isRecord(group) && typeof group[name] === 'number' ? group[name] : 0);
  const hidden = typeof total === 'number' ? Math.max(0, total - prompt - completion) : 0;
  return {
    inputTokens: prompt,
    cacheReadTokens: detail(usage['prompt_tokens_details'], 'cached_tokens'),
    cacheWriteTokens: detail(usage['prompt_tokens_details'], 'cache_write_tokens'),
    outputTokens: completion + hidden,
    reasoningTokens: detail(usage['completion_tokens_details'], 'reasoning_tokens') + hidden,
  };
}
