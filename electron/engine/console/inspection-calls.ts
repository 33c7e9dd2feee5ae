/** The calls of the contract that look into contexts, runs and traces; none changes anything. */
import type { ContextMessage, ContextPlan } from '../../../shared/compaction.ts';
import type { ArchivedRequest } from '../../../shared/requests.ts';
import type { SpanDetail } from '../../../shared/trace.ts';
import type { StoredTurn } from '../../../shared/conversation.ts';
import { buildContext } from '../agent/context-builder.ts';
import { parseRequest } from '../archive/request-text.ts';
import { forecastRequest } from '../memory/forecast.ts';
import { SYSTEM_PROMPT } from '../system-prompt.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { modelName, requireConversation } from './service-deps.ts';

type InspectionCalls = Pick<Handlers, 'previewContext' | 'listRuns' | 'getTrace' | 'getSpanDetail' | 'getTurnPlan'>;

/** Room the meter keeps for an answer, in tokens. */
const ANSWER_RESERVE_TOKENS = 1024;
/** Most runs of one turn that are listed. */
const MAX_RUNS_OF_TURN = 100;

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
function withRequest(spanId: string, detail: SpanDetail | null, archived: ArchivedRequest | null): SpanDetail | null {
  if (archived === null) return detail;
  const request = archived.text === null ? { erased: true, sha256: archived.sha256 } : parseRequest(archived.text);
  return { spanId, request, response: detail?.response ?? null };
}

/** The plan of the newest run of the turn that sent a request. It is read from the trace, where the run itself wrote it. */
export async function readTurnPlan(parts: ServiceParts, conversationId: string, turn: number): Promise<ContextPlan | null> {
  const { traces } = parts.store;
  for (const run of await traces.listRuns(conversationId, { turn, limit: MAX_RUNS_OF_TURN })) {
    const spans = await traces.readSpans(run.id);
    const built = spans.find((span) => span.kind === 'compaction' && span.status === 'ok');
    if (built === undefined || !spans.some((span) => span.kind === 'model-call')) continue;
    const detail = await traces.readDetail(built.id);
    if (isPlan(detail?.response)) return detail.response;
  }
  return null;
}

function isPlan(value: unknown): value is ContextPlan {
  return typeof value === 'object' && value !== null && 'entries' in value && 'messages' in value;
}

/** What the next request would hold, in parts. Rejects with `not-found` and the store's ConsoleErrors. */
export async function previewContext(
  parts: ServiceParts,
  params: { conversationId: string; next?: string | undefined; strategy?: 'recent-turns' | 'summary' | 'stable' | undefined },
) {
  const { store, estimator, tools } = parts;
  const conversation = await requireConversation(store, params.conversationId);
  const settings = await parts.settings.readFor(conversation);
  const [newest] = await store.conversations.readTurns(conversation.id, { limit: 1 });
  const question = params.next === undefined || params.next.trim() === '' ? null : params.next;
  const { plan } = await buildContext(parts, {
    conversation,
    turn: nextTurn(newest),
    question,
    settings,
    ...(params.strategy !== undefined && { strategy: params.strategy }),
  });
  const current: ContextMessage[] = question === null ? [] : [{ role: 'user', content: question }];
  const model = await parts.answeringModel();
  const accuracy = estimator.accuracy?.();
  const forecast = forecastRequest({
    plan,
    system: SYSTEM_PROMPT.text,
    tools: tools.specs(),
    current,
    model: modelName(model),
    windowTokens: model.windowTokens,
    promptVersion: SYSTEM_PROMPT.version,
    reserveTokens: ANSWER_RESERVE_TOKENS,
    estimator,
    settings,
  });
  return accuracy === undefined || accuracy.samples === 0 ? forecast : { ...forecast, accuracy };
}

/** The turn the next question would be; a turn at work is not history yet. */
export function nextTurn(newest: StoredTurn | undefined): number {
  if (newest === undefined) return 1;
  return newest.state === 'running' || newest.state === 'waiting-approval' ? newest.turn : newest.turn + 1;
}
