// Pure data: words of the appearance settings and of notifications.
import type { English } from '../english/index.ts';

export const APPEARANCE: English['appearance'] = {
  title: 'Darstellung',
  theme: 'Farben',
  themes: {
    system: 'Wie das System',
    light: 'Hell',
    dark: 'Dunkel',
  },
  density: 'Dichte',
  densityHelp: 'Wie eng Zeilen stehen',
  densities: {
    comfortable: 'Bequem',
    compact: 'Kompakt',
  },
  textSize: 'Textgröße',
  textSizes: {
    small: 'Klein',
    normal: 'Normal',
    large: 'Groß',
    larger: 'Größer',
  },
  language: 'Sprache',
  languageHelp: 'Der Konsole; Nimbus antwortet in der Sprache der Kundschaft',
  notifications: 'Benachrichtigungen',
  notify: 'Melden, wenn Nimbus einen Menschen braucht',
  notifyHelp: 'Eine Meldung des Systems, solange dieses Fenster nicht vorn ist',
  notifyRefused:
    'Das System erlaubt hier keine Meldungen. Erlauben Sie sie in dessen Einstellungen für diese Seite oder App, und versuchen Sie es erneut.',
  notifyUnknown: 'Dieser Browser kennt keine Meldungen.',
  needsYou: (who) => `${who} braucht einen Menschen`,
  visitor: 'Ein Besucher',
};
