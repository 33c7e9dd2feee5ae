// The middle pane: header, turn map, transcript, composer of the open conversation.
import { MailOpen, PanelRight, Search } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { words } from '../language/language.ts';
import { changePreferences, openConversation, stopRun } from '../state/actions.ts';
import { type ConversationData, turnNumbers } from '../state/console-data.ts';
import { selectTurn } from '../state/inspect-actions.ts';
import { markRead, markUnread } from '../state/reading-actions.ts';
import { newestTurn, useConsole } from '../state/store.ts';
import { TurnMap } from '../turns/turn-map.tsx';
import { entriesByTurn, planInWords } from '../turns/turn-parts.ts';
import { useVisible, useWidth } from '../ui/hooks.ts';
import { Composer } from './composer.tsx';
import { openFind } from './find-bar.tsx';
import { findKey } from './composer-keys.ts';
import { customerNameOf } from './customer-name.ts';
import { SaveTapeButton } from './save-tape.tsx';
import { scrollToTurn, Transcript } from './transcript.tsx';
import { Welcome } from './welcome.tsx';

/** What stands beside the cells of the turn map: its name, the plan in words, the switch. */
const MAP_LABELS_PX = 330;

export function ChatPane() {
  const selectedId = useConsole((state) => state.preferences.selectedId);
  const data = useConsole((state) => (selectedId === null ? undefined : state.data.conversations[selectedId]));
  const opening = useConsole((state) => (selectedId === null ? undefined : state.opening[selectedId]));
  if (selectedId === null) return <Welcome />;
  if (data !== undefined) return <OpenChat key={selectedId} data={data} />;
  return (
    <section className="chat" aria-label={words().pane.pane}>
      {typeof opening === 'object' ? (
        <div className="empty" role="alert">
          <h2>{words().pane.cannotOpen}</h2>
          <p>{opening.message}</p>
          <button type="button" onClick={() => void openConversation(selectedId)}>
            {words().chat.tryAgain}
          </button>
        </div>
      ) : (
        <div className="chat-loading" role="status" aria-label={words().pane.opening}>
          <span className="skeleton" />
          <span className="skeleton short" />
          <span className="skeleton" />
        </div>
      )}
    </section>
  );
}

/** What is in view is read, unless it was marked unread by hand. */
function useReading(data: ConversationData): void {
  const id = data.summary.id;
  const isUnread = (data.summary.unreadTurns ?? 0) > 0;
  const isKept = useConsole((state) => state.keptUnread === id);
  const connected = useConsole((state) => state.connection === 'open');
  const visible = useVisible();
  useEffect(() => {
    if (isUnread && !isKept && visible && connected) void markRead(id);
  }, [id, isUnread, isKept, visible, connected, data.summary.turnCount]);
}

/** Ctrl or ⌘ with F and G, wherever the focus is, while no sheet is open. */
function useFindKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const finding = findKey(event);
      if (finding === null || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      openFind(finding);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function OpenChat({ data }: { data: ConversationData }) {
  const id = data.summary.id;
  const forecast = useConsole((state) => state.forecasts[id]?.forecast ?? null);
  const selectedTurn = useConsole((state) => state.selectedTurn);
  const showCompacted = useConsole((state) => state.preferences.showCompacted);
  const entries = useMemo(() => entriesByTurn(forecast?.plan), [forecast]);
  const connected = useConsole((state) => state.connection === 'open');
  const { marks, records, messages } = data;
  const turns = useMemo(() => turnNumbers({ marks, records, messages }), [marks, records, messages]);
  useReading(data);
  useFindKeys();
  const name = customerNameOf(data);
  const [map, width] = useWidth();
  const pick = (turn: number) => {
    selectTurn(turn);
    scrollToTurn(turn);
  };
  return (
    <section
      className="chat"
      aria-label={words().pane.paneWith(name)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && data.live !== null && connected && !event.nativeEvent.isComposing) void stopRun(id);
      }}
    >
      <ChatHeader data={data} name={name} />
      <nav className="map" ref={map} aria-label={words().pane.map}>
        <span>{words().pane.turns}</span>
        <TurnMap turns={turns} entries={entries} selected={selectedTurn ?? newestTurn(data)} room={width - MAP_LABELS_PX} onPick={pick} />
        <span className="trunc">{turns.length === 0 ? words().pane.noTurns : planInWords(forecast?.plan)}</span>
        <span className="map-gap" />
        <label className="switch-label" title={words().pane.compactedHint}>
          <span>{words().pane.compacted}</span>
          <button
            type="button"
            className="switch"
            role="switch"
            aria-checked={showCompacted}
            aria-label={words().pane.compactedName}
            onClick={() => changePreferences({ showCompacted: !showCompacted })}
          />
        </label>
      </nav>
      <Transcript data={data} turns={turns} entries={entries} plan={forecast?.plan ?? null} showCompacted={showCompacted} />
      <Composer data={data} name={name} />
    </section>
  );
}

function ChatHeader({ data, name }: { data: ConversationData; name: string }) {
  const { customer, summary } = data;
  return (
    <header className="chat-head">
      <h1 className="trunc" dir="auto">
        {name}
      </h1>
      {customer !== null && (
        <span className="trunc dim optional" dir="auto">
          {customer.city}, {customer.country}
        </span>
      )}
      {summary.handoffReason !== null && (
        <span className="chip warn" title={summary.handoffReason}>
          {words().pane.waiting}
        </span>
      )}
      <span className="grow" />
      <button
        type="button"
        className="ghost icon"
        aria-label={words().conversations.markUnread}
        title={words().conversations.markUnread}
        disabled={summary.turnCount === 0}
        onClick={() => void markUnread(summary.id)}
      >
        <MailOpen className="i" aria-hidden />
      </button>
      <button
        type="button"
        className="ghost icon"
        aria-label={words().chat.find}
        title={`${words().chat.find} (Ctrl F)`}
        onClick={() => openFind('text')}
      >
        <Search className="i" aria-hidden />
      </button>
      <SaveTapeButton
        conversationId={summary.id}
        title={summary.title === '' ? name : summary.title}
        disabled={summary.turnCount === 0 || data.live !== null}
      />
      <button
        type="button"
        className="ghost icon drawer-button"
        aria-label={words().pane.inspector}
        title={words().pane.inspectorHint}
        onClick={() => useConsole.setState((state) => ({ drawerOpen: !state.drawerOpen }))}
      >
        <PanelRight className="i" aria-hidden />
      </button>
    </header>
  );
}
