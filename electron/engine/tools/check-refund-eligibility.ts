/** I/O through the store port: the tool `check_refund_eligibility`. */
import { z } from 'zod';
import { REFUND_WINDOW_DAYS, refundEligibility } from '../shop/refund-window.ts';
import { ownOrder } from './customer-records.ts';
import { recordNumber } from './record-number.ts';
import { defineTool, noCustomer, notFound, type Tool, type ToolDeps } from './tool.ts';

export function checkRefundEligibilityTool({ store }: ToolDeps): Tool {
  return defineTool({
    name: 'check_refund_eligibility',
    description: `Checks whether one of the customer's own orders can be refunded (within ${REFUND_WINDOW_DAYS} days of purchase). Changes nothing.`,
    effect: 'read',
    schema: z.object({ order_id: recordNumber('order', 'Number of the order, without #, e.g. 1042') }).strict(),
    async execute({ order_id: orderId }, { customerId }) {
      if (customerId === null) return noCustomer();
      const order = await ownOrder(store, customerId, orderId);
      return order === null ? notFound('order', orderId) : { result: { ...refundEligibility(order) } };
    },
  });
}
