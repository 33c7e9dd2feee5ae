// The shell: title bar, areas, panes, meter and sheets put together. The parts live in shell/.
import { Unplug } from 'lucide-react';
import { BudgetMeter } from './budget/budget-meter.tsx';
import { ChatPane } from './chat/chat-pane.tsx';
import { LinkDialog } from './chat/link-dialog.tsx';
import { ContextPage } from './context/context-page.tsx';
import { ConversationList } from './conversations/conversation-list.tsx';
import { NewConversationDialog } from './conversations/new-conversation-dialog.tsx';
import { words } from './language/language.ts';
import { SettingsDialog } from './settings/settings-dialog.tsx';
import { StorageStart } from './settings/storage-start.tsx';
import { useStorage } from './settings/storage-settings.tsx';
import { MemoriesPage } from './memories/memories-page.tsx';
import { DeleteDialog } from './shell/delete-dialog.tsx';
import { Inspector } from './shell/inspector.tsx';
import { usePageKeys } from './shell/page-keys.ts';
import { Palette } from './shell/palette.tsx';
import { Panes } from './shell/panes.tsx';
import { Rail } from './shell/rail.tsx';
import { ShortcutsDialog } from './shell/shortcuts-dialog.tsx';
import { TitleBar } from './shell/title-bar.tsx';
import { Tour } from './shell/tour.tsx';
import { loadEverything } from './state/actions.ts';
import { ForecastKeeper } from './state/forecast-keeper.tsx';
import { reconnect, useConsole } from './state/store.ts';
import { SyncDialog } from './sync/sync-dialog.tsx';
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
      <FailureBoundary what={words().shell.thisDialog}>
        <Sheets />
      </FailureBoundary>
      <ForecastKeeper />
      <Tour />
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
  const text = words().shell;
  return (
    <main className="panes">
      {area === 'conversations' ? (
        <Panes
          list={
            <FailureBoundary what={text.theList}>
              <ConversationList />
            </FailureBoundary>
          }
          inspector={<Inspector />}
        >
          <div className="middle">
            <ConnectionBanner />
            <FailureBoundary key={`${area} ${selectedId}`} what={text.thisPane}>
              <ChatPane />
            </FailureBoundary>
          </div>
        </Panes>
      ) : (
        <div className="middle">
          <ConnectionBanner />
          <FailureBoundary key={area} what={text.thisPane}>
            {area === 'traces' && <TracesPage />}
            {area === 'context' && <ContextPage />}
            {area === 'memories' && <MemoriesPage />}
          </FailureBoundary>
        </div>
      )}
      <FailureBoundary what={text.theMeter}>
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
      <span>{connection === 'lost' ? words().shell.connectionLost : words().shell.sessionEnded}</span>
      <button type="button" className="sm" onClick={() => reconnect()}>
        {words().shell.connectNow}
      </button>
    </div>
  );
}

function Sheets() {
  const dialog = useConsole((state) => state.dialog);
  const link = useConsole((state) => state.linkToOpen);
  const toDelete = useConsole((state) => state.toDelete);
  return (
    <>
      {dialog === 'palette' && <Palette />}
      {dialog === 'new-conversation' && <NewConversationDialog />}
      {dialog === 'settings' && <SettingsDialog />}
      {dialog === 'shortcuts' && <ShortcutsDialog />}
      {dialog === 'sync' && <SyncDialog />}
      {toDelete !== null && <DeleteDialog conversationId={toDelete} />}
      {link !== null && <LinkDialog />}
    </>
  );
}
