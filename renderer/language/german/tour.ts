// Pure data: words of the tour.
import type { English } from '../english/index.ts';

export const TOUR: English['tour'] = {
  title: (step, of) => `Rundgang, ${step} von ${of}`,
  skip: 'Überspringen',
  back: 'Zurück',
  next: 'Weiter',
  done: 'Fertig',
  offer: 'Neu hier? Ein Rundgang durch fünf Orte dauert eine Minute.',
  take: 'Rundgang starten',
  decline: 'Nein, danke',
  steps: {
    list: {
      title: 'Jede Unterhaltung',
      text: 'Wer schrieb, wann, und was daraus wurde. Die Suche findet Wörter aus jeder Nachricht; N beginnt eine neue.',
    },
    chat: {
      title: 'Nimbus beim Antworten zusehen',
      text: 'Wörter erscheinen, wie das Modell sie schreibt, Werkzeuge, wie sie laufen. Anhalten, wiederholen oder fortsetzen geht jederzeit; was Sie tippen, bleibt erhalten.',
    },
    inspector: {
      title: 'Was geschah, und was gesendet wurde',
      text: 'Ablauf zeigt jeden Schritt mit Zeit, Token und Geld. Kontext zeigt genau, was das Modell von dieser Unterhaltung sah.',
    },
    meter: {
      title: 'Das Budget der nächsten Anfrage',
      text: 'Was sie enthält, was sie kosten kann und wie viel Platz bleibt. Ruhig, bis es darauf ankommt.',
    },
    palette: {
      title: 'Alles beim Namen',
      text: 'Strg K findet jeden Befehl, jede Einstellung und jede Unterhaltung. ? zeigt alle Tasten.',
    },
  },
};
