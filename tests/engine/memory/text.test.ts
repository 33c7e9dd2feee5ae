/** Cutting text, and the default token estimator. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scriptEstimator } from '../../../electron/engine/memory/estimate.ts';
import { cutStart, shorten } from '../../../electron/engine/memory/text.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

describe('cutting', () => {
  test('[MEM-10] never splits a grapheme, stays well-formed and within the limit', () => {
    const pieces = fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', '🇯🇵', 'é', 'a', ' ', '\r\n', '返', 'क्षि', '\ud800', '👍🏽');
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 30 }).map((list) => list.join('')),
        fc.integer({ min: 0, max: 60 }),
        (text, limit) => {
          const cut = cutStart(text, limit);
          const sound = text.toWellFormed();
          expect(cut.isWellFormed()).toBe(true);
          expect(cut.length).toBeLessThanOrEqual(limit);
          expect(sound.startsWith(cut)).toBe(true);
          const boundaries = new Set([0, sound.length, ...Array.from(segmenter.segment(sound), (part) => part.index)]);
          expect(boundaries.has(cut.length)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('[MEM-10] the next grapheme really did not fit', () => {
    expect(cutStart('🇩🇪🇯🇵🇫🇷', 9)).toBe('🇩🇪🇯🇵');
    expect(cutStart('👩‍👩‍👧‍👦', 5)).toBe('');
    expect(shorten('one two three', 8)).toBe('one two…');
    expect(shorten('short', 8)).toBe('short');
  });
});

describe('estimator', () => {
  test('[MEM-9] is near a real tokenizer in several scripts', () => {
    // Counted with the o200k vocabulary.
    const counted: [string, number][] = [
      ['返金をお願いしたいのですが、注文番号1043の商品はまだ届いていません。配送状況を確認していただけますか？', 32],
      ['您好，我想申请退款，订单号是1043，已经付款二十天了，请帮我查询一下物流状态。', 26],
      ['안녕하세요, 주문 번호 1043의 환불을 요청하고 싶습니다. 배송 상태를 확인해 주세요.', 24],
      ['Здравствуйте, я хотел бы вернуть заказ номер 1043, он был оплачен двадцать дней назад.', 22],
      ['مرحبا، أريد استرداد المبلغ للطلب رقم 1043، لقد تم الدفع قبل عشرين يوما.', 26],
      ['Die Rückerstattung ist leider nur innerhalb von vierzehn Tagen nach dem Kauf möglich.', 18],
      ['{"order_id":1043,"days_since_purchase":20,"eligible":false,"reason":"outside the window"}', 23],
    ];
    for (const [text, tokens] of counted) {
      const estimate = scriptEstimator.count(text);
      expect(Math.abs(estimate - tokens) / tokens).toBeLessThan(0.25);
    }
    expect(scriptEstimator.count('')).toBe(0);
  });

  test('[MEM-9] never throws and grows with the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (first, second) => {
        const whole = scriptEstimator.count(`${first} ${second}`);
        expect(Number.isInteger(whole)).toBe(true);
        expect(whole).toBeGreaterThanOrEqual(scriptEstimator.count(first) - 2);
      }),
    );
  });
});
