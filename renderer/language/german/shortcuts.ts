// Pure data: words of the sheet of keys.
import type { English } from '../english/index.ts';

export const SHORTCUTS: English['shortcuts'] = {
  title: 'Tastatur',
  inFields: 'In Feldern und Listen',
  send: 'Nachricht senden',
  breakLine: 'Neue Zeile',
  stopOrClose: 'Antwort anhalten, Fenster schließen',
  moveInList: 'In einer Liste bewegen',
  turnInTrace: 'Vorherige und nächste Runde im Ablauf',
  markUnread: 'Eine Zeile der Liste als ungelesen markieren',
};
