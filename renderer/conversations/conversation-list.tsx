// The left pane: search, new conversation, and the list, newest first.
import { defaultRangeExtractor } from '@tanstack/react-virtual';
import { Check, CircleAlert, Cloud, ListFilter, MessageSquare, Plus, Search, Square, UserRound, X } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SearchSnippet } from '../../shared/api/reading.ts';
import type { ConversationSummary } from '../../shared/conversation.ts';
import { words } from '../language/language.ts';
import { LIST_PAGE, loadList, loadMoreConversations, openConversation, searchConversations, showDialog } from '../state/actions.ts';
import { loadFarPage, loadSnippets } from '../state/list-actions.ts';
import { markUnread } from '../state/reading-actions.ts';
import { useConsole } from '../state/store.ts';
import { formatCount, formatFullTime, formatWhen } from '../ui/format.ts';
import { useNow, useSettled, useToday } from '../ui/hooks.ts';
import { useVirtualRows } from '../ui/use-virtual-rows.ts';
import { FilterChips, FilterPanel } from './list-filter.tsx';
import { markedPieces, missingRows, rowAt, rowOfKey } from './list-rows.ts';
import { type RowGlyph, rowName, rowText, rowWords } from './row-words.ts';

const SEARCH_PAUSE_MS = 200;
const GLYPHS: Record<RowGlyph, typeof Check> = {
  working: Cloud,
  answered: Check,
  person: UserRound,
  failed: CircleAlert,
  stopped: Square,
  new: MessageSquare,
};

export function ConversationList() {
  return (
    <section className="queue" aria-label={words().rows.queue}>
      <header className="queue-head">
        <h2>{words().rows.conversations}</h2>
        <Total />
        <span className="grow" />
        <button
          type="button"
          className="ghost icon"
          aria-label={words().rows.fresh}
          title={words().rows.freshHint}
          onClick={() => showDialog('new-conversation')}
        >
          <Plus className="i" aria-hidden />
        </button>
      </header>
      <SearchField />
      <Rows />
    </section>
  );
}

function Total() {
  const total = useConsole((state) => state.data.total);
  return total === 0 ? null : <span className="count num">{formatCount(total)}</span>;
}

function SearchField() {
  const asked = useConsole((state) => state.list.search);
  const filters = useConsole((state) => Object.keys(state.list.filter).length);
  const [text, setText] = useState(asked);
  const [seen, setSeen] = useState(asked);
  const [isOpen, setOpen] = useState(false);
  const today = useToday();
  // A search that was cleared elsewhere is cleared here too.
  if (asked !== seen) {
    setSeen(asked);
    if (asked === '') setText('');
  }
  const settled = useSettled(text.trim(), SEARCH_PAUSE_MS);
  useEffect(() => {
    if (settled !== useConsole.getState().list.search) searchConversations(settled);
  }, [settled]);
  return (
    <div className="queue-search">
      <div className="queue-find">
        <label className="field">
          <Search className="i m" aria-hidden />
          <input
            id="conversation-search"
            type="text"
            role="searchbox"
            aria-label={words().rows.search}
            placeholder={words().rows.searchShort}
            dir="auto"
            value={text}
            maxLength={200}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setText('');
            }}
          />
          {text === '' ? (
            <kbd aria-hidden>/</kbd>
          ) : (
            <button type="button" className="ghost icon xs" aria-label={words().rows.clearSearch} onClick={() => setText('')}>
              <X className="i s" aria-hidden />
            </button>
          )}
        </label>
        <button
          type="button"
          className="ghost icon"
          aria-label={words().conversations.filter}
          title={words().conversations.filter}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ListFilter className="i" aria-hidden />
          {filters > 0 && <span className="filter-count num">{filters}</span>}
        </button>
      </div>
      {isOpen && <FilterPanel today={today} />}
      <FilterChips today={today} />
    </div>
  );
}

/** Height of a row, in pixels, as the styles have it. */
const ROW_PX = 72;

function Rows() {
  const items = useConsole((state) => state.data.items);
  const total = useConsole((state) => state.data.total);
  const list = useConsole((state) => state.list);
  const selectedId = useConsole((state) => state.preferences.selectedId);
  const now = useNow(true, 60_000);
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [active, setActive] = useState<number | null>(null);
  const count = list.nextCursor === null ? items.length : Math.max(total, items.length);
  const selected = items.findIndex((item) => item.id === selectedId);
  const reachable = Math.min(active ?? Math.max(0, selected), Math.max(0, count - 1));
  const virtualizer = useVirtualRows({
    count,
    getScrollElement: () => frame,
    estimateSize: () => ROW_PX,
    overscan: 4,
    // The row that Tab leads to is always there.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), reachable])].sort((left, right) => left - right),
  });
  useMissingRows(virtualizer.range, items);
  const keepFocusOn = useKeptFocus(frame);
  const perPage = Math.max(1, Math.floor((frame?.clientHeight ?? 0) / ROW_PX) - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = event.target instanceof Element ? Number(event.target.getAttribute('data-row') ?? -1) : -1;
    const item = rowAt(items, list.far, at, LIST_PAGE);
    if (event.key.toLowerCase() === 'u' && item !== null && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      void markUnread(item.id);
      return;
    }
    const target = rowOfKey(event.key, at, count, perPage);
    if (target === null) return;
    event.preventDefault();
    setActive(target);
    keepFocusOn(target);
    virtualizer.scrollToIndex(target, { align: 'auto' });
  };
  return (
    <div className="queue-list scroll" ref={setFrame}>
      <ListState empty={items.length === 0} />
      {/* A list keeps its written role where styles remove the marks */}
      <ul
        role="list"
        aria-label={words().rows.conversations}
        aria-busy={list.loading}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) keepFocusOn(null);
        }}
        onFocus={(event) => {
          const row = Number(event.target.getAttribute('data-row') ?? 0);
          setActive(row);
          keepFocusOn(row);
        }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const item = rowAt(items, list.far, index, LIST_PAGE);
          return (
            <li key={item?.id ?? index} aria-setsize={count} aria-posinset={index + 1} style={{ transform: `translateY(${start}px)` }}>
              {item === null ? (
                <UnloadedRow index={index} focusable={index === reachable} />
              ) : (
                <ListedRow item={item} index={index} now={now} focusable={index === reachable} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** A row with what the store knows of it. */
function ListedRow(props: Pick<RowProps, 'item' | 'index' | 'now' | 'focusable'>) {
  const { id, unreadTurns } = props.item;
  const selected = useConsole((state) => state.preferences.selectedId === id);
  const isKept = useConsole((state) => state.keptUnread === id);
  const connected = useConsole((state) => state.connection === 'open' || state.connection === 'connecting');
  const snippet = useConsole((state) => (state.list.search === '' ? null : (state.list.snippets[id] ?? null)));
  // What is open is being read: its mark is on the way.
  return (
    <Row {...props} selected={selected} connected={connected} snippet={snippet} unread={selected && !isKept ? 0 : (unreadTurns ?? 0)} />
  );
}

/** Keeps the focus on the row that keys led to, while rows come and go and what held its place is replaced by it. */
function useKeptFocus(frame: HTMLDivElement | null): (row: number | null) => void {
  const kept = useRef<number | null>(null);
  useLayoutEffect(() => {
    const row = kept.current;
    if (row === null || frame === null) return;
    const element = frame.querySelector<HTMLElement>(`[data-row="${row}"]`);
    const focused = document.activeElement;
    if (element !== null && element !== focused && (focused === document.body || frame.contains(focused))) {
      element.focus({ preventScroll: true });
    }
  });
  return (row) => {
    kept.current = row;
  };
}

/** Loads rows and snippets that come into view. */
function useMissingRows(range: { startIndex: number; endIndex: number } | null, items: readonly ConversationSummary[]): void {
  const list = useConsole((state) => state.list);
  const first = range?.startIndex ?? 0;
  const last = range?.endIndex ?? 0;
  const hasMore = list.nextCursor !== null;
  const lacks = list.loading ? null : missingRows({ first, last }, { count: items.length, hasMore, far: list.far, page: LIST_PAGE });
  useEffect(() => {
    if (lacks === 'next') void loadMoreConversations();
    else if (lacks !== null) void loadFarPage(lacks);
  }, [lacks, items.length]);
  const shown: string[] = [];
  for (let index = first; index <= last && shown.length < MAX_SNIPPETS; index += 1) {
    const item = rowAt(items, list.far, index, LIST_PAGE);
    if (item !== null && list.search !== '' && list.snippets[item.id] === undefined) shown.push(item.id);
  }
  const wanted = list.loading ? '' : shown.join(' ');
  useEffect(() => {
    if (wanted !== '') void loadSnippets(wanted.split(' '));
  }, [wanted]);
}

/** Most rows asked for at once; the same number as MAX_SNIPPETS of the contract (a test compares them). */
export const MAX_SNIPPETS = 50;

function UnloadedRow({ index, focusable }: { index: number; focusable: boolean }) {
  return (
    <div className="row unloaded" data-row={index} tabIndex={focusable ? 0 : -1} role="note">
      <span className="skeleton" aria-hidden />
      <span className="vh">{words().conversations.loadingRow}</span>
    </div>
  );
}

function ListState({ empty }: { empty: boolean }) {
  const { loading, error, search, filter } = useConsole((state) => state.list);
  const filtered = Object.keys(filter).length > 0;
  if (error !== null) {
    return (
      <div className="list-state" role="alert">
        <p>{words().context.listFailed(error.message)}</p>
        <button type="button" className="sm" onClick={() => void loadList()}>
          {words().rows.tryAgain}
        </button>
      </div>
    );
  }
  if (!empty) return null;
  if (loading) {
    return (
      <div className="list-skeleton" role="status" aria-label={words().rows.loading}>
        {[0, 1, 2, 3, 4].map((index) => (
          <span key={index} className="skeleton row-skeleton" />
        ))}
      </div>
    );
  }
  const said = words().conversations;
  if (search === '' && !filtered) {
    return (
      <div className="list-state">
        <p>{said.none}</p>
        <button type="button" className="sm" onClick={() => showDialog('new-conversation')}>
          <Plus className="i s" aria-hidden />
          {said.startOne}
        </button>
      </div>
    );
  }
  return (
    <div className="list-state" role="status">
      {search === '' ? (
        <p>{said.nothingFiltered}</p>
      ) : (
        <p>
          {said.nothingFor} “<bdi>{search}</bdi>”.
        </p>
      )}
      <button type="button" className="sm" onClick={clearAll}>
        {said.clear}
      </button>
    </div>
  );
}

function clearAll(): void {
  useConsole.setState((state) => ({ list: { ...state.list, search: '', filter: {} } }));
  void loadList();
}

interface RowProps {
  item: ConversationSummary;
  index: number;
  /** Turns; 0: all is read. */
  unread: number;
  snippet: SearchSnippet | null;
  connected: boolean;
  now: number;
  selected: boolean;
  focusable: boolean;
}

const Row = memo(function Row({ item, index, connected, now, selected, unread, snippet, focusable }: RowProps) {
  const state = rowWords(item, connected);
  const said = rowText(item);
  const Glyph = GLYPHS[state.glyph];
  return (
    <button
      type="button"
      className={`row ${state.tone}${unread > 0 ? ' unread' : ''}`}
      data-row={index}
      aria-current={selected ? 'true' : undefined}
      aria-keyshortcuts="U"
      tabIndex={focusable ? 0 : -1}
      onClick={() => void openConversation(item.id)}
    >
      <Glyph className="i m row-glyph" aria-hidden />
      <span className="row-name trunc" title={rowName(item)}>
        <bdi>{rowName(item)}</bdi>
      </span>
      <time dateTime={new Date(item.updatedAt).toISOString()} title={formatFullTime(item.updatedAt)}>
        {formatWhen(item.updatedAt, now)}
      </time>
      <span className="row-text trunc">
        {snippet === null ? (
          <>
            {said.by}
            <bdi>{said.text}</bdi>
          </>
        ) : (
          <bdi>
            {markedPieces(snippet.text, snippet.marks).map((piece, at) =>
              piece.marked ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
            )}
          </bdi>
        )}
      </span>
      <span className="row-meta">
        <span className="row-state">{state.word}</span>
        {unread > 0 ? (
          <span className="row-unread num" title={words().conversations.unreadTurns(unread)}>
            <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
            <span className="vh">{words().conversations.unreadTurns(unread)}</span>
          </span>
        ) : (
          item.turnCount > 0 && <span className="num">{words().rows.turns(item.turnCount)}</span>
        )}
      </span>
    </button>
  );
});
