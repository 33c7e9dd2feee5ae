/** Pure: the numbers of orders and tickets as models write them. */
import { z } from 'zod';

const LARGEST_NUMBER = 999_999_999;
const WRITTEN_NUMBER = /^#?\s*(\d{1,9})$/;

/** `"1042"`, `"#1042"` and `1042` become 1042; anything else is left for the schema to refuse. */
function toNumber(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const digits = WRITTEN_NUMBER.exec(value.normalize('NFKC').trim())?.[1];
  return digits === undefined ? value : Number(digits);
}

/** A whole number from 1. `what` is `order` or `ticket`; used in descriptions and messages. */
export function recordNumber(what: 'order' | 'ticket', description: string) {
  const expected = `expected the ${what} number as a whole number, such as ${what === 'order' ? 1042 : 5001}`;
  return z
    .preprocess(toNumber, z.number({ error: expected }).int(expected).min(1, expected).max(LARGEST_NUMBER, expected))
    .describe(description);
}

/** As {@link recordNumber}, for an argument that may be left out; `null` and `""` count as left out, as models send them for "none". */
export function optionalRecordNumber(what: 'order' | 'ticket', description: string) {
  const expected = `expected the ${what} number as a whole number, such as ${what === 'order' ? 1042 : 5001}, or nothing`;
  return z
    .preprocess(
      (value) => (value === null || value === '' ? undefined : toNumber(value)),
      z.number({ error: expected }).int(expected).min(1, expected).max(LARGEST_NUMBER, expected).optional(),
    )
    .optional()
    .describe(description);
}
