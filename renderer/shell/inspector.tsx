// The pane beside the chat: what the selected turn did and what it was sent.
import { X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { ContextPanel } from '../context/context-panel.tsx';
import { words } from '../language/language.ts';
import { changePreferences } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { TracePanel } from '../trace/trace-panel.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';

const TABS = ['trace', 'context'] as const;

export function Inspector() {
  const tab = useConsole((state) => state.preferences.inspectorTab);
  const selectedId = useConsole((state) => state.preferences.selectedId);
  const drawerOpen = useConsole((state) => state.drawerOpen);
  const text = words().shell;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    const next = tab === 'trace' ? 'context' : 'trace';
    changePreferences({ inspectorTab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <aside className={`inspector${drawerOpen ? ' open' : ''}`} aria-label={text.inspector}>
      <div className="tabs">
        <div className="tab-row" role="tablist" aria-label={text.inspector} onKeyDown={onKeyDown}>
          {TABS.map((id) => (
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
              {text.tabs[id]}
            </button>
          ))}
        </div>
        <span className="grow" />
        <button
          type="button"
          className="ghost icon drawer-close"
          aria-label={text.hideInspector}
          title={`${text.hideInspector} (I)`}
          onClick={() => useConsole.setState({ drawerOpen: false })}
        >
          <X className="i" aria-hidden />
        </button>
      </div>
      <div className="panel" id="inspector-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <FailureBoundary key={`${tab} ${selectedId}`} what={text.thisPane}>
          {tab === 'trace' ? <TracePanel /> : <ContextPanel />}
        </FailureBoundary>
      </div>
    </aside>
  );
}
