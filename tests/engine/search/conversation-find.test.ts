/** Finding in a message as people see it, and the snippet of a row. */
import { describe, expect, test } from 'vitest';
import { foundIn, snippetOf } from '../../../electron/engine/search/conversation-find.ts';

describe('found in a message', () => {
  test('words of questions and answers count each time', () => {
    expect(foundIn({ role: 'user', content: 'Refund? REFUND!' }, 'refund')).toBe(2);
  });

  test('calls and results count by their names and values, as the card shows them', () => {
    const toolCalls = [{ id: 'c', name: 'get_order', arguments: { order_id: 1043, note: 'the 1043 one', list: [{ x: 1043 }] } }];
    expect(foundIn({ role: 'assistant', content: '', toolCalls }, '1043')).toBe(3);
    expect(foundIn({ role: 'assistant', content: '', toolCalls }, 'get_order')).toBe(1);
    expect(foundIn({ role: 'tool', content: '{"status":"paid","items":["paid"]}' }, 'paid')).toBe(2);
    expect(foundIn({ role: 'tool', content: 'not json: paid' }, 'paid')).toBe(1);
  });

  test('a value as deep as a model likes it costs no stack', () => {
    const deep = `${'['.repeat(5_000)}"needle"${']'.repeat(5_000)}`;
    expect(foundIn({ role: 'tool', content: deep }, 'needle')).toBe(1);
  });
});

describe('snippets', () => {
  const marked = (content: string, words: string[]): string[] => {
    const snippet = snippetOf(content, words);
    return (snippet?.marks ?? []).map(({ start, end }) => snippet?.text.slice(start, end) ?? '');
  };

  test('the piece around the first word, with every word in it marked', () => {
    const content = `${'filler '.repeat(40)}your REFUND for order 1043 ${'filler '.repeat(40)}`;
    const snippet = snippetOf(content, ['refund', '1043']);
    expect(snippet?.text).toMatch(/^….*your REFUND for order 1043 .*…$/);
    expect(marked(content, ['refund', '1043'])).toEqual(['REFUND', '1043']);
  });

  test('words of two letters, CJK and accents; nothing found is null', () => {
    expect(marked('Das ist ok so', ['ok'])).toEqual(['ok']);
    expect(marked('注文の返金について', ['返金'])).toEqual(['返金']);
    expect(marked('Où est mon café', ['cafe'])).toEqual(['café']);
    expect(snippetOf('nothing here', ['refund'])).toBeNull();
    expect(snippetOf('', ['refund'])).toBeNull();
  });

  test('no character is cut, and words inside each other are marked once', () => {
    const content = `${'😀'.repeat(80)}needle${'😀'.repeat(80)}`;
    expect(snippetOf(content, ['needle'])?.text.isWellFormed()).toBe(true);
    expect(marked('refunded', ['refund', 'refunded'])).toEqual(['refunded']);
  });
});
