/** Pure: what all wire adapters share: their options, and the frame that prepares a request, runs it and reports its end. */
import type { Clock, LanguageModel, ModelEvent, ModelRequest } from '../engine/ports.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { WireForm } from '../../shared/requests.ts';
import type { AttemptEnd, AttemptScope, TextDelta, Timeouts } from './model-stream.ts';
import { DEFAULT_TIMEOUTS, failedEnd, streamModel } from './model-stream.ts';
import type { ErrorContext, Failure } from './provider-errors.ts';
import { failure, missingKeyFailure } from './provider-errors.ts';
import type { RetryPolicy } from './retry.ts';
import { DEFAULT_RETRY } from './retry.ts';
import { prepareHistory } from './wire-history.ts';

export interface AdapterOptions {
  model: string;
  apiKey?: string;
  baseUrl?: string;
  clock: Clock;
  timeouts?: Partial<Timeouts>;
  retry?: Partial<RetryPolicy>;
  /** Tokens; null: unknown. */
  windowTokens?: number | null;
  /** Makes a call id nobody had before; random by default. */
  makeId?: () => string;
}

/** A header cannot carry these; a key with one was copied badly. */
const UNSENDABLE = /[^\x21-\x7e]/;

/** Our own call id, short enough for every API. */
export function randomCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** What a try is given by the frame. */
export interface WireScope extends AttemptScope {
  /** From `variant`; the body depends on it and on the request alone. */
  variant: string;
  /** To be given the body before it leaves; what it throws keeps it from being sent. */
  sent: (body: string) => Promise<void>;
}

/** One wire API. */
export interface WireAdapter {
  provider: string;
  label: string;
  host: string;
  needsKey: boolean;
  /** Loads the SDK; its time is not the provider's silence. */
  load(): Promise<unknown>;
  /** Words for what the next try's body does differently, learned from the server or from earlier tries. */
  variant(earlier: readonly Failure[]): string;
  /** One try. `messages` passed the checker and keep only raw forms this model may see. */
  attempt(
    request: ModelRequest,
    messages: ContextMessage[],
    scope: WireScope,
    context: ErrorContext,
  ): AsyncGenerator<TextDelta, AttemptEnd>;
  translate(error: unknown, context: ErrorContext): Failure;
}

/** The LanguageModel of one wire API: checks and repairs the history, streams tries, ends with exactly one `model-end`. */
export function languageModel(options: AdapterOptions, wire: WireAdapter): LanguageModel {
  const context: ErrorContext = {
    label: wire.label,
    model: options.model,
    host: wire.host,
    secrets: options.apiKey === undefined ? [] : [options.apiKey],
  };
  const { provider } = wire;
  const { model } = options;
  async function* stream(request: ModelRequest, signal: AbortSignal, onSent?: (sent: WireForm) => void): AsyncGenerator<ModelEvent> {
    if (signal.aborted) throw new ConsoleError('cancelled', 'The model call was stopped.');
    const ready = prepare(options, wire, context, request);
    if ('failure' in ready) {
      const { failure: failed, ...end } = failedEnd(ready.failure);
      yield { type: 'model-end', ...end, error: failed?.error ?? null };
      return;
    }
    for (const message of ready.notices) yield { type: 'notice', message };
    await wire.load();
    yield* streamModel({
      clock: options.clock,
      signal,
      timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
      retry: { ...DEFAULT_RETRY, ...options.retry },
      context,
      attempt: (scope) => {
        const variant = wire.variant(scope.earlier);
        const sent = async (body: string) => {
          const bytes = new TextEncoder().encode(body);
          onSent?.({ provider, model, variant, sha256: await sha256Hex(bytes), bytes: bytes.length });
        };
        return wire.attempt(request, ready.messages, { ...scope, variant, sent }, context);
      },
      translate: (error) => wire.translate(error, context),
    });
  }
  return {
    provider,
    model,
    label: `${wire.label} ${options.model}`,
    windowTokens: options.windowTokens ?? null,
    stream,
    async encode(request, variant) {
      const ready = prepare(options, wire, context, request);
      if ('failure' in ready) return null;
      await wire.load();
      return bodyOf((scope) => wire.attempt(request, ready.messages, { ...scope, variant }, context));
    },
  };
}

/** The body a try would send: it is stopped when it has the body and before anything leaves. */
async function bodyOf(attempt: (scope: Omit<WireScope, 'variant'>) => AsyncGenerator<TextDelta, AttemptEnd>): Promise<string | null> {
  const bodies: string[] = [];
  const sent = async (body: string): Promise<void> => {
    bodies.push(body);
    throw new ConsoleError('cancelled', 'The body was wanted, not its answer.');
  };
  const tries = attempt({ signal: new AbortController().signal, touch: () => undefined, earlier: [], sent });
  try {
    await tries.next();
  } catch {
    // How an SDK reports that its request did not leave is of no interest.
  }
  return bodies[0] ?? null;
}

async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

type Ready = { messages: ContextMessage[]; notices: string[] } | { failure: Failure };

/** Everything that can go wrong before a byte is sent. */
function prepare(options: AdapterOptions, wire: WireAdapter, context: ErrorContext, request: ModelRequest): Ready {
  const key = options.apiKey ?? '';
  if (wire.needsKey && key === '') return { failure: missingKeyFailure(context) };
  if (UNSENDABLE.test(key))
    return {
      failure: failure('auth', `The key for ${wire.label} holds a character no key has, e.g. a space. Enter it again in settings.`),
    };
  if (options.baseUrl !== undefined && !/^https?:\/\//.test(URL.canParse(options.baseUrl) ? options.baseUrl : '')) {
    return {
      failure: failure('invalid-request', `The base URL "${options.baseUrl}" is no http or https address. Correct it in settings.`),
    };
  }
  try {
    return prepareHistory(request.messages, { provider: wire.provider, model: options.model });
  } catch (error) {
    return { failure: failure('invalid-request', error instanceof Error ? error.message : String(error)) };
  }
}
