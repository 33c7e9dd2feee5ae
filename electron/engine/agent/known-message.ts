/** What a message that was sent before is answered with. Reads through ports only. */
import { ConsoleError } from '../../../shared/errors.ts';
import type { ConversationStore } from '../ports.ts';

type Sent = { turn: number | null; runId: string | null; queued: boolean };

/**
 * Where the message is by now: in `turn`, or waiting (null). Rejects with `invalid-input` when the known message says something else:
 * nothing that was typed may be lost silently.
 */
export async function knownMessage(
  conversations: ConversationStore,
  conversationId: string,
  turn: number | null,
  sent: { id: string; text: string },
): Promise<Sent> {
  if (turn === null) {
    const waiting = (await conversations.listQueued(conversationId)).find((message) => message.id === sent.id);
    if (waiting !== undefined) assertSame(waiting.text, sent.text);
    return { turn: null, runId: null, queued: true };
  }
  const stored = await conversations.readTurn(conversationId, turn);
  const message = stored?.messages.find(({ id }) => id === sent.id);
  // Of a forgotten turn there is nothing left to compare.
  if (message !== undefined && stored?.forgottenAt === undefined) assertSame(message.content, sent.text);
  return { turn, runId: stored?.runId ?? null, queued: false };
}

/** Stores keep well-formed text. */
function assertSame(known: string, sent: string): void {
  if (known === sent.toWellFormed()) return;
  throw new ConsoleError('invalid-input', 'A message with this messageId was sent before with another text; send this one with a new id.');
}
