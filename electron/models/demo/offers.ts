/** Pure: offers of the demo model, as it words them and as it finds them again in the context. */
import type { DemoView } from './demo-view.ts';
import { isAcceptance, isRefusal } from './short-answers.ts';

export type Offer =
  | { kind: 'refund-request'; orders: number[] }
  | { kind: 'problem-ticket'; category: string; order: number | null; problem: string }
  | { kind: 'handoff' };

/** Answers after which an offer is no longer what a "yes" can mean. */
const OFFER_REACH = 3;

/** `#1042`, `#1042 and #1050`, `#1, #2 and #3`. */
export function namedOrders(orders: readonly number[]): string {
  const names = orders.map((order) => `#${order}`);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

export function offerText(offer: Offer): string {
  switch (offer.kind) {
    case 'refund-request':
      return `Would you like me to open a refund request for order${offer.orders.length > 1 ? 's' : ''} ${namedOrders(offer.orders)}?`;
    case 'problem-ticket':
      return `Would you like me to open a ticket about this (${offer.category}${offer.order === null ? '' : `, order #${offer.order}`})?`;
    case 'handoff':
      return 'Would you like me to hand this over to a human colleague?';
  }
}

interface Reader {
  pattern: RegExp;
  read: (match: RegExpMatchArray, question: string) => Offer;
}

const numbersIn = (text: string): number[] => [...text.matchAll(/#(\d{1,9})/g)].map(([, digits]) => Number(digits));

const READERS: readonly Reader[] = [
  {
    pattern: /Would you like me to open a refund request for orders? ([#\d, and]+)\?/g,
    read: (match) => ({ kind: 'refund-request', orders: numbersIn(match[1] ?? '') }),
  },
  {
    pattern: /Would you like me to open a ticket about this \((\w+)(?:, order #(\d{1,9}))?\)\?/g,
    read: (match, question) => ({
      kind: 'problem-ticket',
      category: match[1] ?? 'other',
      order: match[2] === undefined ? null : Number(match[2]),
      problem: question,
    }),
  },
  { pattern: /Would you like me to hand this over to a human colleague\?/g, read: () => ({ kind: 'handoff' }) },
];

/** The last offer in a text; null when there is none. */
function lastOfferIn(text: string, question: string): Offer | null {
  let last: { index: number; offer: Offer } | null = null;
  for (const { pattern, read } of READERS) {
    const match = [...text.matchAll(pattern)].at(-1);
    if (match !== undefined && (last === null || match.index > last.index)) last = { index: match.index, offer: read(match, question) };
  }
  return last?.offer ?? null;
}

/** The offer a "yes" now would answer: the newest one in the context that was neither taken nor refused. */
export function openOffer(view: DemoView): Offer | null {
  const recent = view.past.slice(-OFFER_REACH).toReversed();
  for (const [age, exchange] of recent.entries()) {
    // A note tells what was, in unknown order: only when nothing newer stands after it can its offer be open.
    if (exchange.isNote && age > 0) return null;
    const offer = exchange.isNote ? lastOfferIn(exchange.question, '') : lastOfferIn(exchange.answer, exchange.question);
    if (offer !== null) return offer;
    if (isAcceptance(exchange.question) || isRefusal(exchange.question)) return null;
  }
  return null;
}
