// The shell: title bar, areas, three panes, meter, sheets, and the keys that act everywhere.
import { ChartGantt, Cloud, Columns2, Inbox, Keyboard, Moon, Settings, Sun, SunMoon, Unplug, X } from 'lucide-react';
import { type KeyboardEvent, useEffect } from 'react';
import { BudgetMeter } from './budget/budget-meter.tsx';
import { ChatPane } from './chat/chat-pane.tsx';
import { LinkDialog } from './chat/link-dialog.tsx';
import { scrollToTurn } from './chat/transcript.tsx';
import { ContextPage } from './context/context-page.tsx';
import { ContextPanel } from './context/context-panel.tsx';
import { ConversationList } from './conversations/conversation-list.tsx';
import { NewConversationDialog } from './conversations/new-conversation-dialog.tsx';
import { words } from './language/language.ts';
import { SettingsDialog } from './settings/settings-dialog.tsx';
import { commandOf, type Command } from './settings/shortcuts.ts';
import { ShortcutsDialog } from './settings/shortcuts-dialog.tsx';
import { StorageStart } from './settings/storage-start.tsx';
import { useStorage } from './settings/storage-settings.tsx';
import { changePreferences, loadEverything, showDialog } from './state/actions.ts';
import { moveTurn } from './state/inspect-actions.ts';
import type { Theme } from './state/preferences.ts';
import { reconnect, useConsole } from './state/store.ts';
import { SyncBadge } from './sync/sync-badge.tsx';
import { SyncDialog } from './sync/sync-dialog.tsx';
import { TracePanel } from './trace/trace-panel.tsx';
import { TracesPage } from './trace/traces-page.tsx';
import { FailureBoundary } from './ui/failure-boundary.tsx';
import { Notices } from './ui/notices.tsx';

export function App() {
  usePageKeys();
  const language = useConsole((state) => state.preferences.language);
  return (
    <div className="app" key={language}>
      <TitleBar />
      <Rail />
      <Body />
      <FailureBoundary what="This dialog">
        <Sheets />
      </FailureBoundary>
      <Notices />
    </div>
  );
}

function Body() {
  const startError = useConsole((state) => state.startError);
  const connection = useConsole((state) => state.connection);
  const started = useConsole((state) => state.appInfo !== null);
  const area = useConsole((state) => state.preferences.area);
  const selectedId = useConsole((state) => state.preferences.selectedId);
  if (connection === 'refused' && !started) return <Refused />;
  if (startError !== null && !started && connection === 'open') return <StartError message={startError.message} />;
  return (
    <main className={area === 'conversations' ? 'panes' : 'panes single'}>
      {area === 'conversations' && (
        <FailureBoundary what="The list">
          <ConversationList />
        </FailureBoundary>
      )}
      <div className="middle">
        <ConnectionBanner />
        <FailureBoundary key={area === 'conversations' ? `${area} ${selectedId}` : area} what="This pane">
          {area === 'conversations' && <ChatPane />}
          {area === 'traces' && <TracesPage />}
          {area === 'context' && <ContextPage />}
        </FailureBoundary>
      </div>
      {area === 'conversations' && <Inspector />}
      <FailureBoundary what="The meter">
        <BudgetMeter />
      </FailureBoundary>
    </main>
  );
}

function StartError({ message }: { message: string }) {
  // An engine without storage answers about its storage alone.
  const { view } = useStorage();
  if (view !== null && view.inUse === null) return <StorageStart message={message} />;
  return (
    <main className="fatal">
      <h1>{words().shell.cannotStart}</h1>
      <p role="alert">{message}</p>
      <button type="button" className="primary" onClick={() => void loadEverything()}>
        {words().shell.tryAgain}
      </button>
    </main>
  );
}

function Refused() {
  return (
    <main className="fatal">
      <h1>{words().shell.linkUsed}</h1>
      <p role="alert">{words().shell.linkFresh}</p>
      <button type="button" onClick={() => reconnect()}>
        {words().shell.tryAgain}
      </button>
    </main>
  );
}

function ConnectionBanner() {
  const connection = useConsole((state) => state.connection);
  if (connection === 'open' || connection === 'connecting') return null;
  return (
    <div className="banner" role="alert">
      <Unplug className="i" aria-hidden />
      <span>
        {connection === 'lost'
          ? 'Connection to Nimbus lost. Trying again; what you type is kept.'
          : 'This session has ended. Press Enter in the terminal for a fresh link; what you typed is kept here.'}
      </span>
      <button type="button" className="sm" onClick={() => reconnect()}>
        Connect now
      </button>
    </div>
  );
}

function TitleBar() {
  const model = useConsole((state) => state.data.model);
  return (
    <header className="titlebar">
      <span className="brand">
        <Cloud className="i" aria-hidden />
      </span>
      <b>Nimbus Console</b>
      <span className="grow" />
      {model !== null && <span className={`chip line${model.isDemo ? ' demo' : ''}`}>{model.modelLabel}</span>}
      <SyncBadge />
    </header>
  );
}

const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const THEME_ICONS = { system: SunMoon, light: Sun, dark: Moon };

const AREAS = [
  { id: 'conversations', label: 'Conversations', Icon: Inbox },
  { id: 'traces', label: 'Traces', Icon: ChartGantt },
  { id: 'context', label: 'Context', Icon: Columns2 },
] as const;

function Rail() {
  const area = useConsole((state) => state.preferences.area);
  const theme = useConsole((state) => state.preferences.theme);
  const ThemeIcon = THEME_ICONS[theme];
  return (
    <nav className="rail" aria-label="Areas">
      {AREAS.map(({ id, label, Icon }) => (
        <button
          key={id}
          type="button"
          className="rail-item"
          aria-current={area === id ? 'page' : undefined}
          aria-label={`${label} area`}
          title={label}
          onClick={() => changePreferences(area === id && id === 'conversations' ? { selectedId: null } : { area: id })}
        >
          <Icon className="i" aria-hidden />
        </button>
      ))}
      <span className="grow" />
      <button
        type="button"
        className="rail-item"
        aria-label="Keyboard shortcuts"
        title="Keyboard (?)"
        onClick={() => showDialog('shortcuts')}
      >
        <Keyboard className="i" aria-hidden />
      </button>
      <button
        type="button"
        className="rail-item"
        aria-label={`Theme: ${theme}. Change to ${NEXT_THEME[theme]}`}
        title={`Theme: ${theme}`}
        onClick={() => changePreferences({ theme: NEXT_THEME[theme] })}
      >
        <ThemeIcon className="i" aria-hidden />
      </button>
      <button type="button" className="rail-item" aria-label="Settings" title="Settings (Ctrl ,)" onClick={() => showDialog('settings')}>
        <Settings className="i" aria-hidden />
      </button>
    </nav>
  );
}

const TABS = [
  { id: 'trace', label: 'Trace' },
  { id: 'context', label: 'Context' },
] as const;

function Inspector() {
  const tab = useConsole((state) => state.preferences.inspectorTab);
  const selectedId = useConsole((state) => state.preferences.selectedId);
  const drawerOpen = useConsole((state) => state.drawerOpen);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    const next = tab === 'trace' ? 'context' : 'trace';
    changePreferences({ inspectorTab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <aside className={`inspector${drawerOpen ? ' open' : ''}`} aria-label="Inspector">
      <div className="tabs">
        <div className="tab-row" role="tablist" aria-label="Inspector" onKeyDown={onKeyDown}>
          {TABS.map(({ id, label }) => (
            <button
              key={id}
              id={`tab-${id}`}
              type="button"
              role="tab"
              aria-selected={tab === id}
              aria-controls="inspector-panel"
              tabIndex={tab === id ? 0 : -1}
              onClick={() => changePreferences({ inspectorTab: id })}
            >
              {label}
            </button>
          ))}
        </div>
        <span className="grow" />
        <button
          type="button"
          className="ghost icon drawer-close"
          aria-label="Hide inspector"
          title="Hide (I)"
          onClick={() => useConsole.setState({ drawerOpen: false })}
        >
          <X className="i" aria-hidden />
        </button>
      </div>
      <div className="panel" id="inspector-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <FailureBoundary key={`${tab} ${selectedId}`} what="This pane">
          {tab === 'trace' ? <TracePanel /> : <ContextPanel />}
        </FailureBoundary>
      </div>
    </aside>
  );
}

function Sheets() {
  const dialog = useConsole((state) => state.dialog);
  const link = useConsole((state) => state.linkToOpen);
  return (
    <>
      {dialog === 'new-conversation' && <NewConversationDialog />}
      {dialog === 'settings' && <SettingsDialog />}
      {dialog === 'shortcuts' && <ShortcutsDialog />}
      {dialog === 'sync' && <SyncDialog />}
      {link !== null && <LinkDialog />}
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function usePageKeys(): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, isComposing } = event;
      const command = commandOf({ key, ctrlKey, metaKey, altKey, isComposing, typing: isTyping(event.target) });
      if (command === null) return;
      event.preventDefault();
      run(command);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function run(command: Command): void {
  const { preferences, drawerOpen } = useConsole.getState();
  switch (command) {
    case 'next-turn':
    case 'previous-turn': {
      const turn = moveTurn(command === 'next-turn' ? 1 : -1);
      if (turn !== null) scrollToTurn(turn);
      return;
    }
    case 'toggle-compacted':
      return changePreferences({ showCompacted: !preferences.showCompacted });
    case 'new-conversation':
      return showDialog('new-conversation');
    case 'focus-search':
      return document.getElementById('conversation-search')?.focus();
    case 'focus-message':
      return document.querySelector<HTMLElement>('.composer textarea')?.focus();
    case 'toggle-inspector':
      return useConsole.setState({ drawerOpen: !drawerOpen });
    case 'show-shortcuts':
      return showDialog('shortcuts');
    case 'show-settings':
      return showDialog('settings');
  }
}
