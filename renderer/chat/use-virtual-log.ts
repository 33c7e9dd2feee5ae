// The scrolling of the log: which rows are drawn, where the view stands, which pages are missing. I/O: scrolling, loading.
import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ErrorInfo } from '../../shared/errors.ts';
import { TURNS_PER_PAGE } from '../state/actions.ts';
import { type ConversationData, isTurnLoaded } from '../state/console-data.ts';
import { loadTurns } from '../state/reading-actions.ts';
import { openConversationOf, useConsole } from '../state/store.ts';
import { type LogShape, missingPage, newSince, type ReadingPlace, rowAt, rowCount, rowKey, rowOfTurn } from './log-rows.ts';
import { keepReadingPlace, readingPlace } from './reading-places.ts';
import { type RowVirtualizer, useVirtualRows } from '../ui/use-virtual-rows.ts';
import { followsEnd, NEAR_END_PX } from './scroll-rules.ts';

/** Height of a turn before it was seen, in pixels: a question, an answer of some lines, and their edge. */
const USUAL_TURN_PX = 190;
const NOTES_PX = 140;
const TAIL_PX = 8;
/** Rows drawn beyond each edge of the view. */
const OVERSCAN = 3;

export interface VirtualLog {
  /** What scrolls; null until it is there. */
  frame: HTMLDivElement | null;
  setFrame: (element: HTMLDivElement | null) => void;
  virtualizer: RowVirtualizer;
  /** The first turn in view; null while none is. */
  firstTurn: number | null;
  /** The view is away from the end; `fresh` turns came meanwhile. */
  away: boolean;
  fresh: number;
  loadError: ErrorInfo | null;
  tryAgain: () => void;
  toEnd: () => void;
  goToTurn: (turn: number, offset?: number) => Promise<void>;
  onFocusTurn: (turn: number | null) => void;
}

let goThere: ((turn: number) => Promise<void>) | null = null;

/** Brings a turn of the open conversation into view, loaded or not. */
export function scrollToTurn(turn: number): void {
  void goThere?.(turn);
}

function estimate(shape: LogShape, index: number): number {
  const { kind } = rowAt(shape, index);
  return kind === 'turn' ? USUAL_TURN_PX : kind === 'notes' ? NOTES_PX : TAIL_PX;
}

/** Rows in view and the one that holds the focus: what a person works in must not be taken away. */
function rangeWith(shape: LogShape, focusedTurn: number | null): (range: Range) => number[] {
  return (range) => {
    const rows = defaultRangeExtractor(range);
    if (focusedTurn === null) return rows;
    const row = rowOfTurn(shape, focusedTurn);
    return rows.includes(row) || row >= range.count ? rows : [...rows, row].sort((left, right) => left - right);
  };
}

export function useVirtualLog(data: ConversationData, shape: LogShape, pendingId: string | undefined): VirtualLog {
  const id = data.summary.id;
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [focusedTurn, onFocusTurn] = useState<number | null>(null);
  const rangeExtractor = useMemo(() => rangeWith(shape, focusedTurn), [shape, focusedTurn]);
  const virtualizer = useVirtualRows({
    count: rowCount(shape),
    getScrollElement: () => frame,
    estimateSize: (index) => estimate(shape, index),
    getItemKey: (index) => rowKey(shape, index),
    overscan: OVERSCAN,
    rangeExtractor,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END_PX,
    paddingStart: 4,
  });
  const pages = usePages(data, shape, virtualizer);
  const follow = useFollowing(virtualizer);
  const goToTurn = async (turn: number, offset = 0): Promise<void> => {
    const current = openConversationOf(useConsole.getState());
    if (current?.summary.id === id && !isTurnLoaded(current, turn)) await loadTurns(id, turn + 8, TURNS_PER_PAGE);
    follow(false);
    virtualizer.scrollToIndex(rowOfTurn(shape, turn), { align: 'start' });
    if (offset !== 0) requestAnimationFrame(() => requestAnimationFrame(() => virtualizer.scrollBy(offset)));
  };
  const toEnd = () => {
    follow(true);
    virtualizer.scrollToEnd();
  };
  useStartPlace(id, frame, virtualizer, goToTurn);
  const goFromOutside = useEffectEvent(goToTurn);
  useEffect(() => {
    const go = (turn: number) => goFromOutside(turn);
    goThere = go;
    return () => {
      if (goThere === go) goThere = null;
    };
  }, []);
  // What was just sent is where a person looks, wherever they had scrolled to.
  const followSent = useEffectEvent(toEnd);
  useEffect(() => {
    if (pendingId !== undefined) followSent();
  }, [pendingId]);
  const away = virtualizer.scrollOffset !== null && !virtualizer.isAtEnd(NEAR_END_PX);
  const fresh = useFresh(shape.turns, away);
  const firstTurn = useFirstTurn(id, virtualizer, shape, away);
  return { frame, setFrame, virtualizer, firstTurn, away, fresh, ...pages, toEnd, goToTurn, onFocusTurn };
}

/** Stays at the end while rows and the frame change their heights, until a person leaves it. Returns the way to say which holds. */
function useFollowing(virtualizer: RowVirtualizer): (follows: boolean) => void {
  const state = useRef({ follows: true, total: 0, height: 0, distance: 0 });
  useLayoutEffect(() => {
    const before = state.current;
    const total = virtualizer.getTotalSize();
    const height = virtualizer.scrollRect?.height ?? 0;
    const distance = total - height - (virtualizer.scrollOffset ?? 0);
    const follows = followsEnd(before, { total, height, distance });
    state.current = { follows, total, height, distance };
    if (follows && distance > 1 && (total !== before.total || height !== before.height)) virtualizer.scrollToEnd();
  });
  return (follows) => {
    state.current.follows = follows;
  };
}

/** Opens where the reader stood, else at the end. */
function useStartPlace(
  id: string,
  frame: HTMLDivElement | null,
  virtualizer: RowVirtualizer,
  goToTurn: (turn: number, offset: number) => Promise<void>,
): void {
  const start = useEffectEvent((place: ReadingPlace | null) => {
    if (place === null) virtualizer.scrollToEnd();
    else void goToTurn(place.turn, place.offset);
  });
  useLayoutEffect(() => {
    if (frame !== null) start(readingPlace(id));
  }, [id, frame]);
}

function useFresh(turns: readonly number[], away: boolean): number {
  const newest = turns.at(-1) ?? 0;
  const [seen, setSeen] = useState(newest);
  if (!away && seen !== newest) setSeen(newest);
  return away ? newSince(turns, seen) : 0;
}

function useFirstTurn(id: string, virtualizer: RowVirtualizer, shape: LogShape, away: boolean): number | null {
  const offset = virtualizer.scrollOffset;
  const item = offset === null || virtualizer.range === null ? undefined : virtualizer.getVirtualItemForOffset(offset);
  const row = item === undefined ? null : rowAt(shape, item.index);
  const turn = row?.kind === 'turn' ? row.turn : null;
  const into = item === undefined || offset === null ? 0 : Math.max(0, offset - item.start);
  useEffect(() => {
    if (turn !== null) keepReadingPlace(id, away ? { turn, offset: into } : null);
  }, [id, turn, into, away]);
  return turn;
}

/** Loads what the view lacks, one page at a time. */
function usePages(data: ConversationData, shape: LogShape, virtualizer: RowVirtualizer): Pick<VirtualLog, 'loadError' | 'tryAgain'> {
  const id = data.summary.id;
  const [loadError, setLoadError] = useState<ErrorInfo | null>(null);
  const [loading, setLoading] = useState<string | null>(null);
  const connected = useConsole((state) => state.connection === 'open');
  const first = virtualizer.range?.startIndex ?? -1;
  const last = virtualizer.range?.endIndex ?? -1;
  const page =
    first === -1 || loading !== null || loadError !== null || !connected
      ? null
      : missingPage(shape, (turn) => isTurnLoaded(data, turn), { first, last });
  // Set while drawing, so that no second page is asked for before this one is there.
  if (page !== null) setLoading(`${page.last} ${page.turns}`);
  const done = useEffectEvent((error: ErrorInfo | null) => {
    setLoadError(error);
    setLoading(null);
  });
  useEffect(() => {
    if (loading === null) return;
    const [newest, turns] = loading.split(' ').map(Number);
    void loadTurns(id, newest ?? 0, turns ?? 0).then((error) => done(error));
  }, [id, loading]);
  return { loadError, tryAgain: () => setLoadError(null) };
}
