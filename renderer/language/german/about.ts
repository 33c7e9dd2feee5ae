// Pure data: words of the page about the app.
import type { English } from '../english/index.ts';

export const ABOUT: English['about'] = {
  title: 'Über',
  version: 'Version',
  model: 'Modell',
  storage: 'Speicherort',
  dataFolder: 'Datenordner',
  host: 'Läuft in',
  hosts: {
    window: 'einem Fenster',
    loopback: 'dem Browser',
    terminal: 'dem Terminal',
  },
  help: 'Hilfe',
  tour: 'Rundgang starten',
  keys: 'Tastenkürzel',
  licences: 'Unter der MIT-Lizenz. Die Lizenzen der eingebauten Teile stehen in THIRD-PARTY-NOTICES.txt neben dem Programm.',
};
