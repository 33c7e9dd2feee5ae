/** Pure: the canonical text of a neutral request, one JSON line per part, and back. The lines are the segments that the archive keeps. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import { canonicalJson } from '../agent/turn-messages.ts';
import type { ModelRequest } from '../ports.ts';

/** First what stands for all messages (system prompt, tools, limits), then a line per message in wire order. Joined, they are the text. */
export function requestSegments(request: ModelRequest): string[] {
  const { messages, ...head } = request;
  return [head, ...messages].map((part) => `${canonicalJson(part)}\n`);
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
