/** Pure: the shop's refund rule. */
import type { Order } from '../../../shared/shop.ts';

/** Whole UTC days after the purchase on which a refund is still possible; the last one is included. */
export const REFUND_WINDOW_DAYS = 14;

export interface RefundEligibility {
  order_id: number;
  days_since_purchase: number;
  eligible: boolean;
  /** One sentence a model may repeat. */
  reason: string;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Decides for one order. A cancelled or refunded order is never eligible, whatever its age. */
export function refundEligibility(order: Order): RefundEligibility {
  const days = order.paidDaysAgo;
  const answer = (eligible: boolean, reason: string): RefundEligibility => ({
    order_id: order.id,
    days_since_purchase: days,
    eligible,
    reason,
  });
  if (order.status === 'refunded') return answer(false, 'This order has already been refunded.');
  if (order.status === 'cancelled') return answer(false, 'This order was cancelled, so there is no payment left to refund.');
  if (days > REFUND_WINDOW_DAYS) {
    return answer(false, `Purchased ${plural(days, 'day')} ago; refunds are only possible within ${REFUND_WINDOW_DAYS} days.`);
  }
  const left = REFUND_WINDOW_DAYS - days;
  return answer(true, `Paid and within the refund window (${left === 0 ? 'today is the last day' : `${plural(left, 'day')} left`}).`);
}
