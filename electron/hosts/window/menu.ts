/** Does I/O: the application menu. Roles only, so that every entry follows the system's language and keys. */
import { app, Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';

function template(): MenuItemConstructorOptions[] {
  const isMac = process.platform === 'darwin';
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: [{ role: isMac ? 'close' : 'quit' }] },
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { role: 'windowMenu' },
    ...(isMac ? [] : [{ role: 'help', submenu: [{ role: 'about' }] } as const satisfies MenuItemConstructorOptions]),
  ];
}

export function installMenu(): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(template()));
}
