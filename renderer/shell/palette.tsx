// The command palette: every action and every conversation by a few letters.
import { Command as Menu } from 'cmdk';
import { useEffect, useState } from 'react';
import type { ConversationSummary } from '../../shared/conversation.ts';
import { words } from '../language/language.ts';
import { changePreferences, engine, openConversation, showDialog } from '../state/actions.ts';
import { useConsole } from '../state/store.ts';
import { BareDialog } from '../ui/dialog.tsx';
import { useSettled } from '../ui/hooks.ts';
import { COMMAND_IDS, type CommandGroup, type CommandId, commandNamed, GROUPS, isAvailable, runCommand } from './commands.ts';
import { keyLabel } from './key-presses.ts';
import { matchScore } from './palette-match.ts';

/** Typing pauses this long before conversations are looked for. */
const PAUSE_MS = 150;
const MOST_CONVERSATIONS = 8;

export function Palette() {
  const [typed, setTyped] = useState('');
  const found = useFoundConversations(typed.trim());
  const text = words().palette;
  return (
    <BareDialog label={text.title} onClose={() => showDialog(null)}>
      <Menu data-focus-first className="palette" label={text.title} loop filter={matchScore}>
        <Menu.Input placeholder={text.placeholder} value={typed} onValueChange={setTyped} />
        <Menu.List className="palette-list scroll">
          <Menu.Empty className="palette-empty">{text.nothing(typed)}</Menu.Empty>
          {GROUPS.map((group) => (
            <CommandsOf key={group} group={group} />
          ))}
          {found.length > 0 && (
            <Menu.Group heading={text.conversations} forceMount>
              {found.map((item) => (
                <Menu.Item key={item.id} value={`conversation ${item.id}`} forceMount onSelect={() => goTo(item.id)}>
                  <span className="trunc" dir="auto">
                    {item.customerName ?? text.visitor}
                  </span>
                  <span className="dim trunc" dir="auto">
                    {item.title}
                  </span>
                </Menu.Item>
              ))}
            </Menu.Group>
          )}
        </Menu.List>
      </Menu>
    </BareDialog>
  );
}

function CommandsOf({ group }: { group: CommandGroup }) {
  const now = useConsole();
  const ids = COMMAND_IDS.filter((id) => id !== 'open-palette' && commandNamed(id).group === group && isAvailable(id, now));
  if (ids.length === 0) return null;
  return (
    <Menu.Group heading={words().palette.groups[group]}>
      {ids.map((id) => (
        <CommandRow key={id} id={id} />
      ))}
    </Menu.Group>
  );
}

function CommandRow({ id }: { id: CommandId }) {
  const label = words().commands.names[id];
  return (
    <Menu.Item value={label} keywords={[id.replaceAll('-', ' ')]} onSelect={() => choose(id)}>
      <span className="trunc">{label}</span>
      <span className="grow" />
      <KeyCaps keys={commandNamed(id).keys ?? []} />
    </Menu.Item>
  );
}

export function KeyCaps({ keys }: { keys: readonly string[] }) {
  return (
    <span className="key-caps">
      {keys.map((key) => (
        <kbd key={key}>{keyLabel(key, navigator.platform)}</kbd>
      ))}
    </span>
  );
}

/** The palette closes first: a command may open a sheet of its own. */
function choose(id: CommandId): void {
  showDialog(null);
  runCommand(id);
}

function goTo(id: string): void {
  showDialog(null);
  changePreferences({ area: 'conversations' });
  void openConversation(id);
}

/** Conversations for what is typed; none while nothing is. A slower, older answer never replaces a newer one. */
function useFoundConversations(typed: string): ConversationSummary[] {
  const search = useSettled(typed, PAUSE_MS);
  const [found, setFound] = useState<ConversationSummary[]>([]);
  useEffect(() => {
    let current = true;
    if (search === '') return undefined;
    engine()
      .call('listConversations', { limit: MOST_CONVERSATIONS, search: search.slice(0, 200) })
      .then(
        (page) => {
          if (current) setFound(page.items);
        },
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [search]);
  return search === '' ? [] : found;
}
