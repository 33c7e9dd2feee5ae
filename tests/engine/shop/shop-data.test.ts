/** The demo shop's data: deterministic, consistent, and right for the demo conversation. */
import { describe, expect, test } from 'vitest';
import { DEMO_CUSTOMER_ID, shopData } from '../../../electron/engine/shop/shop-data.ts';
import { createSeededRandom } from '../../../electron/engine/shop/seeded-random.ts';
import { formatMoney } from '../../../electron/engine/shop/money.ts';
import { plainText } from '../../../electron/engine/shop/article-text.ts';

const NOW = Date.UTC(2026, 4, 17, 12);
const data = shopData(NOW);

const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

describe('the demo shop', () => {
  test('is the same every time, and only ticket dates depend on the day', () => {
    expect(shopData(NOW)).toEqual(data);
    const later = shopData(NOW + 40 * 86_400_000);
    expect(later.orders).toEqual(data.orders);
    expect(later.tickets.map(({ createdAt }) => createdAt)).not.toEqual(data.tickets.map(({ createdAt }) => createdAt));
  });

  test('gives copies: changing one answer changes no other', () => {
    const first = shopData(NOW);
    for (const order of first.orders) order.status = 'cancelled';
    const [article] = first.articles;
    if (article !== undefined) article.title = 'changed';
    expect(shopData(NOW)).toEqual(data);
  });

  test('is large enough to look real', () => {
    expect(data.customers.length).toBeGreaterThanOrEqual(40);
    expect(data.orders.length).toBeGreaterThanOrEqual(300);
    expect(data.articles.length).toBeGreaterThanOrEqual(15);
    expect(new Set(data.customers.map(({ country }) => country)).size).toBeGreaterThan(20);
  });

  test('has unique ids everywhere', () => {
    for (const list of [data.customers, data.products, data.orders, data.articles, data.tickets]) {
      expect(unique(list.map(({ id }) => id))).toBe(true);
    }
    expect(unique(data.customers.map(({ email }) => email))).toBe(true);
    const phones = data.customers.map(({ phone }) => phone).filter((phone) => phone !== '');
    expect(unique(phones)).toBe(true);
  });

  test('gives the demo customer exactly the orders 1042 and 1043', () => {
    const own = data.orders.filter(({ customerId }) => customerId === DEMO_CUSTOMER_ID);
    expect(own.map(({ id, paidDaysAgo }) => [id, paidDaysAgo])).toEqual([
      [1042, 3],
      [1043, 20],
    ]);
    expect(data.customers.some(({ id }) => id === DEMO_CUSTOMER_ID)).toBe(true);
  });

  test('gives every customer an order, and every order a customer, known products and a right total', () => {
    const buyers = new Set(data.orders.map(({ customerId }) => customerId));
    expect(data.customers.filter(({ id }) => !buyers.has(id))).toEqual([]);
    for (const order of data.orders) {
      expect(data.customers.some(({ id }) => id === order.customerId)).toBe(true);
      expect(order.items.length).toBeGreaterThan(0);
      expect(unique(order.items.map(({ productId }) => productId))).toBe(true);
      expect(order.totalMinor).toBe(order.items.reduce((sum, { priceMinor, quantity }) => sum + priceMinor * quantity, 0));
      for (const item of order.items) expect(data.products.find(({ id }) => id === item.productId)?.name).toBe(item.name);
    }
  });

  test('has statuses that fit the age of an order', () => {
    for (const { status, paidDaysAgo } of data.orders) {
      expect(Number.isInteger(paidDaysAgo) && paidDaysAgo >= 0).toBe(true);
      if (status === 'processing') expect(paidDaysAgo).toBeLessThanOrEqual(4);
      if (status === 'shipped') expect(paidDaysAgo).toBeLessThanOrEqual(7);
      if (status === 'delivered' || status === 'refunded') expect(paidDaysAgo).toBeGreaterThanOrEqual(5);
    }
    expect(new Set(data.orders.map(({ status }) => status)).size).toBe(5);
  });

  test('uses example domains and reserved telephone numbers only', () => {
    const reserved =
      /^(?:\+1 \d{3} 555 01\d\d|\+44 1632 960\d{3}|\+49 30 23125 \d{3}|\+33 1 99 00 \d\d \d\d|\+46 8 465 004 \d\d|\+61 3 5550 \d{4}|\+353 20 91\d \d{4})?$/;
    for (const { email, phone } of data.customers) {
      expect(email).toMatch(/^[a-z.]+@example\.(?:com|org|net)$/);
      expect(phone).toMatch(reserved);
    }
  });

  test('has tickets below 5001, in order of time, about orders of their customers', () => {
    expect(Math.max(...data.tickets.map(({ id }) => id))).toBe(5000);
    const times = data.tickets.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    for (const ticket of data.tickets) {
      expect(data.orders.find(({ id }) => id === ticket.orderId)?.customerId).toBe(ticket.customerId);
      expect(ticket.createdAt).toBeLessThan(NOW);
      expect(ticket.updatedAt).toBeGreaterThanOrEqual(ticket.createdAt);
      expect(ticket.updatedAt).toBeLessThanOrEqual(NOW);
      expect(ticket.summary).toContain(String(ticket.orderId));
    }
  });

  test('has help articles with their title as heading and a body of sensible length', () => {
    for (const { title, body, source } of data.articles) {
      expect(body.startsWith(`# ${title}\n\n`)).toBe(true);
      expect(body.length).toBeGreaterThan(200);
      expect(body.length).toBeLessThan(1200);
      expect(source).toBe('seed');
    }
    expect(data.articles.find(({ id }) => id === 'refunds')?.body).toContain('14 days');
  });
});

describe('seeded random', () => {
  test('repeats its sequence, stays in range and accepts seed 0', () => {
    for (const seed of [0, 1, 42, 2 ** 32]) {
      const [left, right] = [createSeededRandom(seed), createSeededRandom(seed)];
      for (let round = 0; round < 1000; round += 1) {
        const value = left.whole(3, 9);
        expect(value).toBe(right.whole(3, 9));
        expect(value >= 3 && value <= 9).toBe(true);
      }
    }
  });
});

describe('formatMoney', () => {
  test.each([
    [6490, 'EUR', '64.90 EUR'],
    [5, 'EUR', '0.05 EUR'],
    [0, 'USD', '0.00 USD'],
    [-1250, 'EUR', '-12.50 EUR'],
    [500, 'JPY', '500 JPY'],
    [1234, 'KWD', '1.234 KWD'],
    [100, 'not a currency', '1.00 not a currency'],
  ])('%i %s is %s', (minor, currency, text) => {
    expect(formatMoney(minor, currency)).toBe(text);
  });
});

describe('plainText', () => {
  test('drops marks and keeps words', () => {
    expect(
      plainText('# Title\n\n- **bold** and *slanted* `code`\n1. [link](https://example.com "t") ![pic](a.png)\n> quote\n2 * 3 * 4'),
    ).toBe('Title\n\nbold and slanted code\nlink pic\nquote\n2 * 3 * 4');
  });
});
