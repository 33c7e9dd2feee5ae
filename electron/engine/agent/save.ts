/** Saves the messages of a running turn. A message that could not be written stays in `unsaved` and goes with the next write. */
import type { NewMessage, StoredMessage } from '../../../shared/conversation.ts';
import { toErrorInfo } from '../../../shared/errors.ts';
import type { RunContext } from './run-context.ts';

/**
 * Adds messages to the turn and writes them, with what is still unsaved, in one append.
 * Rejects with the store's ConsoleError; the messages are part of the turn all the same.
 */
export async function saveMessages(run: RunContext, messages: NewMessage[]): Promise<StoredMessage[]> {
  const { conversationId, turn, runId } = run.scope;
  run.messages.push(...messages);
  run.unsaved.push(...messages);
  const batch = [...run.unsaved];
  const span = run.recorder.open({ kind: 'storage', name: `save ${batch.length} message${batch.length === 1 ? '' : 's'}` });
  try {
    const stored = await run.deps.store.conversations.append(conversationId, turn, runId, batch);
    run.unsaved = run.unsaved.filter((message) => !batch.includes(message));
    span.end({ status: 'ok' });
    for (const message of stored) run.deps.emit({ type: 'message-add', ...run.scope, message });
    return stored;
  } catch (error) {
    span.end({ status: 'error', error: toErrorInfo(error) });
    throw error;
  }
}

/** Adds a message to the turn without writing it: it goes with the next write. */
export function keepUnsaved(run: RunContext, message: NewMessage): void {
  run.messages.push(message);
  run.unsaved.push(message);
}
