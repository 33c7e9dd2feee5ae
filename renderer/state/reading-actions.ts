// Finding one's way in a conversation: pages of turns, places of a text, read marks. I/O through the client.
import type { FoundMessage } from '../../shared/api/reading.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { addNotice, engine } from './actions.ts';
import { withTurns } from './console-data.ts';
import { useConsole } from './store.ts';

/** Loads the turns up to and including `last`; resolves with null, or with why they could not be loaded. */
export async function loadTurns(id: string, last: number, turns: number): Promise<ErrorInfo | null> {
  try {
    const view = await engine().call('openConversation', { conversationId: id, beforeTurn: last + 1, turns });
    useConsole.setState((state) => {
      const current = state.data.conversations[id];
      if (current === undefined) return {};
      return { data: { ...state.data, conversations: { ...state.data.conversations, [id]: withTurns(current, view) } } };
    });
    return null;
  } catch (error) {
    return toErrorInfo(error);
  }
}

export type FindOutcome = { found: readonly FoundMessage[]; total: number; error: null } | { found: []; total: 0; error: ErrorInfo };

export async function findInConversation(id: string, text: string): Promise<FindOutcome> {
  try {
    return { ...(await engine().call('findInConversation', { conversationId: id, text })), error: null };
  } catch (error) {
    return { found: [], total: 0, error: toErrorInfo(error) };
  }
}

/** What the open conversation shows is read. A mark that cannot be written costs nothing but a dot. */
export async function markRead(id: string): Promise<void> {
  try {
    await engine().call('markRead', { conversationId: id, read: true });
  } catch {
    // The row stays unread, which is true for the next console too.
  }
}

/** A person wants to come back to it. */
export async function markUnread(id: string): Promise<void> {
  try {
    useConsole.setState({ keptUnread: id });
    await engine().call('markRead', { conversationId: id, read: false });
  } catch (error) {
    useConsole.setState({ keptUnread: null });
    addNotice('error', toErrorInfo(error).message);
  }
}
