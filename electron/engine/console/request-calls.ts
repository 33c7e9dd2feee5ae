/** The calls of the contract that lay requests open, past and next, and compare two of them. Reads only. */
import type { ContextPlan, ContextMessage } from '../../../shared/compaction.ts';
import type { Conversation } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { InspectedRequest, RequestMark } from '../../../shared/inspection.ts';
import type { ArchivedRequest } from '../../../shared/requests.ts';
import type { RunSummary, Span } from '../../../shared/trace.ts';
import { parseRequest } from '../archive/request-text.ts';
import { diffRequests } from '../inspect/request-diff.ts';
import type { ModelRequest } from '../ports.ts';
import type { Trial } from './inspection-calls.ts';
import { buildTrial, MAX_RUNS_OF_TURN, planOfRun } from './inspection-calls.ts';
import { measureRequest } from './request-measure.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';

type RequestCalls = Pick<Handlers, 'listRequests' | 'inspectRequest' | 'diffRequests'>;
type RequestName = { spanId: string; promptVersion?: string | undefined } | { trial: Trial };

interface Found {
  mark: RequestMark | null;
  /** null: erased. */
  request: ModelRequest | null;
  plan: ContextPlan | null;
  model: string;
  promptVersion: string;
}

export function requestCalls(parts: ServiceParts): RequestCalls {
  const { store, supervisor, archive } = parts;
  const open = async (id: string): Promise<Conversation> => {
    const conversation = await requireConversation(store, id);
    await supervisor.flushTraces();
    await archive.flush();
    return conversation;
  };
  return {
    async listRequests({ conversationId, turn, limit }) {
      await open(conversationId);
      const listed = await store.archive.list(conversationId, { limit, ...(turn !== undefined && { turn }) });
      return { requests: await marksOf(parts, conversationId, listed.toReversed()) };
    },

    async inspectRequest({ conversationId, request: name }) {
      const conversation = await open(conversationId);
      const found = await find(parts, conversation, name);
      return { request: await laidOpen(parts, conversation, found), plan: found.plan };
    },

    async diffRequests({ conversationId, from, to }) {
      const conversation = await open(conversationId);
      const [before, after] = [await find(parts, conversation, from), await find(parts, conversation, to)];
      if (before.request === null || after.request === null)
        throw new ConsoleError('invalid-input', 'One of the two requests was erased; only its hash is kept, so they cannot be compared.');
      return { diff: diffRequests(before.request, after.request, parts.estimator) };
    },
  };
}

async function find(parts: ServiceParts, conversation: Conversation, name: RequestName): Promise<Found> {
  if ('trial' in name) {
    const { plan, request, model, prompt } = await buildTrial(parts, conversation, name.trial);
    return { mark: null, request, plan, model, promptVersion: prompt.version };
  }
  const archived = await parts.store.archive.read(name.spanId);
  if (archived === null || archived.conversationId !== conversation.id)
    throw new ConsoleError('not-found', 'There is no such request in this conversation.');
  const [mark] = await marksOf(parts, conversation.id, [archived]);
  if (mark === undefined) throw new ConsoleError('not-found', 'There is no such request in this conversation.');
  const prompt = name.promptVersion === undefined ? null : await parts.prompts.named(name.promptVersion);
  const sent = archived.text === null ? null : parseRequest(archived.text);
  const plan = mark.runId === null || sent === null ? null : await planOfRun(parts, mark.runId);
  return {
    mark,
    request: sent === null || prompt === null ? sent : { ...sent, system: prompt.text },
    plan,
    model: mark.model,
    promptVersion: prompt?.version ?? mark.promptVersion ?? '',
  };
}

/** Archived requests with what their traces know of them. */
async function marksOf(parts: ServiceParts, id: string, listed: readonly Omit<ArchivedRequest, 'text'>[]): Promise<RequestMark[]> {
  const { traces, conversations } = parts.store;
  const spans = new Map<string, { span: Span; run: RunSummary }>();
  const prompts = new Map<number, { runId: string | null; promptVersion: string | null }>();
  for (const turn of new Set(listed.map((each) => each.turn))) {
    const stored = await conversations.readTurn(id, turn);
    if (stored !== null) prompts.set(turn, stored);
    for (const run of await traces.listRuns(id, { turn, limit: MAX_RUNS_OF_TURN }))
      for (const span of await traces.readSpans(run.id)) spans.set(span.id, { span, run });
  }
  return listed.map(({ spanId, turn, sentAt, sha256, bytes }) => {
    const known = spans.get(spanId);
    return {
      spanId,
      turn,
      runId: known?.run.id ?? null,
      step: known?.span.step ?? null,
      model: known?.run.model ?? '',
      promptVersion: prompts.get(turn)?.promptVersion ?? null,
      sentAt,
      sha256,
      bytes,
      usage: known?.span.usage ?? null,
      costMicroUsd: known?.span.costMicroUsd ?? null,
    };
  });
}

async function laidOpen(parts: ServiceParts, conversation: Conversation, found: Found): Promise<InspectedRequest> {
  const { mark, request, model, promptVersion } = found;
  const measured = request === null ? null : await measureRequest(parts, conversation, request, mark);
  return {
    mark,
    erased: request === null,
    system: request?.system ?? '',
    tools: request?.tools ?? [],
    messages: (request?.messages ?? []) as ContextMessage[],
    model,
    promptVersion,
    tokens: measured?.tokens ?? 0,
    cachedTokens: measured?.cachedTokens ?? null,
    inputMicroUsd: measured?.inputMicroUsd ?? null,
  };
}
