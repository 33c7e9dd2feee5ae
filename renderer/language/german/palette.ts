// Pure data: words of the command palette; the groups also name the parts of the shortcut sheet.
import type { English } from '../english/index.ts';

export const PALETTE: English['palette'] = {
  title: 'Befehle',
  placeholder: 'Was möchten Sie tun? Befehle, Kunden, Unterhaltungen',
  nothing: (typed) => `Nichts heißt „${typed}“.`,
  conversations: 'Unterhaltungen',
  visitor: 'Besucher',
  groups: {
    go: 'Gehe zu',
    conversation: 'Unterhaltung',
    turn: 'Runde',
    view: 'Ansicht',
    app: 'Nimbus Console',
  },
};
