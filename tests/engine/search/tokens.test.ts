/** The tokeniser over many scripts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, queryTerms, tokenSpans } from '../../../electron/engine/search/tokens.ts';

const tokens = (text: string): string[] => tokenSpans(text).map(({ token }) => token);

describe('fold', () => {
  test.each([
    ['CAFÉ', 'cafe'],
    ['cafe\u0301', 'cafe'],
    ['Größe', 'grosse'],
    ['Łódź', 'lodz'],
    ['İzmir', 'izmir'],
    ['ＡＢＣ１２', 'abc12'],
    ['ﬁne', 'fine'],
    ['ΟΔΌΣ', 'οδοσ'],
    ['がっこう', 'がっこう'],
    ['ｶﾞｽ', 'ガス'],
    ['مُحَمَّد', 'محمد'],
    ['한국', '한국'],
  ])('%s → %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });
});

describe('tokenSpans', () => {
  test.each([
    ['words', 'Where is my Parcel?', ['where', 'is', 'my', 'parcel']],
    ['English plurals', 'orders boxes policies gas bus status address', ['order', 'box', 'policy', 'gas', 'bus', 'status', 'address']],
    ['ids whole and in parts', 'INV-2024-001', ['inv-2024-001', 'inv', '2024', '001']],
    ['a number after a hash', '#1042', ['1042']],
    ['an e-mail address', 'jan@example.com', ['jan@example.com', 'jan', 'example', 'com']],
    ['two-letter words', 'UK VAT TV', ['uk', 'vat', 'tv']],
    ['Japanese in singles and pairs', '返品する', ['返', '返品', '品', '品す', 'す', 'する', 'る']],
    ['one character', '傘', ['傘']],
    ['mixed scripts', '注文1042番', ['注', '注文', '文', '1042', '番']],
    ['Thai in pairs', 'ไทย', ['ไ', 'ไท', 'ท', 'ทย', 'ย']],
    ['joiners alone are nothing', '- / :: @', []],
  ])('%s', (_name, text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });

  test('a query has pairs without singles', () => {
    expect(tokenSpans('返品', 'query').map(({ token }) => token)).toEqual(['返品']);
    expect(tokenSpans('傘', 'query').map(({ token }) => token)).toEqual(['傘']);
  });

  test('spans point at the original text', () => {
    const text = '  Größe «注文» x';
    expect(tokenSpans(text).map(({ start, end }) => text.slice(start, end))).toEqual(['Größe', '注', '注文', '文', 'x']);
  });

  test('accepts any string; spans lie inside it and are never empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const { token, start, end } of tokenSpans(text)) {
          expect(token).not.toBe('');
          expect(start >= 0 && start < end && end <= text.length).toBe(true);
        }
      }),
    );
  });

  test('case does not matter', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('abcÄÖéñßøŁŠ-@1 2')) }), (text) => {
        expect(tokens(text.toUpperCase())).toEqual(tokens(text.toLowerCase()));
      }),
    );
  });
});

describe('queryTerms', () => {
  test('drops filler words only while others remain, and repeats', () => {
    expect(queryTerms('What is the warranty, the WARRANTY?')).toEqual(['warranty']);
    expect(queryTerms('is it you')).toEqual(['is', 'it', 'you']);
  });
});
