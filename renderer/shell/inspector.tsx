// The pane beside the chat: what the selected turn did, what it was sent, and whose conversation it is.
import { X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { ContextPanel } from '../context/context-panel.tsx';
import { CustomerPanel } from '../customer/customer-panel.tsx';
import { words } from '../language/language.ts';
import { changePreferences } from '../state/actions.ts';
import { INSPECTOR_TABS, type InspectorTab } from '../state/preferences.ts';
import { useConsole } from '../state/store.ts';
import { TracePanel } from '../trace/trace-panel.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';

const PANELS: Record<InspectorTab, () => ReactNode> = { trace: TracePanel, context: ContextPanel, customer: CustomerPanel };

export function Inspector() {
  const tab = useConsole((state) => state.preferences.inspectorTab);
  const selectedId = useConsole((state) => state.preferences.selectedId);
  const drawerOpen = useConsole((state) => state.drawerOpen);
  const text = words().shell;
  const Panel = PANELS[tab];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    event.preventDefault();
    const by = event.key === 'ArrowRight' ? 1 : INSPECTOR_TABS.length - 1;
    const next = INSPECTOR_TABS[(INSPECTOR_TABS.indexOf(tab) + by) % INSPECTOR_TABS.length] ?? 'trace';
    changePreferences({ inspectorTab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <aside className={`inspector${drawerOpen ? ' open' : ''}`} aria-label={text.inspector}>
      <div className="tabs">
        <div className="tab-row" role="tablist" aria-label={text.inspector} onKeyDown={onKeyDown}>
          {INSPECTOR_TABS.map((id) => (
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
          <Panel />
        </FailureBoundary>
      </div>
    </aside>
  );
}
