// Pure data: words used everywhere: failures, copying, notices, values nobody knows.
import type { English } from '../english/index.ts';

export const EVERYWHERE: English['everywhere'] = {
  cannotBeShown: (what) => `${what} kann nicht gezeigt werden:`,
  nothingLost: '. Nichts, was Sie getippt oder erhalten haben, ist verloren.',
  textFollows: '. Der Text folgt, wie er ist.',
  tryAgain: 'Erneut versuchen',
  dismiss: 'Ausblenden',
  copy: 'Kopieren',
  copied: 'Kopiert',
  noClipboard: 'Die Zwischenablage ist hier nicht verfügbar. Markieren Sie den Text und kopieren Sie ihn.',
  unknown: 'unbekannt',
};
