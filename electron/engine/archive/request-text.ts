/**
 * Pure: the text of a neutral request, one JSON line per part, and back. The lines are the segments that the archive keeps. Our own fields are
 * in order; arguments, schemas and what a provider wrote keep the order they have, because it is sent.
 */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { ModelRequest } from '../ports.ts';

/** First what stands for all messages (system prompt, tools, limits), then a line per message in wire order. Joined, they are the text. */
export function requestSegments(request: ModelRequest): string[] {
  const { messages, ...head } = request;
  const { tools, ...rest } = head;
  const ordered = { ...rest, tools: tools.map(inOrder) };
  return [inOrder(ordered), ...messages.map(messageInOrder)].map((part) => `${JSON.stringify(part)}\n`);
}

function messageInOrder(message: ContextMessage): object {
  const { toolCalls, providerRaw } = message;
  return inOrder({
    ...message,
    ...(toolCalls && { toolCalls: toolCalls.map(inOrder) }),
    ...(providerRaw && { providerRaw: inOrder(providerRaw) }),
  });
}

/** The same fields by name; what they hold stays as it is. */
function inOrder(part: object): object {
  return Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)));
}

const encoder = new TextEncoder();

/** Of the canonical text, in UTF-8 bytes. */
export function requestLength(request: ModelRequest): number {
  return requestSegments(request).reduce((sum, segment) => sum + encoder.encode(segment).length, 0);
}

/** The request again; null for text that is none. */
export function parseRequest(text: string): ModelRequest | null {
  const lines = text.split('\n').filter((line) => line !== '');
  try {
    const [head, ...messages] = lines.map((line) => JSON.parse(line) as unknown);
    if (typeof head !== 'object' || head === null || !('system' in head)) return null;
    return { ...(head as Omit<ModelRequest, 'messages'>), messages: messages as ContextMessage[] };
  } catch {
    return null;
  }
}
