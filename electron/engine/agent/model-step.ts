/** One model call of a run: streams it, records it, and tells how it came out. Never rejects for what a model does. */
import type { ContextMessage, ContextPlan } from '../../../shared/compaction.ts';
import type { NewMessage } from '../../../shared/conversation.ts';
import type { ErrorInfo } from '../../../shared/errors.ts';
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import type { Usage } from '../../../shared/usage.ts';
import type { SentRequest } from '../archive/request-archive.ts';
import { requestLength } from '../archive/request-text.ts';
import { offeredTools } from '../tools/recall-conversation.ts';
import type { ModelEvent, ModelOutcome, ModelRequest } from '../ports.ts';
import type { OpenSpan } from '../trace/recorder.ts';
import type { RunContext } from './run-context.ts';
import { requestTokens } from './run-forecast.ts';
import { createStreamedText } from './streamed-text.ts';
import type { StreamedText } from './streamed-text.ts';
import { goOnMessage, toContextMessage } from './turn-messages.ts';

type ModelEnd = Extract<ModelEvent, { type: 'model-end' }>;

/** `ended`: the run was ended from outside meanwhile; `text` is what had arrived. */
export type ModelReply = { kind: 'reply'; end: ModelEnd } | { kind: 'ended'; text: string };

/** Outcomes that show that the request reached the model. */
const SENT_OUTCOMES: readonly ModelOutcome[] = ['answered', 'tool-calls', 'refused', 'truncated', 'malformed-tool'];

/** What a run sends: the plan's messages and the current turn, under a fresh system prompt. */
export function modelRequest(run: RunContext, plan: ContextPlan, system: string): ModelRequest {
  return {
    system,
    tools: offeredTools(run.deps.tools.specs(), plan),
    messages: [...plan.messages, ...run.messages.flatMap((message) => turnMessages(run, message))],
    conversationId: run.scope.conversationId,
  };
}

/** A partial text that is gone on from is followed by the request to do so; it is sent and not stored. */
function turnMessages(run: RunContext, message: NewMessage): ContextMessage[] {
  const sent = toContextMessage(message, run.scope.turn);
  return message.id === run.goesOnFrom ? [sent, goOnMessage(message.content)] : [sent];
}

export interface ModelStep {
  step: number;
  request: ModelRequest;
  parent: OpenSpan;
  /** Called once, when it is certain that the request was sent. */
  onSent: () => Promise<void>;
}

/** Runs one model call to its end. Exactly one reply; a stream that breaks its port's rules ends as `interrupted` or `unknown`. */
export async function runModelStep(run: RunContext, input: ModelStep): Promise<ModelReply> {
  const { step, request } = input;
  const { conversationId, turn, runId } = run.scope;
  const model = `${run.model.provider}/${run.model.model}`;
  const forecastTokens = requestTokens(run, request);
  const outgoing = run.privacy.outgoing(request);
  const requestBytes = requestLength(outgoing);
  const span = run.recorder.open({ kind: 'model-call', name: model, step, parent: input.parent, requestBytes });
  const sent = run.deps.archive.watch({ spanId: span.id, conversationId, turn, purpose: 'answer' }, outgoing, run.model);
  void run.privacy.save();
  run.recorder.event('model-start', step, { model, messages: request.messages.length, forecastTokens });
  run.deps.emit({ type: 'model-start', ...run.scope, step, model });
  void run.recorder.flush();
  const streamed = createStreamedText({
    clock: run.deps.clock,
    logger: run.deps.logger,
    save: (text) => run.deps.store.conversations.saveStreamedText(conversationId, turn, runId, text),
  });
  run.streaming = { step, text: () => streamed.text() };
  const reading = new StreamReading(run, { ...input, onSent: sent.onSent }, span, streamed);
  const end = await reading.toEnd();
  sent.close();
  await streamed.settle();
  if (end === null) {
    const ms = span.end({ status: 'cancelled', note: run.control.cause() ?? '', response: { text: streamed.text(), calls: [] } });
    reading.count();
    await recordUsage(run, step, null);
    run.recorder.event('model-end', step, { outcome: 'cancelled', ms });
    run.deps.emit({ type: 'model-end', ...run.scope, step, outcome: 'cancelled', ms, usage: null });
    return { kind: 'ended', text: streamed.text() };
  }
  await finishModelStep(run, { ...input, forecastTokens }, span, end);
  if (reading.sent || SENT_OUTCOMES.includes(end.outcome)) await input.onSent();
  return { kind: 'reply', end };
}

async function finishModelStep(
  run: RunContext,
  input: ModelStep & { forecastTokens: number },
  span: OpenSpan,
  end: ModelEnd,
): Promise<void> {
  const { step, forecastTokens } = input;
  const costMicroUsd = await recordUsage(run, step, end.usage);
  const ms = span.end({
    status: end.error === null ? 'ok' : 'error',
    note: end.outcome,
    error: end.error,
    usage: end.usage,
    costMicroUsd,
    response: { outcome: end.outcome, finishReason: end.finishReason, text: end.text, calls: end.calls },
  });
  run.recorder.addUsage(end.usage, costMicroUsd);
  run.recorder.event('model-end', step, {
    outcome: end.outcome,
    ms,
    usage: end.usage,
    costMicroUsd,
    forecastTokens,
    finishReason: end.finishReason,
  });
  run.deps.emit({ type: 'model-end', ...run.scope, step, outcome: end.outcome, ms, usage: end.usage });
  if (end.error === null) return;
  run.recorder.event('api-error', step, { code: end.error.code, message: end.error.message, outcome: end.outcome });
  run.deps.emit({ type: 'api-error', ...run.scope, step, error: end.error });
}

type ReadInput = Pick<ModelStep, 'step' | 'request'> & { onSent: SentRequest['onSent'] };

/** Reads one stream; what comes after its end, or after the run's, is dropped. */
class StreamReading {
  sent = false;
  readonly #run: RunContext;
  readonly #input: ReadInput;
  readonly #span: OpenSpan;
  readonly #streamed: StreamedText;
  #wait: OpenSpan | null = null;
  #deltas = 0;

  constructor(run: RunContext, input: ReadInput, span: OpenSpan, streamed: StreamedText) {
    this.#run = run;
    this.#input = input;
    this.#span = span;
    this.#streamed = streamed;
  }

  /** null: the run was ended from outside. */
  async toEnd(): Promise<ModelEnd | null> {
    const { control, model } = this.#run;
    let iterator: AsyncIterator<ModelEvent> | null = null;
    try {
      iterator = model.stream(this.#input.request, control.signal, this.#input.onSent)[Symbol.asyncIterator]();
      for (;;) {
        const next = await control.race(iterator.next());
        this.#endWait(control.cause() === null ? 'ok' : 'cancelled');
        if (next.done) return this.#broken(new ConsoleError('model-interrupted', "the model's answer broke off", { retryable: true }));
        if (next.value.type === 'model-end') {
          this.#first(next.value.calls.length > 0 || next.value.text !== '');
          this.count();
          return this.#complete(next.value);
        }
        this.#take(next.value);
      }
    } catch (error) {
      this.#endWait('cancelled');
      if (control.cause() !== null) return null;
      return this.#broken(error);
    } finally {
      // A stream that ignores the signal may never return: nobody waits for it.
      void closeQuietly(iterator);
    }
  }

  /** One trace event for all deltas of the call. */
  count(): void {
    if (this.#deltas === 0) return;
    this.#run.recorder.event('text-delta', this.#input.step, { count: this.#deltas, characters: this.#streamed.text().length });
    this.#deltas = 0;
  }

  #take(event: Exclude<ModelEvent, ModelEnd>): void {
    const { step } = this.#input;
    const { scope, recorder, deps } = this.#run;
    switch (event.type) {
      case 'text-delta':
        if (event.delta === '') return;
        this.#first(true);
        this.#deltas += 1;
        this.#streamed.add(event.delta);
        deps.emit({ type: 'text-delta', ...scope, step, id: event.id, delta: event.delta });
        return;
      case 'retry-start': {
        const { attempt, delayMs, reason } = event;
        this.#wait = recorder.open({ kind: 'retry-wait', name: reason, step, parent: this.#span });
        this.#run.retry = { attempt, delayMs, reason, until: deps.clock.now() + delayMs };
        recorder.event('retry-start', step, { attempt, delayMs, reason, code: event.error.code });
        deps.emit({ type: 'retry-start', ...scope, step, attempt, delayMs, reason });
        return;
      }
      case 'notice':
        recorder.event('notice', step, { message: event.message });
        // Every step of a run repairs and loses the same things: a person is told once.
        if (this.#run.told.has(event.message)) return;
        this.#run.told.add(event.message);
        deps.emit({ type: 'notice', level: 'info', message: event.message, conversationId: scope.conversationId });
    }
  }

  #first(arrived: boolean): void {
    if (!arrived) return;
    this.sent = true;
    this.#span.markFirstToken();
  }

  #endWait(status: 'ok' | 'cancelled'): void {
    this.#wait?.end({ status });
    this.#wait = null;
    this.#run.retry = null;
  }

  /** The adapter's text is the whole one; what was streamed stands in where it names none. */
  #complete(end: ModelEnd): ModelEnd {
    const text = (end.text === '' ? this.#streamed.text() : end.text).toWellFormed();
    return { ...end, text };
  }

  #broken(error: unknown): ModelEnd {
    this.count();
    const info: ErrorInfo = toErrorInfo(error);
    const outcome: ModelOutcome = info.code === 'model-interrupted' ? 'interrupted' : 'unknown';
    const text = this.#streamed.text();
    return { type: 'model-end', outcome, text, calls: [], raw: null, usage: null, finishReason: null, error: info };
  }
}

async function closeQuietly(iterator: AsyncIterator<ModelEvent> | null): Promise<void> {
  try {
    await iterator?.return?.();
  } catch {
    // The stream is finished for us; how it ends now changes nothing.
  }
}

function recordUsage(run: RunContext, step: number, usage: Usage | null): Promise<number | null> {
  const { deps, scope, model, settings } = run;
  const { provider, model: name } = model;
  return deps.ledger.record({ ...scope, tenant: run.tenant, step, purpose: 'answer', provider, model: name, usage }, settings);
}
