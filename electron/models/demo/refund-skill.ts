/** Pure: refunds: checking, offering and opening requests. */
import { numberOf, say, textOf, withResults, type DemoStep, type DemoView } from './demo-view.ts';
import { meantOrders, withMeantOrders } from './meant-orders.ts';
import { offerText } from './offers.ts';

const noun = (days: number): string => `${days} day${days === 1 ? '' : 's'}`;

/** One sentence about one order that could not be looked up. */
export function lookupFailure(order: number, result: Record<string, unknown>): string {
  if (result.error === 'not_found') return `I'm sorry, I can't find order #${order} in your account. Could you check the number?`;
  const message = textOf(result, 'message');
  return `I'm sorry, I could not look up order #${order}.${message === '' ? ' Please try again in a moment.' : ` ${message}`}`;
}

function verdict(order: number, result: Record<string, unknown>): string {
  if (typeof result.eligible !== 'boolean') return lookupFailure(order, result);
  const reason = textOf(result, 'reason');
  if (!result.eligible) return `I'm sorry, order #${order} is not eligible for a refund. ${reason}`;
  const days = numberOf(result, 'days_since_purchase');
  return `Good news: order #${order}${days === null ? '' : `, purchased ${noun(days)} ago,`} is eligible for a refund. ${reason}`;
}

/** Checks the orders side by side and offers a request for those that can be refunded. */
export function checkRefunds(view: DemoView, orders: readonly number[]): DemoStep {
  const calls = orders.map((order) => ({ name: 'check_refund_eligibility', arguments: { order_id: order } }));
  return withResults(view, calls, (results) => {
    const lines = orders.map((order, index) => verdict(order, results[index] ?? {}));
    const eligible = orders.filter((_order, index) => results[index]?.eligible === true);
    if (eligible.length > 0) lines.push(offerText({ kind: 'refund-request', orders: eligible }));
    return say(lines.join(orders.length > 1 ? '\n' : ' '));
  });
}

export function refund(view: DemoView): DemoStep {
  return withMeantOrders(view, meantOrders(view, true), 'refund', (orders) => checkRefunds(view, orders));
}

/** What the context still shows of an earlier check, for the colleague who reads the ticket. */
function knownAge(view: DemoView, order: number): string {
  const checks = view.past
    .flatMap(({ calls }) => calls)
    .filter(({ name, result }) => name === 'check_refund_eligibility' && result.order_id === order);
  const days = numberOf(checks.at(-1)?.result ?? {}, 'days_since_purchase');
  return days === null ? '' : ` (eligible, ${noun(days)} old)`;
}

function opened(order: number, result: Record<string, unknown>): string {
  const ticket = numberOf(result, 'ticket_id');
  if (ticket === null) {
    const reason = textOf(result, 'message');
    return `I'm sorry, I could not open the refund request for order #${order}.${reason === '' ? ' Nobody has been told yet; please try again.' : ` ${reason}`}`;
  }
  if (result.created === false)
    return `There already is ticket #${ticket} for the refund of order #${order}, so I did not open a second one.`;
  return `Done! I've opened ticket #${ticket} for your refund on order #${order}. A colleague will look into it.`;
}

/** One ticket per order, opened side by side. */
export function openRefundRequests(view: DemoView, orders: readonly number[]): DemoStep {
  const calls = orders.map((order) => ({
    name: 'create_support_ticket',
    arguments: {
      category: 'refund',
      summary: `Customer requests a refund for order ${order}${knownAge(view, order)}.`,
      order_id: order,
    },
  }));
  return withResults(view, calls, (results) => say(orders.map((order, index) => opened(order, results[index] ?? {})).join('\n')));
}
