// The menu of the desktop window, made from the commands in the chosen language. I/O: tells the window host; does nothing in a browser.
import type { MenuEntry, MenuModel } from '../../shared/menu.ts';
import { preloadBridge } from '../client/bridge.ts';
import { words } from '../language/language.ts';
import { useConsole } from '../state/store.ts';
import type { ConsoleState } from '../state/store.ts';
import { type CommandId, commandNamed, isAvailable, isCommandId, runCommand } from './commands.ts';

const FILE: readonly CommandId[] = ['new-conversation', 'save-markdown', 'save-openai', 'save-json', 'show-settings'];
const VIEW: readonly CommandId[] = [
  'open-palette',
  'go-conversations',
  'go-traces',
  'go-context',
  'go-memories',
  'toggle-inspector',
  'toggle-compacted',
  'theme-system',
  'theme-light',
  'theme-dark',
  'density-comfortable',
  'density-compact',
  'language-english',
  'language-german',
];
const CONVERSATION: readonly CommandId[] = [
  'stop',
  'retry',
  'continue',
  'compact-now',
  'next-turn',
  'previous-turn',
  'pin-turn',
  'show-trace',
  'show-context',
  'show-customer',
  'delete-conversation',
];
const HELP: readonly CommandId[] = ['show-shortcuts', 'show-tour', 'show-about'];

/** Only keys with Ctrl or ⌘ become accelerators: single letters belong to the page, which knows whether text is being typed. */
function entry(id: CommandId, now: ConsoleState): MenuEntry {
  const keys = commandNamed(id).keys;
  const accelerator = keys?.[0] === 'Mod' && keys[1] !== undefined ? { accelerator: `CmdOrCtrl+${keys[1].toUpperCase()}` } : {};
  return { command: id, label: words().commands.names[id], enabled: isAvailable(id, now), ...accelerator };
}

/** Pure for a language and a state. */
export function menuModel(now: ConsoleState): MenuModel {
  const of = (ids: readonly CommandId[]) => ids.map((id) => entry(id, now));
  return { names: words().menu, file: of(FILE), view: of(VIEW), conversation: of(CONVERSATION), help: of(HELP) };
}

/** Keeps the window's menu true to language and state. */
export function followMenu(): void {
  const bridge = preloadBridge();
  if (bridge?.setMenu === undefined) return;
  let sent = '';
  const send = () => {
    const model = menuModel(useConsole.getState());
    const text = JSON.stringify(model);
    if (text === sent) return;
    sent = text;
    bridge.setMenu?.(model);
  };
  let waiting = false;
  // Every streamed word changes the state; the menu follows a few times a second.
  useConsole.subscribe(() => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      send();
    }, 250);
  });
  bridge.onCommand?.((command) => {
    if (isCommandId(command)) runCommand(command);
  });
  send();
}
