/** I/O through the store port: the tool `get_order`. */
import { z } from 'zod';
import { formatMoney } from '../shop/money.ts';
import { ownOrder } from './customer-records.ts';
import { recordNumber } from './record-number.ts';
import { defineTool, noCustomer, notFound, type Tool, type ToolDeps } from './tool.ts';

const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` of the UTC day so many days before `now`. */
function utcDay(now: number, daysAgo: number): string {
  return new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10);
}

export function getOrderTool({ store, clock }: ToolDeps): Tool {
  return defineTool({
    name: 'get_order',
    description: "Gets one of the customer's own orders: status, day of purchase, items with prices, and total.",
    effect: 'read',
    schema: z.object({ order_id: recordNumber('order', 'Number of the order, without #, e.g. 1042') }).strict(),
    async execute({ order_id: orderId }, { customerId }) {
      if (customerId === null) return noCustomer();
      const order = await ownOrder(store, customerId, orderId);
      if (order === null) return notFound('order', orderId);
      return {
        result: {
          order_id: order.id,
          status: order.status,
          days_since_purchase: order.paidDaysAgo,
          purchased_on: utcDay(clock.now(), order.paidDaysAgo),
          total: formatMoney(order.totalMinor, order.currency),
          total_minor: order.totalMinor,
          currency: order.currency,
          items: order.items.map((item) => ({
            product_id: item.productId,
            name: item.name,
            quantity: item.quantity,
            price: formatMoney(item.priceMinor, order.currency),
            price_minor: item.priceMinor,
          })),
        },
      };
    },
  });
}
