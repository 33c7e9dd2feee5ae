/** Pure: support tickets: looking one up and opening one on request. */
import { numberOf, say, textOf, withResults, type DemoStep, type DemoView } from './demo-view.ts';
import { mentionsInExchange, mentionsInQuestion } from './mentions.ts';
import { wordsOf } from './short-answers.ts';
import { problemCategory, REFUND } from './topics.ts';

function ticketLine(ticket: number, result: Record<string, unknown>): string {
  if (result.error === 'not_found') return `I'm sorry, I can't find ticket #${ticket} in your account. Could you check the number?`;
  const status = textOf(result, 'status');
  if (status === '' || numberOf(result, 'ticket_id') === null)
    return `I'm sorry, I could not look up ticket #${ticket}. ${textOf(result, 'message')}`.trim();
  const order = numberOf(result, 'order_id');
  return `Ticket #${ticket} (${textOf(result, 'category')}${order === null ? '' : `, order #${order}`}) is ${status}: ${textOf(result, 'summary')}`;
}

/** Tickets named in the question, or else in the newest exchange that named any. */
function meantTickets(view: DemoView): number[] {
  const asked = mentionsInQuestion(view).tickets;
  if (asked.length > 0) return asked;
  const exchange = view.past.findLast((candidate) => mentionsInExchange(candidate).tickets.length > 0);
  return exchange === undefined ? [] : mentionsInExchange(exchange).tickets;
}

export function ticketStatus(view: DemoView): DemoStep {
  const tickets = meantTickets(view);
  if (tickets.length === 0) return say('Which ticket do you mean? Please tell me its number, for example "ticket 5001".');
  const calls = tickets.map((ticket) => ({ name: 'get_ticket', arguments: { ticket_id: ticket } }));
  return withResults(view, calls, (results) => say(tickets.map((ticket, index) => ticketLine(ticket, results[index] ?? {})).join('\n')));
}

/** Opens one ticket and tells its number. */
export function openTicket(view: DemoView, ticket: { category: string; summary: string; order: number | null }): DemoStep {
  const { category, summary, order } = ticket;
  const input = { category, summary: summary.slice(0, 900).toWellFormed(), ...(order === null ? {} : { order_id: order }) };
  return withResults(view, [{ name: 'create_support_ticket', arguments: input }], ([result = {}]) => {
    const number = numberOf(result, 'ticket_id');
    if (number === null) return say(`I'm sorry, I could not open the ticket. ${textOf(result, 'message')}`.trim());
    if (result.created === false) return say(`There already is ticket #${number} about this, so I did not open a second one.`);
    return say(`Done! I've opened ticket #${number}. A colleague will look into it.`);
  });
}

/** Words of the request itself, which say nothing about the matter. */
const REQUEST_WORDS = new Set(
  'please can could you i want would like to open create make raise file log a an the new support ticket case complaint for me about that because my nimbus'.split(
    ' ',
  ),
);

/** Whether a request for a ticket says what the ticket is about. */
export function namesMatter(text: string): boolean {
  return wordsOf(text).filter((word) => !REQUEST_WORDS.has(word)).length >= 2;
}

export function openTicketOnRequest(view: DemoView): DemoStep {
  if (!namesMatter(view.question)) {
    return say(
      'Gladly. What is the ticket about? Please tell me in a sentence, starting with "Open a ticket:", with the order number if there is one.',
    );
  }
  const [order = null] = mentionsInQuestion(view).orders;
  const category = REFUND.test(view.question) ? 'refund' : (problemCategory(view.question) ?? 'other');
  return openTicket(view, { category, summary: `Customer writes: ${view.said.trim()}`, order });
}
