// Pure data: words of the table of own prices.
import type { English } from '../english/index.ts';

export const PRICES: English['prices'] = {
  title: 'Eigene Preise',
  note: 'Für Modelle, die der Katalog nicht kennt oder anders bepreist. US-Dollar je Million Token; ein leerer Cache-Preis ist der von anderem Eingang.',
  columns: {
    model: 'ANBIETER/MODELL',
    input: 'Eingang',
    cachedInput: 'Eingang aus Cache',
    output: 'Ausgang',
    window: 'Fenster, Token',
  },
  add: 'Modell hinzufügen',
  save: 'Preise speichern',
  remove: 'Entfernen',
  wrong: (row, column) => `Zeile ${row}, ${column}: Schreiben Sie einen Betrag wie 0,25.`,
};
