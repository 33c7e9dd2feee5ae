// The bar above everything: name, the way to every command, model in use, where work is saved.
import { Cloud, Search } from 'lucide-react';
import { words } from '../language/language.ts';
import { showDialog } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { SyncBadge } from '../sync/sync-badge.tsx';
import { keyLabel } from './key-presses.ts';

export function TitleBar() {
  const model = useConsole((state) => state.data.model);
  const text = words().shell;
  return (
    <header className="titlebar">
      <span className="brand">
        <Cloud className="i" aria-hidden />
      </span>
      <b>Nimbus Console</b>
      <span className="grow" />
      <button type="button" className="palette-button" onClick={() => showDialog('palette')}>
        <Search className="i m" aria-hidden />
        <span>{text.findCommand}</span>
        <kbd>{`${keyLabel('Mod', navigator.platform)} K`}</kbd>
      </button>
      <span className="grow" />
      {model !== null && <span className={`chip line${model.isDemo ? ' demo' : ''}`}>{model.modelLabel}</span>}
      <SyncBadge />
    </header>
  );
}
