/** Pure: the whole demo shop from one fixed seed. Dates are relative to the given time, so the shop never grows old. */
import type { Customer, Order, OrderStatus, Product, Ticket, TicketStatus } from '../../../shared/shop.ts';
import type { ShopData } from '../ports.ts';
import { SEED_ARTICLES } from './seed-articles.ts';
import { DEMO_CUSTOMER_ID, SEED_CUSTOMERS } from './seed-customers.ts';
import { SEED_PRODUCTS } from './seed-products.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

export { DEMO_CUSTOMER_ID } from './seed-customers.ts';

const SEED = 20_260_301;
const FIRST_ORDER = 1001;
const ORDER_COUNT = 330;
const OLDEST_ORDER_DAYS = 420;
const FIRST_TICKET = 4957;
/** The newest seeded ticket; the first one of a live conversation is the next number, 5001. */
const LAST_TICKET = 5000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

type OrderItem = Order['items'][number];

function item(productId: string, quantity: number): OrderItem {
  const product = SEED_PRODUCTS.find((candidate) => candidate.id === productId);
  if (product === undefined) throw new Error(`the seed names product ${productId}, which does not exist`);
  return { productId, name: product.name, quantity, priceMinor: product.priceMinor };
}

function order(id: number, customerId: string, status: OrderStatus, paidDaysAgo: number, items: OrderItem[]): Order {
  const totalMinor = items.reduce((sum, { priceMinor, quantity }) => sum + priceMinor * quantity, 0);
  return { id, customerId, status, items, totalMinor, currency: 'EUR', paidDaysAgo };
}

/** The two orders of the demo conversation: one inside the refund window and one outside. */
function demoOrders(): Order[] {
  return [
    order(1042, DEMO_CUSTOMER_ID, 'shipped', 3, [item('P-106', 1)]),
    order(1043, DEMO_CUSTOMER_ID, 'delivered', 20, [item('P-112', 1), item('P-115', 2)]),
  ];
}

/** A status that an order of this age can have: parcels leave within 2 days and arrive within 7. */
function statusFor(paidDaysAgo: number, random: SeededRandom): OrderStatus {
  const chance = random.fraction();
  if (chance < 0.05) return 'cancelled';
  if (paidDaysAgo >= 5 && chance < 0.11) return 'refunded';
  if (paidDaysAgo <= 1) return 'processing';
  if (paidDaysAgo <= 4) return chance < 0.25 ? 'processing' : 'shipped';
  if (paidDaysAgo <= 7) return chance < 0.4 ? 'shipped' : 'delivered';
  return 'delivered';
}

function someItems(products: readonly [Product, ...Product[]], random: SeededRandom): OrderItem[] {
  const chosen = new Map<string, OrderItem>();
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  for (let position = 0; position < count; position += 1) {
    const product = random.pick(products);
    chosen.set(product.id, item(product.id, random.pick([1, 1, 1, 1, 2, 2, 3])));
  }
  return [...chosen.values()];
}

/** Order numbers are given out when a basket is opened, so they do not follow the dates of payment. */
function otherOrders(customers: readonly Customer[], random: SeededRandom): Order[] {
  const taken = new Set(demoOrders().map(({ id }) => id));
  const [firstProduct, ...restProducts] = SEED_PRODUCTS;
  if (firstProduct === undefined) return [];
  const orders: Order[] = [];
  for (let id = FIRST_ORDER; orders.length < ORDER_COUNT - taken.size; id += 1) {
    if (taken.has(id)) continue;
    // The first round gives every customer one order; after it, customers come back by chance.
    const customer = customers[orders.length < customers.length ? orders.length : random.whole(0, customers.length - 1)];
    if (customer === undefined) break;
    // Squared, so that recent orders are more common than old ones.
    const paidDaysAgo = Math.floor(random.fraction() ** 2 * OLDEST_ORDER_DAYS);
    orders.push(order(id, customer.id, statusFor(paidDaysAgo, random), paidDaysAgo, someItems([firstProduct, ...restProducts], random)));
  }
  return orders;
}

/** category and summary; `{order}` stands for the order number. */
const TICKET_TEXTS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['refund', 'Customer asks for a refund of order {order}.'],
  ['shipping', 'Parcel of order {order} has not moved in the tracking for four days.'],
  ['damaged', 'Order {order} arrived with a dented box; one item is scratched. Photos are attached.'],
  ['exchange', 'Customer wants to exchange the jacket of order {order} for a larger size.'],
  ['warranty', 'A product of order {order} stopped working; customer asks for a repair or a replacement.'],
  ['payment', 'The card was charged twice for order {order}, says the customer.'],
  ['account', 'Customer cannot sign in after changing the e-mail address; last order is {order}.'],
  ['other', 'Customer needs an invoice with a company name for order {order}.'],
];

function statusOfTicket(ageDays: number, random: SeededRandom): TicketStatus {
  if (ageDays > 30) return 'closed';
  if (ageDays > 10) return random.pick(['solved', 'closed']);
  return random.pick(['open', 'open', 'pending', 'solved']);
}

/** Older tickets have lower numbers. */
function tickets(orders: readonly Order[], now: number, random: SeededRandom): Omit<Ticket, 'version'>[] {
  const made: Omit<Ticket, 'version'>[] = [];
  const count = LAST_TICKET - FIRST_TICKET + 1;
  for (let position = 0; position < count; position += 1) {
    const about = orders[random.whole(0, orders.length - 1)];
    if (about === undefined) break;
    const [category, summary] = random.pick(TICKET_TEXTS);
    const ageDays = Math.floor(((count - 1 - position) / count) ** 2 * 60);
    const createdAt = now - ageDays * DAY_MS - (count - position) * HOUR_MS;
    const status = statusOfTicket(ageDays, random);
    made.push({
      id: FIRST_TICKET + position,
      customerId: about.customerId,
      conversationId: null,
      orderId: about.id,
      category,
      summary: summary.replace('{order}', String(about.id)),
      status,
      createdAt,
      updatedAt: status === 'open' ? createdAt : createdAt + Math.floor((now - createdAt) / 3),
    });
  }
  return made;
}

/**
 * Everything a new data folder starts with: customers, products, orders, help articles and tickets.
 * `now` is UTC milliseconds and dates the tickets only; the same `now` gives equal data.
 * The demo customer ({@link DEMO_CUSTOMER_ID}) has the orders 1042 and 1043, and no tickets.
 */
export function shopData(now: number): ShopData {
  const random = createSeededRandom(SEED);
  const others = SEED_CUSTOMERS.filter(({ id }) => id !== DEMO_CUSTOMER_ID);
  const otherPeoplesOrders = otherOrders(others, random);
  return {
    customers: SEED_CUSTOMERS.map((customer) => ({ ...customer })),
    products: SEED_PRODUCTS.map((product) => ({ ...product })),
    orders: [...demoOrders(), ...otherPeoplesOrders].toSorted((left, right) => left.id - right.id),
    articles: SEED_ARTICLES.map((article) => ({ ...article })),
    tickets: tickets(otherPeoplesOrders, now, random),
  };
}
