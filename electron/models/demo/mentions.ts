/** Pure: numbers of orders and tickets in a text. */
import type { DemoView, Exchange } from './demo-view.ts';

export interface Mentions {
  orders: number[];
  tickets: number[];
}

const ORDER_WORD = /order|bestellung|auftrag|commande|pedido|ordine|注文|订单|訂單|주문|طلب|заказ|замовлення/giu;
const TICKET_WORD = /ticket|\bcase\b|チケット|تذكرة/giu;
/** How far before a number its word may stand, in UTF-16 units. */
const WORD_REACH = 40;
const MONEY_OR_MEASURE =
  /^\s*(?:days?|weeks?|months?|hours?|minutes?|eur\b|usd\b|gbp\b|€|\$|£|%|°|cm\b|km\b|characters?|pieces?|items?|x\b)/i;

/** Digits of other scripts as ASCII digits; the text keeps its length for the digits of the basic plane. */
function plainDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹०-९０-９]/g, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = [0x0660, 0x06f0, 0x0966, 0xff10].find((start) => code >= start && code <= start + 9) ?? code;
    return String(code - zero);
  });
}

const lastIndexOf = (pattern: RegExp, text: string): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1;

/** What a number is, from the words right before and after it; null: neither an order nor a ticket. */
function kindOfNumber(digits: string, before: string, after: string): keyof Mentions | null {
  if (digits.length > 9) return null;
  if (/[\p{L}\d][.,:/-]$|[\p{Script=Latin}\d]$|[€$£]\s*$/u.test(before) || /^(?:[.,:/-]?\d|-?\p{Script=Latin})/u.test(after)) return null;
  if (MONEY_OR_MEASURE.test(after) || /\+\d[\d ]*$/.test(before)) return null;
  const clause = before.split(/[.!?\n]/).at(-1) ?? '';
  const [orderWord, ticketWord] = [lastIndexOf(ORDER_WORD, clause), lastIndexOf(TICKET_WORD, clause)];
  const isMarked = /#\s?$/.test(before);
  const isLong = digits.length >= 3;
  if (ticketWord > orderWord) return isMarked || isLong ? 'tickets' : null;
  if (orderWord >= 0) return isMarked || isLong ? 'orders' : null;
  if (isMarked) return 'orders';
  return digits.length >= 4 && digits.length <= 6 && !/\b(?:in|since|year)\s+$/i.test(before) ? 'orders' : null;
}

/** Numbers in order of appearance, each once. `#5001` is taken for an order unless the text says ticket. */
export function mentionsIn(text: string): Mentions {
  const plain = plainDigits(text);
  const found = { orders: new Set<number>(), tickets: new Set<number>() };
  for (const match of plain.matchAll(/\d+/g)) {
    const end = match.index + match[0].length;
    const kind = kindOfNumber(match[0], plain.slice(Math.max(0, match.index - WORD_REACH), match.index), plain.slice(end, end + 12));
    if (kind !== null) found[kind].add(Number(match[0]));
  }
  return { orders: [...found.orders], tickets: [...found.tickets] };
}

function without(numbers: readonly number[], taken: ReadonlySet<number>): number[] {
  return numbers.filter((number) => !taken.has(number));
}

function argumentsOf(exchange: Exchange, key: 'order_id' | 'ticket_id'): number[] {
  return exchange.calls.flatMap((call) => [call.arguments[key], call.result[key]]).filter((value) => typeof value === 'number');
}

/** What an exchange was about. Orders that a list only named in its result do not count. */
export function mentionsInExchange(exchange: Exchange): Mentions {
  const [asked, answered] = [mentionsIn(exchange.question), mentionsIn(exchange.answer)];
  const tickets = new Set([...asked.tickets, ...answered.tickets, ...argumentsOf(exchange, 'ticket_id')]);
  const orders = new Set([...asked.orders, ...answered.orders, ...argumentsOf(exchange, 'order_id')]);
  return { orders: without([...orders], tickets), tickets: [...tickets] };
}

/** Numbers in the question; `#5001` is a ticket when the conversation knows it as one. */
export function mentionsInQuestion(view: DemoView): Mentions {
  const { orders, tickets } = mentionsIn(view.question);
  const known = new Set(view.past.flatMap((exchange) => mentionsInExchange(exchange).tickets));
  const meantTickets = orders.filter((number) => known.has(number));
  return { orders: without(orders, known), tickets: [...new Set([...tickets, ...meantTickets])] };
}
