/** I/O through the model it wraps: records what a model streams and what the tools answered, as a tape with the original pieces. */
import type { LanguageModel, ModelEvent, ModelRequest } from '../engine/ports.ts';
import type { Tape, TapeStep } from './tape.ts';
import { redactText, redactValue, TAPE_FORMAT, TAPE_VERSION } from './tape.ts';

export interface TapeRecorder {
  /** To be used in place of the recorded model; streams exactly what that one streams. */
  model: LanguageModel;
  /** The conversation so far, redacted; null while nothing was answered. */
  tape(conversationId: string, about: string): Tape | null;
}

/** Wraps a model. Failed and stopped calls are not kept: a tape plays what worked. */
export function recordTape(inner: LanguageModel, secrets: readonly string[] = []): TapeRecorder {
  const conversations = new Map<string, Tape['turns']>();
  async function* stream(...call: Parameters<LanguageModel['stream']>): AsyncGenerator<ModelEvent> {
    const [request] = call;
    const turns = conversations.get(request.conversationId) ?? [];
    conversations.set(request.conversationId, turns);
    keepResults(turns, request, secrets);
    const pieces: string[] = [];
    for await (const event of inner.stream(...call)) {
      if (event.type === 'text-delta') pieces.push(event.delta);
      if (event.type === 'model-end') keepStep(turns, request, pieces, event, secrets);
      yield event;
    }
  }
  return {
    model: { provider: inner.provider, model: inner.model, label: inner.label, windowTokens: inner.windowTokens, stream },
    tape: (conversationId, about) => {
      const turns = conversations.get(conversationId) ?? [];
      if (turns.length === 0) return null;
      return structuredClone({
        format: TAPE_FORMAT,
        version: TAPE_VERSION,
        about: redactText(about, secrets),
        source: `${inner.provider}/${inner.model}`,
        turns,
      } satisfies Tape);
    },
  };
}

function keepStep(
  turns: Tape['turns'],
  request: ModelRequest,
  pieces: string[],
  end: Extract<ModelEvent, { type: 'model-end' }>,
  secrets: readonly string[],
): void {
  if (end.outcome !== 'answered' && end.outcome !== 'tool-calls' && end.outcome !== 'refused') return;
  const start = request.messages.findLastIndex((message) => message.role === 'user' && message.kind === undefined);
  const question = redactText(request.messages[start]?.content ?? '', secrets);
  const isFirst = !request.messages.slice(start + 1).some((message) => message.role === 'assistant');
  const clean = redactText(pieces.join(''), secrets);
  const step: TapeStep = {
    // A redaction across pieces leaves no pieces to keep apart.
    deltas: clean === pieces.join('') ? pieces : [clean],
    calls: end.calls.map((call) => ({
      id: call.id,
      name: call.name,
      arguments: redactValue(call.arguments ?? {}, secrets) as Record<string, unknown>,
    })),
    results: [],
    outcome: end.outcome,
    usage: end.usage,
  };
  const last = turns.at(-1);
  if (isFirst || last === undefined) turns.push({ question, steps: [step] });
  else last.steps.push(step);
}

/** Results of the step before stand in the next request. */
function keepResults(turns: Tape['turns'], request: ModelRequest, secrets: readonly string[]): void {
  const step = turns.at(-1)?.steps.at(-1);
  if (step === undefined || step.results.length > 0) return;
  for (const message of request.messages) {
    const call = step.calls.find((candidate) => message.role === 'tool' && candidate.id === message.toolCallId);
    if (call !== undefined) step.results.push({ callId: call.id, name: call.name, result: redactText(message.content, secrets) });
  }
}
