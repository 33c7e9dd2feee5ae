// Pure data: words of the privacy settings.
import type { English } from '../english/index.ts';

export const PRIVACY: English['privacy'] = {
  title: 'Löschen',
  forget: 'Eine Person vergessen',
  forgetHelp: 'Entfernt Gespräche, Gemerktes, Tickets, Bestellungen und jede Kopie davon. Das lässt sich nicht rückgängig machen.',
  search: 'Kundschaft suchen',
  none: 'Niemand gefunden.',
  count: (counts) => `Entfernt würde: ${counts || 'nichts'}`,
  confirm: (id) => `Geben Sie zur Bestätigung ${id} ein`,
  agree: 'Endgültig vergessen',
  working: 'Wird entfernt, danach wird jede Datei durchsucht …',
  removed: (counts) => `Entfernt: ${counts || 'nichts'}`,
  copies: (cleaned, deleted) => `Kopien: ${cleaned} bereinigt, ${deleted} gelöscht`,
  scanned: (files, columns) => `${files} Dateien und ${columns} Spalten der Datenbank wurden durchsucht.`,
  clean: 'Nichts ist übrig.',
  left: 'Noch gefunden:',
  retention: (conversations, days) => `Jetzt würden ${conversations} Gespräche gelöscht (seit ${days} Tagen unverändert)`,
  keepsAll: 'Gespräche werden unbegrenzt aufbewahrt.',
  retentionHelp: 'Wie viele Tage, steht oben. Nach Ihrer Zustimmung geschieht es beim Start und täglich.',
  agreeRetention: 'Zustimmen und löschen',
};
