/** The agent loop: prepare → model step → tools → … → finish, as phases joined by a union. Writes through ports only. */
import type { ContextPlan } from '../../../shared/compaction.ts';
import { recalledTurns } from '../../../shared/compaction.ts';
import type { Conversation, Trust, TurnOutcome } from '../../../shared/conversation.ts';
import type { ErrorInfo } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import { ConsoleError, toErrorInfo } from '../../../shared/errors.ts';
import type { ModelEvent, ModelToolCall } from '../ports.ts';
import type { OpenSpan } from '../trace/recorder.ts';
import type { BudgetStop } from './budget-gate.ts';
import { checkBudget } from './budget-gate.ts';
import type { BuiltContext } from './context-builder.ts';
import { buildContext, strategyOf } from './context-builder.ts';
import { modelRequest, runModelStep } from './model-step.ts';
import type { StopCause } from './run-control.ts';
import { forecastRun, halvedBudget, requestTokens } from './run-forecast.ts';
import type { Ending, RunContext } from './run-context.ts';
import type { CallCounts } from './tool-step.ts';
import { matchesRaw, noteHandoff, planCalls, runToolStep } from './tool-step.ts';
import type { CannedState } from './turn-messages.ts';
import { BUDGET_HANDOFF_TEXT, cannedMessage, CUT_OFF_TEXT, derivedTrust, partialMessage, syntheticResults } from './turn-messages.ts';

type ModelEnd = Extract<ModelEvent, { type: 'model-end' }>;

/** What comes next. A step's span stays open from its model call to its last tool. */
type Phase =
  /** `step`: the model call the context is for. */
  | { kind: 'prepare'; step: number }
  | { kind: 'model'; step: number }
  | { kind: 'judge'; step: number; span: OpenSpan; end: ModelEnd }
  | { kind: 'tools'; step: number; span: OpenSpan; end: ModelEnd }
  | { kind: 'finish'; ending: Ending };

interface LoopState {
  readonly run: RunContext;
  readonly conversation: Conversation;
  readonly question: string;
  context: BuiltContext | null;
  readonly counts: CallCounts;
  /** Call ids the request holds already. */
  readonly callIds: Set<string>;
  /** Malformed replies in a row; one is retried. */
  malformed: number;
  /** Set once the context must be built again with half the budget. */
  halved: Settings | null;
}

/** Replies without a usable call that are asked again before the run gives up. */
const MALFORMED_RETRIES = 1;

/** Runs the loop to its ending and never rejects; the caller writes the ending. */
export async function executeRun(run: RunContext, conversation: Conversation, question: string): Promise<Ending> {
  const state: LoopState = {
    run,
    conversation,
    question,
    context: null,
    counts: new Map(),
    callIds: new Set(),
    malformed: 0,
    halved: null,
  };
  let phase: Phase = { kind: 'prepare', step: 1 };
  while (phase.kind !== 'finish') {
    try {
      phase = await nextPhase(state, phase);
    } catch (error) {
      if (phase.kind === 'judge' || phase.kind === 'tools') phase.span.end({ status: 'error', error: toErrorInfo(error) });
      phase = { kind: 'finish', ending: endingOfFailure(run, error) };
    }
  }
  return phase.ending;
}

function nextPhase(state: LoopState, phase: Exclude<Phase, { kind: 'finish' }>): Promise<Phase> {
  switch (phase.kind) {
    case 'prepare':
      return prepare(state, phase.step);
    case 'model':
      return callModel(state, phase.step);
    case 'judge':
      return Promise.resolve(judge(state, phase));
    case 'tools':
      return callTools(state, phase);
  }
}

async function prepare(state: LoopState, step: number): Promise<Phase> {
  const { run, conversation, question } = state;
  const { deps, scope, recorder, control } = run;
  const settings = state.halved ?? run.settings;
  const strategy = strategyOf(conversation, settings);
  const span = recorder.open({ kind: 'compaction', name: `context: ${strategy}`, request: { strategy, question, settings } });
  try {
    state.context = await control.race(buildContext(deps, { conversation, turn: scope.turn, question, settings }));
  } catch (error) {
    span.end({ status: control.cause() === null ? 'error' : 'cancelled', error: toErrorInfo(error) });
    throw error;
  }
  const { plan } = state.context;
  run.contextTrust = derivedTrust(plan.messages);
  run.recalledTurns.clear();
  for (const recalled of recalledTurns(plan.messages)) run.recalledTurns.add(recalled);
  run.crossedBudget ||= leavesSomethingOut(plan);
  span.end({ status: 'ok', note: `${plan.messages.length} messages, ~${plan.tokens} tokens`, response: plan });
  const at = step - 1;
  const request = modelRequest(run, plan, run.prompt.text);
  run.costForecast ??= await control.race(forecastRun(run, request, plan));
  recorder.event('context-built', at, { ...planNumbers(plan), requestTokens: requestTokens(run, request), costForecast: run.costForecast });
  deps.emit({ type: 'context-built', ...scope, step: at, plan });
  for (const message of plan.notices) recorder.event('notice', 0, { message });
  for (const message of plan.messages) for (const call of message.toolCalls ?? []) state.callIds.add(call.id);
  return { kind: 'model', step };
}

function planNumbers(plan: ContextPlan): Record<string, unknown> {
  const turns: Record<string, number> = {};
  for (const entry of plan.entries) turns[entry.disposition] = (turns[entry.disposition] ?? 0) + 1;
  return { strategy: plan.strategy, messages: plan.messages.length, characters: plan.characters, tokens: plan.tokens, turns };
}

async function callModel(state: LoopState, step: number): Promise<Phase> {
  const { run, context } = state;
  const { deps, scope, settings, recorder, control } = run;
  const cause = control.cause();
  if (cause !== null) return { kind: 'finish', ending: endingOfStop(run, cause, '') };
  const maxSteps = settings['agent.maxSteps'];
  if (step > maxSteps) {
    recorder.event('step-limit', step - 1, { steps: maxSteps });
    deps.emit({ type: 'step-limit', ...scope, steps: maxSteps });
    return { kind: 'finish', ending: cannedEnding(run, 'step-limit', 'step-limit', null) };
  }
  if (context === null) throw new ConsoleError('internal', 'a model was called before its context was built');
  const request = modelRequest(run, context.plan, run.prompt.text);
  const permit = await checkBudget(run, request, step);
  if (permit.kind === 'stop') return { kind: 'finish', ending: await budgetEnding(run, permit) };
  recorder.countStep();
  const span = recorder.open({ kind: 'step', name: `step ${step}`, step });
  const reply = await runModelStep(run, { step, request, parent: span, onSent: () => keepMemoryState(state) }).finally(permit.release);
  if (reply.kind === 'reply') return { kind: 'judge', step, span, end: reply.end };
  span.end({ status: 'cancelled' });
  return { kind: 'finish', ending: endingOfStop(run, control.cause() ?? 'stopped', reply.text) };
}

/** Written once per run, and only when a request that relies on it has left. */
async function keepMemoryState(state: LoopState): Promise<void> {
  const changed = state.context?.newState ?? null;
  if (state.context === null || changed === null) return;
  state.context = { ...state.context, newState: null };
  const { deps, scope } = state.run;
  try {
    await deps.store.conversations.writeMemoryState(scope.conversationId, changed);
  } catch (error) {
    deps.logger.warn('the memory state could not be stored', { conversationId: scope.conversationId, error: String(error) });
  }
}

/** Decides by what the reply holds, not by the provider's word for its end. */
function judge(state: LoopState, phase: Extract<Phase, { kind: 'judge' }>): Phase {
  const { run } = state;
  const { step, span, end } = phase;
  const done = (ending: Ending, status: 'ok' | 'error'): Phase => {
    span.end({ status, note: end.outcome });
    endStep(run, step);
    return { kind: 'finish', ending };
  };
  switch (end.outcome) {
    case 'answered':
    case 'tool-calls':
      state.malformed = 0;
      if (end.calls.length > 0) return { kind: 'tools', step, span, end };
      return done(answerEnding(run, end), 'ok');
    case 'refused':
      return done(answerEnding(run, { ...end, calls: [] }), 'ok');
    case 'malformed-tool':
      state.malformed += 1;
      if (state.malformed > MALFORMED_RETRIES) return done(brokenEnding(run, end), 'error');
      if (end.calls.length > 0) return { kind: 'tools', step, span, end };
      span.end({ status: 'error', note: end.outcome });
      endStep(run, step);
      return { kind: 'model', step: step + 1 };
    case 'invalid-request': {
      const smaller = smallerContext(state, end, step);
      if (smaller === null) return done(brokenEnding(run, end), 'error');
      span.end({ status: 'error', note: end.outcome });
      endStep(run, step);
      return smaller;
    }
    case 'blocked':
    case 'truncated':
    case 'interrupted':
    case 'rate-limited':
    case 'quota':
    case 'auth':
    case 'overloaded':
    case 'unknown':
      return done(brokenEnding(run, end), 'error');
  }
}

/** A request that was too long is made smaller once; null: this was not the trouble, or it was tried already. */
function smallerContext(state: LoopState, end: ModelEnd, step: number): Phase | null {
  const { run, context } = state;
  if (end.error?.code !== 'model-context-too-long' || state.halved !== null || context === null) return null;
  if (context.plan.messages.length === 0) return null;
  state.halved = halvedBudget(run.settings, context.plan);
  const message = 'The request was longer than the model can take: the context was built again with half the budget.';
  run.recorder.event('notice', step, { message });
  run.deps.emit({ type: 'notice', level: 'info', message, conversationId: run.scope.conversationId });
  return { kind: 'prepare', step: step + 1 };
}

async function callTools(state: LoopState, phase: Extract<Phase, { kind: 'tools' }>): Promise<Phase> {
  const { run } = state;
  const { step, span, end } = phase;
  const cause = run.control.cause();
  if (cause !== null) {
    span.end({ status: 'cancelled', note: cause });
    return { kind: 'finish', ending: endingOfStop(run, cause, end.text) };
  }
  // No call of a reply that the provider itself calls malformed may run.
  const made: ModelToolCall[] = end.outcome === 'malformed-tool' ? end.calls.map((call) => ({ ...call, arguments: null })) : end.calls;
  const planned = planCalls(run, made, state.counts, state.callIds);
  await runToolStep(run, {
    step,
    parent: span,
    planned,
    message: {
      ...run.stamp(),
      role: 'assistant',
      content: end.text,
      toolCalls: planned.map(({ call }) => call),
      ...(end.raw !== null && matchesRaw(made, planned) && { providerRaw: end.raw }),
      origin: 'model',
      trust: modelTrust(run),
    },
  });
  span.end({ status: 'ok', note: `${planned.length} tool call${planned.length === 1 ? '' : 's'}` });
  endStep(run, step);
  void run.recorder.flush();
  return { kind: 'model', step: step + 1 };
}

function modelTrust(run: RunContext): Trust {
  return derivedTrust([{ trust: run.contextTrust }, ...run.messages]);
}

function endStep(run: RunContext, step: number): void {
  run.recorder.event('step-end', step, {});
  run.deps.emit({ type: 'step-end', ...run.scope, step });
}

function answerEnding(run: RunContext, end: ModelEnd): Ending {
  if (end.text.trim() === '') return cannedEnding(run, 'empty', 'empty-answer', null);
  return {
    kind: 'end',
    ...(run.handedOff ? { state: 'handed-off', outcome: 'handed-off' } : { state: 'answered', outcome: 'answered' }),
    error: null,
    messages: [
      {
        ...run.stamp(),
        role: 'assistant',
        content: end.text,
        ...(end.raw !== null && end.calls.length === 0 && { providerRaw: end.raw }),
        origin: 'model',
        trust: modelTrust(run),
      },
    ],
  };
}

/** The model failed or its stream broke: what was said is kept as said in part, an apology ends the turn. */
function brokenEnding(run: RunContext, end: ModelEnd): Ending {
  const error = end.error ?? toErrorInfo(new ConsoleError('model-unknown', `the model's answer ended as "${end.outcome}"`));
  // A blocked text is not to be replayed as the model's words: a notice of ours stands for it.
  if (end.outcome === 'blocked') return cannedEnding(run, 'blocked', 'api-error', error);
  const ending = cannedEnding(run, 'failed', 'api-error', error, end.text);
  if (end.outcome !== 'truncated' || end.text.trim() === '' || ending.kind === 'lost') return ending;
  return { ...ending, messages: [...ending.messages.slice(0, -1), cannedMessage(run.stamp, 'failed', CUT_OFF_TEXT)] };
}

/** A cost cap ends the run before its next step: with a human, or with an answer of ours. */
async function budgetEnding(run: RunContext, { action, reason }: BudgetStop): Promise<Ending> {
  const ending = cannedEnding(run, 'budget', 'budget', null);
  if (action === 'stop' || ending.kind === 'lost') return ending;
  await noteHandoff(run, reason);
  const messages = [...ending.messages.slice(0, -1), cannedMessage(run.stamp, 'budget', BUDGET_HANDOFF_TEXT)];
  return { ...ending, state: 'handed-off', messages };
}

/** Our own answer closes the turn. An empty answer after a handoff still leaves the turn with a human. */
function cannedEnding(run: RunContext, mark: CannedState, outcome: TurnOutcome, error: ErrorInfo | null, partial = ''): Ending {
  const rephrase = mark === 'empty';
  const kept = partial.trim() === '' ? [] : [partialMessage(run.stamp, 'interrupted', partial, modelTrust(run))];
  return {
    kind: 'end',
    ...(rephrase && run.handedOff ? { state: 'handed-off', outcome: 'handed-off' } : { state: rephrase ? 'answered' : 'failed', outcome }),
    error,
    messages: [...syntheticResults(run.stamp, run.messages, 'interrupted'), ...kept, cannedMessage(run.stamp, mark)],
  };
}

/** Ended from outside. `text` is what the step had streamed by then. */
function endingOfStop(run: RunContext, cause: StopCause, text: string): Ending {
  if (cause === 'time-limit') {
    const seconds = run.settings['agent.maxSeconds'];
    run.recorder.event('time-limit', null, { seconds });
    run.deps.emit({ type: 'time-limit', ...run.scope, seconds });
    return cannedEnding(run, 'time-limit', 'time-limit', null, text);
  }
  const mark = cause === 'shutdown' ? 'interrupted' : 'stopped';
  return {
    kind: 'end',
    state: mark,
    outcome: mark,
    error: null,
    messages: [...syntheticResults(run.stamp, run.messages, mark), partialMessage(run.stamp, mark, text, modelTrust(run))],
  };
}

/** A write or a read failed, or the run was ended while it waited for one. */
function endingOfFailure(run: RunContext, error: unknown): Ending {
  const cause = run.control.cause();
  const info = toErrorInfo(error);
  if (cause !== null && info.code === 'cancelled') return endingOfStop(run, cause, '');
  if (info.code === 'conflict' || info.code === 'not-found') return { kind: 'lost', error: info };
  run.recorder.event('api-error', null, { code: info.code, message: info.message });
  run.deps.emit({ type: 'notice', level: 'error', message: info.message, conversationId: run.scope.conversationId });
  return cannedEnding(run, 'failed', 'api-error', info);
}

/** `summary` never sends calls and results; only what it folds away is left out of the history. */
function leavesSomethingOut({ strategy, entries }: ContextPlan): boolean {
  return entries.some(({ disposition }) => disposition !== 'full' && !(strategy === 'summary' && disposition === 'compacted'));
}
