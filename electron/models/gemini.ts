/** I/O: Gemini's generateContentStream with our own history (P27); the provider's parts go back exactly as they came (P18). */
import type { GoogleGenAI } from '@google/genai';
import type { LanguageModel, ModelRequest } from '../engine/ports.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { languageModel, randomCallId } from './adapter.ts';
import type { AdapterOptions } from './adapter.ts';
import { geminiContents } from './gemini-contents.ts';
import { readGeminiChunks } from './gemini-chunks.ts';
import { guardedFetch, type Onlooker } from './guarded-fetch.ts';
import { toWellFormedValue } from './history-rules.ts';
import { hostOf } from './openai-client.ts';
import type { ErrorContext, Failure, VendorError } from './provider-errors.ts';
import { classify, networkFailure } from './provider-errors.ts';
import { isRecord } from './raw-forms.ts';
import { durationMs } from './retry.ts';
import { geminiTool } from './tool-schemas.ts';

export const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com';
const API_VERSION = 'v1beta';
const PROVIDER = 'gemini';
/** Sent with the one retry after a tool call that was not valid (P12). */
const HINT =
  'Your last tool call was not valid and was not run. Call one of the given tools with arguments that fit its schema, or answer.';

const HINTED = 'hint';

/** Creates the adapter. It needs a key; `baseUrl` defaults to Google's. */
export function createGemini(options: AdapterOptions): LanguageModel {
  const baseUrl = options.baseUrl ?? GEMINI_BASE_URL;
  return languageModel(options, {
    provider: PROVIDER,
    label: 'Gemini',
    host: hostOf(baseUrl),
    needsKey: true,
    load: loadGemini,
    variant: (earlier) => (earlier.some((failed) => failed.outcome === 'malformed-tool') ? HINTED : ''),
    translate: translateGeminiError,
    async *attempt(request, messages, scope, context) {
      const client = await geminiClient(options.apiKey ?? '', baseUrl, scope);
      const parameters = geminiParameters(options.model, request, messages, scope.variant === HINTED);
      const chunks = await client.models.generateContentStream({
        ...parameters,
        config: { ...parameters.config, abortSignal: scope.signal },
      } as never);
      return yield* readGeminiChunks(chunks as AsyncIterable<unknown>, {
        request,
        context,
        model: options.model,
        makeId: options.makeId ?? randomCallId,
      });
    },
  });
}

/** Loaded at the first request only: the demo model must start without it. */
function loadGemini() {
  return import('@google/genai');
}

/** The SDK with every value from us: no environment, no retries, no automatic calls. */
export async function geminiClient(apiKey: string, baseUrl: string, onlooker: Onlooker): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await loadGemini();
  return new Client({
    apiKey,
    vertexai: false,
    enterprise: false,
    apiVersion: API_VERSION,
    httpOptions: {
      // The version is ours to add; addresses are often copied with it.
      baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/v1(?:beta|alpha)?$/, ''),
      apiVersion: API_VERSION,
      fetch: guardedFetch({
        keyHeaders: { 'x-goog-api-key': apiKey },
        touch: onlooker.touch,
        ...(onlooker.sent && { sent: onlooker.sent }),
        jsonBecomesEvent: false,
      }),
    },
  });
}

/** What the SDK is given; stable from call to call, so that implicit caching works. */
export function geminiParameters(model: string, request: ModelRequest, messages: readonly ContextMessage[], hint: boolean) {
  const contents = geminiContents(model, messages);
  if (hint) contents.push({ role: 'user', parts: [{ text: HINT }] });
  return toWellFormedValue({
    model,
    contents,
    config: {
      systemInstruction: request.system,
      ...(request.tools.length === 0 ? {} : { tools: [{ functionDeclarations: request.tools.map(geminiTool) }] }),
      ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
      automaticFunctionCalling: { disable: true },
      automaticContinuation: false,
    },
  });
}

/** Makes a failure of what the Gemini SDK throws; the error body is JSON inside the message. */
export function translateGeminiError(error: unknown, context: ErrorContext): Failure {
  if (!(error instanceof Error)) return networkFailure(error, context);
  const status: unknown = Reflect.get(error, 'status');
  const body = errorBody(error.message);
  if (typeof status !== 'number' && body === null) return networkFailure(error, context);
  return classify(geminiVendorError(body ?? {}, typeof status === 'number' ? status : null), context);
}

function errorBody(message: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(message.slice(Math.max(0, message.indexOf('{'))));
    return isRecord(parsed) && isRecord(parsed['error']) ? parsed['error'] : null;
  } catch {
    return null;
  }
}

/** Reads Google's error form: status word, reason, RetryInfo and which quota was hit (P6). */
export function geminiVendorError(body: Record<string, unknown>, status: number | null): VendorError {
  const details = (Array.isArray(body['details']) ? body['details'] : []).filter(isRecord);
  const ofType = (name: string) => details.find((detail) => String(detail['@type']).endsWith(name));
  const violations = ofType('QuotaFailure')?.['violations'];
  const quotas = (Array.isArray(violations) ? violations : []).filter(isRecord);
  const reason = ofType('ErrorInfo')?.['reason'];
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  const perDay = quotas.some((quota) => /PerDay/i.test(String(quota['quotaId'])) || String(quota['quotaValue']) === '0');
  return {
    status: typeof body['code'] === 'number' ? body['code'] : status,
    code: typeof body['status'] === 'string' ? body['status'] : '',
    type: typeof reason === 'string' ? reason : '',
    message,
    retryAfterMs: durationMs(ofType('RetryInfo')?.['retryDelay']),
    exhausted: perDay || /prepay|credits are depleted|spend(?:ing)? cap/i.test(message),
  };
}
