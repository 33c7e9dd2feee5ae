/** A model that plays a script, one entry per call, and fails the test on a call it does not expect. */
import type { LanguageModel, ModelEvent, ModelOutcome, ModelRequest, ModelToolCall } from '../../electron/engine/ports.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import { ConsoleError } from '../../shared/errors.ts';
import type { Usage } from '../../shared/usage.ts';

/** What one call does: events in order; a promise is waited for; a function runs when its turn comes. */
export type ScriptStep = ModelEvent | Promise<unknown> | (() => unknown);
export type ScriptEntry = ScriptStep[] | ((request: ModelRequest, signal: AbortSignal) => ScriptStep[] | AsyncIterable<ModelEvent>);

type ModelEnd = Extract<ModelEvent, { type: 'model-end' }>;

export const SOME_USAGE: Usage = { inputTokens: 100, cacheReadTokens: 20, cacheWriteTokens: 0, outputTokens: 10, reasoningTokens: 0 };

export function end(outcome: ModelOutcome, rest: Partial<Omit<ModelEnd, 'type' | 'outcome'>> = {}): ModelEnd {
  return { type: 'model-end', outcome, text: '', calls: [], raw: null, usage: SOME_USAGE, finishReason: null, error: null, ...rest };
}

export function delta(text: string): ModelEvent {
  return { type: 'text-delta', id: 'text-1', delta: text };
}

/** An answer that streams word by word. */
export function answer(text: string): ScriptStep[] {
  return [...(text.match(/\S+\s*/gu) ?? []).map(delta), end('answered', { text })];
}

let callNumber = 0;

export function call(name: string, args: Record<string, unknown> | null = {}, id?: string): ModelToolCall {
  callNumber += 1;
  return { id: id ?? `call_${callNumber}`, name, argumentsText: args === null ? '{oops' : JSON.stringify(args), arguments: args };
}

export function calls(...made: ModelToolCall[]): ScriptStep[] {
  return [end('tool-calls', { calls: made })];
}

export function failure(outcome: ModelOutcome, error: Partial<ErrorInfo> = {}, text = ''): ScriptStep[] {
  return [
    end(outcome, { text, usage: null, error: { code: 'model-unknown', message: 'the provider failed', retryable: false, ...error } }),
  ];
}

/** Waits for ever, whatever the signal says. */
export const forever = (): Promise<never> => new Promise(() => undefined);

/** Waits until the signal aborts, as a well-behaved adapter does. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new ConsoleError('cancelled', 'aborted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

export interface ScriptedModel extends LanguageModel {
  /** Every request so far, as copies. */
  readonly requests: ModelRequest[];
  /** Requests the console made for itself, as copies. */
  readonly helperRequests: ModelRequest[];
  /** Answers calls the console makes for itself (they bring no tools) apart from the script; they are not among `requests`. */
  answerHelpers(answer: (request: ModelRequest) => ScriptStep[]): void;
  /** Adds entries to the script. */
  expect(...entries: ScriptEntry[]): void;
  /** Calls that the script did not foresee, and entries nobody asked for. Empty in a passing test. */
  problems(): string[];
}

export function createScriptedModel(...script: ScriptEntry[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  const helperRequests: ModelRequest[] = [];
  const unexpected: string[] = [];
  const entries = [...script];
  let helper: ((request: ModelRequest) => ScriptStep[]) | null = null;
  return {
    provider: 'scripted',
    model: 'test-1',
    label: 'scripted model of the tests',
    windowTokens: 32_000,
    requests,
    helperRequests,
    answerHelpers: (made) => {
      helper = made;
    },
    expect: (...more) => {
      entries.push(...more);
    },
    problems: () => [...unexpected, ...entries.map((_, index) => `scripted call ${requests.length + index + 1} was never made`)],
    async *stream(request, signal) {
      if (helper !== null && request.tools.length === 0) {
        helperRequests.push(structuredClone(request));
        yield* played(helper(structuredClone(request)));
        return;
      }
      requests.push(structuredClone(request));
      const entry = entries.shift();
      if (entry === undefined) {
        unexpected.push(`unexpected model call ${requests.length}: ${JSON.stringify(request.messages.at(-1))}`);
        throw new Error('unexpected model call');
      }
      const steps = typeof entry === 'function' ? entry(request, signal) : entry;
      if (Symbol.asyncIterator in steps) {
        yield* steps;
        return;
      }
      yield* played(steps);
    },
  };
}

async function* played(steps: readonly ScriptStep[]): AsyncGenerator<ModelEvent> {
  for (const step of steps) {
    if (typeof step === 'function') await step();
    else if (step instanceof Promise) await step;
    else yield step;
  }
}
