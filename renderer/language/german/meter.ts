// Pure data: words of the meter of the next request and of the cost caps.
import type { English } from '../english/index.ts';

export const METER: English['meter'] = {
  parts: {
    system: 'System',
    tools: 'Werkzeuge',
    tenant: 'Mandant',
    summary: 'Zusammenfassung',
    ledger: 'Protokoll',
    pinned: 'Angeheftet',
    compacted: 'Verdichtet',
    full: 'Vollständig',
    recalled: 'Wiedergefunden',
    current: 'Aktuell',
    reserve: 'Reserve',
    free: 'Frei',
  },
  units: {
    tokens: 'Token',
    characters: 'Zeichen',
  },
  history: (used, max, unit) => `Verlauf ${used} von ${max} ${unit}`,
  historyTokens: (history, tokens) => `${history}, ~${tokens} Token`,
  spoken: (used, max, unit, total) => `Verlauf ${used} von ${max} ${unit}, etwa ${total} Token in der nächsten Anfrage`,
  about: (value) => `etwa ${value}`,
  next: (total) => `Nächste Anfrage ~${total} Token`,
  windowUnknown: 'Fenster unbekannt',
  ofWindow: (share, window) => `${share} des Fensters von ${window}`,
  ofCap: (cap) => `von ${cap}`,
  turn: 'Runde',
  conversation: 'Unterhaltung',
  today: 'Heute',
};
