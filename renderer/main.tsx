// Entry of the page: transport, first load, live events, React. I/O.
import { createRoot } from 'react-dom/client';
import { createBridge } from './client/bridge.ts';
import { createConsoleClient } from './client/console-client.ts';
import { flushAllDrafts, loadEverything, setClient, startAnew } from './state/actions.ts';
import { foldEvents } from './state/fold-events.ts';
import { applyAppearance } from './state/preferences.ts';
import { setLanguage } from './language/language.ts';
import { setReconnect, useConsole } from './state/store.ts';
import { announce } from './shell/notifications.ts';
import { followMenu } from './shell/window-menu.ts';
import { App } from './app.tsx';
import { FailureBoundary } from './ui/failure-boundary.tsx';
import '@fontsource-variable/inter/wght.css';
import './ui/tokens.css';
import './ui/waiting.css';
import './ui/base.css';
import './ui/plain-text.css';
import './ui/sheets.css';
import './app.css';

const bridge = createBridge();
const client = createConsoleClient(bridge);
setClient(client);
setReconnect(() => bridge.reconnect());
applyAppearance(useConsole.getState().preferences);
setLanguage(useConsole.getState().preferences.language);

client.subscribe((events) => {
  announce(events);
  useConsole.setState((state) => ({ data: foldEvents(state.data, events) }));
  if (events.some((event) => event.type === 'console-restart')) void startAnew();
});

bridge.onConnection((connection) => {
  useConsole.setState({ connection });
  // What happened while the line was down is not sent again: everything shown is loaded anew and merged by id.
  if (connection === 'open') void loadEverything();
});

followMenu();

addEventListener('pagehide', flushAllDrafts);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') flushAllDrafts();
});

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <FailureBoundary what="The console">
      <App />
    </FailureBoundary>,
  );
}
