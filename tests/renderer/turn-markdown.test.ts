/** Pure: a turn as Markdown. */
import { describe, expect, test } from 'vitest';
import { turnParts } from '../../renderer/turns/turn-parts.ts';
import { turnMarkdown } from '../../renderer/turns/turn-markdown.ts';

const HEADING = { heading: 'Turn 3', customer: 'Mara' };

describe('a turn as Markdown', () => {
  test('quotes every line of the question and leaves the answer as it is', () => {
    const parts = turnParts([
      { role: 'user', content: 'First line\n\nThird line' },
      { role: 'assistant', content: '**Yes.**' },
    ]);
    expect(turnMarkdown(HEADING, parts)).toBe('## Turn 3\n\n**Mara:**\n\n> First line\n>\n> Third line\n\n**Yes.**\n');
  });

  test('a tool result with backticks cannot close its block', () => {
    const parts = turnParts([
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'get_order', arguments: { order_id: 7 } }] },
      { role: 'tool', content: '"```` end"', toolCallId: 'c1', toolName: 'get_order' },
    ]);
    expect(turnMarkdown(HEADING, parts)).toBe('## Turn 3\n\n`````\nget_order({"order_id":7})\n→ "```` end"\n`````\n');
  });

  test('a call without a result is shown without one, an empty answer is left out', () => {
    const parts = turnParts([{ role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'list_orders', arguments: {} }] }]);
    expect(turnMarkdown(HEADING, parts)).toBe('## Turn 3\n\n```\nlist_orders({})\n```\n');
  });
});
