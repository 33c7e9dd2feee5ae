// The sheet of all keys, made from the commands.
import { words } from '../language/language.ts';
import { showDialog } from '../state/actions.ts';
import { DialogSheet } from '../ui/dialog.tsx';
import { COMMAND_IDS, commandNamed, GROUPS } from './commands.ts';
import { VIEW_KEYS } from './key-presses.ts';
import { KeyCaps } from './palette.tsx';

export function ShortcutsDialog() {
  const { palette, commands, shortcuts } = words();
  const groups = GROUPS.map((group) => ({
    title: palette.groups[group],
    rows: COMMAND_IDS.flatMap((id) => {
      const { keys, group: own } = commandNamed(id);
      return own === group && keys !== undefined ? [{ name: commands.names[id], keys }] : [];
    }),
  }));
  const fields = (['send', 'breakLine', 'stopOrClose', 'moveInList', 'turnInTrace', 'markUnread'] as const).map((key) => ({
    name: shortcuts[key],
    keys: VIEW_KEYS[key],
  }));
  return (
    <DialogSheet title={shortcuts.title} size="large" onClose={() => showDialog(null)}>
      <div className="sheet-content scroll shortcut-columns">
        {[...groups, { title: shortcuts.inFields, rows: fields }]
          .filter(({ rows }) => rows.length > 0)
          .map(({ title, rows }) => (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              <dl className="shortcuts">
                {rows.map(({ name, keys }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                      <KeyCaps keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </DialogSheet>
  );
}
