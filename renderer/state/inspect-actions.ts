// What a person looks at: turns, traces, spans and the forecast of the next request. I/O through the client.
import { toErrorInfo } from '../../shared/errors.ts';
import type { Span } from '../../shared/trace.ts';
import { changePreferences, engine } from './actions.ts';
import { newestTurn, openConversationOf, useConsole } from './store.ts';
import { turnNumbers } from './console-data.ts';

const get = useConsole.getState;
const set = useConsole.setState;

export function selectTurn(turn: number | null): void {
  const data = openConversationOf(get());
  const isNewest = data !== undefined && turn === newestTurn(data);
  set({ selectedTurn: isNewest ? null : turn, selectedRunId: null, selectedSpanId: null });
}

/** The turn the inspector shows; 0 when the conversation is empty. */
export function inspectedTurn(): number {
  const data = openConversationOf(get());
  return get().selectedTurn ?? (data === undefined ? 0 : newestTurn(data));
}

/** Next or previous turn of those that are loaded. */
export function moveTurn(by: 1 | -1): number | null {
  const data = openConversationOf(get());
  if (data === undefined) return null;
  const numbers = turnNumbers(data);
  const target = numbers[numbers.indexOf(inspectedTurn()) + by];
  if (target === undefined) return null;
  selectTurn(target);
  return target;
}

export async function loadTrace(conversationId: string, turn: number, runId?: string): Promise<void> {
  try {
    const { trace, runIds } = await engine().call('getTrace', { conversationId, turn, ...(runId === undefined ? {} : { runId }) });
    set((state) => {
      const data = state.data.conversations[conversationId];
      if (data === undefined) return {};
      const known = { ...data, runIdsOfTurn: { ...data.runIdsOfTurn, [turn]: runIds } };
      const loaded =
        trace === null
          ? known
          : {
              ...known,
              runs: { ...data.runs, [trace.run.id]: trace.run },
              spans: { ...data.spans, [trace.run.id]: trace.spans },
              events: { ...data.events, [trace.run.id]: trace.events },
            };
      return { traceError: null, data: { ...state.data, conversations: { ...state.data.conversations, [conversationId]: loaded } } };
    });
  } catch (error) {
    set({ traceError: toErrorInfo(error) });
  }
}

export function selectSpan(spanId: string | null, detailBytes: number): void {
  set({ selectedSpanId: spanId });
  if (spanId !== null && detailBytes > 0 && get().details[spanId] === undefined && detailBytes <= AUTO_LOAD_BYTES) void loadDetail(spanId);
}

/** The turn of a span becomes the chosen one; returns it. */
export function showMessageOfSpan(span: Span): number {
  const data = openConversationOf(get());
  const turn = data?.runs[span.runId]?.turn ?? inspectedTurn();
  changePreferences({ inspectorTab: 'trace' });
  selectTurn(turn);
  set({ selectedRunId: span.runId, selectedSpanId: span.id });
  return turn;
}

/** Opens the trace at the span of a tool call; nothing happens where no loaded turn made the call. */
export async function showToolSpan(toolCallId: string): Promise<void> {
  const data = openConversationOf(get());
  if (data === undefined) return;
  const turn = turnNumbers(data).find((each) =>
    data.messages[each]?.some((message) => message.toolCalls?.some((call) => call.id === toolCallId) === true),
  );
  if (turn === undefined) return;
  changePreferences({ inspectorTab: 'trace' });
  selectTurn(turn);
  set({ drawerOpen: true });
  await loadTrace(data.summary.id, turn);
  const after = openConversationOf(get());
  const runId = after?.records[turn]?.runId ?? null;
  const span = runId === null ? undefined : after?.spans[runId]?.find((each) => each.toolCallId === toolCallId);
  if (span !== undefined) selectSpan(span.id, span.detailBytes);
}

/** Details up to this size load when their span is selected; larger ones wait for a click. */
export const AUTO_LOAD_BYTES = 512 * 1024;

export async function loadDetail(spanId: string): Promise<void> {
  set((state) => ({ details: { ...state.details, [spanId]: 'loading' } }));
  try {
    const { detail } = await engine().call('getSpanDetail', { spanId });
    set((state) => ({ details: { ...state.details, [spanId]: detail ?? 'none' } }));
  } catch (error) {
    set((state) => ({ details: { ...state.details, [spanId]: toErrorInfo(error) } }));
  }
}

let forecastRequest = 0;

/** The forecast of the next request with the present draft. A slower, older answer never replaces a newer one. */
export async function loadForecast(conversationId: string): Promise<void> {
  const request = ++forecastRequest;
  const next = (get().drafts[conversationId] ?? '').trim();
  const before = get().forecasts[conversationId];
  set((state) => ({
    forecasts: {
      ...state.forecasts,
      [conversationId]: { forecast: before?.forecast ?? null, error: before?.error ?? null, loading: true },
    },
  }));
  try {
    const forecast = await engine().call('previewContext', { conversationId, ...(next === '' ? {} : { next }) });
    if (request !== forecastRequest) return;
    set((state) => ({ forecasts: { ...state.forecasts, [conversationId]: { forecast, error: null, loading: false } } }));
  } catch (error) {
    if (request !== forecastRequest) return;
    const failed = { forecast: before?.forecast ?? null, error: toErrorInfo(error), loading: false };
    set((state) => ({ forecasts: { ...state.forecasts, [conversationId]: failed } }));
  }
}
