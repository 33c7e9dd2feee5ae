/** I/O through the store port: reads of one customer's own records. The only way tools reach orders and tickets. */
import type { Order, Ticket } from '../../../shared/shop.ts';
import type { Store } from '../ports.ts';

/** The order when it belongs to this customer; null for everybody else's and for none. */
export async function ownOrder(store: Store, customerId: string, orderId: number): Promise<Order | null> {
  const order = await store.shop.order(orderId);
  return order !== null && order.customerId === customerId ? order : null;
}

/** The ticket when it belongs to this customer; null for everybody else's and for none. */
export async function ownTicket(store: Store, customerId: string, ticketId: number): Promise<Ticket | null> {
  const ticket = await store.tickets.get(ticketId);
  return ticket !== null && ticket.customerId === customerId ? ticket : null;
}
