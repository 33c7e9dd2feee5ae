/** Pure: seeded sample texts by kind of writing, and a simulated provider whose tokens differ from the tokenizer's by a factor per kind. */
import { scriptShares, SCRIPTS } from '../electron/models/text-scripts.ts';
import type { ScriptShares } from '../electron/models/text-scripts.ts';

export type SampleKind = 'English' | 'Japanese' | 'Arabic' | 'JSON' | 'emoji';
export const SAMPLE_KINDS: readonly SampleKind[] = ['English', 'Japanese', 'Arabic', 'JSON', 'emoji'];

const SENTENCES: Record<Exclude<SampleKind, 'JSON'>, readonly string[]> = {
  English: [
    'My order arrived yesterday, but the rain gauge is cracked on one side.',
    'Could you tell me whether a refund is still possible after two weeks?',
    'The tracking page has shown the same status since Monday morning.',
    'I would rather exchange the windbreaker for a larger size than send it back.',
    'Please open a ticket and let somebody from the warehouse call me tomorrow.',
    'We ship within the European Union in two to five working days.',
  ],
  Japanese: [
    '昨日商品が届きましたが、雨量計の片側にひびが入っていました。',
    '注文から二週間過ぎても返金は可能でしょうか。',
    '追跡ページは月曜日の朝からずっと同じ表示のままです。',
    '返品ではなく、もう少し大きいサイズに交換していただけますか。',
    'チケットを作成して、明日倉庫の担当者から電話をいただきたいです。',
    '配送には通常三日から五日ほどかかります。',
  ],
  Arabic: [
    'وصل طلبي أمس لكن مقياس المطر مكسور من جهة واحدة.',
    'هل يمكن استرداد المبلغ بعد مرور أسبوعين على الشراء؟',
    'صفحة التتبع تعرض الحالة نفسها منذ صباح يوم الاثنين.',
    'أفضل استبدال السترة بمقاس أكبر بدلا من إعادتها.',
    'من فضلك افتح تذكرة وليتصل بي أحد من المستودع غدا.',
    'يستغرق الشحن عادة من ثلاثة إلى خمسة أيام عمل.',
  ],
  emoji: ['😀🎉 thanks!! 🙏🏽', '📦🚚💨 where? 😅', '👩‍💻👍🏿 ok ✅', '🌧️☔ rain gauge 💔😭', '🇩🇪🇯🇵 ✈️ soon? 🤔', '❤️‍🔥🔥🔥 great 💯'],
};
const STATUSES = ['shipped', 'delivered', 'processing', 'refunded'];

/** A generator of numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One text of a kind, of a few sentences up to a long history. */
export function sampleText(kind: SampleKind, random: () => number): string {
  const parts = 4 + Math.floor(random() * 40);
  if (kind === 'JSON') {
    const orders = Array.from({ length: parts }, () => ({
      order_id: 1000 + Math.floor(random() * 9000),
      status: STATUSES[Math.floor(random() * STATUSES.length)],
      total_minor: Math.floor(random() * 100_000),
      currency: 'EUR',
      days_since_purchase: Math.floor(random() * 400),
      eligible: random() < 0.5,
    }));
    return JSON.stringify({ orders });
  }
  const sentences = SENTENCES[kind];
  return Array.from({ length: parts }, () => sentences[Math.floor(random() * sentences.length)]).join(kind === 'Japanese' ? '' : ' ');
}

const LEAST_FACTOR = 0.75;
const FACTOR_RANGE = 0.6;
/** Scatter of one report, as a share. */
const SCATTER = 0.015;

/** A provider whose tokens per kind of writing are the tokenizer's times a seeded factor, with a little scatter and fixed framing. */
export function simulatedProvider(count: (text: string) => number, random: () => number): (text: string) => number {
  const factors = Object.fromEntries(SCRIPTS.map((script) => [script, LEAST_FACTOR + FACTOR_RANGE * random()])) as ScriptShares;
  const framing = 3 + Math.floor(random() * 6);
  return (text) => {
    const shares = scriptShares(text);
    const factor = SCRIPTS.reduce((sum, script) => sum + shares[script] * factors[script], 0);
    return Math.round(count(text) * factor * (1 + SCATTER * (2 * random() - 1))) + framing;
  };
}
