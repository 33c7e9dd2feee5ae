/** Pure: which orders of a conversation may be spoken of as the customer's own. */
import { recordsOf, type DemoView, type DoneCall, type Exchange } from './demo-view.ts';
import { mentionsIn, mentionsInExchange } from './mentions.ts';

/** Sentences of answers about orders that were not found or not read; their numbers say nothing about what the customer owns. */
const FAILED_LOOK_UP = /I (?:can't find|could not look up) order #\d{1,9}|This customer has no order \d{1,9}|.*\bnot_found\b.*/g;

const failed = (call: DoneCall): boolean => 'error' in call.result;

/** Orders that results of tools showed. */
function shownBy(call: DoneCall): number[] {
  if (failed(call)) return [];
  const listed = recordsOf(call.result, 'orders').map((order) => order.order_id);
  return [call.arguments.order_id, call.result.order_id, ...listed].filter((value) => typeof value === 'number');
}

function failedIn(exchange: Exchange): number[] {
  const told = `${exchange.answer}\n${exchange.isNote ? exchange.question : ''}`.match(FAILED_LOOK_UP) ?? [];
  const looked = exchange.calls.filter(failed).map(({ arguments: made }) => made.order_id);
  return [...told.flatMap((sentence) => mentionsIn(sentence).orders), ...looked.filter((value) => typeof value === 'number')];
}

/** Numbers that were looked up without success and never with it. */
export function failedOrders(past: readonly Exchange[]): ReadonlySet<number> {
  const shown = new Set(past.flatMap(({ calls }) => calls.flatMap(shownBy)));
  return new Set(past.flatMap(failedIn).filter((order) => !shown.has(order)));
}

/**
 * Orders an exchange was about that the customer may be asked to choose from: shown by a tool, told by an answer whose calls memory left
 * out, or named by the customer and not looked up yet; never one whose look-up failed.
 */
export function candidateOrders(view: DemoView, exchange: Exchange): number[] {
  const failures = failedOrders(view.past);
  return mentionsInExchange(exchange).orders.filter((order) => !failures.has(order));
}
