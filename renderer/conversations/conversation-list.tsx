// The left pane: search, new conversation, and the list, newest first.
import { Check, CircleAlert, Cloud, MessageSquare, Plus, Search, Square, UserRound, X } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import type { ConversationSummary } from '../../shared/conversation.ts';
import { loadList, loadMoreConversations, openConversation, searchConversations, showDialog } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { formatCount, formatFullTime, formatWhen, plural } from '../ui/format.ts';
import { useNow, useSettled } from '../ui/hooks.ts';
import { nextRow } from '../ui/row-keys.ts';
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
    <section className="queue" aria-label="Queue">
      <header className="queue-head">
        <h2>Conversations</h2>
        <Total />
        <span className="grow" />
        <button
          type="button"
          className="ghost icon"
          aria-label="New conversation"
          title="New conversation (N)"
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
  const [text, setText] = useState(useConsole.getState().list.search);
  const settled = useSettled(text.trim(), SEARCH_PAUSE_MS);
  useEffect(() => {
    if (settled !== useConsole.getState().list.search) searchConversations(settled);
  }, [settled]);
  return (
    <div className="queue-search">
      <label className="field">
        <Search className="i m" aria-hidden />
        <input
          id="conversation-search"
          type="text"
          role="searchbox"
          aria-label="Search conversations"
          placeholder="Search"
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
          <button type="button" className="ghost icon xs" aria-label="Clear search" onClick={() => setText('')}>
            <X className="i s" aria-hidden />
          </button>
        )}
      </label>
    </div>
  );
}

function Rows() {
  const items = useConsole((state) => state.data.items);
  const list = useConsole((state) => state.list);
  const selectedId = useConsole((state) => state.preferences.selectedId);
  const connected = useConsole((state) => state.connection === 'open' || state.connection === 'connecting');
  const now = useNow(true, 60_000);
  const element = useRef<HTMLUListElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(element.current?.querySelectorAll<HTMLButtonElement>('.row') ?? [])];
    const target = nextRow(buttons.indexOf(document.activeElement as HTMLButtonElement), event.key, buttons.length);
    if (target === null) return;
    event.preventDefault();
    buttons[target]?.focus();
  };
  const focusable = items.some((item) => item.id === selectedId) ? selectedId : items[0]?.id;
  return (
    <div
      className="queue-list scroll"
      onScroll={(event) => {
        const box = event.currentTarget;
        if (box.scrollHeight - box.clientHeight - box.scrollTop < 400) void loadMoreConversations();
      }}
    >
      <ListState empty={items.length === 0} />
      {/* A list keeps its written role where styles remove the marks */}
      <ul role="list" aria-label="Conversations" aria-busy={list.loading} ref={element} onKeyDown={onKeyDown}>
        {items.map((item) => (
          <Row
            key={item.id}
            item={item}
            connected={connected}
            now={now}
            selected={item.id === selectedId}
            focusable={item.id === focusable}
          />
        ))}
      </ul>
      {list.nextCursor !== null && items.length > 0 && (
        <button type="button" className="ghost sm older" disabled={list.loadingMore} onClick={() => void loadMoreConversations()}>
          {list.loadingMore ? 'Loading' : 'Load more'}
        </button>
      )}
    </div>
  );
}

function ListState({ empty }: { empty: boolean }) {
  const { loading, error, search } = useConsole((state) => state.list);
  if (error !== null) {
    return (
      <div className="list-state" role="alert">
        <p>The list cannot be loaded: {error.message}</p>
        <button type="button" className="sm" onClick={() => void loadList()}>
          Try again
        </button>
      </div>
    );
  }
  if (!empty) return null;
  if (loading) {
    return (
      <div className="list-skeleton" role="status" aria-label="Loading conversations">
        {[0, 1, 2, 3, 4].map((index) => (
          <span key={index} className="skeleton row-skeleton" />
        ))}
      </div>
    );
  }
  return (
    <div className="list-state">
      {search === '' ? (
        <>
          <p>No conversations yet.</p>
          <button type="button" className="sm" onClick={() => showDialog('new-conversation')}>
            <Plus className="i s" aria-hidden />
            New conversation
          </button>
        </>
      ) : (
        <p>
          Nothing found for “<bdi>{search}</bdi>”.
        </p>
      )}
    </div>
  );
}

interface RowProps {
  item: ConversationSummary;
  connected: boolean;
  now: number;
  selected: boolean;
  focusable: boolean;
}

const Row = memo(function Row({ item, connected, now, selected, focusable }: RowProps) {
  const words = rowWords(item, connected);
  const said = rowText(item);
  const Glyph = GLYPHS[words.glyph];
  return (
    <li>
      <button
        type="button"
        className={`row ${words.tone}`}
        aria-current={selected ? 'true' : undefined}
        tabIndex={focusable ? 0 : -1}
        onClick={() => void openConversation(item.id)}
      >
        <Glyph className="i m row-glyph" aria-hidden />
        <span className="row-name trunc">
          <bdi>{rowName(item)}</bdi>
        </span>
        <time dateTime={new Date(item.updatedAt).toISOString()} title={formatFullTime(item.updatedAt)}>
          {formatWhen(item.updatedAt, now)}
        </time>
        <span className="row-text trunc">
          {said.by}
          <bdi>{said.text}</bdi>
        </span>
        <span className="row-meta">
          <span className="row-state">{words.word}</span>
          {item.turnCount > 0 && <span className="num">{plural(item.turnCount, 'turn')}</span>}
        </span>
      </button>
    </li>
  );
});
