// Pure data: words of a turn in German.
import type { English } from '../english/index.ts';

export const TURNS: English['turns'] = {
  menu: (turn) => `Aktionen für Runde ${turn}`,
  copyAnswer: 'Antwort kopieren',
  copyMarkdown: 'Runde als Markdown kopieren',
  noClipboard: 'Die Zwischenablage ist hier nicht verfügbar. Markieren und kopieren Sie den Text von Hand.',
  pin: 'Anheften: vollständig senden, solange Platz ist',
  unpin: 'Lösen',
  showTrace: 'Im Ablauf zeigen',
  showContext: 'Im Kontext zeigen',
  whyNotSeen: 'Warum hat das Modell das nicht gesehen?',
  forget: 'Diese Runde vergessen …',
  forgetTitle: (turn) => `Runde ${turn} vergessen?`,
  forgetWarning:
    'Ihre Texte werden überall entfernt: aus Nachrichten, Suche, Abläufen, Zusammenfassungen und Erinnerungen und aus allen seither gesendeten Anfragen. Die Runde bleibt als leere Stelle stehen. Das lässt sich nicht rückgängig machen.',
  forgetConfirm: 'Runde vergessen',
  cancel: 'Abbrechen',
};
