/** Finding a text as people mean it. */
import { describe, expect, test } from 'vitest';
import { comparable, countPlaces, placesOf, searchedWords } from '../../shared/find-text.ts';

function found(source: string, wanted: string): string[] {
  return placesOf(comparable(source), comparable(wanted).text).map(({ start, end }) => source.slice(start, end));
}

describe('places of a text', () => {
  test('case, accents and width make no difference, and the place is that of the source', () => {
    expect(found('Où est le CAFÉ? Un cafe\u0301, deux cafes', 'café')).toEqual(['CAFÉ', 'cafe\u0301', 'cafe']);
    expect(found('ＡＢＣ abc', 'abc')).toEqual(['ＡＢＣ', 'abc']);
    expect(found('STRASSE Straße', 'straße')).toEqual(['Straße']);
  });

  test('marks of other scripts are letters of their own', () => {
    expect(found('かばん がばん', 'がばん')).toEqual(['がばん']);
    expect(found('返金と返品', '返')).toEqual(['返', '返']);
    expect(found('شحن الطلب', 'الطلب')).toEqual(['الطلب']);
    expect(found('שלום עולם', 'עולם')).toEqual(['עולם']);
  });

  test('characters of two units stay whole, before, in and after what is found', () => {
    expect(found('👍 ok 👍🏽', '👍')).toEqual(['👍', '👍']);
    expect(found('😀😀ab', 'AB')).toEqual(['ab']);
  });

  test('a line break is a space; nothing overlaps; nothing is found by nothing', () => {
    expect(found('free\nreturn', 'free return')).toEqual(['free\nreturn']);
    expect(found('aaaa', 'aa')).toEqual(['aa', 'aa']);
    expect(found('anything', '')).toEqual([]);
    expect(countPlaces('', 'a')).toBe(0);
  });

  test('what folds into more letters than it has is marked as a whole', () => {
    expect(found('ﬁnd a ﬁle', 'fi')).toEqual(['ﬁ', 'ﬁ']);
    expect(found('ﬁnd', 'i')).toEqual(['ﬁ']);
  });
});

test('searched words leave punctuation out and keep ids whole', () => {
  expect(searchedWords('  "Refund", ORD-1043! refund 返金 😀')).toEqual(['refund', 'ord-1043', '返金', '😀']);
  expect(searchedWords('?! …')).toEqual([]);
});
