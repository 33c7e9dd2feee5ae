// The one store of the renderer. Views select from it; only actions and events write to it.
import { create } from 'zustand';
import type { SearchSnippet } from '../../shared/api/reading.ts';
import type { ListFilter } from '../../shared/conversation-list.ts';
import type { ConversationSummary } from '../../shared/conversation.ts';
import type { RequestForecast } from '../../shared/compaction.ts';
import type { AppInfo } from '../../shared/console-api.ts';
import type { ErrorInfo } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import type { SpanDetail } from '../../shared/trace.ts';
import type { ConnectionState } from '../client/connection.ts';
import { type ConsoleData, type ConversationData, emptyData } from './console-data.ts';
import { loadPreferences, type Preferences } from './preferences.ts';

/** A message on its way to the engine; shown until its turn starts or it is queued. */
export interface PendingMessage {
  id: string;
  text: string;
}

export interface ForecastEntry {
  forecast: RequestForecast | null;
  error: ErrorInfo | null;
  loading: boolean;
}

export type Dialog = 'palette' | 'new-conversation' | 'settings' | 'shortcuts' | 'sync' | null;

/** The list of conversations: what is asked for, and what of it is loaded beside `data.items`. */
export interface ListState {
  loading: boolean;
  error: ErrorInfo | null;
  search: string;
  filter: ListFilter;
  nextCursor: string | null;
  loadingMore: boolean;
  /** Pages far from the start, by number; dropped with every new look at the list. */
  far: Record<number, readonly ConversationSummary[] | undefined>;
  /** What a search found in a row's messages; null: nothing there. */
  snippets: Record<string, SearchSnippet | null | undefined>;
}

export interface ConsoleState {
  data: ConsoleData;
  connection: ConnectionState;
  appInfo: AppInfo | null;
  startError: ErrorInfo | null;
  defaults: Settings | null;
  list: ListState;
  preferences: Preferences;
  /** Conversations being opened, or why that failed. */
  opening: Record<string, 'loading' | ErrorInfo>;
  /** The bar above the messages: closed, or open with the focus in one of its fields. */
  finding: 'text' | 'turn' | null;
  /** Marked unread by hand while it is open: it stays so until it is opened again. */
  keptUnread: string | null;
  drafts: Record<string, string>;
  pending: Record<string, PendingMessage | undefined>;
  /** A send that failed: its id is used again when the same text is sent again. */
  unsent: Record<string, PendingMessage | undefined>;
  sendErrors: Record<string, ErrorInfo | undefined>;
  forecasts: Record<string, ForecastEntry | undefined>;
  /** null: the newest turn. */
  selectedTurn: number | null;
  /** null: the newest run of the selected turn. */
  selectedRunId: string | null;
  selectedSpanId: string | null;
  details: Record<string, SpanDetail | 'loading' | 'none' | ErrorInfo>;
  traceError: ErrorInfo | null;
  drawerOpen: boolean;
  dialog: Dialog;
  /** The page of the settings that is open or was last. */
  settingsPage: string;
  /** A conversation whose deletion waits for a yes. */
  toDelete: string | null;
  /** Step of the tour that is shown; null: none. */
  tourStep: number | null;
  /** A link out of a message, waiting for a yes. */
  linkToOpen: string | null;
}

export const useConsole = create<ConsoleState>(() => ({
  data: emptyData(),
  connection: 'connecting',
  appInfo: null,
  startError: null,
  defaults: null,
  list: { loading: true, error: null, search: '', filter: {}, nextCursor: null, loadingMore: false, far: {}, snippets: {} },
  preferences: loadPreferences(),
  opening: {},
  finding: null,
  keptUnread: null,
  drafts: {},
  pending: {},
  unsent: {},
  sendErrors: {},
  forecasts: {},
  selectedTurn: null,
  selectedRunId: null,
  selectedSpanId: null,
  details: {},
  traceError: null,
  drawerOpen: false,
  dialog: null,
  settingsPage: 'model',
  toDelete: null,
  tourStep: null,
  linkToOpen: null,
}));

/** The open conversation, or undefined while none is loaded. */
export function useConversation(): ConversationData | undefined {
  return useConsole((state) => openConversationOf(state));
}

export function openConversationOf(state: ConsoleState): ConversationData | undefined {
  const id = state.preferences.selectedId;
  return id === null ? undefined : state.data.conversations[id];
}

/** The newest turn of a conversation, 0 when it has none. */
export function newestTurn(data: ConversationData): number {
  let newest = 0;
  for (const key of Object.keys(data.records)) newest = Math.max(newest, Number(key));
  for (const key of Object.keys(data.messages)) newest = Math.max(newest, Number(key));
  return newest;
}

let reconnectNow: () => void = () => undefined;

/** The way to try the line again at once; set at start. */
export function setReconnect(reconnect: () => void): void {
  reconnectNow = reconnect;
}

export function reconnect(): void {
  reconnectNow();
}
