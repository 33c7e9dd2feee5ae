/** The calls of the contract that look into contexts, runs and traces; none changes anything. */
import type { ContextMessage, ContextPlan, RequestForecast } from '../../../shared/compaction.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import { parseSetting } from '../../../shared/settings.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { ArchivedRequest } from '../../../shared/requests.ts';
import type { SpanDetail } from '../../../shared/trace.ts';
import type { Conversation, StoredTurn, StrategyName } from '../../../shared/conversation.ts';
import { buildContext } from '../agent/context-builder.ts';
import { parseRequest } from '../archive/request-text.ts';
import { forecastRequest } from '../memory/forecast.ts';
import { conversationPrivacy } from '../redaction/conversation-privacy.ts';
import { offeredTools } from '../tools/recall-conversation.ts';
import { measureRequest } from './request-measure.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { modelName, requireConversation } from './service-deps.ts';

type InspectionCalls = Pick<Handlers, 'previewContext' | 'listRuns' | 'getTrace' | 'getSpanDetail' | 'getTurnPlan'>;

/** Room the meter keeps for an answer, in tokens. */
const ANSWER_RESERVE_TOKENS = 1024;
/** Most runs of one turn that are listed. */
export const MAX_RUNS_OF_TURN = 100;

export function inspectionCalls(parts: ServiceParts): InspectionCalls {
  const { store, supervisor, archive } = parts;
  return {
    previewContext: (params) => previewContext(parts, params),

    async listRuns({ conversationId, limit, beforeTurn }) {
      await requireConversation(store, conversationId);
      await supervisor.flushTraces();
      return { runs: await store.traces.listRuns(conversationId, { limit, ...(beforeTurn !== undefined && { beforeTurn }) }) };
    },

    async getTrace({ conversationId, turn, runId }) {
      await requireConversation(store, conversationId);
      await supervisor.flushTraces();
      const runs = await store.traces.listRuns(conversationId, { turn, limit: MAX_RUNS_OF_TURN });
      const run = runId === undefined ? runs[0] : runs.find((one) => one.id === runId);
      const runIds = runs.map((one) => one.id);
      if (run === undefined) return { trace: null, runIds };
      const [spans, events] = await Promise.all([store.traces.readSpans(run.id), store.traces.readEvents(run.id)]);
      return { trace: { run, spans, events }, runIds };
    },

    async getSpanDetail({ spanId }) {
      await supervisor.flushTraces();
      await archive.flush();
      return { detail: withRequest(spanId, await store.traces.readDetail(spanId), await store.archive.read(spanId)) };
    },

    async getTurnPlan({ conversationId, turn }) {
      await requireConversation(store, conversationId);
      await supervisor.flushTraces();
      return { plan: await readTurnPlan(parts, conversationId, turn) };
    },
  };
}

/** A model call's request is kept in the archive; what is erased there says so and shows its hash. */
export function withRequest(spanId: string, detail: SpanDetail | null, archived: ArchivedRequest | null): SpanDetail | null {
  if (archived === null) return detail;
  const request = archived.text === null ? { erased: true, sha256: archived.sha256 } : parseRequest(archived.text);
  return { spanId, request, response: detail?.response ?? null };
}

/** The plan of the newest run of the turn that sent a request. It is read from the trace, where the run itself wrote it. */
export async function readTurnPlan(parts: ServiceParts, conversationId: string, turn: number): Promise<ContextPlan | null> {
  const { traces } = parts.store;
  for (const run of await traces.listRuns(conversationId, { turn, limit: MAX_RUNS_OF_TURN })) {
    const plan = await planOfRun(parts, run.id);
    if (plan !== null) return plan;
  }
  return null;
}

/** The plan that a run sent to a model; null where it sent none or the trace is gone. */
export async function planOfRun(parts: ServiceParts, runId: string): Promise<ContextPlan | null> {
  const { traces } = parts.store;
  const spans = await traces.readSpans(runId);
  const built = spans.find((span) => span.kind === 'compaction' && span.status === 'ok');
  if (built === undefined || !spans.some((span) => span.kind === 'model-call')) return null;
  const detail = await traces.readDetail(built.id);
  return isPlan(detail?.response) ? detail.response : null;
}

function isPlan(value: unknown): value is ContextPlan {
  return typeof value === 'object' && value !== null && 'entries' in value && 'messages' in value;
}

export interface Trial {
  next?: string | undefined;
  strategy?: StrategyName | undefined;
  settings?: Record<string, unknown> | undefined;
  promptVersion?: string | undefined;
}

/** The next request under a trial, as it would leave. Nothing is changed. `invalid-input` names every wrong setting. */
export async function buildTrial(parts: ServiceParts, conversation: Conversation, trial: Trial) {
  const { store, tools } = parts;
  const settings = trySettings(await parts.settings.readFor(conversation), trial.settings ?? {});
  const [newest] = await store.conversations.readTurns(conversation.id, { limit: 1 });
  const question = trial.next === undefined || trial.next.trim() === '' ? null : trial.next;
  const turn = nextTurn(newest);
  const { plan } = await buildContext(parts, {
    conversation,
    turn,
    question,
    settings,
    ...(trial.strategy !== undefined && { strategy: trial.strategy }),
  });
  const prompt = trial.promptVersion === undefined ? await parts.prompts.chosen(settings) : await parts.prompts.named(trial.promptVersion);
  const current: ContextMessage[] = question === null ? [] : [{ role: 'user', content: question, turn }];
  const model = await parts.answeringModel();
  const privacy = await conversationPrivacy(parts, conversation, settings);
  const messages = [...plan.messages, ...current];
  const whole = { system: prompt.text, tools: offeredTools(tools.specs(), plan), messages, conversationId: conversation.id };
  return { plan, current, prompt, settings, window: model.windowTokens, model: modelName(model), request: privacy.outgoing(whole) };
}

/** Only memory settings can be tried: nothing else shapes a context. */
function trySettings(settings: Settings, tried: Record<string, unknown>): Settings {
  const reasons: string[] = [];
  const changed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(tried)) {
    const parsed = parseSetting(key, value);
    if (!key.startsWith('memory.')) reasons.push(`"${key}" is no memory setting; those can be tried`);
    else if (parsed.ok) changed[key] = parsed.value;
    else reasons.push(parsed.reason);
  }
  if (reasons.length > 0) throw new ConsoleError('invalid-input', reasons.join('\n'));
  return { ...settings, ...changed };
}

/** What the next request would hold, in parts. Rejects with `not-found`, `invalid-input` and the store's ConsoleErrors. */
export async function previewContext(
  parts: ServiceParts,
  params: Trial & { conversationId: string; measure?: boolean | undefined },
): Promise<RequestForecast> {
  const conversation = await requireConversation(parts.store, params.conversationId);
  const { plan, current, prompt, settings, window, model, request } = await buildTrial(parts, conversation, params);
  const { estimator } = parts;
  const accuracy = estimator.accuracy?.();
  const forecast = forecastRequest({
    plan,
    system: prompt.text,
    tools: request.tools,
    current,
    model,
    windowTokens: window,
    promptVersion: prompt.version,
    reserveTokens: ANSWER_RESERVE_TOKENS,
    estimator,
    settings,
  });
  const measured = params.measure === true ? await measureRequest(parts, conversation, request, null) : null;
  return {
    ...forecast,
    ...(accuracy !== undefined && accuracy.samples > 0 && { accuracy }),
    ...(measured !== null && { cachedTokens: measured.cachedTokens, inputMicroUsd: measured.inputMicroUsd }),
  };
}

/** The turn the next question would be; a turn at work is not history yet. */
export function nextTurn(newest: StoredTurn | undefined): number {
  if (newest === undefined) return 1;
  return newest.state === 'running' || newest.state === 'waiting-approval' ? newest.turn : newest.turn + 1;
}
