// Pure data: words of the conversation list.
import type { English } from '../english/index.ts';

export const CONVERSATIONS: English['conversations'] = {
  filter: 'Unterhaltungen filtern',
  state: 'Zustand',
  any: 'Alle',
  states: { 'needs-human': 'Braucht einen Menschen', failed: 'Fehlgeschlagen oder abgebrochen', running: 'Nimbus antwortet' },
  changed: 'Geändert',
  anyTime: 'Jederzeit',
  days: (days) => (days === 1 ? 'Heute' : `Letzte ${days} Tage`),
  strategy: 'Strategie',
  ownDefault: 'Die Vorgabe',
  unread: 'Ungelesen',
  ticket: 'Mit Ticket',
  remove: (condition) => `Filter entfernen: ${condition}`,
  unreadTurns: (count) => (count === 1 ? '1 ungelesene Runde' : `${count} ungelesene Runden`),
  markUnread: 'Als ungelesen markieren',
  none: 'Noch keine Unterhaltungen.',
  startOne: 'Neue Unterhaltung',
  nothingFor: 'Nichts gefunden für',
  nothingFiltered: 'Keine Unterhaltung passt zu diesen Filtern.',
  clear: 'Suche und Filter zurücksetzen',
  loadingRow: 'Wird geladen',
};
