// What a person does with one conversation as a whole: shorten, pin, save as a file, delete. I/O through the client.
import { toErrorInfo } from '../../shared/errors.ts';
import { words } from '../language/language.ts';
import { handOver } from '../ui/hand-over.ts';
import { addNotice, changePreferences, engine, loadList } from './actions.ts';
import { inspectedTurn } from './inspect-actions.ts';
import { openConversationOf, useConsole } from './store.ts';

async function orNotice<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    addNotice('error', toErrorInfo(error).message);
    return null;
  }
}

/** Shortens the history now instead of at the budget, and says what came of it. */
export async function compactNow(conversationId: string): Promise<void> {
  const report = await orNotice(engine().call('compactNow', { conversationId }));
  if (report === null) return;
  const text = words().commands;
  addNotice('info', report.compacted ? text.compacted(report.tokensBefore, report.tokensAfter) : text.nothingToCompact(report.reason));
}

/** Pins the selected turn, or takes its pin away. */
export async function pinSelectedTurn(): Promise<void> {
  const data = openConversationOf(useConsole.getState());
  const turn = inspectedTurn();
  if (data === undefined || turn < 1) return;
  const pinned = data.records[turn]?.pinned !== true;
  const done = await orNotice(engine().call('pinTurn', { conversationId: data.summary.id, turn, pinned }));
  if (done !== null) addNotice('info', pinned ? words().commands.pinned(turn) : words().commands.unpinned(turn));
}

const EXTENSIONS = { openai: 'jsonl', markdown: 'md', json: 'json' } as const;

export async function saveConversation(conversationId: string, format: keyof typeof EXTENSIONS): Promise<void> {
  const file = await orNotice(engine().call('exportConversation', { conversationId, format }));
  if (file !== null) handOver(`conversation-${conversationId.slice(0, 8)}.${EXTENSIONS[format]}`, file.text);
}

/** Asks first; nothing brings it back. */
export function deleteOpenConversation(conversationId: string): void {
  useConsole.setState({ toDelete: conversationId });
}

export async function deleteConversation(conversationId: string): Promise<void> {
  const done = await orNotice(engine().call('deleteConversation', { conversationId }));
  useConsole.setState({ toDelete: null });
  if (done === null) return;
  if (useConsole.getState().preferences.selectedId === conversationId) changePreferences({ selectedId: null });
  void loadList();
}
