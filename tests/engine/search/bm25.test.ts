/** The full-text index: ranking, changes one by one, hostile input. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSearchIndex, type SearchDocument } from '../../../electron/engine/search/bm25.ts';

const document = (id: string, text: string): SearchDocument => ({ id, parts: [{ text, weight: 1 }] });
const found = (documents: SearchDocument[], query: string): string[] =>
  createSearchIndex(documents)
    .search(query)
    .map(({ id }) => id);

const words = fc.array(fc.constantFrom('order', 'refund', 'parcel', '1042', 'is', '返品', '注文', 'ünïcode', 'x-1'), { maxLength: 12 });
const someDocument = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), text: words.map((list) => list.join(' ')) });

describe('createSearchIndex', () => {
  test('the rarer word decides, and shorter documents win', () => {
    const documents = [
      document('1', 'order order order'),
      document('2', 'order refund'),
      document('3', 'order refund and many other words in it'),
    ];
    expect(found(documents, 'refund order')).toEqual(['2', '3', '1']);
  });

  test('finds CJK words inside sentences, single characters, two-letter words and ids', () => {
    const documents = [
      document('ja', '商品の返品は十四日以内にお願いします。'),
      document('zh', '我想取消订单'),
      document('uk', 'Shipping to the UK takes a week'),
      document('id', 'see INV-2024-001 for details'),
    ];
    expect(found(documents, '返品')).toEqual(['ja']);
    expect(found(documents, '日')).toEqual(['ja']);
    expect(found(documents, '订单')).toEqual(['zh']);
    expect(found(documents, 'uk')).toEqual(['uk']);
    expect(found(documents, 'inv-2024-001')).toEqual(['id']);
    expect(found(documents, 'INV')).toEqual(['id']);
  });

  test('a title with more weight comes first', () => {
    const index = createSearchIndex([
      {
        id: 'body',
        parts: [
          { text: 'Other', weight: 4 },
          { text: 'warranty', weight: 1 },
        ],
      },
      {
        id: 'title',
        parts: [
          { text: 'Warranty', weight: 4 },
          { text: 'other', weight: 1 },
        ],
      },
    ]);
    expect(index.search('warranty').map(({ id }) => id)).toEqual(['title', 'body']);
  });

  test('equal documents come in order of id; the limit and the rarest terms hold', () => {
    const index = createSearchIndex(['c', 'a', 'b'].map((id) => document(id, 'same text')));
    expect(index.search('text').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(index.search('text', { limit: 2 }).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(index.search('text', { limit: -1 })).toEqual([]);
    index.add(document('d', 'same rare'));
    expect(index.search('same rare', { maxTerms: 1 }).map(({ id, terms }) => [id, terms])).toEqual([['d', ['rare']]]);
  });

  test.each(['', ' ', '"*" OR 1=1 --', '((((', '\ud83d', '\u0000', '🍣', 'a'.repeat(100_000), '../../etc', '%_'])(
    '%j gives no hit and no error',
    (query) => {
      expect(found([document('1', 'nothing like that')], query)).toEqual([]);
    },
  );

  test('words named like object members are only words', () => {
    expect(found([document('__proto__', 'constructor toString'), document('2', 'x')], 'constructor')).toEqual(['__proto__']);
  });

  test('adding and removing one by one ends in the same index as building it at once', () => {
    fc.assert(
      fc.property(
        fc.array(someDocument, { maxLength: 20 }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }),
        words,
        (added, removed, query) => {
          const index = createSearchIndex();
          for (const { id, text } of added) index.add(document(id, text));
          for (const id of removed) index.remove(id);
          const final = new Map(added.map(({ id, text }) => [id, text]));
          for (const id of removed) final.delete(id);
          const fresh = createSearchIndex([...final].toReversed().map(([id, text]) => document(id, text)));
          expect(index.size).toBe(final.size);
          expect(index.search(query.join(' '))).toEqual(fresh.search(query.join(' ')));
        },
      ),
    );
  });

  test('every hit holds a term of the query; every document that holds one is a hit', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(someDocument, { selector: ({ id }) => id }),
        fc.constantFrom('order', '1042', '返品'),
        (documents, term) => {
          const hits = createSearchIndex(documents.map(({ id, text }) => document(id, text))).search(term);
          const holders = documents.filter(({ text }) => text.split(' ').includes(term)).map(({ id }) => id);
          expect(hits.map(({ id }) => id).toSorted()).toEqual(holders.toSorted());
          for (const { score } of hits) expect(score).toBeGreaterThan(0);
        },
      ),
    );
  });
});
