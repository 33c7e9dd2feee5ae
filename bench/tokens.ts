/** Pure: real token counts (o200k), remembered per text. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { ChatMessage } from './chat-format.ts';

/** Texts remembered at most; the bench repeats the same messages thousands of times. */
const MOST_REMEMBERED = 50_000;
const remembered = new Map<string, readonly number[]>();

/** Special tokens in the text count as plain text. */
export function tokensOf(text: string): readonly number[] {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const tokens = encode(text, { disallowedSpecial: new Set<string>() });
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(text, tokens);
  return tokens;
}

export function countTokens(text: string): number {
  return tokensOf(text).length;
}

/** A message as a model reads it: role, text, calls. The same text for the same message, whatever object it is. */
export function wireText(message: ChatMessage): string {
  const calls = (message.tool_calls ?? []).map((call) => `\n${call.function.name} ${call.function.arguments}`).join('');
  return `<|${message.role}|>${message.content ?? ''}${calls}\n`;
}

export function messageTokenCount(message: ChatMessage): number {
  return countTokens(wireText(message));
}
