/** I/O through the store port: the tool `list_orders`. */
import { z } from 'zod';
import { formatMoney } from '../shop/money.ts';
import { defineTool, noCustomer, type Tool, type ToolDeps } from './tool.ts';

/** Orders named in one result; more would crowd out the conversation. */
const MOST_LISTED = 20;

export function listOrdersTool({ store }: ToolDeps): Tool {
  return defineTool({
    name: 'list_orders',
    description:
      "Lists the customer's own orders, newest first, with status, days since purchase, total and items. Use it when the customer names no order number.",
    effect: 'read',
    schema: z.object({}).strict(),
    async execute(_input, { customerId }) {
      if (customerId === null) return noCustomer();
      const orders = (await store.shop.ordersOf(customerId)).toSorted(
        (left, right) => left.paidDaysAgo - right.paidDaysAgo || right.id - left.id,
      );
      return {
        result: {
          orders: orders.slice(0, MOST_LISTED).map((order) => ({
            order_id: order.id,
            status: order.status,
            days_since_purchase: order.paidDaysAgo,
            total: formatMoney(order.totalMinor, order.currency),
            total_minor: order.totalMinor,
            currency: order.currency,
            items: order.items.map(({ name, quantity }) => `${quantity} x ${name}`),
          })),
          older_orders_not_listed: Math.max(0, orders.length - MOST_LISTED),
        },
      };
    },
  });
}
