/** Pure: how long PHP's json_encode would write a value, and the tutorial's snake_case shape of a message. */
import type { NeutralMessage } from './conversation.ts';

/** A message as the PHP tutorial stores it: exactly these keys. */
export type TutorialMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: { id: string; name: string; arguments: Record<string, unknown> }[] }
  | { role: 'tool'; tool_call_id: string; name: string; content: string };

/** The tutorial's shape of a message. An assistant message without text has `content: null` when it calls tools. */
export function tutorialMessage(message: NeutralMessage): TutorialMessage {
  if (message.role === 'user') return { role: 'user', content: message.content };
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId ?? '', name: message.toolName ?? '', content: message.content };
  }
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: 'assistant', content: message.content };
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
  };
}

/**
 * Characters of one message as PHP would write it, the provider's own message included as `provider_raw` where there is one.
 * A provider body that is no JSON counts as a string. Never throws.
 */
export function phpMessageLength(message: NeutralMessage): number {
  const shape = tutorialMessage(message);
  if (message.role !== 'assistant' || message.providerRaw === undefined) return phpJsonLength(shape);
  return phpJsonLength({ ...shape, provider_raw: parsedOrText(message.providerRaw.body) });
}

function parsedOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * Characters of a JSON value as `json_encode` writes it with its default flags: non-ASCII as `\uXXXX` for each UTF-16 unit, `/` escaped.
 * Properties that are `undefined` are left out. An object with the keys 0…n-1 is a list in PHP; an empty one measures 2 either way.
 * Works without recursion, so depth is no limit. Never throws on a JSON value.
 */
export function phpJsonLength(value: unknown): number {
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') length += phpStringLength(next);
    else if (typeof next === 'number') length += phpNumberLength(next);
    else if (typeof next === 'boolean') length += next ? 4 : 5;
    else if (Array.isArray(next)) {
      length += 2 + Math.max(0, next.length - 1);
      for (const item of next) waiting.push(item);
    } else if (typeof next === 'object' && next !== null) {
      const entries = Object.entries(next).filter((entry) => entry[1] !== undefined);
      length += 2 + Math.max(0, entries.length - 1);
      const isList = entries.every(([key], index) => key === String(index));
      for (const [key, item] of entries) {
        if (!isList) length += phpStringLength(key) + 1;
        waiting.push(item);
      }
    } else length += 4;
  }
  return length;
}

/** With its quotes. */
function phpStringLength(text: string): number {
  let length = 2;
  for (let index = 0; index < text.length; index += 1) length += phpUnitLength(text.charCodeAt(index));
  return length;
}

function phpUnitLength(unit: number): number {
  if (unit > 0x7f) return 6;
  if (unit === 0x22 || unit === 0x5c || unit === 0x2f) return 2;
  if (unit >= 0x20) return 1;
  // \b \t \n \f \r have short forms; U+000B has none.
  return unit >= 0x08 && unit <= 0x0d && unit !== 0x0b ? 2 : 6;
}

/** PHP's 64-bit integers print plainly. */
const LARGEST_INTEGER = 2 ** 63;
/** With serialize_precision -1: floats from 1e17 and below 1e-4 have an exponent. */
const FIRST_LARGE_EXPONENT = 17;
const LAST_SMALL_EXPONENT = -4;

function phpNumberLength(value: number): number {
  // json_encode refuses these; JSON.stringify writes null.
  if (!Number.isFinite(value)) return 4;
  const sign = value < 0 || Object.is(value, -0) ? 1 : 0;
  const size = Math.abs(value);
  if (Number.isInteger(size) && size < LARGEST_INTEGER) return sign + BigInt(size).toString().length;
  const [mantissa = '0', exponentText = '0'] = size.toExponential().split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.replace('.', '').length;
  if (exponent >= FIRST_LARGE_EXPONENT || exponent < LAST_SMALL_EXPONENT) {
    // `1.0e+25`, `1.5e-7`: at least one decimal, a sign, no leading zeros in the exponent.
    return sign + 2 + Math.max(1, digits - 1) + 2 + String(Math.abs(exponent)).length;
  }
  if (exponent < 0) return sign + 1 - exponent + digits;
  return sign + digits + 1;
}
