/** Golden values of the PHP-compatible measure. */
import { describe, expect, test } from 'vitest';
import { flatChars, listChars, phpChars } from '../../../electron/engine/memory/php-measure.ts';
import { assistant, calls, result, user } from './histories.ts';

describe('[MEM-13] php measure', () => {
  const golden: [name: string, message: Parameters<typeof phpChars>[0], asPhpWritesIt: string][] = [
    ['plain text', user('Hi'), '{"role":"user","content":"Hi"}'],
    ['slashes and quotes', user('a/b "c" \\d'), '{"role":"user","content":"a\\/b \\"c\\" \\\\d"}'],
    ['control characters', user('\b\f\n\r\t\v\u0000'), '{"role":"user","content":"\\b\\f\\n\\r\\t\\u000b\\u0000"}'],
    ['Japanese', user('返金'), '{"role":"user","content":"\\u8fd4\\u91d1"}'],
    ['an emoji is two escapes', user('👍'), '{"role":"user","content":"\\ud83d\\udc4d"}'],
    [
      'a call without text has null content',
      calls(['c1', 'get_order', { order_id: 1043 }]),
      '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"get_order","arguments":{"order_id":1043}}]}',
    ],
    [
      'nested arguments',
      calls(['c1', 'find', { where: { tags: ['a/b', 1.5, null, true] } }]),
      '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"find","arguments":{"where":{"tags":["a\\/b",1.5,null,true]}}}]}',
    ],
    [
      'no arguments are an empty list',
      calls(['c1', 'list_orders', {}]),
      '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"list_orders","arguments":[]}]}',
    ],
    [
      'a result',
      result('c1', 'get_order', { ok: true }),
      '{"role":"tool","tool_call_id":"c1","name":"get_order","content":"{\\"ok\\":true}"}',
    ],
    ['a mark of ours is not measured', assistant('Sorry', 'failed'), '{"role":"assistant","content":"Sorry"}'],
    [
      'the provider’s own message is measured parsed',
      { ...assistant('Hi'), providerRaw: { provider: 'gemini', model: 'm', body: '{ "role": "model", "sig": "a/b" }' } },
      '{"role":"assistant","content":"Hi","provider_raw":{"role":"model","sig":"a\\/b"}}',
    ],
  ];
  test.each(golden)('%s', (_name, message, asPhpWritesIt) => {
    expect(phpChars(message)).toBe(asPhpWritesIt.length);
  });

  test('a list adds brackets and commas; an empty one is 2 characters', () => {
    expect(flatChars([])).toBe(2);
    expect(flatChars([user('Hi'), user('Hi')])).toBe(2 + 30 + 1 + 30);
    expect(listChars([5])).toBe(7);
  });
});
