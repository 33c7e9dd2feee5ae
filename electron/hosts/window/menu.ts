/** Does I/O: the application menu. Until the page has named its commands in its language, only what the system itself offers. */
import { app, Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import type { MenuEntry, MenuModel } from '../../../shared/menu.ts';

type Entries = MenuItemConstructorOptions[];

const SEPARATOR = { type: 'separator' } as const satisfies MenuItemConstructorOptions;
const ENGLISH: MenuModel['names'] = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  conversation: 'Conversation',
  window: 'Window',
  help: 'Help',
};

function own(entries: readonly MenuEntry[], choose: (command: string) => void): Entries {
  return entries.map(({ command, label, accelerator, enabled }) => ({
    id: command,
    label,
    enabled,
    // The page hears the keys itself; shown here, they must not act twice.
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
    click: () => choose(command),
  }));
}

/** Pure: the template for a page's menu; without one, for none. */
export function menuTemplate(
  menu: MenuModel | null,
  choose: (command: string) => void,
  system: { isMac: boolean; isPackaged: boolean },
): Entries {
  const { isMac, isPackaged } = system;
  const names = menu?.names ?? ENGLISH;
  const withOwn = (entries: readonly MenuEntry[] | undefined): Entries =>
    entries === undefined || entries.length === 0 ? [] : [...own(entries, choose), SEPARATOR];
  const view: Entries = [
    ...withOwn(menu?.view),
    { role: 'reload' },
    ...(isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
    SEPARATOR,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    SEPARATOR,
    { role: 'togglefullscreen' },
  ];
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: names.file, submenu: [...withOwn(menu?.file), { role: isMac ? 'close' : 'quit' }] },
    { role: 'editMenu', label: names.edit },
    { label: names.view, submenu: view },
    ...(menu === null ? [] : [{ label: names.conversation, submenu: own(menu.conversation, choose) }]),
    { role: 'windowMenu', label: names.window },
    {
      role: 'help',
      label: names.help,
      submenu: [...own(menu?.help ?? [], choose), ...(isMac ? [] : [{ role: 'about' } as const])],
    },
  ];
}

export function installMenu(menu: MenuModel | null = null, choose: (command: string) => void = () => undefined): void {
  const system = { isMac: process.platform === 'darwin', isPackaged: app.isPackaged };
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(menu, choose, system)));
}
