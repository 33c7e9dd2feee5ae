/** Pure: a request as parts in wire order, and how much two of them share. */
import type { ContextMessage } from '../../../shared/compaction.ts';
import type { RequestPart } from '../../../shared/inspection.ts';
import type { ToolSpec } from '../../../shared/tool.ts';
import { canonicalJson } from '../agent/turn-messages.ts';
import { messageTokens, toolsTokens } from '../memory/estimate.ts';
import type { ModelRequest, TokenEstimator } from '../ports.ts';

type Parted = Pick<ModelRequest, 'system' | 'tools' | 'messages'>;

/** Provider caches serve whole blocks of this many tokens … */
const CACHE_BLOCK_TOKENS = 128;
/** … and nothing below this many. */
const LEAST_CACHED_TOKENS = 1024;

/** System prompt, tools, messages; every part with the text that a model reads of it. */
export function requestParts(request: Parted, estimator: TokenEstimator): RequestPart[] {
  const system: RequestPart = {
    kind: 'system',
    label: 'system',
    text: request.system,
    turn: null,
    tokens: estimator.count(request.system),
  };
  const tools = request.tools.map((tool): RequestPart => {
    return { kind: 'tool', label: tool.name, text: toolWords(tool), turn: null, tokens: toolsTokens([tool], estimator) };
  });
  const messages = request.messages.map((message): RequestPart => {
    const text = messageText(message);
    return { kind: 'message', label: messageLabel(message), text, turn: message.turn ?? null, tokens: messageTokens(message, estimator) };
  });
  return [system, ...tools, ...messages];
}

/** Keys in order: an archived request and one just made must read the same. */
function toolWords({ name, description, parameters }: ToolSpec): string {
  return canonicalJson({ name, description, parameters });
}

function messageLabel(message: ContextMessage): string {
  const what = message.kind ?? message.role;
  return message.turn === undefined ? what : `turn ${message.turn}, ${what}`;
}

/** Content, then each call on a line of its own, then which call a result answers. */
function messageText(message: ContextMessage): string {
  const calls = (message.toolCalls ?? []).map((call) => `${call.name}(${canonicalJson(call.arguments)})`);
  const result = message.toolName === undefined ? [] : [`[${message.toolName}]`];
  return [...result, ...(message.content === '' ? [] : [message.content]), ...calls].join('\n');
}

/** True for parts that stand for the same bytes. */
export function isSamePart(left: RequestPart, right: RequestPart): boolean {
  return left.kind === right.kind && left.text === right.text && (left.kind !== 'message' || roleOf(left) === roleOf(right));
}

/** A label without its turn: the same message keeps its bytes whatever turn a plan counts it to. */
function roleOf(part: RequestPart): string {
  return part.label.replace(/^turn \d+, /u, '');
}

/** Length of the common beginning of two texts, in UTF-16 units; never ends inside a pair of surrogates. */
export function commonStart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left.charCodeAt(length) === right.charCodeAt(length)) length += 1;
  const last = left.charCodeAt(length - 1);
  return length > 0 && last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}

/** Parts that are the same from the start, and the estimated tokens of what both begin with, the first differing part included. */
export function sharedStart(before: readonly RequestPart[], after: readonly RequestPart[]): { parts: number; tokens: number } {
  let parts = 0;
  let tokens = 0;
  for (; parts < before.length && parts < after.length; parts += 1) {
    const [left, right] = [before[parts], after[parts]];
    if (left === undefined || right === undefined || !isSamePart(left, right)) break;
    tokens += left.tokens;
  }
  const [left, right] = [before[parts], after[parts]];
  if (left !== undefined && right !== undefined && left.kind === right.kind && left.text !== '')
    tokens += Math.floor((left.tokens * commonStart(left.text, right.text)) / left.text.length);
  return { parts, tokens };
}

/** Tokens of a shared beginning that an exact-prefix cache serves: whole blocks, nothing below the least. */
export function cacheable(tokens: number): number {
  return tokens < LEAST_CACHED_TOKENS ? 0 : Math.floor(tokens / CACHE_BLOCK_TOKENS) * CACHE_BLOCK_TOKENS;
}

export function partsTokens(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0);
}
