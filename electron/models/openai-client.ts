/** I/O: the OpenAI SDK as both OpenAI adapters use it: every value from our options, no retries, no logging, our own fetch. */
import type OpenAI from 'openai';
import { guardedFetch, type Onlooker } from './guarded-fetch.ts';
import type { Failure, ErrorContext, VendorError } from './provider-errors.ts';
import { classify, networkFailure } from './provider-errors.ts';
import { isRecord } from './raw-forms.ts';
import { retryAfterMs } from './retry.ts';

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';
/** The SDK insists on a key; local servers have none, and our fetch sends none then. */
const NO_KEY = 'none';

export interface OpenAiEndpoint {
  apiKey: string | undefined;
  /** May carry a query, e.g. Azure's `?api-version=…`; it is sent with every request. */
  baseUrl: string;
  jsonBecomesEvent: boolean;
}

/** The SDK is loaded at the first request only: the demo model must start without it. */
export function loadOpenAi() {
  return import('openai');
}

/** A client for one try. */
export async function openAiClient(endpoint: OpenAiEndpoint, onlooker: Onlooker): Promise<OpenAI> {
  const { OpenAI: Client } = await loadOpenAi();
  const url = new URL(endpoint.baseUrl);
  const query = Object.fromEntries(url.searchParams);
  url.search = '';
  const key = endpoint.apiKey;
  return new Client({
    apiKey: key ?? NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: url.href.replace(/\/$/, ''),
    defaultQuery: query,
    maxRetries: 0,
    // Our own limits end a request; the SDK's must not come first.
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: guardedFetch({
      keyHeaders: keyHeaders(key, url),
      touch: onlooker.touch,
      ...(onlooker.sent && { sent: onlooker.sent }),
      jsonBecomesEvent: endpoint.jsonBecomesEvent,
    }),
  });
}

/** Azure takes a bearer token for a sign-in token, so its keys have a header of their own. */
function keyHeaders(key: string | undefined, url: URL): Record<string, string> {
  if (key === undefined) return {};
  return /(^|\.)azure\.(com|us|cn)$/.test(url.hostname) ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}

/** The host of an address for messages; the text itself when it is no address. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** Makes a failure of what the OpenAI SDK throws. Recognised by shape: compatible servers and SDK versions differ. */
export function translateOpenAiError(error: unknown, context: ErrorContext, now: number): Failure {
  if (!(error instanceof Error)) return networkFailure(error, context);
  const status: unknown = Reflect.get(error, 'status');
  const body: unknown = Reflect.get(error, 'error');
  if (typeof status !== 'number' && !isRecord(body)) return networkFailure(error, context);
  const headers: unknown = Reflect.get(error, 'headers');
  return classify(
    openAiVendorError(isRecord(body) ? body : {}, {
      status: typeof status === 'number' ? status : null,
      fallbackMessage: isRecord(body) ? '' : error.message,
      retryAfterMs: headers instanceof Headers ? retryAfterMs(headers, now) : null,
    }),
    context,
  );
}

const EXHAUSTED_CODES = /insufficient_quota|billing|spend|quota_exceeded|credits?_exhausted|payment_required|account_deactivated/i;
const EXHAUSTED_WORDS = /exceeded your current quota|billing|spend(?:ing)? limit|insufficient (?:credits|balance|quota)/i;

/** Reads an error object of the OpenAI form, from a body or from an event inside a 200 stream (P3). */
export function openAiVendorError(
  body: Record<string, unknown>,
  around: { status: number | null; fallbackMessage?: string; retryAfterMs?: number | null },
): VendorError {
  const word = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  const code = word(body['code']);
  const type = word(body['type']);
  const message = word(body['message']) || (around.fallbackMessage ?? '');
  // OpenRouter repeats the HTTP status as the code of an error inside a stream.
  const inner = around.status === null && /^[45]\d\d$/.test(code) ? Number(code) : null;
  return {
    status: around.status ?? inner,
    code: inner === null ? code : '',
    type: type === 'error' ? '' : type,
    message,
    retryAfterMs: around.retryAfterMs ?? null,
    exhausted: EXHAUSTED_CODES.test(`${code} ${type}`) || EXHAUSTED_WORDS.test(message),
  };
}
