/** The tool half of a step: saves the calls, runs them side by side, saves one result per call in call order. */
import type { NewMessage, Trust } from '../../../shared/conversation.ts';
import { toErrorInfo } from '../../../shared/errors.ts';
import type { ToolCall } from '../../../shared/tool.ts';
import type { ModelToolCall } from '../ports.ts';
import type { OpenSpan } from '../trace/recorder.ts';
import { RECALL_TOOL, turnsFound } from '../tools/recall-conversation.ts';
import { askPermission, recordOutcome } from './action-guard.ts';
import type { RunContext } from './run-context.ts';
import { keepUnsaved, saveMessages } from './save.ts';
import { canonicalJson, unknownResult } from './turn-messages.ts';

/** The same call with the same arguments runs at most so often in one run. */
const MAX_SAME_CALLS = 2;
/** Names every provider accepts for a function; anything else would make the history unsendable. */
const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const HANDOFF_TOOL = 'handoff_to_human';
const UNNAMED_TOOL = 'unknown_tool';

/** `run`: to be executed. `refuse`: answered with `reason` and never executed. */
type PlannedCall = { kind: 'run'; call: ToolCall } | { kind: 'refuse'; call: ToolCall; reason: string };

interface CallOutcome {
  result: unknown;
  failed: boolean;
  trust: Trust;
}

/** Counts equal calls over one run. */
export type CallCounts = Map<string, number>;

/** The calls as they are stored: legal names, ids unique in the request, arguments always an object. */
export function planCalls(run: RunContext, calls: readonly ModelToolCall[], counts: CallCounts, usedIds: Set<string>): PlannedCall[] {
  const known = new Set(run.deps.tools.specs().map((spec) => spec.name));
  return calls.map((made) => {
    const id = made.id === '' || usedIds.has(made.id) ? run.deps.ids.uuid() : made.id;
    usedIds.add(id);
    const call: ToolCall = { id, name: TOOL_NAME.test(made.name) ? made.name : UNNAMED_TOOL, arguments: made.arguments ?? {} };
    if (!known.has(made.name)) return { kind: 'refuse', call, reason: 'there is no such tool; use one of the tools you were given' };
    if (made.arguments === null) return { kind: 'refuse', call, reason: 'the arguments were not a JSON object; the call was not run' };
    const key = `${call.name} ${canonicalJson(call.arguments)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > MAX_SAME_CALLS) return { kind: 'refuse', call, reason: 'this exact call was made already; use the earlier result' };
    return { kind: 'run', call };
  });
}

/** True when the stored call is what the provider's own message says too, so that the message may be sent back as it came. */
export function matchesRaw(made: readonly ModelToolCall[], planned: readonly PlannedCall[]): boolean {
  return planned.every(({ call }, index) => {
    const original = made[index];
    return original !== undefined && original.id === call.id && original.name === call.name && original.arguments !== null;
  });
}

export interface ToolStep {
  step: number;
  parent: OpenSpan;
  /** The assistant's message that holds exactly these calls. */
  message: NewMessage;
  planned: PlannedCall[];
}

type Settled = { kind: 'done'; outcome: CallOutcome } | { kind: 'cut'; error: unknown };

/**
 * Rejects with a ConsoleError when a write failed (`not-saved`, `conflict` …) or, `cancelled`, when the run was ended from outside.
 * By then every call has its one result in the turn: the real one where it was there, else one that says "unknown".
 */
export async function runToolStep(run: RunContext, input: ToolStep): Promise<void> {
  await saveMessages(run, [input.message]);
  const started = input.planned.map((planned) => ({
    call: planned.call,
    settled: executeCall(run, input, planned).then(
      (outcome): Settled => ({ kind: 'done', outcome }),
      (error: unknown): Settled => ({ kind: 'cut', error }),
    ),
  }));
  let failure: { error: unknown } | null = null;
  for (const { call, settled } of started) {
    const end = await settled;
    if (end.kind === 'cut') failure ??= { error: end.error };
    const message =
      end.kind === 'done' ? resultMessage(run, call, end.outcome) : unknownResult(run.stamp, call, run.control.cause() ?? 'interrupted');
    if (failure === null) {
      try {
        await saveMessages(run, [message]);
      } catch (error) {
        failure = { error };
      }
    } else {
      keepUnsaved(run, message);
    }
  }
  if (failure !== null) throw failure.error;
}

function resultMessage(run: RunContext, call: ToolCall, outcome: CallOutcome): NewMessage {
  return {
    ...run.stamp(),
    role: 'tool',
    content: resultText(outcome.result),
    toolCallId: call.id,
    toolName: call.name,
    origin: `tool:${call.name}`,
    trust: outcome.trust,
  };
}

function resultText(result: unknown): string {
  return (JSON.stringify(result) ?? 'null').toWellFormed();
}

async function executeCall(run: RunContext, input: ToolStep, planned: PlannedCall): Promise<CallOutcome> {
  const { call } = planned;
  const { step } = input;
  const { deps, recorder, scope } = run;
  const span = recorder.open({
    kind: 'tool-call',
    name: call.name,
    step,
    parent: input.parent,
    toolCallId: call.id,
    request: call.arguments,
  });
  recorder.countToolCall();
  recorder.event('tool-call', step, { callId: call.id, name: call.name });
  deps.emit({ type: 'tool-call', ...scope, step, call });
  let outcome: CallOutcome;
  try {
    outcome = await executePlanned(run, planned);
  } catch (error) {
    span.end({ status: 'cancelled', note: run.control.cause() ?? '', error: toErrorInfo(error) });
    throw error;
  }
  const ms = span.end({ status: outcome.failed ? 'error' : 'ok', note: noteOf(outcome.result), response: outcome.result });
  recorder.event('tool-result', step, { callId: call.id, name: call.name, failed: outcome.failed, ms });
  deps.emit({
    type: 'tool-result',
    ...scope,
    step,
    callId: call.id,
    name: call.name,
    result: resultText(outcome.result),
    failed: outcome.failed,
    ms,
  });
  return outcome;
}

async function executePlanned(run: RunContext, planned: PlannedCall): Promise<CallOutcome> {
  const { deps, control, scope, customerId } = run;
  control.check();
  const refusal = planned.kind === 'refuse' ? planned.reason : waitingRefusal(run, planned.call);
  if (refusal !== null) return { result: { error: refusal }, failed: true, trust: 'trusted' };
  const recorded = run.model.recordedResult?.(scope.conversationId, planned.call.id);
  if (recorded !== undefined) return playResult(run, planned.call, recorded);
  const permission = await askPermission(run, planned.call);
  if (permission.kind === 'refused') return { result: { error: permission.reason }, failed: true, trust: 'trusted' };
  if (permission.kind === 'known') return { result: permission.result, failed: permission.failed, trust: 'untrusted' };
  const { key } = permission;
  const action = key === null ? {} : { action: { key } };
  const toolScope = { conversationId: scope.conversationId, customerId, turn: scope.turn, signal: control.signal, ...action };
  let done: Awaited<ReturnType<typeof deps.tools.run>>;
  try {
    done = await control.race(deps.tools.run(planned.call, toolScope));
  } catch (error) {
    if (control.cause() !== null) throw error;
    deps.logger.error('a tool broke its contract by throwing', { tool: planned.call.name, error: String(error) });
    return { result: { error: 'the tool failed; it is not known whether it did anything' }, failed: true, trust: 'trusted' };
  }
  if (done.ticket) deps.emit({ type: 'ticket-change', ticket: done.ticket });
  if (done.events.includes('handoff')) await noteHandoff(run, done.handoffReason ?? '');
  await recordOutcome(run, key, done);
  if (planned.call.name === RECALL_TOOL) for (const turn of turnsFound(done.result)) run.recalledTurns.add(turn);
  return { result: done.result, failed: done.failed, trust: 'untrusted' };
}

/** The answer of a recording, and the one effect that belongs to the conversation itself. */
async function playResult(run: RunContext, call: ToolCall, recorded: string | null): Promise<CallOutcome> {
  const result = recorded === null ? { error: 'the recording holds no result for this call' } : parseRecorded(recorded);
  const failed = typeof result === 'object' && result !== null && 'error' in result;
  const { reason } = call.arguments;
  if (call.name === HANDOFF_TOOL && !failed) await noteHandoff(run, typeof reason === 'string' ? reason : '');
  return { result, failed, trust: 'untrusted' };
}

function parseRecorded(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A newer message of the customer may change what is wanted: what acts waits for it, what only reads goes on. */
function waitingRefusal(run: RunContext, call: ToolCall): string | null {
  if (!run.messageWaits) return null;
  const spec = run.deps.tools.specs().find((one) => one.name === call.name);
  if (spec === undefined || spec.effect === 'read') return null;
  return 'not done: the customer has sent another message meanwhile, which will be answered next; decide again after reading it';
}

/** Marks the run as handed off and keeps the reason on the conversation. Never rejects. */
export async function noteHandoff(run: RunContext, reason: string): Promise<void> {
  run.handedOff = true;
  const { deps, scope } = run;
  try {
    await deps.store.conversations.update(scope.conversationId, { handoffReason: reason }, deps.clock.now());
  } catch (error) {
    deps.logger.error('the reason of a handoff could not be stored', { conversationId: scope.conversationId, error: String(error) });
    deps.emit({
      type: 'notice',
      level: 'warning',
      message: 'Nimbus asked for a human, but the request could not be saved on the conversation.',
      conversationId: scope.conversationId,
    });
  }
}

const NOTE_LENGTH = 120;

/** One line for the span's row. */
function noteOf(result: unknown): string {
  const text = resultText(result);
  return text.length > NOTE_LENGTH ? `${text.slice(0, NOTE_LENGTH).toWellFormed()}…` : text;
}
