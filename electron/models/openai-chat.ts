/** I/O: OpenAI's Chat Completions API as compatible servers speak it: Ollama, LM Studio, vLLM, OpenRouter, Azure. */
import type { LanguageModel, ModelRequest } from '../engine/ports.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { languageModel, randomCallId } from './adapter.ts';
import type { AdapterOptions } from './adapter.ts';
import { readChatChunks } from './chat-chunks.ts';
import { toWellFormedValue } from './history-rules.ts';
import { hostOf, loadOpenAi, OPENAI_BASE_URL, openAiClient, translateOpenAiError } from './openai-client.ts';
import type { Failure } from './provider-errors.ts';
import { isRecord, readRaw } from './raw-forms.ts';
import type { RawItem } from './raw-forms.ts';
import { openAiTool } from './tool-schemas.ts';
import { wireIds } from './wire-history.ts';

const PROVIDER = 'openai-chat';
/** Chat Completions refuses longer call ids. */
const CALL_ID_LENGTH = 40;

/** What a server turned out not to take; learned from its refusal and kept as long as the adapter lives. */
interface Learned {
  noStreamOptions: boolean;
  /** One call per assistant message only. */
  singleCalls: boolean;
}

/** Creates the adapter. A key is needed for OpenAI's own host only; local servers have none. */
export function createOpenAiChat(options: AdapterOptions): LanguageModel {
  const baseUrl = options.baseUrl ?? OPENAI_BASE_URL;
  const host = hostOf(baseUrl);
  const official = /(^|\.)openai\.com$/.test(host);
  const endpoint = { apiKey: options.apiKey === '' ? undefined : options.apiKey, baseUrl, jsonBecomesEvent: true };
  const learned: Learned = { noStreamOptions: false, singleCalls: false };
  return languageModel(options, {
    provider: PROVIDER,
    label: official ? 'OpenAI' : host,
    host,
    needsKey: official,
    load: loadOpenAi,
    variant: () => variantOf(official, learned),
    translate: (error, context) => learn(translateOpenAiError(error, context, options.clock.now()), error, learned),
    async *attempt(request, messages, scope, context) {
      const client = await openAiClient(endpoint, scope);
      const body = chatBody({ model: options.model, request, messages, ...readVariant(scope.variant) });
      const chunks = await client.chat.completions.create(body as never, { signal: scope.signal });
      return yield* readChatChunks(chunks as unknown as AsyncIterable<unknown>, {
        request,
        context,
        provider: PROVIDER,
        model: options.model,
        makeId: options.makeId ?? randomCallId,
      });
    },
  });
}

function variantOf(official: boolean, { noStreamOptions, singleCalls }: Learned): string {
  return [official && 'official', noStreamOptions && 'no-stream-options', singleCalls && 'single-calls']
    .filter((word) => word !== false)
    .join(' ');
}

function readVariant(variant: string): { official: boolean; learned: Learned } {
  const words = variant.split(' ');
  const learned = { noStreamOptions: words.includes('no-stream-options'), singleCalls: words.includes('single-calls') };
  return { official: words.includes('official'), learned };
}

/** A refusal that names something we may leave out is worth one more try without it. */
function learn(failed: Failure, error: unknown, learned: Learned): Failure {
  const message = error instanceof Error ? error.message : '';
  if (failed.outcome !== 'invalid-request') return failed;
  if (!learned.noStreamOptions && /stream_options/i.test(message)) {
    learned.noStreamOptions = true;
    return { ...failed, retry: 'once' };
  }
  if (!learned.singleCalls && /single tool[- ]?calls?|parallel tool[- ]?calls?|one tool call/i.test(message)) {
    learned.singleCalls = true;
    return { ...failed, retry: 'once' };
  }
  return failed;
}

interface BodyParts {
  model: string;
  request: ModelRequest;
  messages: readonly ContextMessage[];
  /** OpenAI's own host; others may refuse parameters they do not know. */
  official: boolean;
  learned: Learned;
}

/** The request body, in the oldest form that every server takes. */
export function chatBody({ model, request, messages, official, learned }: BodyParts): Record<string, unknown> {
  const tools = request.tools.map((tool) => {
    const { strict, ...definition } = openAiTool(tool);
    const { $schema: _dialect, ...loose } = tool.parameters;
    return { type: 'function', function: official ? { ...definition, strict } : { ...definition, parameters: loose } };
  });
  const most = request.maxOutputTokens;
  return toWellFormedValue({
    model,
    messages: [{ role: 'system', content: request.system }, ...chatMessages(model, learned.singleCalls ? oneCallEach(messages) : messages)],
    ...(tools.length === 0 ? {} : { tools, tool_choice: 'auto' }),
    stream: true,
    ...(learned.noStreamOptions ? {} : { stream_options: { include_usage: true } }),
    ...(official ? { prompt_cache_key: request.conversationId, store: false } : {}),
    ...(most === undefined ? {} : official ? { max_completion_tokens: most } : { max_tokens: most }),
  });
}

function chatMessages(model: string, messages: readonly ContextMessage[]): RawItem[] {
  const ids = wireIds(messages, CALL_ID_LENGTH);
  const idOf = (id: string | undefined) => ids.get(id ?? '') ?? id ?? '';
  return messages.map((message): RawItem => {
    if (message.role === 'tool') return { role: 'tool', tool_call_id: idOf(message.toolCallId), content: message.content };
    if (message.role === 'user') return { role: 'user', content: message.content };
    const calls = (message.toolCalls ?? []).map((call) => ({
      id: idOf(call.id),
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
    const neutral = {
      role: 'assistant',
      content: message.content.trim() === '' ? null : message.content,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const [raw] = readRaw(message, { provider: PROVIDER, model }) ?? [];
    return raw === undefined ? neutral : withExtras(neutral, raw);
  });
}

/** Puts the server's own fields (signatures, reasoning details) back where they were. */
function withExtras(neutral: RawItem, raw: RawItem): RawItem {
  const rawCalls = Array.isArray(raw['tool_calls']) ? raw['tool_calls'] : [];
  const calls = Array.isArray(neutral['tool_calls']) ? neutral['tool_calls'] : [];
  return {
    ...raw,
    ...neutral,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call, index) => ({
            ...(isRecord(rawCalls[index]) ? rawCalls[index] : {}),
            ...(isRecord(call) ? call : {}),
          })),
        }),
  };
}

/** Parallel calls as steps of one call each, for servers whose template knows no others; text stays with the first. */
export function oneCallEach(messages: readonly ContextMessage[]): ContextMessage[] {
  return messages.flatMap((message, index) => {
    const calls = message.toolCalls ?? [];
    if (message.role === 'tool' && belongsToParallel(messages, index)) return [];
    if (calls.length < 2) return [message];
    const results = messages.slice(index + 1, index + 1 + calls.length);
    return calls.flatMap((call, position): ContextMessage[] => {
      const result = results.find((candidate) => candidate.toolCallId === call.id);
      const single = { ...message, content: position === 0 ? message.content : '', toolCalls: [call], providerRaw: undefined };
      return result === undefined ? [single] : [single, result];
    });
  });
}

function belongsToParallel(messages: readonly ContextMessage[], index: number): boolean {
  let head = index;
  while (messages[head]?.role === 'tool') head -= 1;
  return (messages[head]?.toolCalls?.length ?? 0) > 1;
}
