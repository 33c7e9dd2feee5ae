// Pure data: words of the rows of the conversation list and of the dialog that starts a conversation.
import type { English } from '../english/index.ts';

export const ROWS: English['rows'] = {
  queue: 'Warteschlange',
  conversations: 'Unterhaltungen',
  fresh: 'Neue Unterhaltung',
  freshHint: 'Neue Unterhaltung (N)',
  search: 'Unterhaltungen durchsuchen',
  searchShort: 'Suchen',
  clearSearch: 'Suche leeren',
  loading: 'Unterhaltungen werden geladen',
  tryAgain: 'Erneut versuchen',
  waitingHuman: 'Wartet auf einen Menschen',
  noMessages: 'Noch keine Nachrichten',
  lost: 'Verbindung verloren, Stand unbekannt',
  running: 'Nimbus antwortet',
  waitingApproval: 'Wartet auf Freigabe',
  answered: 'Beantwortet',
  stopped: 'Angehalten',
  interrupted: 'Unterbrochen',
  failed: 'Fehlgeschlagen',
  visitor: 'Besucher',
  findCustomer: 'Kundschaft suchen',
  customers: 'Kundschaft',
  noCustomer: 'Niemand heißt so.',
  noAccount: 'Ein Besucher ohne Konto',
  noOrders: 'Nimbus sieht keine Bestellungen',
};
