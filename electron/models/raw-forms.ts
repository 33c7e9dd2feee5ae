/** Pure: the verbatim provider messages we store: when one may be sent again, and what is lost when it may not. */
import type { NeutralMessage, ProviderRaw } from '../../shared/conversation.ts';

/** One part, item or message of a provider, as parsed JSON. */
export type RawItem = Record<string, unknown>;

/** Things only their own provider and model can read. */
export interface OpaqueCounts {
  signatures: number;
  reasoning: number;
  other: number;
}

export function isRecord(value: unknown): value is RawItem {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The items of a raw body; null when it is not a JSON list of objects. */
export function parseRaw(raw: ProviderRaw): RawItem[] | null {
  try {
    const items: unknown = JSON.parse(raw.body);
    return Array.isArray(items) && items.length > 0 && items.every(isRecord) ? items : null;
  } catch {
    return null;
  }
}

/**
 * The raw items of a message when they may be sent to the target: same provider, same model, and still saying what the message says.
 * null otherwise; then the neutral text and calls are sent.
 */
export function readRaw(message: NeutralMessage, target: { provider: string; model: string }): RawItem[] | null {
  const raw = message.providerRaw;
  if (raw === undefined || raw.provider !== target.provider || raw.model !== target.model) return null;
  const items = parseRaw(raw);
  return items !== null && saysTheSame(message, raw.provider, items) ? items : null;
}

/** A compacted or edited message must not bring its old wording back through the raw form. */
function saysTheSame(message: NeutralMessage, provider: string, items: RawItem[]): boolean {
  const calls = message.toolCalls ?? [];
  if (provider === 'gemini') {
    const made = items.flatMap((part) => (isRecord(part['functionCall']) ? [part['functionCall']] : []));
    return sameText(geminiText(items), message.content) && sameList(made, calls, (call) => call['name'], 'name');
  }
  if (provider === 'openai') {
    const made = items.filter((item) => item['type'] === 'function_call');
    return sameText(responsesText(items), message.content) && sameList(made, calls, (call) => call['call_id'], 'id');
  }
  const [only] = items;
  const made = Array.isArray(only?.['tool_calls']) ? only['tool_calls'].filter(isRecord) : [];
  const content = typeof only?.['content'] === 'string' ? only['content'] : '';
  return items.length === 1 && sameText(content, message.content) && sameList(made, calls, (call) => call['id'], 'id');
}

function sameText(raw: string, neutral: string): boolean {
  const squeeze = (text: string) => text.toWellFormed().replaceAll(/\s+/g, '');
  return squeeze(raw) === squeeze(neutral);
}

function sameList(
  made: RawItem[],
  calls: NonNullable<NeutralMessage['toolCalls']>,
  key: (item: RawItem) => unknown,
  field: 'id' | 'name',
): boolean {
  return made.length === calls.length && made.every((item, index) => key(item) === calls[index]?.[field]);
}

/** Text a person sees; thoughts are not part of it. */
export function geminiText(parts: readonly RawItem[]): string {
  return parts.map((part) => (part['thought'] !== true && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}

/** Text and refusals of all message items, items apart from each other by an empty line, as they were streamed. */
export function responsesText(items: readonly RawItem[]): string {
  return items
    .filter((item) => item['type'] === 'message' && Array.isArray(item['content']))
    .map((item) => (item['content'] as unknown[]).filter(isRecord).map(contentText).join(''))
    .filter((text) => text !== '')
    .join('\n\n');
}

function contentText(part: RawItem): string {
  if (typeof part['text'] === 'string') return part['text'];
  return typeof part['refusal'] === 'string' ? part['refusal'] : '';
}

/** Counts what a raw form holds that its neutral text and calls do not. */
export function countOpaque(raw: ProviderRaw): OpaqueCounts {
  const counts: OpaqueCounts = { signatures: 0, reasoning: 0, other: 0 };
  for (const item of parseRaw(raw) ?? []) {
    if (typeof item['thoughtSignature'] === 'string') counts.signatures += 1;
    if (item['type'] === 'reasoning') counts.reasoning += 1;
    if (raw.provider === 'openai-chat') counts.other += 1;
  }
  return counts;
}
