/** Random histories for property tests of everything that writes a wire form. */
import fc from 'fast-check';
import type { ContextMessage } from '../../shared/compaction.ts';

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', ' ', '😀', '\ud83d', 'a\udc00b', '注文'),
);
const id = fc.constantFrom('a', 'b', 'c', '', 'a-2', '\ud83d');
const call = fc.record({ id, name: fc.constantFrom('get_order', 'refund', 'functions.refund', ''), arguments: fc.dictionary(text, text) });
const bodies = [
  '[]',
  'no json',
  '[{"text":"a"}]',
  '[{"type":"reasoning","id":"rs_1","encrypted_content":"x"}]',
  '[{"functionCall":{"name":"refund","args":{}}}]',
];
const raw = fc.record({
  provider: fc.constantFrom('gemini', 'openai', 'openai-chat'),
  model: fc.constantFrom('gemini-3-pro-preview', 'gpt-5', 'gpt-4o-mini'),
  body: fc.constantFrom(...bodies),
});
const anyMessage: fc.Arbitrary<ContextMessage> = fc.record(
  {
    role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
    content: text,
    toolCalls: fc.array(call, { maxLength: 4 }),
    toolCallId: id,
    toolName: fc.constantFrom('get_order', 'refund'),
    providerRaw: raw,
  },
  { requiredKeys: ['role', 'content'] },
);
/** Lists of messages in any order, with broken pairs, repeated ids, empty and ill-formed text. */
export const anyHistory = fc.array(anyMessage, { maxLength: 14 });
