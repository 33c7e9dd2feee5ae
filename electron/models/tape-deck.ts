/** Pure: the engine's port to tapes: what ships, what a file holds, and a conversation as a redacted file. */
import type { TapeDeck, TapeFacts } from '../engine/ports.ts';
import { ConsoleError } from '../../shared/errors.ts';
import { formatTape, parseTape, tapeOf } from './tape.ts';
import type { Tape } from './tape.ts';
import { shippedTape, SHIPPED_TAPES } from './tapes.ts';

/** What a redaction leaves behind. */
const REDACTED = /\[(?:key|mail|phone|number)\]/g;

export const tapeDeck: TapeDeck = {
  shipped: () => SHIPPED_TAPES.map((id) => ({ id, ...factsOf(shippedTape(id)) })),
  read: (text) => factsOf(parseTape(text)),
  record({ title, model, turns, secrets }) {
    const tape = tapeOf({ about: title, source: model, turns, secrets });
    if (tape === null) return null;
    const text = formatTape(tape);
    const left = secrets.find((secret) => secret !== '' && text.includes(secret));
    if (left !== undefined) throw new ConsoleError('internal', 'The tape still held a key after redaction and was not written.');
    return { text, redactions: count(text) - count(JSON.stringify(turns.map((turn) => turn.messages.map(({ content }) => content)))) };
  },
};

function count(text: string): number {
  return text.match(REDACTED)?.length ?? 0;
}

function factsOf(tape: Tape): TapeFacts {
  return { title: tape.about, turns: tape.turns.length, model: tape.source };
}
