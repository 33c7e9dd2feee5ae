/** The call of the contract that says why the model did or did not see a text. Reads only. */
import type { ContextPlan } from '../../../shared/compaction.ts';
import type { Conversation, StoredTurn } from '../../../shared/conversation.ts';
import { ConsoleError } from '../../../shared/errors.ts';
import type { WhyAnswer } from '../../../shared/why.ts';
import { buildContext } from '../agent/context-builder.ts';
import { toContextMessage } from '../agent/turn-messages.ts';
import { parseRequest } from '../archive/request-text.ts';
import { readSummaryState } from '../memory/summary-state.ts';
import type { ModelRequest } from '../ports.ts';
import { conversationPrivacy } from '../redaction/conversation-privacy.ts';
import { SYSTEM_PROMPT } from '../system-prompt.ts';
import type { SystemPrompt } from '../system-prompt.ts';
import { explainText } from '../why/explain.ts';
import { nextTurn, readTurnPlan } from './inspection-calls.ts';
import { offeredTools } from '../tools/recall-conversation.ts';
import type { Handlers, ServiceParts } from './service-deps.ts';
import { requireConversation } from './service-deps.ts';
import { readAllTurns } from './transcript-calls.ts';

/** Memories that are looked through. */
const MOST_MEMORIES = 5000;

export function whyCalls(parts: ServiceParts): Pick<Handlers, 'explainAbsence'> {
  return {
    async explainAbsence({ conversationId, text, turn }) {
      const conversation = await requireConversation(parts.store, conversationId);
      await parts.supervisor.flushTraces();
      await parts.archive.flush();
      const turns = await readAllTurns(parts, conversationId);
      const looked =
        turn === undefined ? await nextRequest(parts, conversation, turns) : await pastRequest(parts, conversation, turns, turn);
      if (looked.request === null) return erasedAnswer(looked.turn);
      const explained = explainText({ ...(await places(parts, conversation)), ...looked, request: looked.request, text, turns });
      return { ...explained, turn: looked.turn, past: turn !== undefined };
    },
  };
}

interface Looked {
  turn: number;
  /** null: erased. */
  request: ModelRequest | null;
  plan: ContextPlan | null;
  promptVersion: string;
}

/** The last request of a turn, as it left. */
async function pastRequest(parts: ServiceParts, conversation: Conversation, turns: readonly StoredTurn[], turn: number): Promise<Looked> {
  const stored = turns.find((each) => each.turn === turn);
  if (stored === undefined || turn < 1) throw new ConsoleError('not-found', `The conversation has no turn ${turn}.`);
  const [last] = await parts.store.archive.list(conversation.id, { turn, limit: 1 });
  const archived = last === undefined ? null : await parts.store.archive.read(last.spanId);
  const plan = await readTurnPlan(parts, conversation.id, turn);
  const promptVersion = stored.promptVersion ?? SYSTEM_PROMPT.version;
  if (archived !== null) return { turn, request: archived.text === null ? null : parseRequest(archived.text), plan, promptVersion };
  if (plan === null) throw new ConsoleError('not-found', `Turn ${turn} sent no request to a model.`);
  // From before requests were archived: the plan and the question say what was sent.
  const question = stored.messages.slice(0, 1).map((message) => toContextMessage(message, turn));
  return { turn, request: requestOf(parts, conversation, SYSTEM_PROMPT, { plan, current: question }), plan, promptVersion };
}

/** What would leave if the customer wrote now, or what leaves next for a turn at work. */
async function nextRequest(parts: ServiceParts, conversation: Conversation, turns: readonly StoredTurn[]): Promise<Looked> {
  const settings = await parts.settings.readFor(conversation);
  const newest = turns.at(-1);
  const turn = nextTurn(newest);
  const { plan } = await buildContext(parts, { conversation, turn, question: null, settings });
  const current = (newest?.turn === turn ? newest.messages : []).map((message) => toContextMessage(message, turn));
  const prompt = await parts.prompts.chosen(settings);
  const privacy = await conversationPrivacy(parts, conversation, settings);
  const request = privacy.outgoing(requestOf(parts, conversation, prompt, { plan, current }));
  return { turn, request, plan, promptVersion: prompt.version };
}

function requestOf(
  parts: ServiceParts,
  conversation: Conversation,
  prompt: SystemPrompt,
  { plan, current }: { plan: ContextPlan; current: ModelRequest['messages'] },
): ModelRequest {
  const messages = [...plan.messages, ...current];
  return { system: prompt.text, tools: offeredTools(parts.tools.specs(), plan), messages, conversationId: conversation.id };
}

async function places(parts: ServiceParts, conversation: Conversation) {
  const { store } = parts;
  const owner = { tenant: conversation.tenant, customerId: conversation.actor === null ? null : conversation.customerId };
  const [queued, memories, state] = await Promise.all([
    store.conversations.listQueued(conversation.id),
    store.memories.list({ ...owner, limit: MOST_MEMORIES, superseded: true }),
    store.conversations.readMemoryState(conversation.id, 'summary'),
  ]);
  const { versions, current } = readSummaryState(parsedOrNull(state?.json ?? 'null'));
  const summaries = versions.map(({ version, text, throughTurn }) => ({ version, text, throughTurn, current: version === current }));
  return { queued, memories, summaries };
}

function parsedOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function erasedAnswer(turn: number): WhyAnswer {
  const reason = 'the request is erased; only its hash is left';
  return {
    findings: [{ where: 'request', turn, disposition: 'erased', reason, setting: null, sent: false }],
    seen: false,
    turn,
    past: true,
  };
}
