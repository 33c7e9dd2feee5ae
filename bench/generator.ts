/** Pure: a seeded generator of support conversations with probes. Several cases per customer, interrupted and resumed; ids that only tool results hold. */
import type { ChatMessage } from './chat-format.ts';
import type { Probe } from './conversations.ts';
import { CASE_TEXTS, type CaseName, type CaseTexts, LANGUAGES, type Language, REMARKS, SMALL_TALK } from './generator-texts.ts';
import type { BenchConversation } from './replay.ts';
import { Seeded } from './seeded.ts';

export interface Generated {
  conversations: BenchConversation[];
  probes: Probe[];
}

const CASES: readonly CaseName[] = ['refund', 'address', 'tracking', 'warranty', 'invoice', 'exchange'];
const CASES_PER_CUSTOMER = 5;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const FIRST_DAY = Date.UTC(2026, 0, 5, 8);
/** A case begun on one day is taken up again some days later. */
const DAYS_BETWEEN_SESSIONS = 6;
const REMARK_EVERY = 2;

export const SYSTEM =
  'You are Nimbus, the support agent of a small online shop. Look things up with the tools, never invent numbers, ask before you change anything, and answer in the language of the customer. Refunds are possible within 14 days. '.repeat(
    6,
  );

const tool = (name: string, description: string, properties: string[]) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(properties.map((key) => [key, { type: 'string', description: `the ${key.replaceAll('_', ' ')}` }])),
      required: properties,
    },
  },
});

export const TOOLS = [
  tool('get_customer', 'The profile of the customer of this conversation: name, e-mail, payment methods, recent orders.', ['customer_id']),
  tool('get_order', 'One order of the customer with items, amounts, shipment and payment.', ['order_id']),
  tool('check_refund_eligibility', 'Says whether an order can be refunded and why.', ['order_id']),
  tool('issue_refund', 'Pays back an amount to a payment method of the order.', ['order_id', 'payment_id', 'amount']),
  tool('update_address', 'Changes the delivery address of a shipment that has not left.', ['shipment_id', 'address']),
  tool('send_tracking', 'Sends the tracking link of a shipment by e-mail.', ['tracking_number', 'email']),
  tool('check_warranty', 'Says until when a serial number is under warranty.', ['serial']),
  tool('open_warranty_case', 'Opens a warranty case for a serial number.', ['serial', 'order_id']),
  tool('get_invoice', 'The invoice of an order.', ['order_id']),
  tool('correct_invoice', 'Issues a corrected invoice.', ['invoice_number']),
  tool('find_stock', 'Stock and price of an article in all sizes.', ['order_id']),
  tool('reserve_item', 'Reserves an article for a customer.', ['sku', 'customer_id']),
  tool('search_help_center', 'Help articles for a question.', ['query']),
];

interface Customer {
  id: string;
  email: string;
  payments: string[];
}

interface Case {
  name: CaseName;
  texts: CaseTexts;
  values: Record<string, string>;
}

class Writer {
  readonly messages: ChatMessage[] = [];
  #calls = 0;
  at = FIRST_DAY;

  user(content: string): number {
    return this.#push({ role: 'user', content });
  }

  assistant(content: string): number {
    return this.#push({ role: 'assistant', content });
  }

  call(name: string, args: Record<string, string>, result: unknown): void {
    this.#calls += 1;
    const id = `call_${this.#calls}_${this.messages.length}`;
    this.#push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    });
    this.#push({ role: 'tool', tool_call_id: id, name, content: JSON.stringify(result) });
  }

  #push(message: ChatMessage): number {
    this.at += MINUTE_MS;
    this.messages.push({ ...message, date: new Date(this.at).toISOString() });
    return this.messages.length - 1;
  }
}

function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_whole, key: string) => values[key] ?? '');
}

function newCase(random: Seeded, name: CaseName, language: Language, customer: Customer): Case {
  const cents = random.between(2100, 89_900);
  const date = new Date(FIRST_DAY + random.between(5, 60) * DAY_MS).toISOString().slice(0, 10);
  return {
    name,
    texts: CASE_TEXTS[language][name],
    values: {
      order: String(random.between(100_000, 999_999)),
      days: String(random.between(1, 13)),
      amount: `${(cents / 100).toFixed(2)} EUR`,
      plain: (cents / 100).toFixed(2),
      date,
      serial: `SN-${random.code(2, 6)}`,
      reference: `${random.code(3, 0)}-${random.code(0, 5)}`,
      shipment: `SHP${random.code(2, 7)}`,
      tracking: `TRK${random.code(1, 9)}`,
      invoice: `INV-${random.between(2025, 2026)}-${random.code(0, 5)}`,
      sku: `SKU-${random.code(3, 4)}`,
      payment: random.pick(customer.payments),
    },
  };
}

function orderRecord(random: Seeded, made: Case, customer: Customer): Record<string, unknown> {
  const { values } = made;
  return {
    order_id: values['order'],
    customer_id: customer.id,
    status: 'paid',
    paid_days_ago: Number(values['days']),
    items: Array.from({ length: random.between(1, 3) }, () => ({
      sku: `SKU-${random.code(3, 4)}`,
      quantity: random.between(1, 3),
      price: random.between(900, 40_000) / 100,
    })),
    total: values['plain'],
    payment: { payment_id: values['payment'], captured: true },
    shipment: { shipment_id: values['shipment'], tracking_number: values['tracking'], expected: values['date'] },
  };
}

/** First half of a case: what is asked, what is found, what is offered. */
function openCase(writer: Writer, random: Seeded, made: Case, customer: Customer): void {
  const { texts, values } = made;
  const order = values['order'] ?? '';
  writer.user(filled(random.pick(texts.open), values));
  if (made.name === 'warranty')
    writer.call(
      'check_warranty',
      { serial: values['serial'] ?? '' },
      { serial: values['serial'], order_id: order, valid_until: values['date'], status: 'active' },
    );
  else writer.call('get_order', { order_id: order }, orderRecord(random, made, customer));
  if (made.name === 'refund')
    writer.call(
      'check_refund_eligibility',
      { order_id: order },
      { order_id: order, days_since_purchase: Number(values['days']), eligible: true },
    );
  writer.assistant(filled(texts.found, values));
  writer.user(texts.details);
  if (made.name === 'invoice')
    writer.call(
      'get_invoice',
      { order_id: order },
      { invoice_number: values['invoice'], order_id: order, total: values['plain'], vat: null },
    );
  if (made.name === 'exchange') {
    const sizes = ['S', 'M', 'L', 'XL'].map((size) => ({
      sku: size === 'L' ? values['sku'] : `SKU-${random.code(3, 4)}`,
      size,
      stock: random.below(40),
      price: size === 'L' ? values['plain'] : random.between(2100, 20_000) / 100,
    }));
    writer.call('find_stock', { order_id: order }, { order_id: order, sizes });
  }
  writer.assistant(filled(texts.offer, values));
}

/** Second half, days later: "yes, go ahead" needs ids that were looked up and never said. */
function resumeCase(writer: Writer, random: Seeded, made: Case, customer: Customer): void {
  const { texts, values } = made;
  writer.user(random.pick(texts.resume));
  writer.assistant(filled(texts.offer, values));
  writer.user(random.pick(texts.approve));
  const value = (key: string): string => values[key] ?? '';
  const action: Record<CaseName, [string, Record<string, string>]> = {
    refund: ['issue_refund', { order_id: value('order'), payment_id: value('payment'), amount: value('plain') }],
    address: ['update_address', { shipment_id: value('shipment'), address: 'as agreed' }],
    tracking: ['send_tracking', { tracking_number: value('tracking'), email: customer.email }],
    warranty: ['open_warranty_case', { serial: value('serial'), order_id: value('order') }],
    invoice: ['correct_invoice', { invoice_number: value('invoice') }],
    exchange: ['reserve_item', { sku: value('sku'), customer_id: customer.id }],
  };
  const [name, args] = action[made.name];
  writer.call(name, args, { done: true, reference: values['reference'], status: 'accepted' });
  writer.assistant(filled(texts.done, values));
}

/** Conversations of one customer each, with probes about what was said by the way. `count` customers, three quarters of them in English. */
export function generate(seed: number, count: number): Generated {
  const random = new Seeded(seed);
  const conversations: BenchConversation[] = [];
  const probes: Probe[] = [];
  for (let number = 0; number < count; number += 1) {
    const language = number % 4 === 3 ? random.pick(LANGUAGES.slice(1)) : 'en';
    const made = oneConversation(random, language);
    conversations.push({ system: SYSTEM, tools: TOOLS, messages: made.messages });
    probes.push(...made.probes.map((probe) => ({ ...probe, conversation: number })));
  }
  return { conversations, probes };
}

function oneConversation(random: Seeded, language: Language): { messages: ChatMessage[]; probes: Omit<Probe, 'conversation'>[] } {
  const writer = new Writer();
  const customerId = `cus_${random.code(0, 6)}`;
  const customer: Customer = {
    id: customerId,
    email: `${random.pick(['anna', 'jonas', 'lucia', 'ken', 'mara', 'tom'])}.${random.code(0, 4)}@mail.example`,
    payments: [`card_${random.code(0, 7)}`, `wallet_${random.code(0, 7)}`],
  };
  const probes: Omit<Probe, 'conversation'>[] = [];
  const remarks = random.shuffled(REMARKS);
  writer.user(random.pick(['Hello!', 'Good morning.', 'Hi there, it is me again.']));
  writer.call(
    'get_customer',
    { customer_id: customer.id },
    {
      customer_id: customer.id,
      email: customer.email,
      payment_methods: customer.payments.map((id) => ({ payment_id: id, last_four: random.code(0, 4) })),
      member: random.pick(['silver', 'gold', 'none']),
    },
  );
  writer.assistant('Hello! What can I do for you?');
  const names = random.shuffled(CASES).slice(0, CASES_PER_CUSTOMER);
  const cases = names.map((name) => newCase(random, name, language, customer));
  const steps = [
    ...cases.map((made) => () => openCase(writer, random, made, customer)),
    ...random.shuffled(cases).map((made) => () => resumeCase(writer, random, made, customer)),
  ];
  for (const [index, step] of steps.entries()) {
    step();
    if (index % REMARK_EVERY === 0) {
      const remark = remarks.pop();
      if (remark !== undefined) {
        const evidence = writer.user(remark.said);
        writer.assistant(remark.reply);
        probes.push({ question: random.pick(remark.asked), evidence: [evidence] });
      }
    }
    if (random.below(3) > 0) {
      const [said, reply] = random.pick(SMALL_TALK);
      writer.user(said);
      writer.assistant(reply);
    }
    if (index % 3 === 2) writer.at += random.between(1, DAYS_BETWEEN_SESSIONS) * DAY_MS;
  }
  return { messages: writer.messages, probes };
}
