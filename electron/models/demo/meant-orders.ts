/** Pure: which orders a question means, as far as the context establishes it. */
import { numberOf, recordsOf, say, textOf, withResults, type DemoStep, type DemoView, type Exchange } from './demo-view.ts';
import { mentionsInExchange, mentionsInQuestion } from './mentions.ts';
import { candidateOrders } from './own-orders.ts';
import { OTHER_ORDER, type Topic } from './topics.ts';

export type MeantOrders =
  | { kind: 'known'; orders: number[] }
  /** Several could be meant; the customer must say. */
  | { kind: 'choose'; orders: number[] }
  /** The context does not tell; the customer's list of orders may. `exclude`: certainly not meant. */
  | { kind: 'look-up'; exclude: number[] }
  /** Every order of the customer, as far as one answer can hold them. */
  | { kind: 'all' };

/** Orders of the newest exchange that was about any. */
function inFocus(view: DemoView, ordersOf: (exchange: Exchange) => number[]): number[] {
  for (const exchange of view.past.toReversed()) {
    const orders = ordersOf(exchange);
    if (orders.length > 0) return orders;
  }
  return [];
}

/** "My other order": not the one just discussed. Other orders of the conversation come first, the customer's list second. */
function otherThan(view: DemoView, focus: readonly number[]): MeantOrders {
  const [only, ...more] = focus;
  if (only === undefined) return { kind: 'look-up', exclude: [] };
  if (more.length > 0) return { kind: 'choose', orders: [...focus] };
  const discussed = new Set(view.past.flatMap((exchange) => candidateOrders(view, exchange)));
  discussed.delete(only);
  const [other, ...others] = discussed;
  if (other === undefined) return { kind: 'look-up', exclude: [only] };
  return others.length === 0 ? { kind: 'known', orders: [other] } : { kind: 'choose', orders: [...discussed] };
}

/** Words for more than one order at once. */
const SEVERAL = /\bboth\b|\b(?:which|any|all|each|every)\b.{0,12}\borders?\b/i;
/** Orders named or checked in one answer. */
const MOST_AT_ONCE = 5;

/** `useFocus`: whether a question without a number may mean the order just discussed. */
export function meantOrders(view: DemoView, useFocus: boolean): MeantOrders {
  const { orders } = mentionsInQuestion(view);
  if (orders.length > 0) return { kind: 'known', orders };
  const candidates = inFocus(view, (exchange) => candidateOrders(view, exchange));
  if (OTHER_ORDER.test(view.question)) return otherThan(view, candidates);
  if (SEVERAL.test(view.question)) return candidates.length > 1 ? { kind: 'known', orders: candidates } : { kind: 'all' };
  // "It" may be an order that was not found: the answer says so again rather than speak of another one.
  const latest = inFocus(view, (exchange) => mentionsInExchange(exchange).orders);
  const focus = latest.length === 1 ? latest : candidates;
  if (!useFocus || focus.length === 0) return { kind: 'look-up', exclude: [] };
  return focus.length === 1 ? { kind: 'known', orders: focus } : { kind: 'choose', orders: focus };
}

const TOPIC_WORDS: Readonly<Record<Topic, string>> = { refund: ' for the refund', status: '' };

function choice(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

function askWhich(names: readonly string[], topic: Topic | null): DemoStep {
  const wish = topic === null ? ' And what would you like to know about it: whether it can be refunded, or where it is?' : '';
  return say(`Which order do you mean${topic === null ? '' : TOPIC_WORDS[topic]}: ${choice(names)}?${wish}`);
}

const daysAgo = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`);

/** `#1042 (shipped, 3 days ago)` */
export function describeOrder(order: Record<string, unknown>): string {
  return `#${numberOf(order, 'order_id') ?? '?'} (${textOf(order, 'status')}, paid ${daysAgo(numberOf(order, 'days_since_purchase') ?? 0)})`;
}

/**
 * Goes on with the orders meant; looks them up or asks first where that is needed.
 * `prefer` picks the likely ones from a longer list, e.g. those still on their way; all are candidates when it picks none.
 */
export function withMeantOrders(
  view: DemoView,
  meant: MeantOrders,
  topic: Topic | null,
  then: (orders: number[]) => DemoStep,
  prefer: (order: Record<string, unknown>) => boolean = () => true,
): DemoStep {
  if (meant.kind === 'known') return then(meant.orders);
  if (meant.kind === 'choose')
    return askWhich(
      meant.orders.map((order) => `#${order}`),
      topic,
    );
  return withResults(view, [{ name: 'list_orders', arguments: {} }], ([list = {}]) => {
    if ('error' in list) return say(`I'm sorry, I cannot see any orders here. ${textOf(list, 'message')}`.trim());
    const exclude = meant.kind === 'all' ? [] : meant.exclude;
    const excluded = new Set(exclude);
    const rest = recordsOf(list, 'orders').filter((order) => !excluded.has(numberOf(order, 'order_id') ?? -1));
    const preferred = rest.filter(prefer);
    const candidates = preferred.length > 0 ? preferred : rest;
    const [first, ...others] = candidates;
    if (meant.kind === 'all' && first !== undefined) {
      return then(candidates.slice(0, MOST_AT_ONCE).flatMap((order) => numberOf(order, 'order_id') ?? []));
    }
    if (first === undefined) {
      return say(
        exclude.length > 0 ? `I see no other order than #${exclude.join(', #')} in your account.` : 'I see no orders in your account yet.',
      );
    }
    const number = numberOf(first, 'order_id');
    return others.length === 0 && number !== null ? then([number]) : askWhich(candidates.slice(0, MOST_AT_ONCE).map(describeOrder), topic);
  });
}
