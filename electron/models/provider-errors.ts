/** Pure: turns what a provider or its SDK reports into one neutral failure with a sentence for a person. Keys never pass. */
import type { ModelOutcome } from '../engine/ports.ts';
import type { ErrorCode, ErrorInfo } from '../../shared/errors.ts';

/** How a failure may be tried again while nothing was streamed: `backoff` up to the policy's limit, `once` at once. */
export type RetryKind = 'never' | 'backoff' | 'once';

/** Why one try failed. */
export interface Failure {
  outcome: Exclude<ModelOutcome, 'answered' | 'tool-calls'>;
  error: ErrorInfo;
  retry: RetryKind;
  /** Least wait the provider asked for, in milliseconds. */
  retryAfterMs: number | null;
  /** The provider's own word. */
  finishReason: string | null;
}

/** What the translator knows about the endpoint; `secrets` are cut out of every message. */
export interface ErrorContext {
  /** For people, e.g. `OpenAI`, `Gemini`. */
  label: string;
  model: string;
  /** Host of the endpoint, for "could not reach". */
  host: string;
  secrets: readonly string[];
}

/** A provider's error, taken out of whatever carried it (HTTP status and body, or an event inside a 200 stream). */
export interface VendorError {
  /** HTTP status; null for an error inside a stream. */
  status: number | null;
  /** The provider's code or status word, e.g. `insufficient_quota`, `RESOURCE_EXHAUSTED`. */
  code: string;
  /** OpenAI's `type`, Google's `reason`. */
  type: string;
  message: string;
  retryAfterMs: number | null;
  /** A quota that only a new day or a payment lifts. */
  exhausted: boolean;
}

const MESSAGE_LENGTH = 300;
const SECRET_FORMS = /\b(?:sk|pk|rk|gsk|xai)-[A-Za-z0-9_*-]{6,}|\bAIza[0-9A-Za-z_-]{10,}|\bBearer\s+\S+/g;
/** Shorter values would blank ordinary words. */
const LEAST_SECRET_LENGTH = 6;

/** Takes keys out of a text: the known ones and whatever looks like one. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= LEAST_SECRET_LENGTH) clean = clean.replaceAll(secret, '[key]');
  }
  return clean.replaceAll(SECRET_FORMS, '[key]');
}

const OUTCOME_CODES: Record<Failure['outcome'], ErrorCode> = {
  refused: 'model-blocked',
  blocked: 'model-blocked',
  truncated: 'model-interrupted',
  'malformed-tool': 'model-unknown',
  interrupted: 'model-interrupted',
  'rate-limited': 'model-rate-limited',
  quota: 'model-quota',
  auth: 'model-auth',
  'invalid-request': 'model-invalid-request',
  overloaded: 'model-overloaded',
  unknown: 'model-unknown',
};
const RETRYABLE: readonly Failure['outcome'][] = ['interrupted', 'rate-limited', 'overloaded', 'unknown', 'malformed-tool'];

/** Builds a failure; the code and whether a later try may help follow from the outcome unless said otherwise. */
export function failure(
  outcome: Failure['outcome'],
  message: string,
  details: { code?: ErrorCode; retry?: RetryKind; retryAfterMs?: number | null; finishReason?: string | null } = {},
): Failure {
  return {
    outcome,
    error: { code: details.code ?? OUTCOME_CODES[outcome], message, retryable: RETRYABLE.includes(outcome) },
    retry: details.retry ?? 'never',
    retryAfterMs: details.retryAfterMs ?? null,
    finishReason: details.finishReason ?? null,
  };
}

const CONTEXT_WORDS =
  /context[ _]?(?:length|window|size)|maximum context|prompt is too long|input token count|too many (?:input )?tokens|request too large|exceeds the (?:maximum|available) (?:number of tokens|context)/i;
const QUOTA_WORDS = /insufficient_quota|billing|spend(?:ing)?[ _]limit|credit|budget[ _]exceeded|payment/i;
const BLOCK_WORDS = /content_filter|content_policy|invalid_prompt|moderation/i;
const KEY_WORDS = /api[ _]?key|invalid_api_key|API_KEY_INVALID|API_KEY_SERVICE_BLOCKED|PERMISSION_DENIED|UNAUTHENTICATED/i;
const OVERLOAD_WORDS = /overloaded|server_error|server_is_overloaded|slow_down|UNAVAILABLE|INTERNAL|DEADLINE_EXCEEDED|engine_overloaded/;
const RATE_WORDS = /rate_limit|RESOURCE_EXHAUSTED|too_many_requests/;

/** Classifies a provider's error by its inner code first and its status second (P3–P9). */
export function classify(vendor: VendorError, context: ErrorContext): Failure {
  const words = `${vendor.code} ${vendor.type}`;
  const finishReason = vendor.code || vendor.type || (vendor.status === null ? null : String(vendor.status));
  const said = quote(vendor.message, context);
  const make = (outcome: Failure['outcome'], message: string, details: Parameters<typeof failure>[2] = {}) =>
    failure(outcome, message, { finishReason, ...details });

  if (vendor.exhausted || vendor.status === 402 || QUOTA_WORDS.test(words)) return make('quota', quotaMessage(context));
  if (CONTEXT_WORDS.test(`${words} ${vendor.message}`) && vendor.status !== 500) return contextTooLong(context, finishReason);
  if (vendor.status === 413) return contextTooLong(context, finishReason);
  if (vendor.status === 429 || RATE_WORDS.test(words)) {
    return make('rate-limited', `${context.label} limits how fast "${context.model}" may be asked. ${waitAdvice(vendor.retryAfterMs)}`, {
      retry: 'backoff',
      retryAfterMs: vendor.retryAfterMs,
    });
  }
  if (vendor.status === 404 || vendor.code === 'model_not_found') return make('auth', notFoundMessage(vendor, context));
  if (vendor.status === 401 || vendor.status === 403 || KEY_WORDS.test(words)) return make('auth', keyMessage(vendor, context));
  if (BLOCK_WORDS.test(words)) return make('blocked', `${context.label} blocked this request (${finishReason ?? 'content filter'}).`);
  if (isOverload(vendor.status) || OVERLOAD_WORDS.test(words)) {
    const status = vendor.status === null ? '' : ` (${vendor.status})`;
    return make('overloaded', `${context.label} is overloaded or down at the moment${status}. Try again in a minute.`, {
      retry: 'backoff',
      retryAfterMs: vendor.retryAfterMs,
    });
  }
  if (vendor.status !== null && vendor.status >= 300 && vendor.status < 400) {
    return make('invalid-request', `${context.host} answers with a redirect. Put the final address into the base URL setting.`);
  }
  if (vendor.status !== null && vendor.status >= 400) return make('invalid-request', `${context.label} refused the request${said}`);
  return make('unknown', `${context.label} ended with an error we do not know${said}`, { retry: 'once' });
}

function isOverload(status: number | null): boolean {
  return status !== null && (status >= 500 || status === 408 || status === 409);
}

function quote(message: string, context: ErrorContext): string {
  const text = redact(message, context.secrets).replaceAll(/\s+/g, ' ').trim();
  // An HTML error page says nothing to a person.
  if (text === '' || text.startsWith('<')) return '.';
  return text.length > MESSAGE_LENGTH ? `: ${text.slice(0, MESSAGE_LENGTH).toWellFormed()}…` : `: ${text}`;
}

function quotaMessage(context: ErrorContext): string {
  return `${context.label} refuses more work for this account: the quota or spending limit is used up. Fix billing or the limit at the provider, or choose another model in settings.`;
}

function contextTooLong(context: ErrorContext, finishReason: string | null): Failure {
  return failure('invalid-request', `The request is longer than "${context.model}" can take. Lower the history budget in settings.`, {
    code: 'model-context-too-long',
    finishReason,
  });
}

function waitAdvice(retryAfterMs: number | null): string {
  return retryAfterMs === null ? 'Try again in a minute.' : `It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
}

function keyMessage(vendor: VendorError, context: ErrorContext): string {
  if (vendor.status === 403)
    return `The key is not allowed to use "${context.model}" at ${context.label}. Check key and model in settings.`;
  return `${context.label} refused the key. Enter a valid key in settings.`;
}

function notFoundMessage(vendor: VendorError, context: ErrorContext): string {
  const known = vendor.code !== '' || vendor.type !== '' || /model/i.test(vendor.message);
  return known
    ? `${context.label} has no model "${context.model}", or this key may not use it. Choose another model in settings.`
    : `${context.host} has no such API. Check the base URL in settings.`;
}

/** The stream ended without its terminal event, or the connection broke (P1, P2). */
export function interruptedFailure(context: ErrorContext, detail: string): Failure {
  return failure('interrupted', `The connection to ${context.label} ended before the answer was complete (${detail}).`, {
    retry: 'backoff',
  });
}

/** Nothing came back at all: a 200 without a body, or one that is no event stream (P7). */
export function emptyBodyFailure(context: ErrorContext): Failure {
  return failure('overloaded', `${context.label} sent an empty answer. Try again in a minute.`, { retry: 'backoff' });
}

/** The model stopped normally without saying anything (P13). */
export function emptyAnswerFailure(context: ErrorContext, finishReason: string | null): Failure {
  return failure('unknown', `${context.label} answered with nothing.`, { retry: 'once', finishReason });
}

export function unknownFinishFailure(context: ErrorContext, finishReason: string): Failure {
  return failure('unknown', `${context.label} stopped for a reason we do not know: ${quoteWord(finishReason)}.`, { finishReason });
}

export function truncatedFailure(finishReason: string | null): Failure {
  return failure('truncated', 'The answer was cut off at the output limit of the model.', { finishReason });
}

export function blockedFailure(context: ErrorContext, finishReason: string): Failure {
  return failure('blocked', `${context.label} blocked this answer (${quoteWord(finishReason)}).`, { finishReason });
}

export function malformedToolFailure(context: ErrorContext, finishReason: string): Failure {
  return failure(
    'malformed-tool',
    `${context.label} reports a tool call that is not valid (${quoteWord(finishReason)}); nothing was run.`,
    {
      retry: 'once',
      finishReason,
    },
  );
}

export function timeoutFailure(context: ErrorContext, kind: 'idle' | 'total', ms: number): Failure {
  const seconds = Math.round(ms / 1000);
  const detail = kind === 'idle' ? `silent for ${seconds} s` : `not finished after ${seconds} s`;
  // After the whole time is used up another try would double the wait.
  return { ...interruptedFailure(context, detail), retry: kind === 'idle' ? 'backoff' : 'never' };
}

export function missingKeyFailure(context: ErrorContext): Failure {
  return failure('auth', `There is no key for ${context.label}. Enter one in settings or set it in the environment.`);
}

function quoteWord(word: string): string {
  return word.slice(0, 60).toWellFormed();
}

const NETWORK_WORDS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is unknown, or there is no network',
  EAI_AGAIN: 'the name is unknown, or there is no network',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was reset',
  ETIMEDOUT: 'no answer',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
};

/** A failed connection, from whatever Node or the SDK threw (P2). */
export function networkFailure(error: unknown, context: ErrorContext): Failure {
  const code = networkCode(error);
  const word = code === null ? 'the connection broke' : (NETWORK_WORDS[code] ?? code);
  return failure('interrupted', `No complete answer from ${context.host}: ${word}.`, { retry: 'backoff', finishReason: code });
}

/** The deepest system error code in a chain of causes. */
function networkCode(error: unknown): string | null {
  let found: string | null = null;
  let current = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    const code: unknown = Reflect.get(current, 'code');
    if (typeof code === 'string') found = code;
    current = current.cause;
  }
  return found;
}
