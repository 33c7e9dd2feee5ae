/** How the demo model reads texts: numbers, languages, short answers, offers. */
import { describe, expect, test } from 'vitest';
import { foreignLanguage } from '../../../electron/models/demo/language.ts';
import { mentionsIn } from '../../../electron/models/demo/mentions.ts';
import { namedOrders, offerText, openOffer, type Offer } from '../../../electron/models/demo/offers.ts';
import { isAcceptance, isGoodbye, isGreeting, isRefusal, isThanks } from '../../../electron/models/demo/short-answers.ts';

describe('mentionsIn', () => {
  test.each([
    ['refund for order #1043?', [1043], []],
    ['1043?', [1043], []],
    ['orders 1042 and 1043', [1042, 1043], []],
    ['#1042, #1043, #1042', [1042, 1043], []],
    ['order no. 77 7', [], []],
    ['order #7', [7], []],
    ['my ticket 5001', [], [5001]],
    ['tickets #5001 and #5002', [], [5001, 5002]],
    ["I've opened ticket #5001 for your refund on order #1042.", [1042], [5001]],
    ['order 1042, ticket 5001', [1042], [5001]],
    ['{"ticket_id":5001,"order_id":1042}', [1042], [5001]],
    ['order_id=1043', [1043], []],
    ['it cost 1250 EUR on 2026-05-14 at 18:00, 2000 days ago, in 2026', [], []],
    ['64.90 EUR, 1,234.50 and 3000 pieces', [], []],
    ['call +49 30 23125 100 or C-1001', [], []],
    ['jan1042@example.com', [], []],
    ['注文1043の返金', [1043], []],
    ['الطلب ١٠٤٢', [1042], []],
    ['ｏｒｄｅｒ １０４２', [1042], []],
    ['12345678901', [], []],
    ['', [], []],
  ])('%s', (text, orders, tickets) => {
    expect(mentionsIn(text)).toEqual({ orders, tickets });
  });
});

describe('foreignLanguage', () => {
  test.each([
    ['Ich möchte mein Geld zurück', 'German'],
    ['Danke', 'German'],
    ['Je veux être remboursé', 'French'],
    ['Quiero un reembolso', 'Spanish'],
    ['Grazie per il rimborso', 'Italian'],
    ['返品したい', 'Japanese'],
    ['我要退款', 'Chinese'],
    ['환불해 주세요', 'Korean'],
    ['أريد استرداد المبلغ', 'Arabic'],
    ['Где мой заказ', 'Ukrainian or Russian'],
    ['Can I get a refund for order #1043?', null],
    ['What does 返品 mean on the label?', null],
    ['no', null],
    ['la la land poster, is it in stock?', null],
    ['1043', null],
    ['👍', null],
    ['', null],
  ])('%s: %s', (text, language) => {
    expect(foreignLanguage(text)).toBe(language);
  });
});

describe('short answers', () => {
  test.each([
    'Yes please.',
    'yes',
    'Yeah, go ahead!',
    'sure',
    'ok do it',
    'Ok',
    'please do',
    'Please',
    'go ahead',
    'of course',
    'That would be great',
    'thank you, yes please',
    'Yes, for 1042',
    'yes, please open the refund request',
  ])('"%s" accepts', (text) => {
    expect([isAcceptance(text), isRefusal(text), isThanks(text)]).toEqual([true, false, false]);
  });

  test.each(['no', 'No thanks', 'nope', 'not now', 'Never mind', 'no, that is all, thank you'])('"%s" refuses', (text) => {
    expect([isAcceptance(text), isRefusal(text)]).toEqual([false, true]);
  });

  test.each(['Thanks!', 'thank you very much', 'Okay, thanks', 'great, thank you for your help'])('"%s" thanks', (text) => {
    expect([isAcceptance(text), isThanks(text)]).toEqual([false, true]);
  });

  test.each([
    'yes, but how long does it take?',
    'refund for both please',
    'please open a ticket',
    'why not?',
    'no refund for 1043? why',
    'is it ok to return a jacket?',
    '',
  ])('"%s" is more than a short answer', (text) => {
    expect([isAcceptance(text), isRefusal(text), isThanks(text), isGreeting(text), isGoodbye(text)]).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  test('greetings and goodbyes', () => {
    for (const text of ['Hi', 'Hello there!', 'good morning', 'hey Nimbus']) expect(isGreeting(text)).toBe(true);
    for (const text of ['bye', 'Goodbye and thank you', 'see you later']) expect(isGoodbye(text)).toBe(true);
    expect(isGreeting('hello, where is my order?')).toBe(false);
  });
});

describe('offers', () => {
  const offers: Offer[] = [
    { kind: 'refund-request', orders: [1042] },
    { kind: 'refund-request', orders: [1, 22, 333] },
    { kind: 'problem-ticket', category: 'damaged', order: 1043, problem: 'it is broken' },
    { kind: 'problem-ticket', category: 'other', order: null, problem: 'it is broken' },
    { kind: 'handoff' },
  ];
  test.each(offers)('%j is found again in its own words', (offer) => {
    const exchange = { isNote: false, question: 'it is broken', calls: [], answer: `Some words. ${offerText(offer)}` };
    expect(openOffer({ question: 'yes', said: 'yes', done: [], past: [exchange], tools: new Set() })).toEqual(offer);
  });

  test('orders are named as people write them', () => {
    expect([namedOrders([1]), namedOrders([1, 2]), namedOrders([1, 2, 3])]).toEqual(['#1', '#1 and #2', '#1, #2 and #3']);
  });
});
