/** Pure apart from the stream it reads: Gemini chunks into one neutral end, keeping every part as it came. */
import type { ModelRequest, ModelToolCall } from '../engine/ports.ts';
import type { Usage } from '../../shared/usage.ts';
import type { AttemptEnd, TextDelta } from './model-stream.ts';
import { failedEnd } from './model-stream.ts';
import type { ErrorContext, Failure } from './provider-errors.ts';
import {
  blockedFailure,
  emptyAnswerFailure,
  emptyBodyFailure,
  interruptedFailure,
  malformedToolFailure,
  truncatedFailure,
  unknownFinishFailure,
} from './provider-errors.ts';
import { isRecord } from './raw-forms.ts';
import type { RawItem } from './raw-forms.ts';
import { readCall, uniqueCallId } from './tool-arguments.ts';

const PROVIDER = 'gemini';
const BLOCKED = [
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'PROHIBITED_CONTENT',
  'SPII',
  'BLOCKLIST',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
];
const MALFORMED = ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE'];

export interface GeminiReadScope {
  request: ModelRequest;
  context: ErrorContext;
  model: string;
  makeId: () => string;
}

interface Received {
  chunks: number;
  parts: RawItem[];
  text: string;
  finish: string | null;
  blockReason: string | null;
  usage: Usage | null;
}

/** Reads all chunks of one try. The last chunk's usage holds for the whole answer. */
export async function* readGeminiChunks(chunks: AsyncIterable<unknown>, scope: GeminiReadScope): AsyncGenerator<TextDelta, AttemptEnd> {
  const received: Received = { chunks: 0, parts: [], text: '', finish: null, blockReason: null, usage: null };
  try {
    for await (const chunk of chunks) {
      if (!isRecord(chunk)) continue;
      received.chunks += 1;
      received.usage = geminiUsage(chunk['usageMetadata']) ?? received.usage;
      const feedback = isRecord(chunk['promptFeedback']) ? chunk['promptFeedback']['blockReason'] : undefined;
      if (typeof feedback === 'string') received.blockReason = feedback;
      const candidate = Array.isArray(chunk['candidates']) ? chunk['candidates'].find(isRecord) : undefined;
      if (candidate === undefined) continue;
      const content = isRecord(candidate['content']) ? candidate['content'] : {};
      for (const part of Array.isArray(content['parts']) ? content['parts'] : []) {
        if (isRecord(part)) yield* readPart(part, received);
      }
      if (typeof candidate['finishReason'] === 'string') received.finish = candidate['finishReason'];
    }
  } catch (error) {
    // Behind the finish reason the answer is complete, whatever happens to the connection.
    if (received.finish === null) throw error;
  }
  return endOf(received, scope);
}

function* readPart(part: RawItem, received: Received): Generator<TextDelta> {
  received.parts.push(part);
  if (part['thought'] === true || typeof part['text'] !== 'string' || part['text'] === '') return;
  received.text += part['text'];
  yield { type: 'text-delta', id: 'text-0', delta: part['text'] };
}

function endOf(received: Received, scope: GeminiReadScope): AttemptEnd {
  const { finish, usage, text } = received;
  const fail = (failed: Failure) => failedEnd(failed, { text, usage });
  if (received.blockReason !== null) return fail(blockedFailure(scope.context, received.blockReason));
  if (received.chunks === 0) return fail(emptyBodyFailure(scope.context));
  if (finish === null) return fail(interruptedFailure(scope.context, 'the stream ended without a finish reason'));
  if (BLOCKED.includes(finish)) return fail(blockedFailure(scope.context, finish));
  if (finish === 'MAX_TOKENS') return fail(truncatedFailure(finish));
  if (MALFORMED.includes(finish)) return fail(malformedToolFailure(scope.context, finish));
  if (finish !== 'STOP') return fail(unknownFinishFailure(scope.context, finish));
  // STOP accompanies tool calls too: the parts decide (P14).
  const calls = callsOf(received.parts, scope);
  if (calls.length === 0 && text.trim() === '') return fail(emptyAnswerFailure(scope.context, finish));
  const keep = calls.every((call) => call.arguments !== null);
  const raw = keep ? { provider: PROVIDER, model: scope.model, body: JSON.stringify(received.parts) } : null;
  return { outcome: calls.length > 0 ? 'tool-calls' : 'answered', text, calls, raw, usage, finishReason: finish, failure: null };
}

/** Calls by part order, each with an id of our own: Gemini gives none, or the same one twice (P17). */
function callsOf(parts: RawItem[], scope: GeminiReadScope): ModelToolCall[] {
  const used = new Set(scope.request.messages.flatMap((message) => (message.toolCalls ?? []).map((call) => call.id)));
  return parts.flatMap((part) => {
    const call = part['functionCall'];
    if (!isRecord(call)) return [];
    const given = call['args'] ?? {};
    const name = typeof call['name'] === 'string' ? call['name'] : '';
    const read = readCall(uniqueCallId('', used, scope.makeId), name, JSON.stringify(given), scope.request.tools);
    // The SDK has parsed the numbers already: one beyond 2^53 may have become another id, so the call must not run.
    return [holdsRoundedNumber(given) ? { ...read, arguments: null } : read];
  });
}

function holdsRoundedNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (Array.isArray(value)) return value.some(holdsRoundedNumber);
  return isRecord(value) && Object.values(value).some(holdsRoundedNumber);
}

/** Reported tokens; null when there are none. Output is candidates and thoughts; tool-use prompts are input. */
export function geminiUsage(usage: unknown): Usage | null {
  if (!isRecord(usage) || typeof usage['promptTokenCount'] !== 'number') return null;
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : 0);
  const thoughts = count('thoughtsTokenCount');
  return {
    inputTokens: usage['promptTokenCount'] + count('toolUsePromptTokenCount'),
    cacheReadTokens: count('cachedContentTokenCount'),
    cacheWriteTokens: 0,
    outputTokens: count('candidatesTokenCount') + thoughts,
    reasoningTokens: thoughts,
  };
}
