/** I/O through the store port: the tool `get_ticket`. */
import { z } from 'zod';
import { ownTicket } from './customer-records.ts';
import { recordNumber } from './record-number.ts';
import { defineTool, noCustomer, notFound, type Tool, type ToolDeps } from './tool.ts';

export function getTicketTool({ store }: ToolDeps): Tool {
  return defineTool({
    name: 'get_ticket',
    description: "Gets one of the customer's own support tickets: status, category, summary, and the order it is about.",
    effect: 'read',
    schema: z.object({ ticket_id: recordNumber('ticket', 'Number of the ticket, without #, e.g. 5001') }).strict(),
    async execute({ ticket_id: ticketId }, { customerId }) {
      if (customerId === null) return noCustomer();
      const ticket = await ownTicket(store, customerId, ticketId);
      if (ticket === null) return notFound('ticket', ticketId);
      return {
        result: {
          ticket_id: ticket.id,
          status: ticket.status,
          category: ticket.category,
          summary: ticket.summary,
          order_id: ticket.orderId,
          created_at: new Date(ticket.createdAt).toISOString(),
          updated_at: new Date(ticket.updatedAt).toISOString(),
        },
      };
    },
  });
}
