/** Pure data: the demo shop's records and tickets. Money is integer minor units + ISO 4217 currency. */

export interface Customer {
  id: string;
  name: string;
  email: string;
  phone: string;
  city: string;
  country: string;
  /** BCP 47, e.g. "en", "ja". */
  language: string;
}

export interface Product {
  id: string;
  name: string;
  priceMinor: number;
  currency: string;
  warrantyMonths: number;
}

export type OrderStatus = 'processing' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

export interface Order {
  id: number;
  customerId: string;
  status: OrderStatus;
  items: { productId: string; name: string; quantity: number; priceMinor: number }[];
  totalMinor: number;
  currency: string;
  /** Whole UTC days before today. */
  paidDaysAgo: number;
}

export interface Article {
  id: string;
  title: string;
  /** Markdown. */
  body: string;
  /** `seed`, or the file it was ingested from. */
  source: string;
}

export type TicketStatus = 'open' | 'pending' | 'solved' | 'closed';

/** To which states a ticket may go. What is closed is opened again before anything else becomes of it. */
export const TICKET_MOVES: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  open: ['pending', 'solved', 'closed'],
  pending: ['open', 'solved', 'closed'],
  solved: ['open', 'closed'],
  closed: ['open'],
};

/** Staying as it is is always allowed. */
export function mayMove(from: TicketStatus, to: TicketStatus): boolean {
  return from === to || TICKET_MOVES[from].includes(to);
}

export interface Ticket {
  /** From a counter: seeded ones below 5001, the first new one 5001. */
  id: number;
  customerId: string | null;
  conversationId: string | null;
  orderId: number | null;
  category: string;
  summary: string;
  status: TicketStatus;
  createdAt: number;
  updatedAt: number;
  /** Grows with every change; compare-and-set. */
  version: number;
}
