// What a person does to one turn: pin, forget, look it up in trace or context. I/O through the client.
import { toErrorInfo } from '../../shared/errors.ts';
import { addNotice, changePreferences, engine, openConversation } from './actions.ts';
import { selectTurn } from './inspect-actions.ts';

export async function setTurnPinned(conversationId: string, turn: number, pinned: boolean): Promise<void> {
  await changeAndReload(conversationId, engine().call('pinTurn', { conversationId, turn, pinned }));
}

/** Cannot be undone: whoever calls has asked. */
export async function forgetTurn(conversationId: string, turn: number): Promise<void> {
  await changeAndReload(conversationId, engine().call('forgetTurn', { conversationId, turn }));
}

/** The turn in the inspector, or in the Context area where a person can ask why words are not seen. */
export function showTurn(turn: number, where: 'trace' | 'context' | 'why'): void {
  selectTurn(turn);
  changePreferences(where === 'why' ? { area: 'context' } : { inspectorTab: where });
}

async function changeAndReload(conversationId: string, change: Promise<unknown>): Promise<void> {
  try {
    await change;
    await openConversation(conversationId);
  } catch (error) {
    addNotice('error', toErrorInfo(error).message);
  }
}
