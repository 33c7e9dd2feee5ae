// Pure data: names of the window's menus.
import type { English } from '../english/index.ts';

export const MENU: English['menu'] = {
  file: 'Datei',
  edit: 'Bearbeiten',
  view: 'Ansicht',
  conversation: 'Unterhaltung',
  window: 'Fenster',
  help: 'Hilfe',
};
