/** Starts one run for a turn that the store has opened, and writes its ending. */
import type { Conversation, NewMessage, StoredMessage, TurnRecord } from '../../../shared/conversation.ts';
import type { ErrorInfo } from '../../../shared/errors.ts';
import { toErrorInfo } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { LanguageModel } from '../ports.ts';
import type { Privacy } from '../redaction/conversation-privacy.ts';
import type { SystemPrompt } from '../system-prompt.ts';
import { createTraceRecorder } from '../trace/recorder.ts';
import { executeRun } from './run.ts';
import type { RunControl } from './run-control.ts';
import type { Ending, RunContext, RunDeps, RunScope } from './run-context.ts';

export interface RunInput {
  scope: RunScope;
  conversation: Conversation;
  question: StoredMessage;
  settings: Settings;
  /** As it is; `privacy` guards it. */
  model: LanguageModel;
  privacy: Privacy;
  control: RunControl;
  prompt: SystemPrompt;
  /** What the turn holds already after its question; the last one is the partial text to go on from. Absent: nothing. */
  kept?: readonly StoredMessage[];
}

const MS_PER_SECOND = 1000;

export function createRunContext(deps: RunDeps, input: RunInput): RunContext {
  const { scope, model, settings, question } = input;
  const recorder = createTraceRecorder(
    {
      traces: deps.store.traces,
      clock: deps.clock,
      ids: deps.ids,
      logger: deps.logger,
      onSpan: (span) => deps.emit({ type: 'span-change', ...scope, span }),
    },
    {
      id: scope.runId,
      conversationId: scope.conversationId,
      turn: scope.turn,
      question: question.content,
      model: `${model.provider}/${model.model}`,
    },
  );
  recorder.event('turn-start', null, { turn: scope.turn, model: model.label });
  return {
    deps,
    scope,
    control: input.control,
    recorder,
    model: input.privacy.guard(model),
    privacy: input.privacy,
    prompt: input.prompt,
    tenant: input.conversation.tenant,
    settings,
    customerId: input.conversation.customerId,
    stamp: () => ({ id: deps.ids.uuid(), at: deps.clock.now() }),
    messages: [question, ...(input.kept ?? [])],
    unsaved: [],
    streaming: { step: 0, text: () => '' },
    retry: null,
    messageWaits: false,
    contextTrust: 'untrusted',
    crossedBudget: false,
    recalledTurns: new Set(),
    handedOff: false,
    goesOnFrom: input.kept?.at(-1)?.id ?? null,
    told: new Set(),
    costForecast: null,
    warnedOfCap: false,
  };
}

/** Runs the loop under its wall-clock limit. Never rejects. */
export async function runToEnding(run: RunContext, input: RunInput): Promise<Ending> {
  const cancelLimit = run.deps.clock.after(run.settings['agent.maxSeconds'] * MS_PER_SECOND, () => run.control.end('time-limit'));
  try {
    return await executeRun(run, input.conversation, input.question.content);
  } finally {
    cancelLimit();
  }
}

/** `open`: the ending could not be written; the turn is still open in the store and must be recovered. */
export type Written = { record: TurnRecord; messages: StoredMessage[]; open: boolean };

/** Writes before a turn is left to recovery. */
const END_ATTEMPTS = 2;

/** Writes an ending in one write, with what no earlier write confirmed. Never rejects. */
export async function writeEnding(run: RunContext, started: TurnRecord, ending: Extract<Ending, { kind: 'end' }>): Promise<Written> {
  const { deps, scope } = run;
  const { state, outcome, error } = ending;
  const messages: NewMessage[] = [...run.unsaved, ...ending.messages];
  const at = deps.clock.now();
  const span = run.recorder.open({ kind: 'storage', name: 'end the turn' });
  let failure: ErrorInfo | null = null;
  for (let attempt = 1; attempt <= END_ATTEMPTS; attempt += 1) {
    try {
      const ended = await deps.store.conversations.endTurn(scope.conversationId, scope.turn, scope.runId, {
        state,
        outcome,
        error,
        at,
        messages,
        ...(run.recalledTurns.size > 0 && { recalledTurns: [...run.recalledTurns].sort((left, right) => left - right) }),
      });
      span.end({ status: 'ok' });
      return { ...ended, open: false };
    } catch (thrown) {
      failure = toErrorInfo(thrown);
    }
  }
  span.end({ status: 'error', error: failure });
  deps.logger.error('the end of a turn could not be stored', { ...scope, error: failure?.message });
  return { record: { ...started, state: 'failed', outcome: 'api-error', endedAt: at, error: failure }, messages: [], open: true };
}
