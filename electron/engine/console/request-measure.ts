/** How large a request is, how much of it a cache holds, and what its input costs. Reads only. */
import type { Conversation } from '../../../shared/conversation.ts';
import type { RequestMark } from '../../../shared/inspection.ts';
import { parseRequest } from '../archive/request-text.ts';
import { cacheable, partsTokens, requestParts, sharedStart } from '../inspect/request-parts.ts';
import { ownPricesOf } from '../money/ledger.ts';
import { costOf } from '../money/pricing.ts';
import type { ModelRequest } from '../ports.ts';
import type { ServiceParts } from './service-deps.ts';

/** Most requests that are looked through for the one before another. */
const MOST_BEFORE = 500;

/** Size, cached share against the request that left before, and price of the input. Rejects with the store's ConsoleErrors. */
export async function measureRequest(
  parts: ServiceParts,
  conversation: Conversation,
  request: ModelRequest,
  mark: RequestMark | null,
): Promise<{ tokens: number; cachedTokens: number | null; inputMicroUsd: number | null }> {
  const own = requestParts(request, parts.estimator);
  const tokens = partsTokens(own);
  const before = await requestBefore(parts, conversation.id, mark);
  const cachedTokens = before === null ? null : cacheable(sharedStart(requestParts(before, parts.estimator), own).tokens);
  const model = await parts.answeringModel();
  const usage = { inputTokens: tokens, cacheReadTokens: cachedTokens ?? 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const settings = await parts.settings.readFor(conversation);
  const call = { provider: model.provider, model: model.model, usage, at: parts.clock.now() };
  return { tokens, cachedTokens, inputMicroUsd: costOf(parts.prices, ownPricesOf(settings), call) };
}

/** The request that left just before; null: none did, or it is erased. */
async function requestBefore(parts: ServiceParts, id: string, mark: RequestMark | null): Promise<ModelRequest | null> {
  const { archive } = parts.store;
  const listed = await archive.list(id, { limit: mark === null ? 1 : MOST_BEFORE });
  const at = mark === null ? 0 : 1 + listed.findIndex((each) => each.spanId === mark.spanId);
  const before = mark !== null && at === 0 ? undefined : listed[at];
  const read = before === undefined ? null : await archive.read(before.spanId);
  return read === null || read.text === null ? null : parseRequest(read.text);
}
