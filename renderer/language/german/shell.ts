// Pure data: words of the title bar, the areas and the start.
import type { English } from '../english/index.ts';

export const SHELL: English['shell'] = {
  cannotStart: 'Nimbus kann nicht starten',
  tryAgain: 'Erneut versuchen',
  linkUsed: 'Dieser Link wurde schon benutzt oder ist zu alt',
  linkFresh: 'Drücken Sie Enter in dem Terminal, in dem Nimbus Console läuft: Es zeigt einen frischen Link. Öffnen Sie diesen hier.',
  connectionLost: 'Verbindung zu Nimbus verloren. Neuer Versuch läuft; was Sie tippen, bleibt erhalten.',
  sessionEnded: 'Diese Sitzung ist zu Ende. Drücken Sie Enter im Terminal für einen frischen Link; was Sie getippt haben, bleibt hier.',
  connectNow: 'Jetzt verbinden',
  close: 'Schließen',
  findCommand: 'Befehl suchen',
  widthOfList: 'Breite der Liste',
  widthOfInspector: 'Breite des Inspektors',
  thisDialog: 'Dieses Fenster',
  theList: 'Die Liste',
  thisPane: 'Dieser Bereich',
  theMeter: 'Die Anzeige',
  areas: 'Bereiche',
  areaNames: {
    conversations: 'Unterhaltungen',
    traces: 'Abläufe',
    context: 'Kontext',
    memories: 'Erinnerungen',
  },
  area: (name) => `Bereich ${name}`,
  keyboard: 'Tastenkürzel',
  settings: 'Einstellungen',
  themeNext: (now, next) => `Farben: ${now}. Ändern auf ${next}`,
  inspector: 'Inspektor',
  hideInspector: 'Inspektor ausblenden',
  tabs: {
    trace: 'Ablauf',
    context: 'Kontext',
    customer: 'Kundschaft',
  },
  deleteTitle: 'Diese Unterhaltung löschen?',
  deleteMeaning:
    'Ihre Nachrichten und Abläufe werden hier und in der gemeinsamen Datenbank gelöscht. Erinnerungen bleiben, und Tageskopien behalten sie, bis sie ersetzt werden.',
  deleteIt: 'Löschen',
  keepIt: 'Behalten',
};
