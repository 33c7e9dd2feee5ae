/** Pure: status of orders and the list of orders. */
import { numberOf, recordsOf, say, textOf, withResults, type DemoStep, type DemoView } from './demo-view.ts';
import { describeOrder, meantOrders, withMeantOrders } from './meant-orders.ts';
import { checkRefunds, lookupFailure } from './refund-skill.ts';
import { latestTopic, OTHER_ORDER, REFERENCE } from './topics.ts';

const STATUS_SENTENCES: Readonly<Record<string, string>> = {
  processing: 'is being prepared and has not left us yet',
  shipped: 'has been shipped and is on its way; the tracking link is in your e-mail',
  delivered: 'has been delivered',
  cancelled: 'was cancelled',
  refunded: 'has been refunded',
};

function statusLine(order: number, result: Record<string, unknown>): string {
  const status = textOf(result, 'status');
  const days = numberOf(result, 'days_since_purchase');
  if (days === null) return lookupFailure(order, result);
  const items = recordsOf(result, 'items').map((item) => `${numberOf(item, 'quantity') ?? 1} x ${textOf(item, 'name')}`);
  const paid = days === 0 ? 'today' : `${days} day${days === 1 ? '' : 's'} ago`;
  const contents = items.length === 0 ? '' : ` It holds ${items.join(', ')}`;
  return `Order #${order}, paid ${paid}, ${STATUS_SENTENCES[status] ?? `has the status "${status}"`}.${contents}${items.length === 0 ? '' : ` (${textOf(result, 'total')}).`}`;
}

export function tellStatus(view: DemoView, orders: readonly number[]): DemoStep {
  const calls = orders.map((order) => ({ name: 'get_order', arguments: { order_id: order } }));
  return withResults(view, calls, (results) => say(orders.map((order, index) => statusLine(order, results[index] ?? {})).join('\n')));
}

const isOnItsWay = (order: Record<string, unknown>): boolean => ['processing', 'shipped'].includes(textOf(order, 'status'));

/** "Where is my parcel?" means one on its way rather than the one just discussed, unless the question points back at it. */
export function orderStatus(view: DemoView): DemoStep {
  const meant = meantOrders(view, REFERENCE.test(view.question));
  return withMeantOrders(view, meant, 'status', (orders) => tellStatus(view, orders), isOnItsWay);
}

export function listOrders(view: DemoView): DemoStep {
  return withResults(view, [{ name: 'list_orders', arguments: {} }], ([list = {}]) => {
    if ('error' in list) return say(`I'm sorry, I cannot see any orders here. ${textOf(list, 'message')}`.trim());
    const orders = recordsOf(list, 'orders');
    if (orders.length === 0) return say('I see no orders in your account yet.');
    const lines = orders.map((order) => `- ${describeOrder(order)}: ${textOf(order, 'total')}`);
    const more = numberOf(list, 'older_orders_not_listed') ?? 0;
    if (more > 0) lines.push(`- and ${more} older`);
    return say(`These are your orders:\n${lines.join('\n')}`);
  });
}

/** "What about 1043?", "and the other one?": goes on with what the conversation was about. */
export function followUp(view: DemoView): DemoStep {
  const topic = latestTopic(view.past);
  const meant = meantOrders(view, true);
  return withMeantOrders(view, meant, topic, (orders) => {
    if (topic === 'refund') return checkRefunds(view, orders);
    if (topic === 'status' || !OTHER_ORDER.test(view.question)) return tellStatus(view, orders);
    return say(`What would you like to know about order #${orders.join(', #')}: whether it can be refunded, or where it is?`);
  });
}
