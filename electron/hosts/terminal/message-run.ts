/** One customer message through the engine to its answer. Uses the api only. */
import { randomUUID } from 'node:crypto';
import type { ConsoleApi, ConsoleEvent } from '../../../shared/console-api.ts';
import type { StoredMessage, TurnState } from '../../../shared/conversation.ts';

export interface RunEnd {
  turn: number;
  state: TurnState;
  /** The newest assistant text of the turn; "" when there is none. */
  answer: string;
  /** Why the answer, or a step on the way to it, is not in the store; null when all is. */
  unsaved: string | null;
}

type RunEvent = Extract<ConsoleEvent, { runId: string }>;
type NoticeEvent = Extract<ConsoleEvent, { type: 'notice' }>;
type TurnEnd = Extract<ConsoleEvent, { type: 'turn-end' }>;

function isRunEvent(event: ConsoleEvent): event is RunEvent {
  return 'runId' in event;
}

function answerOf(messages: readonly StoredMessage[], turn: number): string {
  return messages.findLast((message) => message.turn === turn && message.role === 'assistant' && message.content !== '')?.content ?? '';
}

/** The text of the step that ended the run with an answer: all there is of it when the store refused it. */
function createStreamedAnswer(): { take: (event: RunEvent | NoticeEvent) => void; text: () => string } {
  let step = 0;
  let text = '';
  let isWhole = false;
  return {
    take(event) {
      if (event.type === 'text-delta') {
        text = event.step === step ? text + event.delta : event.delta;
        step = event.step;
      }
      if (event.type === 'model-end') isWhole = event.outcome === 'answered' && event.step === step;
    },
    text: () => (isWhole ? text : ''),
  };
}

/**
 * Sends the text and waits for the end of the run that answers it, also when the message has to queue behind another run.
 * `onEvent` sees the run's events in order. Rejects with ConsoleError when the message was not taken.
 */
export async function runMessage(
  api: ConsoleApi,
  conversationId: string,
  text: string,
  onEvent: (event: ConsoleEvent) => void,
): Promise<RunEnd> {
  const messageId = randomUUID();
  let runId: string | null = null;
  let early: (RunEvent | NoticeEvent)[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<TurnEnd>();
  const streamed = createStreamedAnswer();
  const take = (event: RunEvent | NoticeEvent): void => {
    if (event.type !== 'notice' && event.runId !== runId) return;
    streamed.take(event);
    onEvent(event);
    if (event.type === 'turn-end') resolve(event);
  };
  const follow = (id: string): void => {
    if (runId !== null) return;
    runId = id;
    const waiting = early;
    early = [];
    for (const event of waiting) take(event);
  };
  const unsubscribe = api.subscribe((event) => {
    if (!(isRunEvent(event) || event.type === 'notice') || event.conversationId !== conversationId) return;
    if (event.type === 'turn-start' && event.message.id === messageId) follow(event.runId);
    if (runId === null) early.push(event);
    else take(event);
  });
  try {
    const reply = await api.call('sendMessage', { conversationId, messageId, text });
    if (reply.runId !== null) follow(reply.runId);
    const end = await ended;
    const stored = async (): Promise<string> => {
      const view = await api.call('openConversation', { conversationId, beforeTurn: end.turn + 1, turns: 1 });
      return answerOf(view.messages, end.turn);
    };
    const { error } = end.record;
    if (error?.code !== 'not-saved') return { turn: end.turn, state: end.state, answer: await stored(), unsaved: null };
    // The store may refuse reading too; the reason is known already.
    const answer = streamed.text() || (await stored().catch(() => ''));
    return { turn: end.turn, state: 'failed', answer, unsaved: error.message };
  } finally {
    unsubscribe();
  }
}
