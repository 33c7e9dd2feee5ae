// Three panes whose widths a person sets: list, chat, inspector. The library keeps handles operable by keyboard; sizes are remembered by the browser.
import type { ReactNode } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { words } from '../language/language.ts';
import { useConsole } from '../state/store.ts';
import { useMatch } from '../ui/hooks.ts';

interface PanesProps {
  list: ReactNode;
  children: ReactNode;
  inspector: ReactNode;
}

export function Panes({ list, children, inspector }: PanesProps) {
  const isNarrow = useMatch('(max-width: 1199px)');
  const hidden = useConsole((state) => state.preferences.inspectorHidden);
  const beside = !isNarrow && !hidden;
  const panelIds = beside ? ['list', 'chat', 'inspector'] : ['list', 'chat'];
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({ id: 'nimbus-console.panes', panelIds, storage: localStorage });
  const text = words().shell;
  return (
    <>
      <Group className="pane-group" defaultLayout={defaultLayout} onLayoutChanged={onLayoutChanged}>
        <Panel id="list" className="pane" defaultSize="288px" minSize="220px" maxSize="480px">
          {list}
        </Panel>
        <Separator className="pane-handle" aria-label={text.widthOfList} />
        <Panel id="chat" className="pane" minSize="360px">
          {children}
        </Panel>
        {beside && (
          <>
            <Separator className="pane-handle" aria-label={text.widthOfInspector} />
            <Panel id="inspector" className="pane" defaultSize="456px" minSize="320px" maxSize="60%">
              {inspector}
            </Panel>
          </>
        )}
      </Group>
      {isNarrow && inspector}
    </>
  );
}
