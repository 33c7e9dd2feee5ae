/** Conversations of the demo model with the real tools, as tables: question, calls per step, words of the answer. */
import { describe, expect, test } from 'vitest';
import { callNames, createDemoShop } from './demo-shop.ts';

type Row = [question: string, calls: string[][], words: string[]];

const CHECK_1042 = ['check_refund_eligibility(1042)'];
const CHECK_1043 = ['check_refund_eligibility(1043)'];
const TICKET_1042 = ['create_support_ticket(1042)'];
const LIST = ['list_orders'];
const SEARCH = ['search_help_center'];
const NO_OFFER = ['not sure what your yes is for'];

const CONVERSATIONS: Record<string, Row[]> = {
  'the refund conversation': [
    ['Can I get a refund for order #1043?', [CHECK_1043], ['#1043', 'not eligible', '20 days', '14 days']],
    [
      'OK. What about my other order, 1042?',
      [CHECK_1042],
      ['#1042', 'eligible', '11 days left', 'Would you like me to open a refund request'],
    ],
    ['Yes please.', [TICKET_1042], ['ticket #5001', '#1042']],
  ],
  'the refund conversation without the number': [
    ['Can I get a refund for order #1043?', [CHECK_1043], ['20 days']],
    ['What about my other order?', [LIST, CHECK_1042], ['#1042', '11 days left', 'Would you like']],
    ['ok do it', [TICKET_1042], ['#5001']],
    ['And what about my other order?', [CHECK_1043], ['#1043', 'not eligible']],
  ],
  'two orders at once': [
    [
      'refund for 1042 and 1043?',
      [[...CHECK_1042, ...CHECK_1043]],
      ['#1042', '11 days left', '#1043', '20 days', 'refund request for order #1042?'],
    ],
    ['go ahead', [TICKET_1042], ['#5001']],
  ],
  'which orders can be refunded': [['Which of my orders can be refunded?', [LIST, [...CHECK_1042, ...CHECK_1043]], ['#1042', '#1043']]],
  'an order is asked for when two could be meant': [
    ['I want a refund', [LIST], ['Which order', '#1042', '#1043']],
    ['1042', [CHECK_1042], ['11 days left']],
    ['no thanks', [], ["won't do anything"]],
    ['yes', [], NO_OFFER],
  ],
  'other order without anything before': [
    ['What about my other order?', [LIST], ['Which order', '#1042', '#1043', 'what would you like to know']],
  ],
  'a list leaves both orders possible': [
    ['list my orders', [LIST], ['#1042 (shipped', '64.90 EUR', '#1043 (delivered']],
    ['what about the other one?', [], ['Which order', '#1042 or #1043']],
    ['refund for both please', [[...CHECK_1042, ...CHECK_1043]], ['#1042', '#1043']],
  ],
  'status, then refund by "it"': [
    ['where is my parcel?', [LIST, ['get_order(1042)']], ['#1042', 'on its way', '64.90 EUR']],
    ['can it be refunded?', [CHECK_1042], ['11 days left']],
    ['sure', [TICKET_1042], ['#5001']],
    ["what's with my ticket?", [['get_ticket(5001)']], ['#5001', 'open', '#1042']],
    ['and #5001?', [['get_ticket(5001)']], ['#5001']],
  ],
  'a number that was not found is never "my other order"': [
    ['Can I get a refund for order 9999?', [['check_refund_eligibility(9999)']], ["can't find order #9999"]],
    ['and where is it?', [['get_order(9999)']], ["can't find order #9999"]],
    ['Can I get a refund for order 1043?', [CHECK_1043], ['not eligible']],
    ['What about my other order?', [LIST, CHECK_1042], ['#1042', '11 days left']],
  ],
  'of two numbers in one question only the one that was found counts': [
    ['where are orders 1043 and 9999?', [['get_order(1043)', 'get_order(9999)']], ["can't find order #9999"]],
    ['and my other order?', [LIST, ['get_order(1042)']], ['#1042']],
  ],
  'questions for the list': [
    ['what orders do I have?', [LIST], ['#1042', '#1043']],
    ['Which orders are mine', [LIST], ['#1042', '#1043']],
    ['how many orders do I have', [LIST], ['#1042', '#1043']],
    ['do I have any open orders?', [LIST], ['#1042', '#1043']],
    ['which of my orders did I pay last', [LIST], ['#1042', '#1043']],
  ],
  'misspelled words': [
    ['refnud for ordr 1042', [CHECK_1042], ['11 days left', 'Would you like']],
    ['I want a refun for oredr #1043', [CHECK_1043], ['not eligible']],
    ['where is my packge?', [LIST, ['get_order(1042)']], ['on its way']],
    ['what is the staus of my ordre 1043?', [['get_order(1043)']], ['delivered']],
    ['show my oders', [LIST], ['#1042', '#1043']],
  ],
  'a known number with unclear words is shown': [['can i hav somthing bout 1042?', [['get_order(1042)']], ['on its way']]],
  'status follows to the other order': [
    ['Where is order 1043?', [['get_order(1043)']], ['delivered']],
    ['and my other order?', [LIST, ['get_order(1042)']], ['on its way']],
  ],
  'a question in between keeps the offer open': [
    ['Can I return order 1042?', [CHECK_1042], ['Would you like']],
    ['How long does a refund take?', [SEARCH], ['Refunds within 14 days', '5 working days']],
    ['yes please', [TICKET_1042], ['#5001']],
    ['yes please', [], NO_OFFER],
  ],
  'a yes for an order that was not offered is checked first': [
    ['Can I get a refund for 1042?', [CHECK_1042], ['Would you like']],
    ['Yes, for 1043', [CHECK_1043], ['not eligible']],
  ],
  'yes without an offer': [['Yes please.', [], NO_OFFER]],
  "somebody else's order": [['refund for order 1001', [['check_refund_eligibility(1001)']], ["can't find order #1001"]]],
  "somebody else's ticket": [['ticket 4990', [['get_ticket(4990)']], ["can't find ticket #4990"]]],
  'a ticket without a number': [["What's with my ticket?", [], ['Which ticket']]],
  'help centre': [
    ['What is your refund policy?', [SEARCH], ['help article "Refunds within 14 days"', '14 days']],
    ['How long does shipping to Norway take?', [SEARCH], ['"Shipping times and costs"', '4 to 7 working days']],
    ['do you take paypal', [SEARCH], ['"Payment methods"']],
    ['I need to cancel order 1042', [SEARCH], ['"Cancelling an order"']],
    ['Tell me a joke about cats', [SEARCH], ['no help article', 'human colleague?']],
    ['yes', [['handoff_to_human']], ['asked a human colleague']],
  ],
  'a damaged parcel': [
    [
      'My parcel arrived damaged, order 1043',
      [SEARCH],
      ['"My parcel arrived damaged"', 'open a ticket about this (damaged, order #1043)?'],
    ],
    ['yes please', [['create_support_ticket(1043)']], ['#5001']],
  ],
  'a lost parcel of the order just discussed': [
    ['When will my order arrive?', [LIST, ['get_order(1042)']], ['on its way']],
    ['My parcel never arrived', [SEARCH], ['Lost parcel', 'order #1042']],
  ],
  why: [
    ['Can I get a refund for order #1043?', [CHECK_1043], ['not eligible']],
    ['Why?', [SEARCH], ['Refunds within 14 days']],
  ],
  'a ticket on request': [
    ['please open a ticket', [], ['What is the ticket about?']],
    ['Open a ticket: I was charged twice for order 1043', [['create_support_ticket(1043)']], ['#5001']],
    ['status of my ticket please', [['get_ticket(5001)']], ['payment', 'charged twice']],
  ],
  'a ticket on request after an offer is a yes to it': [
    ['Can I get a refund for 1042?', [CHECK_1042], ['Would you like']],
    ['Open the ticket please', [TICKET_1042], ['#5001']],
  ],
  'a human': [['I want to talk to a human', [['handoff_to_human']], ['asked a human colleague']]],
  'small talk': [
    ['Hi there!', [], ["I'm Nimbus"]],
    ['who are you?', [], ['scripted demo model, not an AI']],
    ['thank you very much', [], ["You're welcome"]],
    ['no', [], ['anything else']],
    ['Goodbye!', [], ['Goodbye']],
    ['asdf qwer', [], ["I'm sorry", 'scripted demo model', 'I can check whether']],
  ],
  'other languages': [
    ['Wo kann ich meine Rechnung finden?', [], ['only speaks English', 'German']],
    ['Bonjour, où est ma commande ?', [], ['only speaks English', 'French']],
    ['Hola, ¿dónde está mi pedido?', [], ['only speaks English', 'Spanish']],
    ['Vorrei un rimborso per favore', [], ['only speaks English', 'Italian']],
    ['こんにちは', [], ['only speaks English', 'Japanese']],
    ['مرحبا', [], ['only speaks English', 'Arabic']],
  ],
  'other languages with an order number': [
    ['Ich möchte eine Rückerstattung für Bestellung 1042', [CHECK_1042], ['only speaks English', '11 days left']],
    ['注文1043の返金はできますか？', [CHECK_1043], ['only speaks English', '20 days']],
    ['هل يمكنني استرداد الطلب ١٠٤٢؟', [CHECK_1042], ['11 days left']],
    ['Je voudrais être remboursé pour la commande 1043', [CHECK_1043], ['20 days']],
  ],
};

describe('conversations of the demo model', () => {
  test.each(Object.entries(CONVERSATIONS))('%s', async (_name, rows) => {
    const shop = await createDemoShop();
    const turns = await shop.talk(rows.map(([question]) => question));
    for (const [index, [question, calls, words]] of rows.entries()) {
      const turn = turns[index];
      expect(turn === undefined ? null : callNames(turn), question).toEqual(calls);
      for (const word of words) expect(turn?.answer, question).toContain(word);
    }
  });

  test('the refund ticket says what it is for', async () => {
    const shop = await createDemoShop();
    const turns = await shop.talk(['Can I get a refund for order #1042?', 'Yes please.']);
    expect(turns[1]?.steps[0]?.[0]?.arguments).toEqual({
      category: 'refund',
      summary: 'Customer requests a refund for order 1042 (eligible, 3 days old).',
      order_id: 1042,
    });
  });

  test('a ticket quotes the customer as written, spelling included', async () => {
    const shop = await createDemoShop();
    const [turn] = await shop.talk(['Open a ticket: my packge for ordr 1042 came late']);
    expect(turn?.steps[0]?.[0]?.arguments).toMatchObject({ summary: 'Customer writes: Open a ticket: my packge for ordr 1042 came late' });
  });

  test('a second request for the same order opens no second ticket', async () => {
    const shop = await createDemoShop();
    const turns = await shop.talk(['refund for 1042?', 'yes', 'refund for 1042?', 'yes']);
    expect(turns[3]?.answer).toContain('already is ticket #5001');
    expect(await shop.store.tickets.list({ customerId: 'C-1001', limit: 10 })).toHaveLength(1);
  });

  test('without a customer it says that it sees no orders', async () => {
    const shop = await createDemoShop({ customerId: null });
    const [refund, list, ticket] = await shop.talk(['Can I get a refund for order 1042?', 'list my orders', 'ticket 5001']);
    for (const turn of [refund, list, ticket]) expect(turn?.answer).toContain('belongs to no known customer');
  });

  test('a store that fails is told plainly', async () => {
    const shop = await createDemoShop();
    await shop.store.close();
    const [turn] = await shop.talk(['Can I get a refund for order 1042?']);
    expect(turn?.answer).toContain('could not look up order #1042');
  });
});
