/** The offline demo model behind the LanguageModel port: scripted, honest about it, no network. I/O: only the pause between words, by the clock. */
import { createHash } from 'node:crypto';
import type { ContextMessage } from '../../../shared/compaction.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { Clock, LanguageModel, ModelEvent, ModelRequest, ModelToolCall } from '../../engine/ports.ts';
import { checkHistory, repairHistory } from '../history-rules.ts';
import { decide } from './demo-engine.ts';
import { demoView, type DemoCall, type DemoStep, unfinishedText } from './demo-view.ts';

const WINDOW_TOKENS = 128_000;
const TEXT_ID = 'text-1';

export interface DemoModelOptions {
  /** Pause before each word, in milliseconds; 0 for none. */
  delayMs: number;
  clock: Clock;
}

/** Words with the white space before them, so that joined pieces are the text again. */
function pieces(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Different for every position of every conversation, and the same when the same request comes again. */
function requestKey(conversationId: string, messages: readonly ContextMessage[]): string {
  const parts = messages.map(({ role, content, toolCalls, toolCallId, turn }) => [
    role,
    content,
    toolCalls ?? [],
    toolCallId ?? '',
    turn ?? 0,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([conversationId, parts]))
    .digest('hex')
    .slice(0, 16);
}

function modelCalls(calls: readonly DemoCall[], key: string): ModelToolCall[] {
  return calls.map((call, index) => ({
    id: `demo-${key}-${index + 1}`,
    name: call.name,
    argumentsText: JSON.stringify(call.arguments),
    arguments: call.arguments,
  }));
}

function endOf(step: DemoStep, key: string): ModelEvent {
  const common = { type: 'model-end', raw: null, usage: null, error: null } as const;
  if (step.kind === 'say') return { ...common, outcome: 'answered', text: step.text, calls: [], finishReason: 'stop' };
  return { ...common, outcome: 'tool-calls', text: '', calls: modelCalls(step.calls, key), finishReason: 'tool-calls' };
}

function refusal(message: string): ModelEvent {
  return {
    type: 'model-end',
    outcome: 'invalid-request',
    text: '',
    calls: [],
    raw: null,
    usage: null,
    finishReason: null,
    error: { code: 'model-invalid-request', message, retryable: false },
  };
}

/** Of an answer whose beginning was said already, what is left; the whole where the two do not fit. */
function remainder(step: DemoStep, said: string): DemoStep {
  if (step.kind !== 'say' || said === '' || !step.text.startsWith(said)) return step;
  const text = step.text.slice(said.length);
  return text.trim() === '' ? step : { kind: 'say', text };
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ConsoleError('cancelled', 'The answer was stopped.');
}

/**
 * The scripted model. It decides only from `request.messages`: the system prompt is ignored and nothing is kept between requests, so a turn
 * that memory left out is really forgotten. Tokens are not reported (`usage` is null), as it has none.
 */
export function createDemoModel({ delayMs, clock }: DemoModelOptions): LanguageModel {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    throwIfAborted(signal);
    const { messages, repairs } = repairHistory(request.messages);
    for (const repair of repairs) yield { type: 'notice', message: `The history was repaired before sending: ${repair}.` };
    const [problem] = messages.length === 0 ? ['there is no message to answer'] : checkHistory(messages);
    if (problem !== undefined) {
      yield refusal(`The conversation cannot be sent to the demo model: ${problem}.`);
      return;
    }
    const names = request.tools.map(({ name }) => name);
    const step = remainder(decide(demoView(messages, names)), unfinishedText(messages));
    for (const delta of step.kind === 'say' ? pieces(step.text) : []) {
      if (delayMs > 0) await clock.sleep(delayMs, signal);
      throwIfAborted(signal);
      yield { type: 'text-delta', id: TEXT_ID, delta };
    }
    throwIfAborted(signal);
    yield endOf(step, requestKey(request.conversationId, messages));
  }

  return { provider: 'demo', model: 'scripted', label: 'demo model (scripted, not an AI)', windowTokens: WINDOW_TOKENS, stream };
}
