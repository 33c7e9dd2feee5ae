/** Personal data in texts, placeholders and the way back. */
import { describe, expect, it } from 'vitest';
import { findPersonalData, passesLuhn } from '../../../electron/engine/redaction/personal-data.ts';
import type { KnownPerson } from '../../../electron/engine/redaction/personal-data.ts';
import { createPlaceholderTable, StreamedRestoration } from '../../../electron/engine/redaction/placeholders.ts';

const ANNA: KnownPerson = { name: 'Anna Lindqvist', email: 'anna.l@example.com', phone: '+46 8 123 456 78', city: 'Malmö', country: 'SE' };

const found = (text: string, person: KnownPerson | null = ANNA): string[] =>
  findPersonalData(text, person).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('what is personal', () => {
  it.each([
    ['Write to jo.smith+shop@mail.example.co.uk, please.', ['EMAIL jo.smith+shop@mail.example.co.uk']],
    ['Mail: ü.öz@bücher.example', ['EMAIL ü.öz@bücher.example']],
    ['Card 4111 1111 1111 1111 exp 12/29', ['CARD 4111 1111 1111 1111']],
    ['Card 4111-1111-1111-1111', ['CARD 4111-1111-1111-1111']],
    ['{"card":"5500005555555559"}', ['CARD 5500005555555559']],
    ['Pay to DE89 3704 0044 0532 0130 00 today', ['IBAN DE89 3704 0044 0532 0130 00']],
    ['iban gb29nwbk60161331926819.', ['IBAN gb29nwbk60161331926819']],
    ['Call +49 30 901820 now', ['PHONE +49 30 901820']],
    ['Ring 08-123 456 78 after five', ['PHONE 08-123 456 78']],
    ['I am anna lindqvist from MALMÖ', ['NAME anna lindqvist', 'ADDRESS MALMÖ']],
    ['Hi Anna!', ['NAME Anna']],
    ['Say [EMAIL_1] as it is', ['LITERAL [EMAIL_1]']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    'Order 1043, refund 20.00 EUR, ticket 5001',
    'order #100234567, paid 2026-03-02 at 10:45:12',
    'Tracking 1Z999AA10123456784 and JJD000390007882231234',
    'payment pay_4929123412341234 of user_8001234567',
    'Card 4111 1111 1111 1112 fails its checksum',
    'DE88 3704 0044 0532 0130 00 fails its checksum',
    '4001 4002 4003 4005 and 1001 1002 1003 1004 are orders',
    'Annabelle and Malmöhus are other words',
    'id 01890000-0000-7000-8000-000000000001',
    '{"order_id":1043,"total_minor":129900,"days":[1,2,3],"at":"2026-03-02T10:00:00Z"}',
    'a@b, x@@y.z',
  ])('nothing in: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('a name in a script without spaces is found inside a sentence', () => {
    const yuki = { ...ANNA, name: '田中 由紀', city: '京都' };
    expect(found('田中由紀です、京都に住んでいます', yuki)).toEqual(['NAME 田中', 'NAME 由紀', 'ADDRESS 京都']);
  });

  it('knows cards by their checksum', () => {
    expect(passesLuhn('4242 4242 4242 4242')).toBe(true);
    expect(passesLuhn('4242 4242 4242 4241')).toBe(false);
    expect(passesLuhn('0000000000000')).toBe(false);
  });
});

/** Small seeded generator (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PERSONAL = [
  'anna.l@example.com',
  'bo@shop.example',
  '4111 1111 1111 1111',
  '5500005555555559',
  'DE89 3704 0044 0532 0130 00',
  'GB29NWBK60161331926819',
  '+46 8 123 456 78',
  '+49 30 901820',
  'Anna Lindqvist',
  'Lindqvist',
  'anna',
  'Malmö',
];
const PLAIN = [
  'order 1043',
  '#5001',
  '20,00 €',
  '[EMAIL_1]',
  '[NAME_2]',
  '[CARD_',
  '[',
  ']',
  '🍣',
  '\n',
  '1Z999AA10123456784',
  '2026-03-02',
  'ok',
  '{"id":1042}',
  '[[EMAIL_1]]',
];

function sentenceOf(next: () => number): string {
  const pieces = Array.from({ length: 1 + Math.floor(next() * 9) }, () => {
    const source = next() < 0.5 ? PERSONAL : PLAIN;
    return source[Math.floor(next() * source.length)] ?? '';
  });
  return pieces.join(next() < 0.8 ? ' ' : ', ');
}

describe('placeholders', () => {
  it('give back the original, hide every value and leave order numbers, over 2,000 seeded texts', () => {
    const next = random(7);
    const table = createPlaceholderTable(ANNA, null);
    for (let round = 0; round < 2000; round += 1) {
      const text = sentenceOf(next);
      const hidden = table.hide(text);
      expect(table.restore(hidden)).toBe(text);
      for (const value of PERSONAL) expect(hidden.toLowerCase()).not.toContain(value.toLowerCase());
      for (const kept of ['1043', '5001', '1042', '1Z999AA10123456784', '2026-03-02'])
        expect([text, hidden, hidden.split(kept).length]).toEqual([text, hidden, text.split(kept).length]);
      expect(table.hide(text)).toBe(hidden);
    }
  });

  it('survive a stream cut anywhere', () => {
    const next = random(11);
    const table = createPlaceholderTable(ANNA, null);
    for (let round = 0; round < 500; round += 1) {
      const text = sentenceOf(next);
      const hidden = table.hide(text);
      const stream = new StreamedRestoration(table);
      let restored = '';
      for (let at = 0; at < hidden.length; ) {
        const length = 1 + Math.floor(next() * 6);
        restored += stream.add(hidden.slice(at, at + length));
        at += length;
      }
      expect(restored + stream.end()).toBe(text);
    }
  });

  it('are the same after a restart, and unreadable tables start afresh', () => {
    const first = createPlaceholderTable(ANNA, null);
    const hidden = first.hide('bo@shop.example, then anna.l@example.com');
    const second = createPlaceholderTable(ANNA, first.toJson());
    expect(second.hide('anna.l@example.com, then bo@shop.example')).toBe('[EMAIL_2], then [EMAIL_1]');
    expect(second.restore(hidden)).toBe('bo@shop.example, then anna.l@example.com');
    expect(second.hide('new@shop.example')).toBe('[EMAIL_3]');
    for (const broken of ['{', '[]', '{"format":9,"pairs":[]}', '{"format":1,"pairs":[["[EMAIL_1]",7],"x"]}'])
      expect(createPlaceholderTable(ANNA, broken).values()).toEqual([]);
  });
});
