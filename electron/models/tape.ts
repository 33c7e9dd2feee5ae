/** Pure: a tape is one conversation with a model, redacted, that can be played again without network, always the same. */
import { z } from 'zod';
import type { Clock, LanguageModel, ModelEvent, ModelRequest } from '../engine/ports.ts';
import type { ContextMessage } from '../../shared/compaction.ts';
import type { StoredMessage, StoredTurn } from '../../shared/conversation.ts';
import { ConsoleError } from '../../shared/errors.ts';
import { issueText } from '../../shared/issue-text.ts';
import { toWellFormedValue } from './history-rules.ts';
import { redact } from './provider-errors.ts';
import { uniqueCallId } from './tool-arguments.ts';

export const TAPE_FORMAT = 'nimbus-tape';
export const TAPE_VERSION = 1;

const usageSchema = z.object({
  inputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
});
const stepSchema = z.object({
  /** Pieces of the text, in the order they were streamed; together they are the text. */
  deltas: z.array(z.string()),
  calls: z.array(z.object({ id: z.string().min(1), name: z.string().min(1), arguments: z.record(z.string(), z.unknown()) })),
  /** What the tools answered, by call id. */
  results: z.array(z.object({ callId: z.string(), name: z.string(), result: z.string() })),
  outcome: z.enum(['answered', 'tool-calls', 'refused']),
  usage: usageSchema.nullable(),
});
const tapeSchema = z.object({
  format: z.literal(TAPE_FORMAT),
  version: z.literal(TAPE_VERSION),
  about: z.string(),
  /** PROVIDER/MODEL that spoke. */
  source: z.string(),
  turns: z.array(z.object({ question: z.string().min(1), steps: z.array(stepSchema).min(1) })).min(1),
});

export type Tape = z.infer<typeof tapeSchema>;
export type TapeStep = Tape['turns'][number]['steps'][number];

/** Reads a tape file. Throws ConsoleError `invalid-input` with the place of the first mistake. */
export function parseTape(text: string): Tape {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConsoleError('invalid-input', 'This file is no tape: it is not JSON.');
  }
  const version: unknown = value !== null && typeof value === 'object' ? Reflect.get(value, 'version') : undefined;
  if (typeof version === 'number' && version > TAPE_VERSION) {
    throw new ConsoleError('invalid-input', `This tape has format ${version}; this version of the console reads up to ${TAPE_VERSION}.`);
  }
  const parsed = tapeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConsoleError('invalid-input', `This file is no tape: ${issueText(issue, issue?.path.join('.') || 'the file')}`);
}

/** The file's text: the same tape gives the same bytes. */
export function formatTape(tape: Tape): string {
  return `${JSON.stringify(toWellFormedValue(tape), null, 1)}\n`;
}

const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const CARD = /\b(?:\d[ -]?){12,18}\d\b/g;
const PHONE = /\+\d[\d ()/-]{7,}\d/g;

/** Takes keys, mail addresses, card and telephone numbers out of a text. Order and ticket numbers stay: tools need them. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  return redact(text, secrets).replaceAll(EMAIL, '[mail]').replaceAll(PHONE, '[phone]').replaceAll(CARD, '[number]');
}

/** The same for a JSON value: keys stay, every text in it is redacted. */
export function redactValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (Array.isArray(value)) return value.map((inner) => redactValue(inner, secrets));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactValue(inner, secrets)]));
}

export interface TapeSource {
  about: string;
  /** PROVIDER/MODEL. */
  source: string;
  turns: readonly StoredTurn[];
  secrets?: readonly string[];
}

/** Makes a tape of stored turns. Turns the model did not finish (failed, stopped, canned answers) are left out. null: nothing to save. */
export function tapeOf({ about, source, turns, secrets = [] }: TapeSource): Tape | null {
  const taped = turns.flatMap((turn) => {
    const question = turn.messages.find((message) => message.role === 'user')?.content ?? '';
    const steps = stepsOf(turn.messages, secrets);
    return question.trim() === '' || steps.length === 0 ? [] : [{ question: redactText(question, secrets), steps }];
  });
  return taped.length === 0
    ? null
    : { format: TAPE_FORMAT, version: TAPE_VERSION, about: redactText(about, secrets), source, turns: taped };
}

function stepsOf(messages: readonly StoredMessage[], secrets: readonly string[]): TapeStep[] {
  return messages.flatMap((message): TapeStep[] => {
    if (message.role !== 'assistant' || message.state !== undefined) return [];
    const calls = (message.toolCalls ?? []).map((call) => ({
      ...call,
      arguments: redactValue(call.arguments, secrets) as Record<string, unknown>,
    }));
    if (calls.length === 0 && message.content.trim() === '') return [];
    const results = messages
      .filter((candidate) => candidate.role === 'tool' && calls.some((call) => call.id === candidate.toolCallId))
      .map((result) => ({ callId: result.toolCallId ?? '', name: result.toolName ?? '', result: redactText(result.content, secrets) }));
    const deltas = redactText(message.content, secrets).match(/\S+\s*|\s+/g) ?? [];
    return [{ deltas, calls, results, outcome: calls.length > 0 ? 'tool-calls' : 'answered', usage: null }];
  });
}

/** What the tools answered on the tape, by call id. */
export function tapeResults(tape: Tape): Map<string, string> {
  return new Map(
    tape.turns.flatMap((turn) => turn.steps.flatMap((step) => step.results.map((result) => [result.callId, result.result] as const))),
  );
}

/** Words of a text that a redaction may have changed are left out of the comparison. */
function sameQuestion(asked: string, taped: string): boolean {
  return redactText(asked).trim() === taped.trim();
}

/**
 * A model that plays a tape: the turn is the one with the same question, else the next one of this conversation; the step follows from the
 * messages after the question. The end of the tape is an error, not an empty answer.
 */
export function createTapeModel(options: { tape: Tape; name: string; clock: Clock; delayMs?: number }): LanguageModel {
  const { tape, clock, delayMs = 0 } = options;
  const played = new Map<string, number[]>();
  const results = new Map<string, string>();
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const start = request.messages.findLastIndex(isQuestion);
    const said = request.messages.slice(start + 1).filter((message) => message.role === 'assistant');
    // A partial text is no step of its own: the step it began is played on from there.
    const position = said.filter((message) => message.state === undefined).length;
    const partial = said.findLast((message) => message.state !== undefined)?.content ?? '';
    const turn = chooseTurn(tape, request.messages[start], played, request.conversationId, position);
    const step = turn?.steps[position];
    for (const delta of deltasAfter(step?.deltas ?? [], partial)) {
      if (delayMs > 0) await clock.sleep(delayMs, signal);
      if (signal.aborted) throw new ConsoleError('cancelled', 'The tape was stopped.');
      yield { type: 'text-delta', id: 'text-0', delta };
    }
    if (step === undefined) {
      yield endOfTape();
      return;
    }
    const end = endOf(step, request.messages, partial);
    for (const [index, call] of end.calls.entries()) {
      const taped = step.results.find((result) => result.callId === step.calls[index]?.id);
      if (taped !== undefined) results.set(`${request.conversationId} ${call.id}`, taped.result);
    }
    yield end;
  }
  return {
    provider: 'tape',
    model: options.name,
    label: `tape of ${tape.source} (recorded)`,
    windowTokens: null,
    stream,
    recordedResult: (conversationId, callId) => results.get(`${conversationId} ${callId}`) ?? null,
  };
}

/** Requests of the console's own, e.g. to go on, are no questions. */
function isQuestion({ role, kind, origin }: ContextMessage): boolean {
  return role === 'user' && kind === undefined && origin !== 'system';
}

/** The pieces that follow a beginning that was played already; all of them where it is not their beginning. */
function deltasAfter(deltas: readonly string[], played: string): readonly string[] {
  const whole = deltas.join('');
  if (played === '' || !whole.startsWith(played) || whole.length === played.length) return deltas;
  let left = played.length;
  return deltas.flatMap((delta) => {
    const rest = delta.slice(left);
    left = Math.max(0, left - delta.length);
    return rest === '' ? [] : [rest];
  });
}

function chooseTurn(
  tape: Tape,
  question: ContextMessage | undefined,
  played: Map<string, number[]>,
  conversationId: string,
  position: number,
) {
  const before = played.get(conversationId) ?? [];
  const last = before.at(-1);
  // Later steps belong to the turn whose first step was played.
  if (position > 0 && last !== undefined && sameQuestion(question?.content ?? '', tape.turns[last]?.question ?? ''))
    return tape.turns[last];
  const matching = tape.turns.flatMap((turn, index) => (sameQuestion(question?.content ?? '', turn.question) ? [index] : []));
  const next = matching.find((index) => !before.includes(index)) ?? matching.at(-1) ?? (position > 0 ? (last ?? 0) : (last ?? -1) + 1);
  played.set(conversationId, [...before, next]);
  return tape.turns[next];
}

function endOf(step: TapeStep, messages: readonly ContextMessage[], partial: string): Extract<ModelEvent, { type: 'model-end' }> {
  const used = new Set(messages.flatMap((message) => (message.toolCalls ?? []).map((call) => call.id)));
  const calls = step.calls.map((call) => {
    let copy = 1;
    const id = uniqueCallId(call.id, used, () => {
      copy += 1;
      return `${call.id}-${copy}`;
    });
    return { id, name: call.name, argumentsText: JSON.stringify(call.arguments), arguments: call.arguments };
  });
  const text = deltasAfter(step.deltas, partial).join('');
  return { type: 'model-end', outcome: step.outcome, text, calls, raw: null, usage: step.usage, finishReason: 'tape', error: null };
}

function endOfTape(): ModelEvent {
  const message = 'The tape has no answer to this. Ask the recorded questions, or choose another model in settings.';
  return {
    type: 'model-end',
    outcome: 'unknown',
    text: '',
    calls: [],
    raw: null,
    usage: null,
    finishReason: 'end-of-tape',
    error: { code: 'model-unknown', message, retryable: false },
  };
}
