// Requests as text, and where two texts differ.
import { describe, expect, it } from 'vitest';
import { differingPieces, openAiMessages, requestText } from '../../renderer/context/request-formats.ts';

const REQUEST = {
  system: "It's short.",
  model: 'openai/gpt-5-mini',
  tools: [],
  messages: [
    { role: 'user' as const, content: 'Hi', turn: 1 },
    { role: 'assistant' as const, content: '', toolCalls: [{ id: 'c1', name: 'get_order', arguments: { order_id: 1 } }] },
    { role: 'tool' as const, content: '{}', toolCallId: 'c1', toolName: 'get_order' },
  ],
};

describe('a request taken away', () => {
  it('has the form of OpenAI messages', () => {
    expect(openAiMessages(REQUEST)).toEqual([
      { role: 'system', content: "It's short." },
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_order', arguments: '{"order_id":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{}' },
    ]);
  });

  it('as curl names a variable for the key, and quotes survive the shell', () => {
    const text = requestText(REQUEST, 'curl');
    expect(text).toContain('Bearer $NIMBUS_OPENAI_KEY');
    expect(text).toContain(`It'\\''s short.`);
    expect(text).toContain('"model": "gpt-5-mini"');
  });

  it('as JSON holds every part', () => {
    expect(JSON.parse(requestText(REQUEST, 'json'))).toEqual({ ...REQUEST });
  });
});

describe('two texts in pieces', () => {
  it.each([
    ['abc', 'abc'],
    ['abcd', 'abXd'],
    ['', 'new'],
    ['aa', 'aaa'],
    ['old', ''],
  ])('%j and %j come back whole, and only the middle differs', (before, after) => {
    const pieces = differingPieces(before, after);
    expect(pieces.before.map((piece) => piece.text).join('')).toBe(before);
    expect(pieces.after.map((piece) => piece.text).join('')).toBe(after);
    const same = (side: typeof pieces.before) => side.filter((piece) => !piece.differs).map((piece) => piece.text);
    expect(same(pieces.before)).toEqual(same(pieces.after));
  });
});
