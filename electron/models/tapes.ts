/** Pure: the tapes that ship with the demo. */
import { ConsoleError } from '../../shared/errors.ts';
import type { Tape } from './tape.ts';
import { parseTape } from './tape.ts';
import deliveryQuestion from './tapes/delivery-question.json' with { type: 'json' };
import refundRefused from './tapes/refund-refused.json' with { type: 'json' };

const TAPES: Readonly<Record<string, unknown>> = { 'refund-refused': refundRefused, 'delivery-question': deliveryQuestion };

export const SHIPPED_TAPES: readonly [string, ...string[]] = ['refund-refused', 'delivery-question'];

/** A shipped tape by name. Throws ConsoleError `invalid-input` that lists the names. */
export function shippedTape(name: string): Tape {
  const tape = Object.hasOwn(TAPES, name) ? TAPES[name] : undefined;
  if (tape === undefined) throw new ConsoleError('invalid-input', `There is no tape "${name}"; the tapes are ${SHIPPED_TAPES.join(', ')}.`);
  return parseTape(JSON.stringify(tape));
}
