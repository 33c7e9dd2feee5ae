/** I/O through the store port: the tool `create_support_ticket`. */
import { z } from 'zod';
import type { Ticket } from '../../../shared/shop.ts';
import type { Store } from '../ports.ts';
import { ownOrder } from './customer-records.ts';
import { optionalRecordNumber } from './record-number.ts';
import { defineTool, noCustomer, notFound, type Tool, type ToolDeps } from './tool.ts';

const CATEGORIES = ['refund', 'exchange', 'shipping', 'damaged', 'warranty', 'payment', 'account', 'other'] as const;
const LONGEST_SUMMARY = 1000;
/** Newest tickets looked through for one about the same matter. */
const TICKETS_COMPARED = 100;

/** A ticket about the same order and matter that is still being worked on: asking twice must not open two. */
async function unfinishedTicket(store: Store, customerId: string, orderId: number, category: string): Promise<Ticket | null> {
  const tickets = await store.tickets.list({ customerId, limit: TICKETS_COMPARED });
  const same = tickets.filter((ticket) => ticket.orderId === orderId && ticket.category === category);
  return same.find(({ status }) => status === 'open' || status === 'pending') ?? null;
}

export function createSupportTicketTool({ store, clock }: ToolDeps): Tool {
  return defineTool({
    name: 'create_support_ticket',
    description:
      'Opens a support ticket that a human works on, for example a refund request. Only after the customer agreed. When an open ticket about the same order and category exists, it returns that one with created=false.',
    effect: 'internal',
    schema: z
      .object({
        category: z.enum(CATEGORIES, { error: `expected one of ${CATEGORIES.join(', ')}` }).describe('What the ticket is about'),
        summary: z
          .string({ error: 'expected one or two sentences as text' })
          .trim()
          .min(1, 'expected one or two sentences')
          .max(LONGEST_SUMMARY, `expected at most ${LONGEST_SUMMARY} characters`)
          .describe('One or two sentences for the colleague who takes over: what the customer wants and what is known'),
        order_id: optionalRecordNumber('order', 'Number of the order it is about, without #; leave out when there is none'),
      })
      .strict(),
    async execute({ category, summary, order_id: orderId }, { customerId, conversationId, signal, action }) {
      if (customerId === null) return noCustomer();
      if (orderId !== undefined) {
        if ((await ownOrder(store, customerId, orderId)) === null) return notFound('order', orderId);
        const existing = await unfinishedTicket(store, customerId, orderId, category);
        if (existing !== null) return { result: { created: false, ticket_id: existing.id, status: existing.status } };
      }
      signal.throwIfAborted();
      const ticket = await store.tickets.create({
        customerId,
        conversationId,
        orderId: orderId ?? null,
        category,
        summary,
        status: 'open',
        at: clock.now(),
        ...(action !== undefined && { action }),
      });
      return { result: { created: true, ticket_id: ticket.id, status: ticket.status }, ticket };
    },
  });
}
