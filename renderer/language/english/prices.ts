// Pure data: words of the table of own prices.
export const PRICES = {
  title: 'Own prices',
  note: 'For models the catalog does not know, or has another price for. US dollars per million tokens; an empty cached price is that of other input.',
  columns: {
    model: 'PROVIDER/MODEL',
    input: 'Input',
    cachedInput: 'Cached input',
    output: 'Output',
    window: 'Window, tokens',
  },
  add: 'Add a model',
  save: 'Save prices',
  remove: 'Remove',
  wrong: (row: number, column: string) => `Row ${row}, ${column}: write an amount such as 0.25.`,
};
