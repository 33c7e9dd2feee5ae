// Pure data: words of the settings.
import type { English } from '../english/index.ts';

export const SETTINGS: English['settings'] = {
  title: 'Einstellungen',
  pages: {
    model: 'Modelle und Schlüssel',
    storage: 'Speicherort',
    memory: 'Gedächtnis',
    budgets: 'Budgets',
    appearance: 'Darstellung',
    privacy: 'Datenschutz',
    about: 'Über',
  },
  groups: {
    memory: 'Gedächtnis',
    runs: 'Läufe',
    search: 'Suche',
    caps: 'Kostengrenzen',
    privacy: 'Persönliche Daten',
    keeping: 'Aufbewahrung',
  },
  resetTo: (value) => `Zurück auf ${value}`,
  resetToEmpty: 'Leeren',
  notAnAmount: 'Schreiben Sie einen Betrag in US-Dollar, etwa 0,50.',
  choices: {
    warn: 'Warnen',
    handoff: 'An einen Menschen übergeben',
    stop: 'Anhalten',
    tokens: 'Token',
    'php-chars': 'Zeichen wie in PHP',
    stable: 'stable',
    summary: 'summary',
    'recent-turns': 'recent-turns',
  },
  fields: {
    'memory.strategy': {
      label: 'Strategie',
      help: 'Wie der Kontext der nächsten Anfrage entsteht',
      unit: '',
    },
    'memory.recentTurns': {
      label: 'Neueste Runden vollständig',
      help: 'Neueste Runden, mit Werkzeugaufrufen gesendet',
      unit: 'Runden',
    },
    'memory.measure': {
      label: 'Maß',
      help: 'Worin das Budget von recent-turns gezählt wird',
      unit: '',
    },
    'memory.maxChars': {
      label: 'Verlaufsbudget in Zeichen',
      help: 'recent-turns, Zeichen wie in PHP',
      unit: 'Zeichen',
    },
    'memory.historyTokens': {
      label: 'Verlaufsbudget in Token',
      help: 'stable, und recent-turns in Token',
      unit: 'Token',
    },
    'memory.maxHistoryTokens': {
      label: 'Zusammenfassen ab',
      help: 'summary: ältere Nachrichten werden zusammengefasst',
      unit: 'Token',
    },
    'memory.recentMessagesMin': {
      label: 'Nie zusammengefasst',
      help: 'summary: neueste Nachrichten bleiben, wie sie sind',
      unit: 'Nachrichten',
    },
    'memory.summaryModel': {
      label: 'Modell für Zusammenfassungen',
      help: 'ANBIETER/MODELL; leer: das antwortende Modell',
      unit: '',
    },
    'memory.summaryLanguage': {
      label: 'Sprache der Zusammenfassung',
      help: 'Leer: die der Unterhaltung',
      unit: '',
    },
    'memory.recall': {
      label: 'Erinnern',
      help: 'stable: frühere Runden, die zur Frage passen, werden wieder gesendet',
      unit: '',
    },
    'memory.distilOnCompress': {
      label: 'Erinnerungen schreiben',
      help: 'Kurze Fakten über die Kundschaft, sobald das Budget überschritten ist',
      unit: '',
    },
    'agent.maxSteps': {
      label: 'Schritte je Lauf',
      help: 'Modellaufrufe, bevor Nimbus aufgibt',
      unit: 'Schritte',
    },
    'agent.maxSeconds': {
      label: 'Zeit je Lauf',
      help: 'Wanduhr',
      unit: 'Sekunden',
    },
    'search.embeddingModel': {
      label: 'Einbettungsmodell',
      help: 'ANBIETER/MODELL für Hilfeartikel; leer: Suche nach Wörtern',
      unit: '',
    },
    'budget.turnMicroUsd': {
      label: 'Je Runde',
      help: 'In US-Dollar; 0: keine Grenze',
      unit: '',
    },
    'budget.conversationMicroUsd': {
      label: 'Je Unterhaltung',
      help: 'In US-Dollar; 0: keine Grenze',
      unit: '',
    },
    'budget.dayMicroUsd': {
      label: 'Je Tag',
      help: 'Alle Unterhaltungen eines UTC-Tages, in US-Dollar; 0: keine Grenze',
      unit: '',
    },
    'budget.action': {
      label: 'Wenn eine Grenze erreicht ist',
      help: 'Eine Grenze wird nie um mehr als einen Schritt überschritten',
      unit: '',
    },
    'privacy.redact': {
      label: 'Persönliche Daten vor Anbietern verbergen',
      help: 'Adressen, Nummern und Namen werden im Gesendeten ersetzt',
      unit: '',
    },
    retentionDays: {
      label: 'Unterhaltungen behalten',
      help: 'Gelöscht, wenn so lange unverändert; 0 behält sie',
      unit: 'Tage',
    },
  },
};
