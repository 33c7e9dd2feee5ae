// The sheet of all keys.
import { showDialog } from '../state/actions.ts';
import { DialogSheet } from '../ui/dialog.tsx';
import { SHORTCUTS } from './shortcuts.ts';

export function ShortcutsDialog() {
  return (
    <DialogSheet title="Keyboard" onClose={() => showDialog(null)}>
      <dl className="sheet-content shortcuts">
        {SHORTCUTS.map((shortcut) => (
          <div key={shortcut.words}>
            <dt>{shortcut.words}</dt>
            <dd>
              {shortcut.keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </DialogSheet>
  );
}
