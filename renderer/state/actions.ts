// What a person can do: calls the engine and writes the outcome into the store. I/O through the client.
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import type { SettingKey } from '../../shared/settings.ts';
import type { ListFilter } from '../../shared/conversation-list.ts';
import type { ConsoleClient } from '../client/console-client.ts';
import { setLanguage, words } from '../language/language.ts';
import { conversationFromView, emptyData } from './console-data.ts';
import { sortSummaries } from './fold-events.ts';
import { applyAppearance, type Preferences, savePreferences } from './preferences.ts';
import { type Dialog, useConsole } from './store.ts';

/** Turns loaded at once; older ones follow on demand. */
export const TURNS_PER_PAGE = 60;
export const LIST_PAGE = 100;
/** A draft is saved when typing pauses this long. */
const DRAFT_PAUSE_MS = 400;

const get = useConsole.getState;
const set = useConsole.setState;

let client: ConsoleClient | null = null;
const draftTimers = new Map<string, ReturnType<typeof setTimeout>>();

/** Set once at start, before any action runs. */
export function setClient(next: ConsoleClient): void {
  client = next;
}

export function engine(): ConsoleClient {
  if (client === null) throw new Error('The client is set before anything is called.');
  return client;
}

export function changePreferences(change: Partial<Preferences>): void {
  const preferences = { ...get().preferences, ...change };
  set({ preferences });
  savePreferences(preferences);
  if (change.theme !== undefined || change.density !== undefined || change.textSize !== undefined) applyAppearance(preferences);
  if (change.language !== undefined) setLanguage(change.language);
}

export function addNotice(level: 'info' | 'warning' | 'error', message: string): void {
  set((state) => {
    const id = (state.data.notices.at(-1)?.id ?? 0) + 1;
    return { data: { ...state.data, notices: [...state.data.notices, { id, level, message, conversationId: null }].slice(-5) } };
  });
}

export function dismissNotice(id: number): void {
  set((state) => ({ data: { ...state.data, notices: state.data.notices.filter((notice) => notice.id !== id) } }));
}

export function showDialog(dialog: Dialog): void {
  set({ dialog });
}

/** Loads what the screen shows: at start, and again after the line was lost. */
export async function loadEverything(): Promise<void> {
  try {
    const [appInfo, settings] = await Promise.all([
      engine().call('getAppInfo', {}),
      engine().call('getSettings', {}),
      loadList(),
      loadSync(),
    ]);
    set((state) => ({
      appInfo,
      startError: null,
      defaults: settings.defaults,
      data: { ...state.data, settings: settings.settings, model: appInfo },
    }));
    const { selectedId } = get().preferences;
    if (selectedId !== null) await openConversation(selectedId);
  } catch (error) {
    set({ startError: toErrorInfo(error) });
  }
}

/** The engine was started anew, perhaps on another storage: what was shown is forgotten and loaded again. What was typed stays. */
export async function startAnew(): Promise<void> {
  set((state) => ({
    data: { ...emptyData(), notices: state.data.notices },
    appInfo: null,
    startError: null,
    dialog: null,
    opening: {},
    forecasts: {},
    details: {},
    selectedTurn: null,
    selectedRunId: null,
    selectedSpanId: null,
    list: { ...state.list, loading: true, error: null, nextCursor: null },
  }));
  await loadEverything();
  if (get().startError === null) addNotice('info', words().storage.restarted);
}

/** An engine without an offline cache has no state of it. */
export async function loadSync(): Promise<void> {
  try {
    const { sync } = await engine().call('getSyncState', {});
    set((state) => ({ data: { ...state.data, sync } }));
  } catch {
    // The storage word says what is known.
  }
}

let listRequest = 0;

/** What the list is narrowed to, as the engine is asked for it. */
export function listQuery(): { search?: string; filter?: ListFilter } {
  const { search, filter } = get().list;
  return { ...(search === '' ? {} : { search }), ...(Object.keys(filter).length === 0 ? {} : { filter }) };
}

/** Rows that were not asked for do not join a narrowed list. */
export function isListNarrowed(): boolean {
  return Object.keys(listQuery()).length > 0;
}

/** The list for the present search, from its start. A slower, older answer never replaces a newer one. */
export async function loadList(): Promise<void> {
  const request = ++listRequest;
  set((state) => ({ list: { ...state.list, loading: true, error: null } }));
  try {
    const page = await engine().call('listConversations', { limit: LIST_PAGE, ...listQuery() });
    if (request !== listRequest) return;
    set((state) => ({
      data: { ...state.data, items: sortSummaries(page.items), total: page.total, searching: isListNarrowed() },
      list: { ...state.list, loading: false, nextCursor: page.nextCursor, far: {}, snippets: {} },
    }));
  } catch (error) {
    if (request === listRequest) set((state) => ({ list: { ...state.list, loading: false, error: toErrorInfo(error) } }));
  }
}

export async function loadMoreConversations(): Promise<void> {
  const { nextCursor, loadingMore } = get().list;
  if (nextCursor === null || loadingMore) return;
  const request = listRequest;
  set((state) => ({ list: { ...state.list, loadingMore: true } }));
  try {
    const page = await engine().call('listConversations', { limit: LIST_PAGE, cursor: nextCursor, ...listQuery() });
    if (request !== listRequest) return;
    set((state) => {
      const known = new Set(state.data.items.map((item) => item.id));
      const items = sortSummaries([...state.data.items, ...page.items.filter((item) => !known.has(item.id))]);
      return { data: { ...state.data, items, total: page.total }, list: { ...state.list, nextCursor: page.nextCursor } };
    });
  } catch (error) {
    addNotice('error', toErrorInfo(error).message);
  } finally {
    set((state) => ({ list: { ...state.list, loadingMore: false } }));
  }
}

export function searchConversations(search: string): void {
  set((state) => ({ list: { ...state.list, search } }));
  void loadList();
}

export async function openConversation(id: string): Promise<void> {
  const before = get().preferences.selectedId;
  if (before !== null && before !== id) void flushDraft(before);
  if (before !== id) set({ selectedTurn: null, selectedRunId: null, selectedSpanId: null, traceError: null, finding: null });
  set({ keptUnread: null });
  changePreferences({ selectedId: id });
  set((state) => ({ opening: { ...state.opening, [id]: 'loading' } }));
  try {
    const [view, { turns: marks }] = await Promise.all([
      engine().call('openConversation', { conversationId: id, turns: TURNS_PER_PAGE }),
      engine().call('getTurnMarks', { conversationId: id }),
    ]);
    set((state) => {
      const { [id]: _done, ...opening } = state.opening;
      return {
        opening,
        drafts: { ...state.drafts, [id]: state.drafts[id] ?? view.draft },
        data: {
          ...state.data,
          conversations: { ...state.data.conversations, [id]: conversationFromView(view, state.data.conversations[id], marks) },
        },
      };
    });
  } catch (error) {
    failOpening(id, toErrorInfo(error));
  }
}

function failOpening(id: string, error: ErrorInfo): void {
  if (error.code !== 'not-found') return set((state) => ({ opening: { ...state.opening, [id]: error } }));
  // A remembered conversation may have been deleted elsewhere: the list is the way on.
  set((state) => {
    const { [id]: _gone, ...opening } = state.opening;
    return { opening };
  });
  if (get().preferences.selectedId === id) changePreferences({ selectedId: null });
}

/** Starts a conversation and opens it; with `firstMessage`, sends that too. Customer null: none, undefined: the demo customer. */
export async function startConversation(customerId: string | null | undefined, firstMessage?: string): Promise<void> {
  try {
    const { conversation } = await engine().call('createConversation', customerId === undefined ? {} : { customerId });
    set({ dialog: null });
    if (firstMessage !== undefined) setDraft(conversation.id, firstMessage);
    await openConversation(conversation.id);
    if (firstMessage !== undefined) await sendMessage(conversation.id);
  } catch (error) {
    addNotice('error', toErrorInfo(error).message);
  }
}

export function setDraft(id: string, text: string): void {
  set((state) => ({ drafts: { ...state.drafts, [id]: text } }));
  clearTimeout(draftTimers.get(id));
  draftTimers.set(
    id,
    setTimeout(() => void flushDraft(id), DRAFT_PAUSE_MS),
  );
}

/** Saves a waiting draft now. A draft that cannot be saved stays on the screen and is saved with the next change. */
export async function flushDraft(id: string): Promise<void> {
  const timer = draftTimers.get(id);
  if (timer === undefined) return;
  clearTimeout(timer);
  draftTimers.delete(id);
  try {
    await engine().call('saveDraft', { conversationId: id, text: get().drafts[id] ?? '' });
  } catch {
    // The text is in the store; the connection banner already says what is wrong.
  }
}

export function flushAllDrafts(): void {
  for (const id of draftTimers.keys()) void flushDraft(id);
}

/** 32 hex characters; random, so that a repeated send is the same message and two never meet. */
function newMessageId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends the draft. Where that fails the text returns into the draft, and the same text keeps its id when sent again. */
export async function sendMessage(id: string): Promise<void> {
  const text = (get().drafts[id] ?? '').trim();
  if (text === '' || get().pending[id] !== undefined) return;
  const unsent = get().unsent[id];
  const message = unsent?.text === text ? unsent : { id: newMessageId(), text };
  set((state) => ({
    drafts: { ...state.drafts, [id]: '' },
    pending: { ...state.pending, [id]: message },
    sendErrors: { ...state.sendErrors, [id]: undefined },
    selectedTurn: null,
    selectedRunId: null,
    selectedSpanId: null,
  }));
  try {
    await engine().call('sendMessage', { conversationId: id, messageId: message.id, text });
    setDraft(id, get().drafts[id] ?? '');
    set((state) => ({ pending: { ...state.pending, [id]: undefined }, unsent: { ...state.unsent, [id]: undefined } }));
  } catch (error) {
    restoreText(id, message, toErrorInfo(error));
  }
}

function restoreText(id: string, message: { id: string; text: string }, error: ErrorInfo): void {
  const typedMeanwhile = get().drafts[id] ?? '';
  set((state) => ({
    pending: { ...state.pending, [id]: undefined },
    unsent: { ...state.unsent, [id]: message },
    sendErrors: { ...state.sendErrors, [id]: error },
  }));
  setDraft(id, typedMeanwhile === '' ? message.text : `${message.text}\n${typedMeanwhile}`);
}

async function orNotice(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    addNotice('error', toErrorInfo(error).message);
  }
}

export async function stopRun(id: string): Promise<void> {
  await orNotice(engine().call('stopRun', { conversationId: id }));
}

export async function retryTurn(id: string): Promise<void> {
  await orNotice(engine().call('retryTurn', { conversationId: id }));
}

/** Streams on from the partial text of the newest turn. */
export async function continueTurn(id: string): Promise<void> {
  await orNotice(engine().call('continueTurn', { conversationId: id }));
}

/** Money and tokens of turn, conversation and day. Without them the meter shows none; nothing else depends on them. */
export async function loadSpending(id: string): Promise<void> {
  try {
    const { spending } = await engine().call('getSpending', { conversationId: id });
    set((state) => {
      const data = state.data.conversations[id];
      if (data === undefined) return {};
      return { data: { ...state.data, conversations: { ...state.data.conversations, [id]: { ...data, spending } } } };
    });
  } catch {
    // A console of an older engine has no ledger to show.
  }
}

export async function changeStrategy(id: string, strategy: 'recent-turns' | 'summary' | 'stable' | null): Promise<void> {
  await orNotice(engine().call('updateConversation', { conversationId: id, strategy }));
}

/** Resolves with null when saved, else with the reason. */
export async function changeSetting(key: SettingKey, value: unknown): Promise<ErrorInfo | null> {
  try {
    const { settings } = await engine().call('changeSettings', { values: { [key]: value } });
    set((state) => ({ data: { ...state.data, settings } }));
    return null;
  } catch (error) {
    return toErrorInfo(error);
  }
}
