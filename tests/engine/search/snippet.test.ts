/** Snippets: around the best match, bounded, whole graphemes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snippet } from '../../../electron/engine/search/snippet.ts';

const filler = 'lorem ipsum dolor sit amet '.repeat(30);

describe('snippet', () => {
  test('a short text is whole, on one line', () => {
    expect(snippet('One\n\ntwo', 'two')).toBe('One two');
  });

  test('shows the place with most of the words', () => {
    const text = `${filler}refund here. ${filler}The refund window is 14 days. ${filler}`;
    const part = snippet(text, 'refund window days', 120);
    expect(part).toContain('refund window is 14 days');
    expect(part.startsWith('…') && part.endsWith('…')).toBe(true);
    expect(part.length).toBeLessThanOrEqual(122);
  });

  test('without a match it is the beginning', () => {
    expect(snippet(`Start ${filler}`, 'nothing', 60)).toMatch(/^Start lorem.*…$/);
  });

  test('finds Japanese in the middle', () => {
    const text = `${'これは長い文章です。'.repeat(40)}返品は十四日以内です。${'これは長い文章です。'.repeat(40)}`;
    expect(snippet(text, '返品', 80)).toContain('返品は十四日以内');
  });

  test('[MEM-10] is bounded, well formed, and splits no grapheme', () => {
    const family = '👨‍👩‍👧‍👦';
    const piece = fc.constantFrom(family, '🇩🇪', 'e\u0301', '返品', 'refund', ' ', '\n', 'x'.repeat(40));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), fc.integer({ min: 0, max: 200 }), (pieces, length) => {
        const part = snippet(pieces.join(''), 'refund 返品', length);
        expect(part.isWellFormed()).toBe(true);
        expect(part.length).toBeLessThanOrEqual(Math.max(length, 48) + 2);
        expect(part.replaceAll(family, '')).not.toMatch(/[\u200d👨👩👧👦]/u);
      }),
    );
  });
});
